// nexus-n4-timed of Tracewright, scheme nexus.
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
//   time_stamps = true
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// variable_length: first = 16, next = 16, width = 30, connect_bits = 1

module nexus_n4_timed_variable_length_first16_next16_width30 (
    input  wire [29:0] value,
    output reg  [33:0] code,
    output reg  [5:0]  length
);

    wire [15:0] chunk_0;
    wire [15:0] chunk_1;

    always @* begin
        code = {18'd0, chunk_0};
        if (|{16'd0, value[29:16]}) begin
            code = code | 34'h10000;
        end
        code = code | {1'd0, chunk_1, 17'd0};
    end

    always @* begin
        length = 6'd17;
        if (|{16'd0, value[29:16]}) begin
            length = 6'd34;
        end
    end

    assign chunk_0 = value[15:0];
    assign chunk_1 = {2'd0, value[29:16]};

endmodule
