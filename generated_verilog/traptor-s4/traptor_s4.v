// traptor-s4 of Tracewright, scheme traptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   gshare_entries = 256
//   gshare_history_bits = 8
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 64
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 13
//   elided_upper_bits = 12
//   branch_count_bits = 16
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 1
//   instruction_count_bits = 24
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 5
//   target_next_chunk = 5
//   outcome_bit_for_jumps = true
// traptor

module traptor_s4 (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid, // a block retires in this clock
    input  wire [3:0]  retire_count, // its instructions
    input  wire [31:0] retire_pc, // byte address of its last instruction
    input  wire [3:0]  retire_length, // length of that in bytes
    input  wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception
    input  wire        retire_call, // it leaves a return address
    input  wire        retire_return, // it goes back to one
    input  wire        retire_taken, // the flow changed
    input  wire [31:0] retire_target, // where to, if taken
    output reg         stall, // the block of this clock is not taken
    input  wire        flush, // level: end the trace here
    output wire        flushed, // everything is out
    output wire        trace_data, // trace bits, bit 0 first
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    reg         clearing;
    reg  [7:0]  clear_index;
    reg  [1:0]  state;
    wire        accepted;
    wire        control_flow;
    wire        conditional;
    wire        indirect;
    wire        exception;
    wire        counted;
    wire [29:0] target;
    wire        gshare_update;
    wire        gshare_predicted_taken;
    wire        target_predictor_update;
    wire        target_predictor_predicted;
    wire [29:0] target_predictor_predicted_target;
    reg         record_former_flush;
    wire        record_former_record_valid;
    wire [62:0] record_former_record;
    wire        record_queue_in_ready;
    wire        record_queue_out_valid;
    wire [62:0] record_queue_out_word;
    wire [1:0]  record_queue_level;
    wire        serial_encoder_record_ready;
    wire        serial_encoder_piece_valid;
    wire [5:0]  serial_encoder_piece;
    wire [2:0]  serial_encoder_piece_bits;
    wire        serial_encoder_piece_last;
    wire        bit_packer_piece_ready;
    wire        bit_packer_word_valid;
    wire [7:0]  bit_packer_word;
    wire        bit_packer_is_empty;
    wire        output_fifo_in_ready;
    wire        output_fifo_out_valid;
    wire [7:0]  output_fifo_out_word;
    wire [3:0]  output_fifo_level;
    wire        trace_port_word_ready;
    wire        trace_port_trace_valid;
    wire        trace_port_trace_data;

    traptor_s4_gshare gshare (
        .clock           (clock),
        .reset           (reset),
        .clear           (clearing),
        .clear_index     (clear_index),
        .update          (gshare_update),
        .program_counter (retire_pc),
        .taken           (retire_taken),
        .predicted_taken (gshare_predicted_taken)
    );

    traptor_s4_target_predictor target_predictor (
        .clock            (clock),
        .reset            (reset),
        .clear            (clearing),
        .clear_index      (clear_index),
        .update           (target_predictor_update),
        .counted          (counted),
        .indirect         (indirect),
        .call             (retire_call),
        .is_return        (retire_return),
        .taken            (retire_taken),
        .program_counter  (retire_pc),
        .length           (retire_length),
        .target           (target),
        .predicted        (target_predictor_predicted),
        .predicted_target (target_predictor_predicted_target)
    );

    traptor_s4_record_former record_former (
        .clock            (clock),
        .reset            (reset),
        .retire           (accepted),
        .count            (retire_count),
        .control_flow     (control_flow),
        .counted          (counted),
        .conditional      (conditional),
        .indirect         (indirect),
        .exception        (exception),
        .taken            (retire_taken),
        .target           (target),
        .predicted_taken  (gshare_predicted_taken),
        .predicted        (target_predictor_predicted),
        .predicted_target (target_predictor_predicted_target),
        .flush            (record_former_flush),
        .record_valid     (record_former_record_valid),
        .record           (record_former_record)
    );

    traptor_s4_fifo_depth2_width63 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_former_record_valid),
        .in_word   (record_former_record),
        .in_ready  (record_queue_in_ready),
        .out_valid (record_queue_out_valid),
        .out_word  (record_queue_out_word),
        .out_ready (serial_encoder_record_ready),
        .level     (record_queue_level)
    );

    traptor_s4_serial_encoder serial_encoder (
        .clock        (clock),
        .reset        (reset),
        .record_valid (record_queue_out_valid),
        .record       (record_queue_out_word),
        .record_ready (serial_encoder_record_ready),
        .piece_valid  (serial_encoder_piece_valid),
        .piece        (serial_encoder_piece),
        .piece_bits   (serial_encoder_piece_bits),
        .piece_last   (serial_encoder_piece_last),
        .piece_ready  (bit_packer_piece_ready)
    );

    traptor_s4_bit_packer bit_packer (
        .clock       (clock),
        .reset       (reset),
        .piece_valid (serial_encoder_piece_valid),
        .piece       (serial_encoder_piece),
        .piece_bits  (serial_encoder_piece_bits),
        .piece_last  (serial_encoder_piece_last),
        .piece_ready (bit_packer_piece_ready),
        .word_valid  (bit_packer_word_valid),
        .word        (bit_packer_word),
        .word_ready  (output_fifo_in_ready),
        .is_empty    (bit_packer_is_empty)
    );

    traptor_s4_fifo_depth10_width8 output_fifo (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (bit_packer_word_valid),
        .in_word   (bit_packer_word),
        .in_ready  (output_fifo_in_ready),
        .out_valid (output_fifo_out_valid),
        .out_word  (output_fifo_out_word),
        .out_ready (trace_port_word_ready),
        .level     (output_fifo_level)
    );

    traptor_s4_trace_port trace_port (
        .clock       (clock),
        .reset       (reset),
        .word_valid  (output_fifo_out_valid),
        .word        (output_fifo_out_word),
        .word_ready  (trace_port_word_ready),
        .trace_valid (trace_port_trace_valid),
        .trace_data  (trace_port_trace_data),
        .trace_ready (trace_ready)
    );

    always @* begin
        stall = 1'd1;
        if ((state == 2'd0) && !clearing) begin
            stall = !record_queue_in_ready;
        end
    end

    assign accepted = retire_valid & !stall;
    assign control_flow = |retire_kind;
    assign conditional = (retire_kind == 3'd2) | (retire_kind == 3'd4);
    assign indirect = (retire_kind == 3'd3) | (retire_kind == 3'd4);
    assign exception = retire_kind == 3'd5;
    assign counted = conditional | indirect;
    assign target = retire_target[31:2];
    assign gshare_update = accepted & conditional;
    assign target_predictor_update = accepted & control_flow & !exception;

    always @* begin
        record_former_flush = 1'd0;
        if (state == 2'd1) begin
            record_former_flush = record_queue_in_ready;
        end
    end

    assign trace_valid = trace_port_trace_valid;
    assign trace_data = trace_port_trace_data;
    assign buffered_words = output_fifo_level;
    assign flushed = state == 2'd3;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'd1;
            clear_index <= 8'd0;
            state <= 2'd0;
        end else begin
            if (clearing) begin
                clear_index <= clear_index + 8'd1;
                if (&clear_index) begin
                    clearing <= 1'd0;
                end
            end
            if (state == 2'd0) begin
                if (flush && !clearing) begin
                    state <= 2'd1;
                end
            end else if (state == 2'd1) begin
                if (record_queue_in_ready) begin
                    state <= 2'd2;
                end
            end else if (state == 2'd2) begin
                if (!record_queue_out_valid && bit_packer_is_empty && !output_fifo_out_valid) begin
                    state <= 2'd3;
                end
            end else if (!flush) begin
                state <= 2'd0;
            end
        end
    end

    wire _unused_ok = &{1'b0, retire_target[1:0], record_queue_level};

endmodule
