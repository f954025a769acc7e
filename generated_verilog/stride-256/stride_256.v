// stride-256 of Tracewright, made by `tracewright generate`.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stride_cache_entries = 256
//   stride_cache_ways = 1
//   stride_cache_tagged = false
//   tag_bits = 0
//   pc_shift = 2
//   stride_bits = 8
//   data_repetitions = true
//   pattern_bits = 8
//   repetition_count_bits = 8
//   data_address_buffer_depth = 8

// Clears the tables after reset, and takes the module through a flush
module stride_256_sequencer (
    input  wire       clock,
    input  wire       reset,
    input  wire       flush, // level: the trace ends here
    input  wire       ready, // the compressor takes a block or a flush in this cycle
    input  wire       is_empty, // no record and no bit is left in the module
    output wire       tracing, // blocks are taken while the compressor is ready
    output wire       record_flush, // the compressor makes its flush record when it is ready
    output wire       flushed, // every bit of the trace has left the module
    output wire       clear_valid, // the tables are being cleared
    output wire [7:0] clear_index // the entry to clear, in the lower bits
);

    localparam [1:0] STATE_TRACING = 2'd0; // the state after reset
    localparam [1:0] STATE_RECORDING = 2'd1;
    localparam [1:0] STATE_DRAINING = 2'd2;
    localparam [1:0] STATE_FLUSHED = 2'd3;

    reg        clearing;
    reg  [7:0] index;
    reg  [1:0] state;

    assign clear_valid = clearing;
    assign clear_index = index;
    assign tracing = (state == STATE_TRACING) & !clearing;
    assign record_flush = state == STATE_RECORDING;
    assign flushed = state == STATE_FLUSHED;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'b1;
            index <= 8'd0;
            state <= STATE_TRACING;
        end else begin
            if (clearing) begin
                index <= index + 8'd1;
            end
            if (&index) begin
                clearing <= 1'b0;
            end
            case (state)
                STATE_TRACING: begin
                    if (flush && !clearing) begin
                        state <= STATE_RECORDING;
                    end
                end
                STATE_RECORDING: begin
                    if (ready) begin
                        state <= STATE_DRAINING;
                    end
                end
                STATE_DRAINING: begin
                    if (is_empty) begin
                        state <= STATE_FLUSHED;
                    end
                end
                default: begin
                    if (!flush) begin
                        state <= STATE_TRACING;
                    end
                end
            endcase
        end
    end

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module stride_256_fifo_depth8_width40 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [39:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [39:0] out_word,
    input  wire        out_ready
);

    wire [39:0] words_read_data;
    reg  [2:0]  write_pointer;
    reg  [2:0]  read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    wire        is_full;
    wire        puts;
    wire        takes;
    reg  [39:0] words_cells [0:7];

    assign is_full = (write_pointer == read_pointer) & is_filled;
    assign out_valid = (write_pointer != read_pointer) | is_filled;
    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 3'd0;
            read_pointer <= 3'd0;
            is_filled <= 1'b0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 3'd1;
                if (write_pointer == 3'd7) begin
                    write_pointer <= 3'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 3'd1;
                if (read_pointer == 3'd7) begin
                    read_pointer <= 3'd0;
                end
            end
            if (puts ^ takes) begin
                is_filled <= puts;
            end
        end
    end

    always @(posedge clock) begin
        if (puts) begin
            words_cells[write_pointer] <= in_word;
        end
    end

endmodule

// From a set's order and the way now used, the way to replace and the order afterwards
module stride_256_recency (
    input  wire used, // one hot
    output wire oldest // one hot
);

    assign oldest = 1'b1;

    wire _unused_ok = &{1'b0, used};

endmodule

// Predicts the data address of one access per cycle, and learns it in the same cycle
module stride_256_data_address_stride_cache (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [7:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        update, // an access is made
    input  wire [7:0]  site, // set, and above it the tag
    input  wire [31:0] address, // data address of the access
    output wire        hit // the address was predicted
);

    wire [7:0]  stride;
    wire [31:0] extended; // the stride with its sign
    wire [31:0] difference; // from the last address
    wire [7:0]  stride_next;
    wire        order_write_enable;
    wire [7:0]  order_write_address;
    wire [39:0] ways_0_read_data;
    wire        ways_0_write_enable;
    wire [7:0]  ways_0_write_address;
    wire [39:0] ways_0_write_data;
    wire        recency_oldest;
    reg  [39:0] ways_0_cells [0:255];

    stride_256_recency recency (
        .used   (1'b1),
        .oldest (recency_oldest)
    );

    assign difference = address - ways_0_read_data[31:0];
    assign stride = ways_0_read_data[39:32];
    assign extended = {{24{stride[7]}}, stride};
    assign hit = difference == extended;
    assign stride_next = difference[7:0];
    assign order_write_enable = update | clear_valid;
    assign order_write_address = clear_valid ? clear_index : site;
    assign ways_0_write_enable = clear_valid | update;
    assign ways_0_write_address = clear_valid ? clear_index : site;
    assign ways_0_write_data = clear_valid ? 40'd0 : {stride_next, address};
    assign ways_0_read_data = ways_0_cells[site];

    always @(posedge clock) begin
        if (ways_0_write_enable) begin
            ways_0_cells[ways_0_write_address] <= ways_0_write_data;
        end
    end

    wire _unused_ok = &{1'b0, order_write_enable, order_write_address, recency_oldest};

endmodule

// Turns hits and misses into pairs of a pattern and a count
module stride_256_data_repetitions (
    input  wire       clock,
    input  wire       reset,
    input  wire       access, // an access is made
    input  wire       hit, // the address of the access was predicted
    input  wire       flush, // never together with an access
    output wire       over, // a repetition is over
    output wire [7:0] pattern, // pattern of hits and misses that was repeated
    output wire [7:0] repetition_count, // repetitions of the pattern
    output wire [6:0] partial_pattern, // hits and misses that make no whole pattern
    output wire [2:0] partial_count // bits of the partial pattern
);

    reg  [7:0] repeating;
    reg  [7:0] count;
    reg  [6:0] open;
    reg  [2:0] accesses;
    wire [7:0] whole; // what is open, with this access
    wire       complete;
    wire       repeats; // the pattern came again, and there is room to count it

    assign whole = {1'b0, open} | ({7'd0, hit} << accesses);
    assign complete = (accesses == 3'd7) & access;
    assign repeats = (whole == repeating) & !(&count);
    assign pattern = repeating;
    assign repetition_count = count;
    assign partial_pattern = open;
    assign partial_count = accesses;
    assign over = (|count) & (flush | (complete & !repeats));

    always @(posedge clock) begin
        if (reset) begin
            repeating <= 8'd0;
            count <= 8'd0;
            open <= 7'd0;
            accesses <= 3'd0;
        end else begin
            if (access) begin
                open <= whole[6:0];
                accesses <= accesses + 3'd1;
            end
            if (complete) begin
                open <= 7'd0;
                accesses <= 3'd0;
                if (repeats) begin
                    count <= count + 8'd1;
                end else begin
                    repeating <= whole;
                    count <= 8'd1;
                end
            end
            if (flush) begin
                count <= 8'd0;
                open <= 7'd0;
                accesses <= 3'd0;
            end
        end
    end

endmodule

// Data address buffer, stride cache and packets; a record leaves in the cycle in which its access leaves the buffer
module stride_256_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [7:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        access, // an access is made; only when ready
    input  wire [7:0]  site, // site of the access, which selects the entry
    input  wire [31:0] address, // data address of the access
    output wire        ready, // from registers alone
    input  wire        flush, // make a flush record; only when flush_ready
    output wire        flush_ready, // a flush can be taken: no access waits
    output wire        record_valid,
    output wire [60:0] record,
    input  wire        record_ready
);

    wire [60:0] formed;
    wire [39:0] arriving;
    wire [39:0] oldest;
    wire        looked_up; // an access leaves the buffer
    wire        missed;
    wire [31:0] buffered_address;
    wire        buffer_out_valid;
    wire        cache_hit;
    wire        repetitions_over;
    wire [7:0]  repetitions_pattern;
    wire [7:0]  repetitions_repetition_count;
    wire [6:0]  repetitions_partial_pattern;
    wire [2:0]  repetitions_partial_count;

    wire [31:0] oldest_address = oldest[31:0];
    wire [7:0]  oldest_site = oldest[39:32];

    stride_256_fifo_depth8_width40 buffer (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (access),
        .in_word   (arriving),
        .in_ready  (ready),
        .out_valid (buffer_out_valid),
        .out_word  (oldest),
        .out_ready (record_ready)
    );

    stride_256_data_address_stride_cache cache (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .update      (looked_up),
        .site        (oldest_site),
        .address     (buffered_address),
        .hit         (cache_hit)
    );

    stride_256_data_repetitions repetitions (
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

    assign arriving = {site, address};
    assign flush_ready = record_ready & !buffer_out_valid;
    assign looked_up = record_ready & buffer_out_valid;
    assign buffered_address = oldest_address;
    assign missed = looked_up & !cache_hit;
    assign record_valid = repetitions_over | missed | flush;

    assign formed = {
        repetitions_partial_count,
        repetitions_partial_pattern,
        buffered_address,
        repetitions_repetition_count,
        repetitions_pattern,
        missed,
        repetitions_over,
        flush
    };

    assign record = formed;

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module stride_256_fifo_depth2_width61 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [60:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [60:0] out_word,
    input  wire        out_ready
);

    wire [60:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    wire        is_full;
    wire        puts;
    wire        takes;
    reg  [60:0] words_cells [0:1];

    assign is_full = (write_pointer == read_pointer) & is_filled;
    assign out_valid = (write_pointer != read_pointer) | is_filled;
    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 1'b0;
            read_pointer <= 1'b0;
            is_filled <= 1'b0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 1'b1;
                if (write_pointer) begin
                    write_pointer <= 1'b0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 1'b1;
                if (read_pointer) begin
                    read_pointer <= 1'b0;
                end
            end
            if (puts ^ takes) begin
                is_filled <= puts;
            end
        end
    end

    always @(posedge clock) begin
        if (puts) begin
            words_cells[write_pointer] <= in_word;
        end
    end

endmodule

// Sends a record slot by slot, a large slot piece by piece
module stride_256_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid, // without registers it stays until it is taken
    input  wire [60:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits, // bits of the piece, the first one lowest
    output wire        piece_last, // fill the trace word up with zeros after the piece
    input  wire        piece_ready
);

    reg  [7:0]  sent; // stages of the record that are out
    reg  [1:0]  index; // the piece of the slot
    reg  [7:0]  flags; // slots that are sent
    reg  [7:0]  stages; // stages that send one
    wire [7:0]  pending;
    wire [7:0]  current; // one hot
    wire [7:0]  active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [7:0]  repetition_value_2;
    wire [7:0]  repetition_value_3;
    wire [31:0] miss_value_2;
    wire [2:0]  flush_value_2;
    wire [6:0]  flush_value_3;
    wire [2:0]  flush_raw_size_3;
    wire [5:0]  flush_size_3;
    reg  [5:0]  left;

    always @* begin
        flags = 8'd0;
        if (record[1]) begin
            flags = 8'd7;
        end
        if (record[2]) begin
            flags[3] = 1'b1;
            flags[4] = 1'b1;
        end
        if (record[0]) begin
            flags[5] = 1'b1;
            flags[6] = 1'b1;
            flags[7] = 1'b1;
        end
    end

    always @* begin
        stages = 8'd0;
        if (record[1]) begin
            stages = 8'd7;
        end
        if (record[2]) begin
            stages[3] = 1'b1;
            stages[4] = 1'b1;
        end
        if (record[0]) begin
            stages[5] = 1'b1;
            stages[6] = 1'b1;
            stages[7] = 1'b1;
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 8'd1);
    assign is_last = pending == current;

    assign active = {
        current[7] & flags[7],
        current[6] & flags[6],
        current[5] & flags[5],
        current[4] & flags[4],
        current[3] & flags[3],
        current[2] & flags[2],
        current[1] & flags[1],
        current[0] & flags[0]
    };

    always @* begin
        piece = 8'd0;
        if (active[0]) begin
            piece = 8'd1;
        end
        if (active[1]) begin
            piece = piece | repetition_value_2;
        end
        if (active[2]) begin
            piece = piece | repetition_value_3;
        end
        if (active[4]) begin
            case (index)
                2'd0: piece = miss_value_2[7:0];
                2'd1: piece = miss_value_2[15:8];
                2'd2: piece = miss_value_2[23:16];
                2'd3: piece = miss_value_2[31:24];
            endcase
        end
        if (active[5]) begin
            if (index == 2'd0) begin
                piece = 8'd1;
            end
            if (index == 2'd1) begin
                piece = 8'd0;
            end
        end
        if (active[6]) begin
            piece = piece | {5'd0, flush_value_2};
        end
        if (active[7]) begin
            piece = piece | {1'b0, flush_value_3};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'b0;
        left = 6'd0;
        if (active[0]) begin
            piece_bits = 4'd1;
        end
        if (active[1]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[2]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[3]) begin
            piece_bits = piece_bits | 4'd1;
        end
        if (active[4]) begin
            case (index)
                2'd0: left = 6'd32;
                2'd1: left = 6'd24;
                2'd2: left = 6'd16;
                2'd3: left = 6'd8;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[5]) begin
            if (index == 2'd0) begin
                left = 6'd9;
            end
            if (index == 2'd1) begin
                left = 6'd1;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[6]) begin
            piece_bits = piece_bits | 4'd3;
        end
        if (active[7]) begin
            piece_bits = piece_bits | flush_size_3[3:0];
        end
    end

    assign repetition_value_2 = record[18:11];
    assign repetition_value_3 = record[10:3];
    assign miss_value_2 = record[50:19];
    assign flush_value_2 = record[60:58];
    assign flush_value_3 = record[57:51];
    assign flush_size_3 = {3'd0, flush_raw_size_3};
    assign flush_raw_size_3 = record[60:58];
    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 8'd0;
            index <= 2'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 2'd1;
                end else begin
                    index <= 2'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 8'd0;
                    end
                end
            end
        end
    end

    wire _unused_ok = &{1'b0, flush_size_3[5:4]};

endmodule

// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module stride_256_bit_packer (
    input  wire       clock,
    input  wire       reset,
    input  wire       piece_valid,
    input  wire [7:0] piece, // zero above piece_bits
    input  wire [3:0] piece_bits, // bits of the piece, the first one lowest
    input  wire       piece_last, // fill the trace word up with zeros after the piece
    output wire       piece_ready,
    output wire       word_valid,
    output wire [7:0] word,
    input  wire       word_ready,
    output wire       is_empty // no bit is held
);

    reg  [6:0]  held;
    reg  [2:0]  held_bits;
    reg         padding;
    wire        takes;
    wire        gives;
    wire        full;
    wire [14:0] joined;
    wire [3:0]  joined_bits;

    assign is_empty = !(|held_bits) & !padding;
    assign piece_ready = word_ready & !padding;
    assign takes = piece_valid & piece_ready;
    assign joined = takes ? {8'd0, held} | ({7'd0, piece} << held_bits) : {8'd0, held};
    assign joined_bits = takes ? {1'b0, held_bits} + piece_bits : {1'b0, held_bits};
    assign full = joined_bits >= 4'd8;
    assign word = joined[7:0];
    assign word_valid = full | (padding & (|held_bits));
    assign gives = word_valid & word_ready;

    always @(posedge clock) begin
        if (reset) begin
            held <= 7'd0;
            held_bits <= 3'd0;
            padding <= 1'b0;
        end else begin
            held <= joined[6:0];
            held_bits <= joined_bits[2:0];
            if (gives) begin
                held <= joined[14:8];
                held_bits <= 3'd0;
                if (full) begin
                    held_bits <= joined_bits[2:0];
                end
            end
            if (takes) begin
                padding <= piece_last;
            end
            if (padding && !full) begin
                padding <= (|held_bits) & !gives;
            end
        end
    end

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module stride_256_fifo_depth10_width8_has_level1 (
    input  wire       clock,
    input  wire       reset,
    input  wire       in_valid,
    input  wire [7:0] in_word,
    output wire       in_ready,
    output wire       out_valid,
    output wire [7:0] out_word,
    input  wire       out_ready,
    output wire [3:0] level // words held
);

    wire [7:0] words_read_data;
    reg  [3:0] write_pointer;
    reg  [3:0] read_pointer;
    reg  [3:0] held;
    wire       is_full;
    wire       puts;
    wire       takes;
    reg  [7:0] words_cells [0:9];

    assign is_full = held == 4'd10;
    assign out_valid = |held;
    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign level = held;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 4'd0;
            read_pointer <= 4'd0;
            held <= 4'd0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 4'd1;
                if (write_pointer == 4'd9) begin
                    write_pointer <= 4'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 4'd1;
                if (read_pointer == 4'd9) begin
                    read_pointer <= 4'd0;
                end
            end
            if (puts > takes) begin
                held <= held + 4'd1;
            end else if (takes > puts) begin
                held <= held - 4'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (puts) begin
            words_cells[write_pointer] <= in_word;
        end
    end

endmodule

// Shows the beats of the oldest trace word in turn, under AXI4-Stream's rules
module stride_256_trace_port (
    input  wire       clock,
    input  wire       reset,
    input  wire       word_valid, // the word stays until it is taken
    input  wire [7:0] word,
    output wire       word_ready,
    output wire       trace_valid, // a beat is ready
    output reg        trace_data, // bits of the beat
    input  wire       trace_ready // the sink takes the beat
);

    reg  [2:0] beat;

    assign trace_valid = word_valid;

    always @* begin
        case (beat)
            3'd1: trace_data = word[1];
            3'd2: trace_data = word[2];
            3'd3: trace_data = word[3];
            3'd4: trace_data = word[4];
            3'd5: trace_data = word[5];
            3'd6: trace_data = word[6];
            3'd7: trace_data = word[7];
            default: trace_data = word[0];
        endcase
    end

    assign word_ready = word_valid & trace_ready & (beat == 3'd7);

    always @(posedge clock) begin
        if (reset) begin
            beat <= 3'd0;
        end else begin
            if (word_valid && trace_ready) begin
                beat <= beat + 3'd1;
                if (beat == 3'd7) begin
                    beat <= 3'd0;
                end
            end
        end
    end

endmodule

// Records in, beats of the trace out
module stride_256_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [60:0] record,
    output wire        record_ready,
    output wire        is_empty, // no record, piece or trace word is inside
    output wire        trace_data, // trace bits
    output wire        trace_valid, // a beat is ready
    input  wire        trace_ready, // the sink takes the beat
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        next_valid; // the record that comes to the encoder next
    wire [7:0]  piece; // zero above piece_bits
    wire [3:0]  piece_bits; // bits of the piece, the first one lowest
    wire        piece_last; // fill the trace word up with zeros after the piece
    wire        queue_is_empty;
    wire [60:0] record_queue_out_word;
    wire        serial_encoder_record_ready;
    wire        serial_encoder_piece_valid;
    wire        bit_packer_piece_ready;
    wire        bit_packer_word_valid;
    wire [7:0]  bit_packer_word;
    wire        bit_packer_is_empty;
    wire        output_fifo_in_ready;
    wire        output_fifo_out_valid;
    wire [7:0]  output_fifo_out_word;
    wire        trace_port_word_ready;

    stride_256_fifo_depth2_width61 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_ready),
        .out_valid (next_valid),
        .out_word  (record_queue_out_word),
        .out_ready (serial_encoder_record_ready)
    );

    stride_256_serial_encoder serial_encoder (
        .clock        (clock),
        .reset        (reset),
        .record_valid (next_valid),
        .record       (record_queue_out_word),
        .record_ready (serial_encoder_record_ready),
        .piece_valid  (serial_encoder_piece_valid),
        .piece        (piece),
        .piece_bits   (piece_bits),
        .piece_last   (piece_last),
        .piece_ready  (bit_packer_piece_ready)
    );

    stride_256_bit_packer bit_packer (
        .clock       (clock),
        .reset       (reset),
        .piece_valid (serial_encoder_piece_valid),
        .piece       (piece),
        .piece_bits  (piece_bits),
        .piece_last  (piece_last),
        .piece_ready (bit_packer_piece_ready),
        .word_valid  (bit_packer_word_valid),
        .word        (bit_packer_word),
        .word_ready  (output_fifo_in_ready),
        .is_empty    (bit_packer_is_empty)
    );

    stride_256_fifo_depth10_width8_has_level1 output_fifo (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (bit_packer_word_valid),
        .in_word   (bit_packer_word),
        .in_ready  (output_fifo_in_ready),
        .out_valid (output_fifo_out_valid),
        .out_word  (output_fifo_out_word),
        .out_ready (trace_port_word_ready),
        .level     (buffered_words)
    );

    stride_256_trace_port trace_port (
        .clock       (clock),
        .reset       (reset),
        .word_valid  (output_fifo_out_valid),
        .word        (output_fifo_out_word),
        .word_ready  (trace_port_word_ready),
        .trace_valid (trace_valid),
        .trace_data  (trace_data),
        .trace_ready (trace_ready)
    );

    assign queue_is_empty = !next_valid;
    assign is_empty = bit_packer_is_empty & queue_is_empty & !output_fifo_out_valid;

endmodule

// Data address buffer, stride cache, packets, encoder, buffer and port
module stride_256 (
    input  wire        clock,
    input  wire        reset,
    input  wire        data_valid, // an access is made in this cycle
    input  wire [31:0] data_pc, // byte address of its instruction
    input  wire [31:0] data_address, // the byte address that it accesses
    input  wire        data_store, // it writes; not traced
    output wire        stall, // the access of this cycle is not taken
    input  wire        flush, // level: the trace ends here
    output wire        flushed, // every bit of the trace has left the module
    output wire        trace_data, // trace bits, bit 0 first
    output wire        trace_valid, // a beat is ready
    input  wire        trace_ready, // the sink takes the beat
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_clear_valid;
    wire [7:0]  sequencer_clear_index;
    wire        encoder_access;
    wire        encoder_ready;
    wire        encoder_flush;
    wire        encoder_flush_ready;
    wire        encoder_record_valid;
    wire [60:0] encoder_record;
    wire        back_end_record_ready;
    wire        back_end_is_empty;

    stride_256_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (encoder_flush_ready),
        .is_empty     (back_end_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (flushed),
        .clear_valid  (sequencer_clear_valid),
        .clear_index  (sequencer_clear_index)
    );

    stride_256_encoder encoder (
        .clock        (clock),
        .reset        (reset),
        .clear_valid  (sequencer_clear_valid),
        .clear_index  (sequencer_clear_index),
        .access       (encoder_access),
        .site         (data_pc[9:2]),
        .address      (data_address),
        .ready        (encoder_ready),
        .flush        (encoder_flush),
        .flush_ready  (encoder_flush_ready),
        .record_valid (encoder_record_valid),
        .record       (encoder_record),
        .record_ready (back_end_record_ready)
    );

    stride_256_back_end back_end (
        .clock          (clock),
        .reset          (reset),
        .record_valid   (encoder_record_valid),
        .record         (encoder_record),
        .record_ready   (back_end_record_ready),
        .is_empty       (back_end_is_empty),
        .trace_data     (trace_data),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (buffered_words)
    );

    assign stall = !(sequencer_tracing & encoder_ready);
    assign encoder_flush = sequencer_record_flush & encoder_flush_ready;
    assign encoder_access = data_valid & !stall;

    wire _unused_ok = &{1'b0, data_pc[1:0], data_pc[31:10], data_store};

endmodule
