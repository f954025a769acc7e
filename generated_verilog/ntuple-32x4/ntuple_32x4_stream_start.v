// ntuple-32x4 of Tracewright, scheme ntuple.
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
//   hash_shift = 6
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   tuple_length = 8
//   tuple_history_entries = 255
//   tuple_update = every
// stream_start: start_bits = 30, length_bits = 8, infers = 0

module ntuple_32x4_stream_start (
    input  wire        clock,
    input  wire        reset,
    input  wire        cut, // goes before any other end
    input  wire        branch_ends,
    input  wire        excepts,
    input  wire        flush,
    input  wire        direct, // the branch is direct
    input  wire [29:0] target, // in instruction units
    output wire [29:0] first
);

    reg  [29:0] start;
    wire [29:0] cut_start_place;

    ntuple_32x4_cut_start cut_start (
        .start   (start),
        .goes_on (cut),
        .place   (cut_start_place)
    );

    assign first = start;

    always @(posedge clock) begin
        if (reset) begin
            start <= 30'd0;
        end else begin
            start <= cut_start_place;
            if (branch_ends || excepts) begin
                start <= target;
            end
        end
    end

    wire _unused_ok = &{1'b0, flush, direct};

endmodule
