// stream-ebase-1024 of Tracewright, scheme stream_cache.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 80
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stream_cache_entries = 1024
//   stream_cache_ways = 4
//   hash_shift = 4
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   miss_index = reserved
//   last_value_start_address = misses
//   upper_address_bits = 14
//   one_length_counter = true
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle
// start_address_predictor: upper_bits = 14

module stream_ebase_1024_start_address_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire [29:0] start, // in instruction units
    input  wire        update,
    input  wire        sent,
    output wire        matching
);

    reg  [13:0] upper;
    wire [13:0] start_upper;

    assign start_upper = start[29:16];
    assign matching = start_upper == upper;

    always @(posedge clock) begin
        if (reset) begin
            upper <= 14'd0;
        end else begin
            if (update && sent) begin
                upper <= start_upper;
            end
        end
    end

    wire _unused_ok = &{1'b0, start[15:0]};

endmodule
