// stride-64 of Tracewright, scheme data_stride.
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
//   stride_cache_entries = 64
//   stride_cache_ways = 1
//   stride_cache_tagged = false
//   tag_bits = 0
//   pc_shift = 2
//   stride_bits = 8
//   data_repetitions = true
//   pattern_bits = 8
//   repetition_count_bits = 8
//   data_address_buffer_depth = 8
// encoder

module stride_64_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [5:0]  clear_index,
    input  wire        access, // an access is made; only when ready
    input  wire [5:0]  site, // whose entry it uses
    input  wire [31:0] address,
    output wire        ready, // from registers alone
    input  wire        flush, // make a flush record; only when flush_ready
    output wire        flush_ready,
    output wire        record_valid,
    output wire [60:0] record,
    input  wire        record_ready
);

    wire        looked_up; // an access leaves the buffer
    wire        missed;
    wire [31:0] buffered_address;
    wire        buffer_in_ready;
    wire        buffer_out_valid;
    wire [37:0] buffer_out_word;
    wire [3:0]  buffer_level;
    wire        cache_hit;
    wire        repetitions_over;
    wire [7:0]  repetitions_pattern;
    wire [7:0]  repetitions_repetition_count;
    wire [6:0]  repetitions_partial_pattern;
    wire [2:0]  repetitions_partial_count;

    stride_64_fifo_depth8_width38 buffer (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (access),
        .in_word   ({site, address}),
        .in_ready  (buffer_in_ready),
        .out_valid (buffer_out_valid),
        .out_word  (buffer_out_word),
        .out_ready (record_ready),
        .level     (buffer_level)
    );

    stride_64_data_address_stride_cache cache (
        .clock       (clock),
        .reset       (reset),
        .clear       (clear),
        .clear_index (clear_index),
        .update      (looked_up),
        .site        (buffer_out_word[37:32]),
        .address     (buffered_address),
        .hit         (cache_hit)
    );

    stride_64_data_repetitions repetitions (
        .clock            (clock),
        .reset            (reset),
        .access           (looked_up),
        .hit              (cache_hit),
        .flush            (flush),
        .over             (repetitions_over),
        .pattern          (repetitions_pattern),
        .repetition_count (repetitions_repetition_count),
        .partial_pattern  (repetitions_partial_pattern),
        .partial_count    (repetitions_partial_count)
    );

    assign ready = buffer_in_ready;
    assign flush_ready = record_ready & !buffer_out_valid;
    assign looked_up = record_ready & buffer_out_valid;
    assign buffered_address = buffer_out_word[31:0];
    assign missed = looked_up & !cache_hit;
    assign record_valid = repetitions_over | missed | flush;

    assign record = {
        repetitions_partial_count,
        repetitions_partial_pattern,
        buffered_address,
        repetitions_repetition_count,
        repetitions_pattern,
        missed,
        repetitions_over,
        flush
    };

    wire _unused_ok = &{1'b0, buffer_level};

endmodule
