// traptor-b0 of Tracewright, scheme traptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 384
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   gshare_entries = 1024
//   gshare_history_bits = 10
//   pc_shift = 4
//   return_address_stack_depth = 0
//   indirect_branch_target_buffer_entries = 0
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 8
//   elided_upper_bits = 0
//   branch_count_bits = 16
//   branch_count_first_chunk = 2
//   branch_count_next_chunk = 1
//   instruction_count_bits = 24
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 3
//   outcome_bit_for_jumps = true
// chunk_selector: first = 3, next = 3, width = 30, connect_bits = 1, piece_width = 7

module traptor_b0_chunk_selector_first3_next3_width30 (
    input  wire [29:0] value,
    input  wire [3:0]  index,
    output reg  [6:0]  piece, // chunk and connect bit
    output reg  [2:0]  piece_bits,
    output reg         more // the connect bit
);

    wire [2:0] chunk_0;
    wire [2:0] chunk_1;
    wire [2:0] chunk_2;
    wire [2:0] chunk_3;
    wire [2:0] chunk_4;
    wire [2:0] chunk_5;
    wire [2:0] chunk_6;
    wire [2:0] chunk_7;
    wire [2:0] chunk_8;
    wire [2:0] chunk_9;

    always @* begin
        more = 1'd0;
        if (index == 4'd0) begin
            if (|{3'd0, value[29:3]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd1) begin
            if (|{6'd0, value[29:6]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd2) begin
            if (|{9'd0, value[29:9]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd3) begin
            if (|{12'd0, value[29:12]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd4) begin
            if (|{15'd0, value[29:15]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd5) begin
            if (|{18'd0, value[29:18]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd6) begin
            if (|{21'd0, value[29:21]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd7) begin
            if (|{24'd0, value[29:24]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd8) begin
            if (|{27'd0, value[29:27]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 7'd0;
        if (index == 4'd0) begin
            piece = {4'd0, chunk_0};
            if (|{3'd0, value[29:3]}) begin
                piece = piece | 7'd8;
            end
        end
        if (index == 4'd1) begin
            piece = {4'd0, chunk_1};
            if (|{6'd0, value[29:6]}) begin
                piece = piece | 7'd8;
            end
        end
        if (index == 4'd2) begin
            piece = {4'd0, chunk_2};
            if (|{9'd0, value[29:9]}) begin
                piece = piece | 7'd8;
            end
        end
        if (index == 4'd3) begin
            piece = {4'd0, chunk_3};
            if (|{12'd0, value[29:12]}) begin
                piece = piece | 7'd8;
            end
        end
        if (index == 4'd4) begin
            piece = {4'd0, chunk_4};
            if (|{15'd0, value[29:15]}) begin
                piece = piece | 7'd8;
            end
        end
        if (index == 4'd5) begin
            piece = {4'd0, chunk_5};
            if (|{18'd0, value[29:18]}) begin
                piece = piece | 7'd8;
            end
        end
        if (index == 4'd6) begin
            piece = {4'd0, chunk_6};
            if (|{21'd0, value[29:21]}) begin
                piece = piece | 7'd8;
            end
        end
        if (index == 4'd7) begin
            piece = {4'd0, chunk_7};
            if (|{24'd0, value[29:24]}) begin
                piece = piece | 7'd8;
            end
        end
        if (index == 4'd8) begin
            piece = {4'd0, chunk_8};
            if (|{27'd0, value[29:27]}) begin
                piece = piece | 7'd8;
            end
        end
        if (index == 4'd9) begin
            piece = {4'd0, chunk_9};
        end
    end

    always @* begin
        piece_bits = 3'd0;
        if (index == 4'd0) begin
            piece_bits = 3'd4;
        end
        if (index == 4'd1) begin
            piece_bits = 3'd4;
        end
        if (index == 4'd2) begin
            piece_bits = 3'd4;
        end
        if (index == 4'd3) begin
            piece_bits = 3'd4;
        end
        if (index == 4'd4) begin
            piece_bits = 3'd4;
        end
        if (index == 4'd5) begin
            piece_bits = 3'd4;
        end
        if (index == 4'd6) begin
            piece_bits = 3'd4;
        end
        if (index == 4'd7) begin
            piece_bits = 3'd4;
        end
        if (index == 4'd8) begin
            piece_bits = 3'd4;
        end
        if (index == 4'd9) begin
            piece_bits = 3'd4;
        end
    end

    assign chunk_0 = value[2:0];
    assign chunk_1 = value[5:3];
    assign chunk_2 = value[8:6];
    assign chunk_3 = value[11:9];
    assign chunk_4 = value[14:12];
    assign chunk_5 = value[17:15];
    assign chunk_6 = value[20:18];
    assign chunk_7 = value[23:21];
    assign chunk_8 = value[26:24];
    assign chunk_9 = value[29:27];

endmodule
