// mctraptor-large-n1 of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 64
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   gshare_entries = 4096
//   gshare_history_bits = 12
//   pc_shift = 4
//   return_address_stack_depth = 32
//   indirect_branch_target_buffer_entries = 64
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 13
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
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// chunk_selector: first = 3, next = 4, width = 30, connect_bits = 1, piece_width = 8

module mctraptor_large_n1_chunk_selector_first3_next4_width30 (
    input  wire [29:0] value,
    input  wire [2:0]  index,
    output reg  [7:0]  piece, // chunk and connect bit
    output reg  [3:0]  piece_bits,
    output reg         more // the connect bit
);

    wire [2:0] chunk_0;
    wire [3:0] chunk_1;
    wire [3:0] chunk_2;
    wire [3:0] chunk_3;
    wire [3:0] chunk_4;
    wire [3:0] chunk_5;
    wire [3:0] chunk_6;
    wire [3:0] chunk_7;

    always @* begin
        more = 1'd0;
        if (index == 3'd0) begin
            if (|{3'd0, value[29:3]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd1) begin
            if (|{7'd0, value[29:7]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd2) begin
            if (|{11'd0, value[29:11]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd3) begin
            if (|{15'd0, value[29:15]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd4) begin
            if (|{19'd0, value[29:19]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd5) begin
            if (|{23'd0, value[29:23]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd6) begin
            if (|{27'd0, value[29:27]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 8'd0;
        if (index == 3'd0) begin
            piece = {5'd0, chunk_0};
            if (|{3'd0, value[29:3]}) begin
                piece = piece | 8'd8;
            end
        end
        if (index == 3'd1) begin
            piece = {4'd0, chunk_1};
            if (|{7'd0, value[29:7]}) begin
                piece = piece | 8'd16;
            end
        end
        if (index == 3'd2) begin
            piece = {4'd0, chunk_2};
            if (|{11'd0, value[29:11]}) begin
                piece = piece | 8'd16;
            end
        end
        if (index == 3'd3) begin
            piece = {4'd0, chunk_3};
            if (|{15'd0, value[29:15]}) begin
                piece = piece | 8'd16;
            end
        end
        if (index == 3'd4) begin
            piece = {4'd0, chunk_4};
            if (|{19'd0, value[29:19]}) begin
                piece = piece | 8'd16;
            end
        end
        if (index == 3'd5) begin
            piece = {4'd0, chunk_5};
            if (|{23'd0, value[29:23]}) begin
                piece = piece | 8'd16;
            end
        end
        if (index == 3'd6) begin
            piece = {4'd0, chunk_6};
            if (|{27'd0, value[29:27]}) begin
                piece = piece | 8'd16;
            end
        end
        if (index == 3'd7) begin
            piece = {4'd0, chunk_7};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        if (index == 3'd0) begin
            piece_bits = 4'd4;
        end
        if (index == 3'd1) begin
            piece_bits = 4'd5;
        end
        if (index == 3'd2) begin
            piece_bits = 4'd5;
        end
        if (index == 3'd3) begin
            piece_bits = 4'd5;
        end
        if (index == 3'd4) begin
            piece_bits = 4'd5;
        end
        if (index == 3'd5) begin
            piece_bits = 4'd5;
        end
        if (index == 3'd6) begin
            piece_bits = 4'd5;
        end
        if (index == 3'd7) begin
            piece_bits = 4'd5;
        end
    end

    assign chunk_0 = value[2:0];
    assign chunk_1 = value[6:3];
    assign chunk_2 = value[10:7];
    assign chunk_3 = value[14:11];
    assign chunk_4 = value[18:15];
    assign chunk_5 = value[22:19];
    assign chunk_6 = value[26:23];
    assign chunk_7 = {1'd0, value[29:27]};

endmodule
