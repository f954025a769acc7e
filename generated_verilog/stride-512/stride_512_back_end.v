// stride-512 of Tracewright, scheme data_stride.
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
//   stride_cache_entries = 512
//   stride_cache_ways = 1
//   stride_cache_tagged = false
//   tag_bits = 0
//   pc_shift = 2
//   stride_bits = 8
//   data_repetitions = true
//   pattern_bits = 8
//   repetition_count_bits = 8
//   data_address_buffer_depth = 8
// back_end

module stride_512_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [60:0] record,
    output wire        record_ready,
    output wire        is_empty,
    output wire        trace_data,
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words
);

    wire        queue_is_empty;
    wire        waiting_valid;
    wire [60:0] waiting;
    wire        waiting_ready;
    wire        piece_valid;
    wire [7:0]  piece;
    wire [3:0]  piece_bits;
    wire        piece_last;
    wire        piece_ready;
    wire        next_valid;
    wire [60:0] next_record; // the record that comes to the encoder next
    wire        next_ready;
    wire        record_queue_in_ready;
    wire        record_queue_out_valid;
    wire [60:0] record_queue_out_word;
    wire [1:0]  record_queue_level;
    wire        serial_encoder_record_ready;
    wire        serial_encoder_piece_valid;
    wire [7:0]  serial_encoder_piece;
    wire [3:0]  serial_encoder_piece_bits;
    wire        serial_encoder_piece_last;
    wire        bit_packer_piece_ready;
    wire        bit_packer_word_valid;
    wire [7:0]  bit_packer_word;
    wire        bit_packer_is_empty;
    wire        output_fifo_in_ready;
    wire        output_fifo_out_valid;
    wire [7:0]  output_fifo_out_word;
    wire [3:0]  output_fifo_level;
    wire        trace_port_word_ready;
    wire        trace_port_trace_valid;
    wire        trace_port_trace_data;

    stride_512_fifo_depth2_width61 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_queue_in_ready),
        .out_valid (record_queue_out_valid),
        .out_word  (record_queue_out_word),
        .out_ready (next_ready),
        .level     (record_queue_level)
    );

    stride_512_serial_encoder serial_encoder (
        .clock        (clock),
        .reset        (reset),
        .record_valid (waiting_valid),
        .record       (waiting),
        .record_ready (serial_encoder_record_ready),
        .piece_valid  (serial_encoder_piece_valid),
        .piece        (serial_encoder_piece),
        .piece_bits   (serial_encoder_piece_bits),
        .piece_last   (serial_encoder_piece_last),
        .piece_ready  (piece_ready)
    );

    stride_512_bit_packer bit_packer (
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

    stride_512_fifo_depth10_width8 output_fifo (
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

    stride_512_trace_port trace_port (
        .clock       (clock),
        .reset       (reset),
        .word_valid  (output_fifo_out_valid),
        .word        (output_fifo_out_word),
        .word_ready  (trace_port_word_ready),
        .trace_valid (trace_port_trace_valid),
        .trace_data  (trace_port_trace_data),
        .trace_ready (trace_ready)
    );

    assign record_ready = record_queue_in_ready;
    assign next_valid = record_queue_out_valid;
    assign next_record = record_queue_out_word;
    assign queue_is_empty = !record_queue_out_valid;
    assign waiting_valid = next_valid;
    assign waiting = next_record;
    assign piece_ready = bit_packer_piece_ready;
    assign waiting_ready = serial_encoder_record_ready;
    assign piece_valid = serial_encoder_piece_valid;
    assign piece = serial_encoder_piece;
    assign piece_bits = serial_encoder_piece_bits;
    assign piece_last = serial_encoder_piece_last;
    assign next_ready = waiting_ready;
    assign trace_valid = trace_port_trace_valid;
    assign trace_data = trace_port_trace_data;
    assign buffered_words = output_fifo_level;
    assign is_empty = bit_packer_is_empty & queue_is_empty & !output_fifo_out_valid;

    wire _unused_ok = &{1'b0, record_queue_level};

endmodule
