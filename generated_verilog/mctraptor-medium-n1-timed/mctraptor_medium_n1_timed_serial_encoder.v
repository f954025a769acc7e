// mctraptor-medium-n1-timed of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 64
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   gshare_entries = 1024
//   gshare_history_bits = 10
//   pc_shift = 4
//   return_address_stack_depth = 16
//   indirect_branch_target_buffer_entries = 16
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 11
//   elided_upper_bits = 12
//   branch_count_bits = 16
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 2
//   instruction_count_bits = 24
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 4
//   outcome_bit_for_jumps = false
//   cores = 1
//   time_stamps = true
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// serial_encoder: slots = 14, record_bits = 102, most_bits = 249

module mctraptor_medium_n1_timed_serial_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid,
    input  wire [101:0] record,
    output wire         record_ready,
    output wire         piece_valid,
    output reg  [7:0]   piece, // zero above piece_bits
    output reg  [3:0]   piece_bits,
    output wire         piece_last, // fill the word up
    input  wire         piece_ready
);

    reg  [13:0] sent; // slots of the record that are out
    reg  [3:0]  index; // the piece of the slot
    reg  [13:0] flags; // slots that are sent
    wire [13:0] pending;
    wire [13:0] current; // one hot
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire        value_7;
    wire        value_8;
    reg  [3:0]  left;
    wire [7:0]  chunks_0_piece;
    wire [3:0]  chunks_0_piece_bits;
    wire        chunks_0_more;
    wire [7:0]  chunks_1_piece;
    wire [3:0]  chunks_1_piece_bits;
    wire        chunks_1_more;
    wire [7:0]  chunks_2_piece;
    wire [3:0]  chunks_2_piece_bits;
    wire        chunks_2_more;
    wire [7:0]  chunks_3_piece;
    wire [3:0]  chunks_3_piece_bits;
    wire        chunks_3_more;
    wire [7:0]  chunks_4_piece;
    wire [3:0]  chunks_4_piece_bits;
    wire        chunks_4_more;

    mctraptor_medium_n1_timed_chunk_selector_first4_next2_width32 chunks_0 (
        .value      (record[36:5]),
        .index      (index),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .more       (chunks_0_more)
    );

    mctraptor_medium_n1_timed_chunk_selector_first4_next2_width32 chunks_1 (
        .value      (record[36:5]),
        .index      (index),
        .piece      (chunks_1_piece),
        .piece_bits (chunks_1_piece_bits),
        .more       (chunks_1_more)
    );

    mctraptor_medium_n1_timed_chunk_selector_first3_next2_width16 chunks_2 (
        .value      (record[63:48]),
        .index      (index[2:0]),
        .piece      (chunks_2_piece),
        .piece_bits (chunks_2_piece_bits),
        .more       (chunks_2_more)
    );

    mctraptor_medium_n1_timed_chunk_selector_first2_next2_width24 chunks_3 (
        .value      (record[71:48]),
        .index      (index),
        .piece      (chunks_3_piece),
        .piece_bits (chunks_3_piece_bits),
        .more       (chunks_3_more)
    );

    mctraptor_medium_n1_timed_chunk_selector_first3_next4_width30 chunks_4 (
        .value      (record[101:72]),
        .index      (index[2:0]),
        .piece      (chunks_4_piece),
        .piece_bits (chunks_4_piece_bits),
        .more       (chunks_4_more)
    );

    always @* begin
        flags = 14'd0;
        if (record[4]) begin
            flags = 14'd1;
        end
        if (record[1]) begin
            flags = {flags[13:2], 1'd1, flags[0]};
        end
        if (record[38]) begin
            flags = {flags[13:3], 1'd1, flags[1:0]};
        end
        if (record[2]) begin
            flags = {flags[13:4], 1'd1, flags[2:0]};
        end
        if (record[3]) begin
            flags = {flags[13:5], 1'd1, flags[3:0]};
        end
        if (record[39]) begin
            flags = {flags[13:6], 1'd1, flags[4:0]};
        end
        if (record[40]) begin
            flags = {flags[13:7], 1'd1, flags[5:0]};
        end
        if (record[37]) begin
            flags = {flags[13:8], 1'd1, flags[6:0]};
        end
        if (record[41]) begin
            flags = {flags[13:9], 1'd1, flags[7:0]};
        end
        if (record[42]) begin
            flags = {flags[13:10], 1'd1, flags[8:0]};
        end
        if (record[43]) begin
            flags = {flags[13:11], 1'd1, flags[9:0]};
        end
        if (record[44]) begin
            flags = {flags[13:12], 1'd1, flags[10:0]};
        end
        if (record[45]) begin
            flags = {flags[13], 1'd1, flags[11:0]};
        end
        if (record[45]) begin
            flags = {1'd1, flags[12:0]};
        end
    end

    assign pending = flags & ~sent;
    assign current = pending & (~pending + 14'd1);
    assign is_last = pending == current;

    always @* begin
        piece = 8'd0;
        if (current[1]) begin
            piece = chunks_0_piece;
        end
        if (current[3]) begin
            piece = chunks_1_piece;
        end
        if (current[9]) begin
            piece = chunks_2_piece;
        end
        if (current[10]) begin
            piece = chunks_3_piece;
        end
        if (current[12]) begin
            piece = chunks_4_piece;
        end
        if (current[0]) begin
            piece = 8'd16;
        end
        if (current[2]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd1;
            end
        end
        if (current[4]) begin
            piece = 8'd0;
        end
        if (current[5]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd1;
            end
        end
        if (current[6]) begin
            if (index == 4'd0) begin
                piece = 8'd136;
            end
            if (index == 4'd1) begin
                piece = 8'd0;
            end
        end
        if (current[7]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd0;
            end
        end
        if (current[8]) begin
            piece = 8'd0;
        end
        if (current[11]) begin
            piece = {7'd0, value_7};
        end
        if (current[13]) begin
            piece = {7'd0, value_8};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        if (current[1]) begin
            piece_bits = chunks_0_piece_bits;
            more = chunks_0_more;
        end
        if (current[3]) begin
            piece_bits = chunks_1_piece_bits;
            more = chunks_1_more;
        end
        if (current[9]) begin
            piece_bits = chunks_2_piece_bits;
            more = chunks_2_more;
        end
        if (current[10]) begin
            piece_bits = chunks_3_piece_bits;
            more = chunks_3_more;
        end
        if (current[12]) begin
            piece_bits = chunks_4_piece_bits;
            more = chunks_4_more;
        end
        left = 4'd0;
        if (current[0]) begin
            piece_bits = 4'd8;
        end
        if (current[2]) begin
            if (index == 4'd0) begin
                left = 4'd9;
            end
            if (index == 4'd1) begin
                left = 4'd1;
            end
            piece_bits = left;
            if (left > 4'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (current[4]) begin
            piece_bits = 4'd5;
        end
        if (current[5]) begin
            if (index == 4'd0) begin
                left = 4'd9;
            end
            if (index == 4'd1) begin
                left = 4'd1;
            end
            piece_bits = left;
            if (left > 4'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (current[6]) begin
            if (index == 4'd0) begin
                left = 4'd9;
            end
            if (index == 4'd1) begin
                left = 4'd1;
            end
            piece_bits = left;
            if (left > 4'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (current[7]) begin
            if (index == 4'd0) begin
                left = 4'd9;
            end
            if (index == 4'd1) begin
                left = 4'd1;
            end
            piece_bits = left;
            if (left > 4'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (current[8]) begin
            piece_bits = 4'd4;
        end
        if (current[11]) begin
            piece_bits = 4'd1;
        end
        if (current[13]) begin
            piece_bits = 4'd1;
        end
    end

    assign value_7 = record[46];
    assign value_8 = record[47];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 14'd0;
            index <= 4'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 4'd1;
                end else begin
                    index <= 4'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 14'd0;
                    end
                end
            end
        end
    end

endmodule
