// mctraptor-medium-n8 of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 8
//   fifo_bits = 512
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
//   cores = 8
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// serial_encoder: slots = 13, record_bits = 72, most_bits = 151

module mctraptor_medium_n8_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [71:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [12:0] sent; // slots of the record that are out
    reg  [3:0]  index; // the piece of the slot
    reg  [12:0] flags; // slots that are sent
    wire [12:0] pending;
    wire [12:0] current; // one hot
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [2:0]  value_0;
    wire [2:0]  value_2;
    wire [2:0]  value_3;
    wire        value_8;
    wire        value_9;
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

    mctraptor_medium_n8_chunk_selector_first3_next2_width16 chunks_0 (
        .value      (record[33:18]),
        .index      (index[2:0]),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .more       (chunks_0_more)
    );

    mctraptor_medium_n8_chunk_selector_first2_next2_width24 chunks_1 (
        .value      (record[41:18]),
        .index      (index),
        .piece      (chunks_1_piece),
        .piece_bits (chunks_1_piece_bits),
        .more       (chunks_1_more)
    );

    mctraptor_medium_n8_chunk_selector_first3_next4_width30 chunks_2 (
        .value      (record[71:42]),
        .index      (index[2:0]),
        .piece      (chunks_2_piece),
        .piece_bits (chunks_2_piece_bits),
        .more       (chunks_2_more)
    );

    always @* begin
        flags = 13'd0;
        if (record[1]) begin
            flags = 13'd1;
        end
        if (record[8]) begin
            flags = {flags[12:2], 1'd1, flags[0]};
        end
        if (record[2]) begin
            flags = {flags[12:3], 1'd1, flags[1:0]};
        end
        if (record[3]) begin
            flags = {flags[12:4], 1'd1, flags[2:0]};
        end
        if (record[9]) begin
            flags = {flags[12:5], 1'd1, flags[3:0]};
        end
        if (record[10]) begin
            flags = {flags[12:6], 1'd1, flags[4:0]};
        end
        if (record[7]) begin
            flags = {flags[12:7], 1'd1, flags[5:0]};
        end
        if (record[11]) begin
            flags = {flags[12:8], 1'd1, flags[6:0]};
        end
        if (record[12]) begin
            flags = {flags[12:9], 1'd1, flags[7:0]};
        end
        if (record[13]) begin
            flags = {flags[12:10], 1'd1, flags[8:0]};
        end
        if (record[14]) begin
            flags = {flags[12:11], 1'd1, flags[9:0]};
        end
        if (record[15]) begin
            flags = {flags[12], 1'd1, flags[10:0]};
        end
        if (record[15]) begin
            flags = {1'd1, flags[11:0]};
        end
    end

    assign pending = flags & ~sent;
    assign current = pending & (~pending + 13'd1);
    assign is_last = pending == current;

    always @* begin
        piece = 8'd0;
        if (current[8]) begin
            piece = chunks_0_piece;
        end
        if (current[9]) begin
            piece = chunks_1_piece;
        end
        if (current[11]) begin
            piece = chunks_2_piece;
        end
        if (current[0]) begin
            piece = {5'd0, value_0};
        end
        if (current[1]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd1;
            end
        end
        if (current[2]) begin
            piece = {5'd0, value_2};
        end
        if (current[3]) begin
            piece = {5'd0, value_3};
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
            if (index == 4'd0) begin
                piece = 8'd136;
            end
            if (index == 4'd1) begin
                piece = 8'd0;
            end
        end
        if (current[6]) begin
            if (index == 4'd0) begin
                piece = 8'd8;
            end
            if (index == 4'd1) begin
                piece = 8'd0;
            end
        end
        if (current[7]) begin
            piece = 8'd0;
        end
        if (current[10]) begin
            piece = {7'd0, value_8};
        end
        if (current[12]) begin
            piece = {7'd0, value_9};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        if (current[8]) begin
            piece_bits = chunks_0_piece_bits;
            more = chunks_0_more;
        end
        if (current[9]) begin
            piece_bits = chunks_1_piece_bits;
            more = chunks_1_more;
        end
        if (current[11]) begin
            piece_bits = chunks_2_piece_bits;
            more = chunks_2_more;
        end
        left = 4'd0;
        if (current[0]) begin
            piece_bits = 4'd3;
        end
        if (current[1]) begin
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
        if (current[2]) begin
            piece_bits = 4'd3;
        end
        if (current[3]) begin
            piece_bits = 4'd3;
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
            piece_bits = 4'd4;
        end
        if (current[10]) begin
            piece_bits = 4'd1;
        end
        if (current[12]) begin
            piece_bits = 4'd1;
        end
    end

    assign value_0 = record[6:4];
    assign value_2 = record[6:4];
    assign value_3 = record[6:4];
    assign value_8 = record[16];
    assign value_9 = record[17];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 13'd0;
            index <= 4'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 4'd1;
                end else begin
                    index <= 4'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 13'd0;
                    end
                end
            end
        end
    end

endmodule
