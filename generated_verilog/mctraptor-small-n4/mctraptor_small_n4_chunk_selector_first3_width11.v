// mctraptor-small-n4 of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 4
//   fifo_bits = 256
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
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
//   branch_count_bits = 11
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 2
//   instruction_count_bits = 17
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 4
//   outcome_bit_for_jumps = false
//   memory_style = asynchronous
//   cores = 4
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// chunk_selector: first = 3, next = 2, width = 11, connect_bits = 1, piece_width = 8

module mctraptor_small_n4_chunk_selector_first3_width11 (
    input  wire [10:0] value,
    input  wire [2:0]  index,
    output reg  [7:0]  piece, // chunk and connect bit
    output reg  [3:0]  piece_bits,
    output reg         more // the connect bit
);

    wire [2:0] chunk_0;
    wire [1:0] chunk_1;
    wire [1:0] chunk_2;
    wire [1:0] chunk_3;
    wire [1:0] chunk_4;

    always @* begin
        more = 1'd0;
        if (index == 3'd0) begin
            if (|{3'd0, value[10:3]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd1) begin
            if (|{5'd0, value[10:5]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd2) begin
            if (|{7'd0, value[10:7]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd3) begin
            if (|{9'd0, value[10:9]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 8'd0;
        if (index == 3'd0) begin
            piece = {5'd0, chunk_0};
            if (|{3'd0, value[10:3]}) begin
                piece = piece | 8'd8;
            end
        end
        if (index == 3'd1) begin
            piece = {6'd0, chunk_1};
            if (|{5'd0, value[10:5]}) begin
                piece = piece | 8'd4;
            end
        end
        if (index == 3'd2) begin
            piece = {6'd0, chunk_2};
            if (|{7'd0, value[10:7]}) begin
                piece = piece | 8'd4;
            end
        end
        if (index == 3'd3) begin
            piece = {6'd0, chunk_3};
            if (|{9'd0, value[10:9]}) begin
                piece = piece | 8'd4;
            end
        end
        if (index == 3'd4) begin
            piece = {6'd0, chunk_4};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        if (index == 3'd0) begin
            piece_bits = 4'd4;
        end
        if (index == 3'd1) begin
            piece_bits = 4'd3;
        end
        if (index == 3'd2) begin
            piece_bits = 4'd3;
        end
        if (index == 3'd3) begin
            piece_bits = 4'd3;
        end
        if (index == 3'd4) begin
            piece_bits = 4'd3;
        end
    end

    assign chunk_0 = value[2:0];
    assign chunk_1 = value[4:3];
    assign chunk_2 = value[6:5];
    assign chunk_3 = value[8:7];
    assign chunk_4 = value[10:9];

endmodule
