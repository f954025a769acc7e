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
// chunk_selector: first = 5, next = 5, width = 30, connect_bits = 1, piece_width = 8

module traptor_s4_chunk_selector_first5_next5_width30 (
    input  wire [29:0] value,
    input  wire [2:0]  index,
    output reg  [7:0]  piece, // chunk and connect bit
    output reg  [3:0]  piece_bits,
    output reg         more // the connect bit
);

    wire [4:0] chunk_0;
    wire [4:0] chunk_1;
    wire [4:0] chunk_2;
    wire [4:0] chunk_3;
    wire [4:0] chunk_4;
    wire [4:0] chunk_5;

    always @* begin
        more = 1'd0;
        if (index == 3'd0) begin
            if (|{5'd0, value[29:5]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd1) begin
            if (|{10'd0, value[29:10]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd2) begin
            if (|{15'd0, value[29:15]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd3) begin
            if (|{20'd0, value[29:20]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd4) begin
            if (|{25'd0, value[29:25]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 8'd0;
        if (index == 3'd0) begin
            piece = {3'd0, chunk_0};
            if (|{5'd0, value[29:5]}) begin
                piece = piece | 8'd32;
            end
        end
        if (index == 3'd1) begin
            piece = {3'd0, chunk_1};
            if (|{10'd0, value[29:10]}) begin
                piece = piece | 8'd32;
            end
        end
        if (index == 3'd2) begin
            piece = {3'd0, chunk_2};
            if (|{15'd0, value[29:15]}) begin
                piece = piece | 8'd32;
            end
        end
        if (index == 3'd3) begin
            piece = {3'd0, chunk_3};
            if (|{20'd0, value[29:20]}) begin
                piece = piece | 8'd32;
            end
        end
        if (index == 3'd4) begin
            piece = {3'd0, chunk_4};
            if (|{25'd0, value[29:25]}) begin
                piece = piece | 8'd32;
            end
        end
        if (index == 3'd5) begin
            piece = {3'd0, chunk_5};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        if (index == 3'd0) begin
            piece_bits = 4'd6;
        end
        if (index == 3'd1) begin
            piece_bits = 4'd6;
        end
        if (index == 3'd2) begin
            piece_bits = 4'd6;
        end
        if (index == 3'd3) begin
            piece_bits = 4'd6;
        end
        if (index == 3'd4) begin
            piece_bits = 4'd6;
        end
        if (index == 3'd5) begin
            piece_bits = 4'd6;
        end
    end

    assign chunk_0 = value[4:0];
    assign chunk_1 = value[9:5];
    assign chunk_2 = value[14:10];
    assign chunk_3 = value[19:15];
    assign chunk_4 = value[24:20];
    assign chunk_5 = value[29:25];

endmodule
