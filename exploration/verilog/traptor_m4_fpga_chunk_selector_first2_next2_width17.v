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
// chunk_selector: first = 2, next = 2, width = 17, connect_bits = 1, piece_width = 8

module traptor_m4_fpga_chunk_selector_first2_next2_width17 (
    input  wire [16:0] value,
    input  wire [3:0]  index, input wire m,
    output reg  [7:0]  piece, // chunk and connect bit
    output reg  [3:0]  piece_bits,
    output reg         more // the connect bit
);

    wire [1:0] chunk_0;
    wire [1:0] chunk_1;
    wire [1:0] chunk_2;
    wire [1:0] chunk_3;
    wire [1:0] chunk_4;
    wire [1:0] chunk_5;
    wire [1:0] chunk_6;
    wire [1:0] chunk_7;
    wire [1:0] chunk_8;

    always @* begin
        more = 1'd0;
        if (index == 4'd0) begin
            if (|{2'd0, value[16:2]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd1) begin
            if (|{4'd0, value[16:4]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd2) begin
            if (|{6'd0, value[16:6]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd3) begin
            if (|{8'd0, value[16:8]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd4) begin
            if (|{10'd0, value[16:10]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd5) begin
            if (|{12'd0, value[16:12]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd6) begin
            if (|{14'd0, value[16:14]}) begin
                more = 1'd1;
            end
        end
        if (index == 4'd7) begin
            if (|{16'd0, value[16]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 8'd0;
        if (index == 4'd0) begin
            piece = {6'd0, chunk_0};
            if (m) begin
                piece = piece | 8'd4;
            end
        end
        if (index == 4'd1) begin
            piece = {6'd0, chunk_1};
            if (m) begin
                piece = piece | 8'd4;
            end
        end
        if (index == 4'd2) begin
            piece = {6'd0, chunk_2};
            if (m) begin
                piece = piece | 8'd4;
            end
        end
        if (index == 4'd3) begin
            piece = {6'd0, chunk_3};
            if (m) begin
                piece = piece | 8'd4;
            end
        end
        if (index == 4'd4) begin
            piece = {6'd0, chunk_4};
            if (m) begin
                piece = piece | 8'd4;
            end
        end
        if (index == 4'd5) begin
            piece = {6'd0, chunk_5};
            if (m) begin
                piece = piece | 8'd4;
            end
        end
        if (index == 4'd6) begin
            piece = {6'd0, chunk_6};
            if (m) begin
                piece = piece | 8'd4;
            end
        end
        if (index == 4'd7) begin
            piece = {6'd0, chunk_7};
            if (m) begin
                piece = piece | 8'd4;
            end
        end
        if (index == 4'd8) begin
            piece = {6'd0, chunk_8};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        if (index == 4'd0) begin
            piece_bits = 4'd3;
        end
        if (index == 4'd1) begin
            piece_bits = 4'd3;
        end
        if (index == 4'd2) begin
            piece_bits = 4'd3;
        end
        if (index == 4'd3) begin
            piece_bits = 4'd3;
        end
        if (index == 4'd4) begin
            piece_bits = 4'd3;
        end
        if (index == 4'd5) begin
            piece_bits = 4'd3;
        end
        if (index == 4'd6) begin
            piece_bits = 4'd3;
        end
        if (index == 4'd7) begin
            piece_bits = 4'd3;
        end
        if (index == 4'd8) begin
            piece_bits = 4'd3;
        end
    end

    assign chunk_0 = value[1:0];
    assign chunk_1 = value[3:2];
    assign chunk_2 = value[5:4];
    assign chunk_3 = value[7:6];
    assign chunk_4 = value[9:8];
    assign chunk_5 = value[11:10];
    assign chunk_6 = value[13:12];
    assign chunk_7 = value[15:14];
    assign chunk_8 = {1'd0, value[16]};

endmodule
