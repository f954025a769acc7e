// nexus-n8-timed of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 32
//   fifo_bits = 512
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
//   cores = 8
//   time_stamps = true
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// variable_length: first = 8, next = 8, width = 32, connect_bits = 1

module nexus_n8_timed_variable_length_first8_next8_width32 (
    input  wire [31:0] value,
    output reg  [35:0] code,
    output reg  [5:0]  length
);

    wire [7:0] chunk_0;
    wire [7:0] chunk_1;
    wire [7:0] chunk_2;
    wire [7:0] chunk_3;

    always @* begin
        code = {28'd0, chunk_0};
        if (|{8'd0, value[31:8]}) begin
            code = code | 36'd256;
        end
        code = code | {19'd0, chunk_1, 9'd0};
        if (|{16'd0, value[31:16]}) begin
            code = code | 36'h20000;
        end
        code = code | {10'd0, chunk_2, 18'd0};
        if (|{24'd0, value[31:24]}) begin
            code = code | 36'h4000000;
        end
        code = code | {1'd0, chunk_3, 27'd0};
    end

    always @* begin
        length = 6'd9;
        if (|{8'd0, value[31:8]}) begin
            length = 6'd18;
        end
        if (|{16'd0, value[31:16]}) begin
            length = 6'd27;
        end
        if (|{24'd0, value[31:24]}) begin
            length = 6'd36;
        end
    end

    assign chunk_0 = value[7:0];
    assign chunk_1 = value[15:8];
    assign chunk_2 = value[23:16];
    assign chunk_3 = value[31:24];

endmodule
