// nexs of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stream_length_bits = 8
//   stream_length_coding = fixed
//   stream_length_first_chunk = 8
//   stream_length_next_chunk = 8
//   target_coding = xor
//   target_first_chunk = 6
//   target_next_chunk = 6
//   target_connect_bits = 2
//   cores = 1
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// chunk_selector: first = 6, next = 6, width = 32, connect_bits = 2, piece_width = 8

module nexs_chunk_selector (
    input  wire [31:0] value,
    input  wire [2:0]  index,
    output reg  [7:0]  piece, // chunk and connect bit
    output reg  [3:0]  piece_bits,
    output reg         more // the connect bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;
    wire [5:0] chunk_4;
    wire [5:0] chunk_5;

    always @* begin
        more = 1'd0;
        if (index == 3'd0) begin
            if (|{6'd0, value[31:6]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd1) begin
            if (|{12'd0, value[31:12]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd2) begin
            if (|{18'd0, value[31:18]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd3) begin
            if (|{24'd0, value[31:24]}) begin
                more = 1'd1;
            end
        end
        if (index == 3'd4) begin
            if (|{30'd0, value[31:30]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 8'd0;
        if (index == 3'd0) begin
            piece = {2'd0, chunk_0};
            if (|{6'd0, value[31:6]}) begin
                piece = piece | 8'd192;
            end
        end
        if (index == 3'd1) begin
            piece = {2'd0, chunk_1};
            if (|{12'd0, value[31:12]}) begin
                piece = piece | 8'd192;
            end
        end
        if (index == 3'd2) begin
            piece = {2'd0, chunk_2};
            if (|{18'd0, value[31:18]}) begin
                piece = piece | 8'd192;
            end
        end
        if (index == 3'd3) begin
            piece = {2'd0, chunk_3};
            if (|{24'd0, value[31:24]}) begin
                piece = piece | 8'd192;
            end
        end
        if (index == 3'd4) begin
            piece = {2'd0, chunk_4};
            if (|{30'd0, value[31:30]}) begin
                piece = piece | 8'd192;
            end
        end
        if (index == 3'd5) begin
            piece = {2'd0, chunk_5};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        if (index == 3'd0) begin
            piece_bits = 4'd8;
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
        if (index == 3'd5) begin
            piece_bits = 4'd8;
        end
    end

    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = value[23:18];
    assign chunk_4 = value[29:24];
    assign chunk_5 = {4'd0, value[31:30]};

endmodule
