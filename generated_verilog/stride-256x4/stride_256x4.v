// stride-256x4 of Tracewright, scheme data_stride.
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
//   stride_cache_entries = 1024
//   stride_cache_ways = 4
//   stride_cache_tagged = true
//   tag_bits = 22
//   pc_shift = 2
//   stride_bits = 8
//   data_repetitions = true
//   pattern_bits = 8
//   repetition_count_bits = 8
//   data_address_buffer_depth = 8
// data_stride

module stride_256x4 (
    input  wire        clock,
    input  wire        reset,
    input  wire        data_valid, // an access is made in this clock
    input  wire [31:0] data_pc, // byte address of its instruction
    input  wire [31:0] data_address, // the byte address that it accesses
    input  wire        data_store, // it writes; not traced
    output wire        stall, // the access of this clock is not taken
    input  wire        flush, // level: end the trace here
    output wire        flushed, // everything is out
    output wire        trace_data, // trace bits, bit 0 first
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_flushed;
    wire        sequencer_clear;
    wire [7:0]  sequencer_clear_index;
    wire        encoder_access;
    wire        encoder_ready;
    wire        encoder_flush;
    wire        encoder_flush_ready;
    wire        encoder_record_valid;
    wire [60:0] encoder_record;
    wire        back_end_record_ready;
    wire        back_end_is_empty;
    wire        back_end_trace_data;
    wire        back_end_trace_valid;
    wire [3:0]  back_end_buffered_words;

    stride_256x4_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (encoder_flush_ready),
        .is_empty     (back_end_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (sequencer_flushed),
        .clear        (sequencer_clear),
        .clear_index  (sequencer_clear_index)
    );

    stride_256x4_encoder encoder (
        .clock        (clock),
        .reset        (reset),
        .clear        (sequencer_clear),
        .clear_index  (sequencer_clear_index),
        .access       (encoder_access),
        .site         (data_pc[31:2]),
        .address      (data_address),
        .ready        (encoder_ready),
        .flush        (encoder_flush),
        .flush_ready  (encoder_flush_ready),
        .record_valid (encoder_record_valid),
        .record       (encoder_record),
        .record_ready (back_end_record_ready)
    );

    stride_256x4_back_end back_end (
        .clock          (clock),
        .reset          (reset),
        .record_valid   (encoder_record_valid),
        .record         (encoder_record),
        .record_ready   (back_end_record_ready),
        .is_empty       (back_end_is_empty),
        .trace_data     (back_end_trace_data),
        .trace_valid    (back_end_trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (back_end_buffered_words)
    );

    assign flushed = sequencer_flushed;
    assign stall = !(sequencer_tracing & encoder_ready);
    assign encoder_flush = sequencer_record_flush & encoder_flush_ready;
    assign encoder_access = data_valid & !stall;
    assign trace_valid = back_end_trace_valid;
    assign trace_data = back_end_trace_data;
    assign buffered_words = back_end_buffered_words;

    wire _unused_ok = &{1'b0, data_pc[1:0], data_store};

endmodule
