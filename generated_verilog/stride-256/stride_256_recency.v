// stride-256 of Tracewright, scheme data_stride.
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
//   stride_cache_entries = 256
//   stride_cache_ways = 1
//   stride_cache_tagged = false
//   tag_bits = 0
//   pc_shift = 2
//   stride_bits = 8
//   data_repetitions = true
//   pattern_bits = 8
//   repetition_count_bits = 8
//   data_address_buffer_depth = 8
// recency: ways = 1

module stride_256_recency (
    input  wire used, // one hot
    output wire oldest // one hot
);

    assign oldest = 1'd1;

    wire _unused_ok = &{1'b0, used};

endmodule
