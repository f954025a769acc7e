// nexus-n2-timed of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 8
//   fifo_bits = 128
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
//   cores = 2
//   time_stamps = true
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// chunk_selector: first = 16, next = 16, width = 30, connect_bits = 1, piece_width = 17

module nexus_n2_timed_chunk_selector_first16_next16_width30 (
    input  wire [29:0] value,
    input  wire        index,
    output reg  [16:0] piece, // chunk and connect bit
    output reg  [4:0]  piece_bits,
    output reg         more // the connect bit
);

    wire [15:0] chunk_0;
    wire [15:0] chunk_1;

    always @* begin
        more = 1'd0;
        if (!index) begin
            if (|{16'd0, value[29:16]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 17'd0;
        if (!index) begin
            piece = {1'd0, chunk_0};
            if (|{16'd0, value[29:16]}) begin
                piece = piece | 17'h10000;
            end
        end
        if (index) begin
            piece = {1'd0, chunk_1};
        end
    end

    always @* begin
        piece_bits = 5'd0;
        if (!index) begin
            piece_bits = 5'd17;
        end
        if (index) begin
            piece_bits = 5'd17;
        end
    end

    assign chunk_0 = value[15:0];
    assign chunk_1 = {2'd0, value[29:16]};

endmodule
