// stream-rbase-128 of Tracewright, scheme stream_cache.
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
//   last_value_start_address = every
//   upper_address_bits = 12
//   one_length_counter = true
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle
// stream_start: start_bits = 30, length_bits = 8, infers = 1

module stream_rbase_128_stream_start (
    input  wire        clock,
    input  wire        reset,
    input  wire        cut, // goes before any other end
    input  wire        branch_ends,
    input  wire        excepts,
    input  wire        flush,
    input  wire        direct, // the branch is direct
    input  wire [29:0] target, // in instruction units
    output wire [29:0] first,
    output wire        first_inferred
);

    reg  [29:0] start;
    reg         inferred;
    wire [29:0] cut_start_place;

    stream_rbase_128_cut_start cut_start (
        .start   (start),
        .goes_on (cut),
        .place   (cut_start_place)
    );

    assign first = start;
    assign first_inferred = inferred;

    always @(posedge clock) begin
        if (reset) begin
            start <= 30'd0;
            inferred <= 1'd1;
        end else begin
            start <= cut_start_place;
            if (branch_ends || excepts) begin
                start <= target;
                inferred <= branch_ends & direct;
            end else if (cut || flush) begin
                inferred <= 1'd1;
            end
        end
    end

endmodule
