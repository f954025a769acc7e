// nexus-n8 of Tracewright, scheme nexus.
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
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// target_coder

module nexus_n8_target_coder (
    input  wire        clock,
    input  wire        reset,
    input  wire [31:0] target,
    input  wire        send,
    output wire [29:0] value,
    output wire        below
);

    wire [29:0] target_difference_magnitude;
    wire        target_difference_below;

    nexus_n8_target_difference target_difference (
        .clock     (clock),
        .reset     (reset),
        .target    (target[31:2]),
        .send      (send),
        .magnitude (target_difference_magnitude),
        .below     (target_difference_below)
    );

    assign value = target_difference_magnitude;
    assign below = target_difference_below;

    wire _unused_ok = &{1'b0, target[1:0]};

endmodule
