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
// encoder

module ntuple_32x4_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         clear,
    input  wire [4:0]   clear_index,
    input  wire         retire, // a block retires; only when ready
    input  wire [3:0]   count,
    input  wire [31:0]  program_counter,
    input  wire [3:0]   length,
    input  wire [2:0]   branch_kind,
    input  wire         call,
    input  wire         is_return,
    input  wire         taken,
    input  wire [31:0]  target,
    input  wire         flush, // make a flush record; only when ready
    output wire         ready,
    output wire         is_empty,
    output wire         record_valid,
    output wire [116:0] record,
    input  wire         record_ready
);

    wire         take;
    wire         source_ready;
    wire         source_is_empty;
    wire         source_stream_valid;
    wire [1:0]   source_code;
    wire         source_is_whole;
    wire [7:0]   source_length;
    wire [29:0]  source_start;
    wire         cache_update;
    wire         cache_found;
    wire [6:0]   cache_index;
    wire         controller_record_valid;
    wire [116:0] controller_record;

    ntuple_32x4_stream_source source (
        .clock        (clock),
        .reset        (reset),
        .retire       (retire),
        .count        (count),
        .branch_kind  (branch_kind),
        .taken        (taken),
        .target       (target),
        .flush        (flush),
        .ready        (source_ready),
        .is_empty     (source_is_empty),
        .stream_valid (source_stream_valid),
        .code         (source_code),
        .is_whole     (source_is_whole),
        .length       (source_length),
        .start        (source_start),
        .stream_ready (record_ready)
    );

    ntuple_32x4_stream_cache cache (
        .clock       (clock),
        .reset       (reset),
        .clear       (clear),
        .clear_index (clear_index),
        .start       (source_start),
        .length      (source_length),
        .update      (cache_update),
        .found       (cache_found),
        .index       (cache_index)
    );

    ntuple_32x4_trace_output_controller controller (
        .clock        (clock),
        .reset        (reset),
        .stream_valid (source_stream_valid),
        .code         (source_code),
        .is_whole     (source_is_whole),
        .length       (source_length),
        .start        (source_start),
        .cache_hit    (cache_found),
        .cache_index  (cache_index),
        .take         (take),
        .record_valid (controller_record_valid),
        .record       (controller_record)
    );

    assign ready = source_ready;
    assign is_empty = source_is_empty;
    assign take = source_stream_valid & record_ready;
    assign cache_update = take & source_is_whole;
    assign record_valid = controller_record_valid;
    assign record = controller_record;

    wire _unused_ok = &{1'b0, program_counter, length, call, is_return};

endmodule
