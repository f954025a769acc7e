// nexus-n1-timed of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 4
//   fifo_bits = 64
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stream_length_bits = 16
//   stream_length_coding = chunks
//   stream_length_first_chunk = 8
//   stream_length_next_chunk = 8
//   target_coding = difference
//   target_first_chunk = 16
//   target_next_chunk = 16
//   target_connect_bits = 1
//   cores = 1
//   time_stamps = true
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// chunk_selector: first = 8, next = 8, width = 32, connect_bits = 1, piece_width = 17

module nexus_n1_timed_chunk_selector_first8_next8_width32 (
    input  wire [31:0] value,
    input  wire [1:0]  index,
    output reg  [16:0] piece, // chunk and connect bit
    output reg  [4:0]  piece_bits,
    output reg         more // the connect bit
);

    wire [7:0] chunk_0;
    wire [7:0] chunk_1;
    wire [7:0] chunk_2;
    wire [7:0] chunk_3;

    always @* begin
        more = 1'd0;
        if (index == 2'd0) begin
            if (|{8'd0, value[31:8]}) begin
                more = 1'd1;
            end
        end
        if (index == 2'd1) begin
            if (|{16'd0, value[31:16]}) begin
                more = 1'd1;
            end
        end
        if (index == 2'd2) begin
            if (|{24'd0, value[31:24]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 17'd0;
        if (index == 2'd0) begin
            piece = {9'd0, chunk_0};
            if (|{8'd0, value[31:8]}) begin
                piece = piece | 17'd256;
            end
        end
        if (index == 2'd1) begin
            piece = {9'd0, chunk_1};
            if (|{16'd0, value[31:16]}) begin
                piece = piece | 17'd256;
            end
        end
        if (index == 2'd2) begin
            piece = {9'd0, chunk_2};
            if (|{24'd0, value[31:24]}) begin
                piece = piece | 17'd256;
            end
        end
        if (index == 2'd3) begin
            piece = {9'd0, chunk_3};
        end
    end

    always @* begin
        piece_bits = 5'd0;
        if (index == 2'd0) begin
            piece_bits = 5'd9;
        end
        if (index == 2'd1) begin
            piece_bits = 5'd9;
        end
        if (index == 2'd2) begin
            piece_bits = 5'd9;
        end
        if (index == 2'd3) begin
            piece_bits = 5'd9;
        end
    end

    assign chunk_0 = value[7:0];
    assign chunk_1 = value[15:8];
    assign chunk_2 = value[23:16];
    assign chunk_3 = value[31:24];

endmodule
