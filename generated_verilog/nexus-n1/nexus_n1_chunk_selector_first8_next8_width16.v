// nexus-n1 of Tracewright, scheme nexus.
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
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// chunk_selector: first = 8, next = 8, width = 16, connect_bits = 1, piece_width = 17

module nexus_n1_chunk_selector_first8_next8_width16 (
    input  wire [15:0] value,
    input  wire        index,
    output reg  [16:0] piece, // chunk and connect bit
    output reg  [4:0]  piece_bits,
    output reg         more // the connect bit
);

    wire [7:0] chunk_0;
    wire [7:0] chunk_1;

    always @* begin
        more = 1'd0;
        if (!index) begin
            if (|{8'd0, value[15:8]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 17'd0;
        if (!index) begin
            piece = {9'd0, chunk_0};
            if (|{8'd0, value[15:8]}) begin
                piece = piece | 17'd256;
            end
        end
        if (index) begin
            piece = {9'd0, chunk_1};
        end
    end

    always @* begin
        piece_bits = 5'd0;
        if (!index) begin
            piece_bits = 5'd9;
        end
        if (index) begin
            piece_bits = 5'd9;
        end
    end

    assign chunk_0 = value[7:0];
    assign chunk_1 = value[15:8];

endmodule
