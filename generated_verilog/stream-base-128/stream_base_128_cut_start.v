// stream-base-128 of Tracewright, scheme stream_cache.
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
//   stream_cache_entries = 128
//   stream_cache_ways = 4
//   hash_shift = 4
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   miss_index = reserved
//   last_value_start_address = none
//   upper_address_bits = 0
//   one_length_counter = false
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle
// cut_start: start_bits = 30, length_bits = 8

module stream_base_128_cut_start (
    input  wire [29:0] start, // in instruction units
    input  wire        goes_on, // behind the cut
    output wire [29:0] place
);

    wire [7:0]  lower;
    reg         carry;
    wire [21:0] upper;

    assign lower = start[7:0] - {7'd0, goes_on};

    always @* begin
        carry = 1'd0;
        if (|start[7:0]) begin
            carry = goes_on;
        end
    end

    assign upper = start[29:8] + {21'd0, carry};
    assign place = {upper, lower};

endmodule
