// stream-base-32 of Tracewright, scheme stream_cache.
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
//   stream_cache_entries = 32
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
// encoder

module stream_base_32_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [4:0]  clear_index,
    input  wire        retire, // a block retires; only when ready
    input  wire [3:0]  count,
    input  wire [31:0] program_counter,
    input  wire [3:0]  length,
    input  wire [2:0]  branch_kind,
    input  wire        call,
    input  wire        is_return,
    input  wire        taken,
    input  wire [31:0] target,
    input  wire        flush, // make a flush record; only when ready
    output wire        ready,
    output wire        is_empty,
    output wire        record_valid,
    output wire [53:0] record,
    input  wire        record_ready
);

    wire        source_ready;
    wire        source_is_empty;
    wire        source_stream_valid;
    wire [1:0]  source_code;
    wire        source_is_whole;
    wire [7:0]  source_length;
    wire [29:0] source_start;
    wire        source_inferred;
    wire        record_former_record_valid;
    wire [53:0] record_former_record;

    stream_base_32_stream_source source (
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
        .inferred     (source_inferred),
        .stream_ready (record_ready)
    );

    stream_base_32_record_former record_former (
        .clock        (clock),
        .reset        (reset),
        .clear        (clear),
        .clear_index  (clear_index),
        .stream_valid (source_stream_valid),
        .start        (source_start),
        .inferred     (source_inferred),
        .ending       (source_code),
        .is_whole     (source_is_whole),
        .length       (source_length),
        .record_valid (record_former_record_valid),
        .record       (record_former_record),
        .record_ready (record_ready)
    );

    assign ready = source_ready;
    assign is_empty = source_is_empty;
    assign record_valid = record_former_record_valid;
    assign record = record_former_record;

    wire _unused_ok = &{1'b0, program_counter, length, call, is_return};

endmodule
