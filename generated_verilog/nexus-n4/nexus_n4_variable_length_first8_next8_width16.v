// nexus-n4 of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 16
//   fifo_bits = 256
//   record_queue_depth = 2
//   encoder = parallel
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
//   cores = 4
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// variable_length: first = 8, next = 8, width = 16, connect_bits = 1

module nexus_n4_variable_length_first8_next8_width16 (
    input  wire [15:0] value,
    output reg  [17:0] code,
    output reg  [4:0]  length
);

    wire [7:0] chunk_0;
    wire [7:0] chunk_1;

    always @* begin
        code = {10'd0, chunk_0};
        if (|{8'd0, value[15:8]}) begin
            code = code | 18'd256;
        end
        code = code | {1'd0, chunk_1, 9'd0};
    end

    always @* begin
        length = 5'd9;
        if (|{8'd0, value[15:8]}) begin
            length = 5'd18;
        end
    end

    assign chunk_0 = value[7:0];
    assign chunk_1 = value[15:8];

endmodule
