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
// trace_port: port_width = 16, word_bits = 16

module nexus_n4_trace_port (
    input  wire        clock,
    input  wire        reset,
    input  wire        word_valid,
    input  wire [15:0] word,
    output reg         word_ready,
    output wire        trace_valid,
    output wire [15:0] trace_data,
    input  wire        trace_ready
);

    assign trace_valid = word_valid;
    assign trace_data = word;

    always @* begin
        word_ready = 1'd0;
        if (word_valid && trace_ready) begin
            word_ready = 1'd1;
        end
    end

    wire _unused_ok = &{1'b0, clock, reset};

endmodule
