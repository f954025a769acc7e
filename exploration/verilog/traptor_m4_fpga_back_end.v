// traptor-m4-fpga of Tracewright, scheme traptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = true
//   reset = synchronous
//   gshare_entries = 512
//   gshare_history_bits = 9
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 64
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 13
//   elided_upper_bits = 12
//   branch_count_bits = 11
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 1
//   instruction_count_bits = 17
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 5
//   target_next_chunk = 5
//   outcome_bit_for_jumps = true
//   memory_style = synchronous
// back_end

module traptor_m4_fpga_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [56:0] record,
    output wire        record_ready,
    output wire        is_empty,
    output wire        trace_data,
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words
);

    wire        queue_is_empty;
    wire        waiting_valid;
    wire [56:0] waiting;
    wire        waiting_ready;
    wire        piece_valid;
    wire [7:0]  piece;
    wire [3:0]  piece_bits;
    wire        piece_last;
    wire        piece_ready;
    wire        registers_are_empty;
    wire [12:0] whole_piece; // piece, its bits, whether it ends a word
    wire        next_valid;
    wire [56:0] next_record; // the record that comes to the encoder next
    wire        next_ready;
    wire        record_queue_in_ready;
    wire        record_queue_out_valid;
    wire [56:0] record_queue_out_word;
    wire [2:0]  record_queue_level;
    wire        serial_encoder_record_ready;
    wire        serial_encoder_piece_valid;
    wire [7:0]  serial_encoder_piece;
    wire [3:0]  serial_encoder_piece_bits;
    wire        serial_encoder_piece_last;
    wire        record_register_in_ready;
    wire        record_register_out_valid;
    wire [56:0] record_register_out_word;
    wire        piece_register_in_ready;
    wire        piece_register_out_valid;
    wire [12:0] piece_register_out_word;
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

    traptor_m4_fpga_fifo_depth2_width57_reserve3 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_queue_in_ready),
        .out_valid (record_queue_out_valid),
        .out_word  (record_queue_out_word),
        .out_ready (next_ready),
        .level     (record_queue_level)
    );

    traptor_m4_fpga_serial_encoder serial_encoder (.load(record_register_in_ready), .next_valid(next_valid), .next_record(next_record),
        .clock        (clock),
        .reset        (reset),
        .record_valid (waiting_valid),
        .record       (waiting),
        .record_ready (serial_encoder_record_ready),
        .piece_valid  (serial_encoder_piece_valid),
        .piece        (serial_encoder_piece),
        .piece_bits   (serial_encoder_piece_bits),
        .piece_last   (serial_encoder_piece_last),
        .piece_ready  (piece_ready)
    );

    traptor_m4_fpga_word_register_width57 record_register (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (next_valid),
        .in_word   (next_record),
        .in_ready  (record_register_in_ready),
        .out_valid (record_register_out_valid),
        .out_word  (record_register_out_word),
        .out_ready (waiting_ready)
    );

    traptor_m4_fpga_word_register_width13 piece_register (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (piece_valid),
        .in_word   (whole_piece),
        .in_ready  (piece_register_in_ready),
        .out_valid (piece_register_out_valid),
        .out_word  (piece_register_out_word),
        .out_ready (bit_packer_piece_ready)
    );

    traptor_m4_fpga_bit_packer bit_packer (
        .clock       (clock),
        .reset       (reset),
        .piece_valid (piece_register_out_valid),
        .piece       (piece_register_out_word[7:0]),
        .piece_bits  (piece_register_out_word[11:8]),
        .piece_last  (piece_register_out_word[12]),
        .piece_ready (bit_packer_piece_ready),
        .word_valid  (bit_packer_word_valid),
        .word        (bit_packer_word),
        .word_ready  (output_fifo_in_ready),
        .is_empty    (bit_packer_is_empty)
    );

    traptor_m4_fpga_fifo_depth10_width8 output_fifo (
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

    traptor_m4_fpga_trace_port trace_port (
        .clock       (clock),
        .reset       (reset),
        .word_valid  (output_fifo_out_valid),
        .word        (output_fifo_out_word),
        .word_ready  (trace_port_word_ready),
        .trace_valid (trace_port_trace_valid),
        .trace_data  (trace_port_trace_data),
        .trace_ready (trace_ready)
    );

    assign record_ready = record_queue_in_ready;
    assign next_valid = record_queue_out_valid;
    assign next_record = record_queue_out_word;
    assign queue_is_empty = !record_queue_out_valid;
    assign waiting_valid = record_register_out_valid;
    assign waiting = record_register_out_word;
    assign piece_ready = piece_register_in_ready;
    assign waiting_ready = serial_encoder_record_ready;
    assign piece_valid = serial_encoder_piece_valid;
    assign piece = serial_encoder_piece;
    assign piece_bits = serial_encoder_piece_bits;
    assign piece_last = serial_encoder_piece_last;
    assign whole_piece = {piece_last, piece_bits, piece};
    assign next_ready = record_register_in_ready;
    assign registers_are_empty = !(record_register_out_valid | piece_register_out_valid);
    assign trace_valid = trace_port_trace_valid;
    assign trace_data = trace_port_trace_data;
    assign buffered_words = output_fifo_level;
    assign is_empty = registers_are_empty & bit_packer_is_empty & queue_is_empty & !output_fifo_out_valid;

    wire _unused_ok = &{1'b0, record_queue_level};

endmodule
