// traptor-b2 of Tracewright, scheme traptor.
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
//   indirect_branch_target_buffer_entries = 16
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 11
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
// chunk_selector: first = 8, next = 7, width = 30, connect_bits = 1, piece_width = 9

module traptor_b2_chunk_selector_first8_next7_width30 (
    input  wire [29:0] value,
    input  wire [2:0]  index,
    output reg  [8:0]  piece, // chunk and connect bit
    output reg  [3:0]  piece_bits,
    output reg         more // the connect bit
);

    wire [7:0] chunk_0;
    wire [6:0] chunk_1;
    wire [6:0] chunk_2;
    wire [6:0] chunk_3;
    wire [6:0] chunk_4;

    always @* begin
        more = 1'd0;
        if (index == 3'd0) begin
            if (|{8'd0, value[29:8]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd1) begin
            if (|{15'd0, value[29:15]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd2) begin
            if (|{22'd0, value[29:22]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd3) begin
            if (|{29'd0, value[29]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 9'd0;
        if (index == 3'd0) begin
            piece = {1'd0, chunk_0};
            if (|{8'd0, value[29:8]}) begin
                piece = piece | 9'd256;
            end
        end
        if (index == 3'd1) begin
            piece = {2'd0, chunk_1};
            if (|{15'd0, value[29:15]}) begin
                piece = piece | 9'd128;
            end
        end
        if (index == 3'd2) begin
            piece = {2'd0, chunk_2};
            if (|{22'd0, value[29:22]}) begin
                piece = piece | 9'd128;
            end
        end
        if (index == 3'd3) begin
            piece = {2'd0, chunk_3};
            if (|{29'd0, value[29]}) begin
                piece = piece | 9'd128;
            end
        end
        if (index == 3'd4) begin
            piece = {2'd0, chunk_4};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        if (index == 3'd0) begin
            piece_bits = 4'd9;
        end
        if (index == 3'd1) begin
            piece_bits = 4'd8;
        end
        if (index == 3'd2) begin
            piece_bits = 4'd8;
        end
        if (index == 3'd3) begin
            piece_bits = 4'd8;
        end
        if (index == 3'd4) begin
            piece_bits = 4'd8;
        end
    end

    assign chunk_0 = value[7:0];
    assign chunk_1 = value[14:8];
    assign chunk_2 = value[21:15];
    assign chunk_3 = value[28:22];
    assign chunk_4 = {6'd0, value[29]};

endmodule
