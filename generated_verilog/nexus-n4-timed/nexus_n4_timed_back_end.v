// nexus-n4-timed of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 16
//   fifo_bits = 256
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
//   cores = 4
//   time_stamps = true
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// back_end

module nexus_n4_timed_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [92:0] record,
    output wire        record_ready,
    output wire        is_empty,
    output wire [15:0] trace_data,
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [4:0]  buffered_words
);

    wire         waiting_valid;
    wire [92:0]  waiting;
    wire         waiting_ready;
    wire         encoder_is_empty;
    wire         piece_valid;
    wire [188:0] piece;
    wire [7:0]   piece_bits;
    wire         piece_last;
    wire         piece_ready;
    wire         next_valid;
    wire [92:0]  next_record; // the record that comes to the encoder next
    wire         next_ready;
    wire         parallel_encoder_record_ready;
    wire         parallel_encoder_piece_valid;
    wire [188:0] parallel_encoder_piece;
    wire [7:0]   parallel_encoder_piece_bits;
    wire         parallel_encoder_piece_last;
    wire         bit_packer_piece_ready;
    wire         bit_packer_word_valid;
    wire [15:0]  bit_packer_word;
    wire         bit_packer_is_empty;
    wire         output_fifo_in_ready;
    wire         output_fifo_out_valid;
    wire [15:0]  output_fifo_out_word;
    wire [4:0]   output_fifo_level;
    wire         trace_port_word_ready;
    wire         trace_port_trace_valid;
    wire [15:0]  trace_port_trace_data;

    nexus_n4_timed_parallel_encoder parallel_encoder (
        .clock        (clock),
        .reset        (reset),
        .record_valid (waiting_valid),
        .record       (waiting),
        .record_ready (parallel_encoder_record_ready),
        .piece_valid  (parallel_encoder_piece_valid),
        .piece        (parallel_encoder_piece),
        .piece_bits   (parallel_encoder_piece_bits),
        .piece_last   (parallel_encoder_piece_last),
        .piece_ready  (piece_ready)
    );

    nexus_n4_timed_bit_packer bit_packer (
        .clock       (clock),
        .reset       (reset),
        .piece_valid (piece_valid),
        .piece       (piece),
        .piece_bits  (piece_bits),
        .piece_last  (piece_last),
        .piece_ready (bit_packer_piece_ready),
        .word_valid  (bit_packer_word_valid),
        .word        (bit_packer_word),
        .word_ready  (output_fifo_in_ready),
        .is_empty    (bit_packer_is_empty)
    );

    nexus_n4_timed_fifo_depth16_width16 output_fifo (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (bit_packer_word_valid),
        .in_word   (bit_packer_word),
        .in_ready  (output_fifo_in_ready),
        .out_valid (output_fifo_out_valid),
        .out_word  (output_fifo_out_word),
        .out_ready (trace_port_word_ready),
        .level     (output_fifo_level)
    );

    nexus_n4_timed_trace_port trace_port (
        .clock       (clock),
        .reset       (reset),
        .word_valid  (output_fifo_out_valid),
        .word        (output_fifo_out_word),
        .word_ready  (trace_port_word_ready),
        .trace_valid (trace_port_trace_valid),
        .trace_data  (trace_port_trace_data),
        .trace_ready (trace_ready)
    );

    assign next_valid = record_valid;
    assign next_record = record;
    assign waiting_valid = next_valid;
    assign waiting = next_record;
    assign piece_ready = bit_packer_piece_ready;
    assign waiting_ready = parallel_encoder_record_ready;
    assign piece_valid = parallel_encoder_piece_valid;
    assign piece = parallel_encoder_piece;
    assign piece_bits = parallel_encoder_piece_bits;
    assign piece_last = parallel_encoder_piece_last;
    assign encoder_is_empty = !parallel_encoder_piece_valid;
    assign next_ready = waiting_ready;
    assign record_ready = next_ready;
    assign trace_valid = trace_port_trace_valid;
    assign trace_data = trace_port_trace_data;
    assign buffered_words = output_fifo_level;
    assign is_empty = encoder_is_empty & bit_packer_is_empty & !output_fifo_out_valid;

endmodule
