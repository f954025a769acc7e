// mctraptor-small-n2-timed of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 2
//   fifo_bits = 128
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   gshare_entries = 512
//   gshare_history_bits = 9
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 0
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 8
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
//   cores = 2
//   time_stamps = true
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// serial_encoder: slots = 18, record_bits = 103, most_bits = 253

module mctraptor_small_n2_timed_serial_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid,
    input  wire [102:0] record,
    output wire         record_ready,
    output wire         piece_valid,
    output reg  [7:0]   piece, // zero above piece_bits
    output reg  [3:0]   piece_bits,
    output wire         piece_last, // fill the word up
    input  wire         piece_ready
);

    reg  [17:0] sent; // slots of the record that are out
    reg  [3:0]  index; // the piece of the slot
    reg  [17:0] flags; // slots that are sent
    wire [17:0] pending;
    wire [17:0] current; // one hot
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire        value_0;
    wire        value_2;
    wire        value_4;
    wire        value_5;
    wire        value_11;
    wire        value_12;
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

    mctraptor_small_n2_timed_chunk_selector_first4_next2_width32 chunks_0 (
        .value      (record[37:6]),
        .index      (index),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .more       (chunks_0_more)
    );

    mctraptor_small_n2_timed_chunk_selector_first4_next2_width32 chunks_1 (
        .value      (record[37:6]),
        .index      (index),
        .piece      (chunks_1_piece),
        .piece_bits (chunks_1_piece_bits),
        .more       (chunks_1_more)
    );

    mctraptor_small_n2_timed_chunk_selector_first3_next2_width16 chunks_2 (
        .value      (record[64:49]),
        .index      (index[2:0]),
        .piece      (chunks_2_piece),
        .piece_bits (chunks_2_piece_bits),
        .more       (chunks_2_more)
    );

    mctraptor_small_n2_timed_chunk_selector_first2_next2_width24 chunks_3 (
        .value      (record[72:49]),
        .index      (index),
        .piece      (chunks_3_piece),
        .piece_bits (chunks_3_piece_bits),
        .more       (chunks_3_more)
    );

    mctraptor_small_n2_timed_chunk_selector_first3_next4_width30 chunks_4 (
        .value      (record[102:73]),
        .index      (index[2:0]),
        .piece      (chunks_4_piece),
        .piece_bits (chunks_4_piece_bits),
        .more       (chunks_4_more)
    );

    always @* begin
        flags = 18'd0;
        if (record[5]) begin
            flags = 18'd1;
        end
        if (record[5]) begin
            flags = {flags[17:2], 1'd1, flags[0]};
        end
        if (record[1]) begin
            flags = {flags[17:3], 1'd1, flags[1:0]};
        end
        if (record[1]) begin
            flags = {flags[17:4], 1'd1, flags[2:0]};
        end
        if (record[39]) begin
            flags = {flags[17:5], 1'd1, flags[3:0]};
        end
        if (record[2]) begin
            flags = {flags[17:6], 1'd1, flags[4:0]};
        end
        if (record[2]) begin
            flags = {flags[17:7], 1'd1, flags[5:0]};
        end
        if (record[3]) begin
            flags = {flags[17:8], 1'd1, flags[6:0]};
        end
        if (record[3]) begin
            flags = {flags[17:9], 1'd1, flags[7:0]};
        end
        if (record[40]) begin
            flags = {flags[17:10], 1'd1, flags[8:0]};
        end
        if (record[41]) begin
            flags = {flags[17:11], 1'd1, flags[9:0]};
        end
        if (record[38]) begin
            flags = {flags[17:12], 1'd1, flags[10:0]};
        end
        if (record[42]) begin
            flags = {flags[17:13], 1'd1, flags[11:0]};
        end
        if (record[43]) begin
            flags = {flags[17:14], 1'd1, flags[12:0]};
        end
        if (record[44]) begin
            flags = {flags[17:15], 1'd1, flags[13:0]};
        end
        if (record[45]) begin
            flags = {flags[17:16], 1'd1, flags[14:0]};
        end
        if (record[46]) begin
            flags = {flags[17], 1'd1, flags[15:0]};
        end
        if (record[46]) begin
            flags = {1'd1, flags[16:0]};
        end
    end

    assign pending = flags & ~sent;
    assign current = pending & (~pending + 18'd1);
    assign is_last = pending == current;

    always @* begin
        piece = 8'd0;
        if (current[3]) begin
            piece = chunks_0_piece;
        end
        if (current[6]) begin
            piece = chunks_1_piece;
        end
        if (current[13]) begin
            piece = chunks_2_piece;
        end
        if (current[14]) begin
            piece = chunks_3_piece;
        end
        if (current[16]) begin
            piece = chunks_4_piece;
        end
        if (current[0]) begin
            piece = {7'd0, value_0};
        end
        if (current[1]) begin
            piece = 8'd16;
        end
        if (current[2]) begin
            piece = {7'd0, value_2};
        end
        if (current[4]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd1;
            end
        end
        if (current[5]) begin
            piece = {7'd0, value_4};
        end
        if (current[7]) begin
            piece = {7'd0, value_5};
        end
        if (current[8]) begin
            piece = 8'd0;
        end
        if (current[9]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd1;
            end
        end
        if (current[10]) begin
            if (index == 4'd0) begin
                piece = 8'd136;
            end
            if (index == 4'd1) begin
                piece = 8'd0;
            end
        end
        if (current[11]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd0;
            end
        end
        if (current[12]) begin
            piece = 8'd0;
        end
        if (current[15]) begin
            piece = {7'd0, value_11};
        end
        if (current[17]) begin
            piece = {7'd0, value_12};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        if (current[3]) begin
            piece_bits = chunks_0_piece_bits;
            more = chunks_0_more;
        end
        if (current[6]) begin
            piece_bits = chunks_1_piece_bits;
            more = chunks_1_more;
        end
        if (current[13]) begin
            piece_bits = chunks_2_piece_bits;
            more = chunks_2_more;
        end
        if (current[14]) begin
            piece_bits = chunks_3_piece_bits;
            more = chunks_3_more;
        end
        if (current[16]) begin
            piece_bits = chunks_4_piece_bits;
            more = chunks_4_more;
        end
        left = 4'd0;
        if (current[0]) begin
            piece_bits = 4'd1;
        end
        if (current[1]) begin
            piece_bits = 4'd8;
        end
        if (current[2]) begin
            piece_bits = 4'd1;
        end
        if (current[4]) begin
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
        if (current[5]) begin
            piece_bits = 4'd1;
        end
        if (current[7]) begin
            piece_bits = 4'd1;
        end
        if (current[8]) begin
            piece_bits = 4'd5;
        end
        if (current[9]) begin
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
        if (current[10]) begin
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
        if (current[11]) begin
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
        if (current[12]) begin
            piece_bits = 4'd4;
        end
        if (current[15]) begin
            piece_bits = 4'd1;
        end
        if (current[17]) begin
            piece_bits = 4'd1;
        end
    end

    assign value_0 = record[4];
    assign value_2 = record[4];
    assign value_4 = record[4];
    assign value_5 = record[4];
    assign value_11 = record[47];
    assign value_12 = record[48];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 18'd0;
            index <= 4'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 4'd1;
                end else begin
                    index <= 4'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 18'd0;
                    end
                end
            end
        end
    end

endmodule
