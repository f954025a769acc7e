// traptor-b3 of Tracewright, scheme traptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   gshare_entries = 1024
//   gshare_history_bits = 10
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 32
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 12
//   elided_upper_bits = 12
//   branch_count_bits = 16
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 1
//   instruction_count_bits = 24
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 8
//   target_next_chunk = 7
//   outcome_bit_for_jumps = true
// serial_encoder: branch_count_first = 3, branch_count_next = 1, branch_count_bits = 16, instruction_count_first = 2, instruction_count_next = 2, instruction_count_bits = 24, target_first = 8, target_next = 7, target_bits = 30

module traptor_b3_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [62:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [8:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits,
    output wire        piece_last, // ends a flush record
    input  wire        piece_ready
);

    reg  [2:0]  phase;
    reg  [3:0]  index;
    reg         overflow_sent;
    wire        overflow_now;
    wire        escape_now;
    reg         more;
    reg         done;
    reg  [2:0]  phase_next;
    wire        fields_escape;
    wire [1:0]  fields_extended;
    wire        fields_is_flush;
    wire        fields_exception;
    wire        fields_sends_outcome;
    wire        fields_taken;
    wire        fields_sends_target;
    wire        fields_below;
    wire        fields_overflow_first;
    wire [15:0] fields_branch_count;
    wire [23:0] fields_instruction_count;
    wire [29:0] fields_difference;
    reg  [15:0] branch_count_value;
    wire [8:0]  branch_count_piece;
    wire [3:0]  branch_count_piece_bits;
    wire        branch_count_more;
    wire [8:0]  instruction_count_piece;
    wire [3:0]  instruction_count_piece_bits;
    wire        instruction_count_more;
    wire [8:0]  target_piece;
    wire [3:0]  target_piece_bits;
    wire        target_more;

    traptor_b3_record_fields fields (
        .record            (record),
        .escape            (fields_escape),
        .extended          (fields_extended),
        .is_flush          (fields_is_flush),
        .exception         (fields_exception),
        .sends_outcome     (fields_sends_outcome),
        .taken             (fields_taken),
        .sends_target      (fields_sends_target),
        .below             (fields_below),
        .overflow_first    (fields_overflow_first),
        .branch_count      (fields_branch_count),
        .instruction_count (fields_instruction_count),
        .difference        (fields_difference)
    );

    traptor_b3_chunk_selector_first3_next1_width16 branch_count (
        .value      (branch_count_value),
        .escape     (escape_now),
        .index      (index),
        .piece      (branch_count_piece),
        .piece_bits (branch_count_piece_bits),
        .more       (branch_count_more)
    );

    traptor_b3_chunk_selector_first2_next2_width24 instruction_count (
        .value      (fields_instruction_count),
        .escape     (1'd0),
        .index      (index),
        .piece      (instruction_count_piece),
        .piece_bits (instruction_count_piece_bits),
        .more       (instruction_count_more)
    );

    traptor_b3_chunk_selector_first8_next7_width30 target (
        .value      (fields_difference),
        .escape     (1'd0),
        .index      (index[2:0]),
        .piece      (target_piece),
        .piece_bits (target_piece_bits),
        .more       (target_more)
    );

    assign overflow_now = fields_overflow_first & !overflow_sent;
    assign escape_now = fields_escape | overflow_now;

    always @* begin
        branch_count_value = fields_branch_count;
        if (overflow_now) begin
            branch_count_value = 16'd0;
        end
    end

    always @* begin
        piece = 9'd0;
        case (phase)
            3'd0: begin
                piece = branch_count_piece;
            end
            3'd1: begin
                piece = {7'd0, fields_extended};
                if (overflow_now) begin
                    piece = 9'd2;
                end
            end
            3'd2: begin
                piece = instruction_count_piece;
            end
            3'd3: begin
                piece = {8'd0, fields_taken};
            end
            3'd4: begin
                piece = target_piece;
            end
            default: begin
                piece = {8'd0, fields_below};
            end
        endcase
    end

    always @* begin
        piece_bits = 4'd1;
        case (phase)
            3'd0: begin
                piece_bits = branch_count_piece_bits;
            end
            3'd1: begin
                piece_bits = 4'd2;
            end
            3'd2: begin
                piece_bits = instruction_count_piece_bits;
            end
            3'd4: begin
                piece_bits = target_piece_bits;
            end
            default: ;
        endcase
    end

    always @* begin
        more = 1'd0;
        case (phase)
            3'd0: begin
                more = branch_count_more;
            end
            3'd2: begin
                more = instruction_count_more;
            end
            3'd4: begin
                more = target_more;
            end
            default: ;
        endcase
    end

    always @* begin
        done = 1'd0;
        case (phase)
            3'd0: begin
                if (!(escape_now || fields_exception || fields_sends_outcome || fields_sends_target)) begin
                    done = 1'd1;
                end
            end
            3'd1: begin
                done = !fields_is_flush;
                if (overflow_now) begin
                    done = 1'd0;
                end
            end
            3'd2: begin
                done = fields_is_flush;
            end
            3'd3: begin
                done = !fields_sends_target;
            end
            3'd4: ;
            default: begin
                done = 1'd1;
            end
        endcase
    end

    always @* begin
        phase_next = 3'd0;
        case (phase)
            3'd0: begin
                if (escape_now) begin
                    phase_next = 3'd1;
                end else if (fields_exception) begin
                    phase_next = 3'd2;
                end else if (fields_sends_outcome) begin
                    phase_next = 3'd3;
                end else if (fields_sends_target) begin
                    phase_next = 3'd4;
                end
            end
            3'd1: begin
                phase_next = 3'd2;
                if (overflow_now) begin
                    phase_next = 3'd0;
                end
            end
            3'd2: begin
                phase_next = 3'd4;
            end
            3'd3: begin
                phase_next = 3'd4;
            end
            3'd4: begin
                phase_next = 3'd5;
            end
            default: ;
        endcase
    end

    assign piece_valid = record_valid;
    assign record_ready = piece_ready & done & !more;
    assign piece_last = fields_is_flush & done & !more;

    always @(posedge clock) begin
        if (reset) begin
            phase <= 3'd0;
            index <= 4'd0;
            overflow_sent <= 1'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 4'd1;
                end else begin
                    index <= 4'd0;
                    phase <= phase_next;
                    if (phase == 3'd1) begin
                        overflow_sent <= overflow_now;
                    end
                    if (done) begin
                        phase <= 3'd0;
                        overflow_sent <= 1'd0;
                    end
                end
            end
        end
    end

endmodule
