// stride-256 of Tracewright, scheme data_stride.
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
// verilator lint_off DECLFILENAME
// One file holds every module of the design; `tracewright generate --split` writes one file per module.

// sequencer: clear_bits = 8

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

    reg        clearing;
    reg  [7:0] index;
    wire [7:0] entry;
    reg  [1:0] state;

    assign entry = index;
    assign clear_valid = clearing;
    assign clear_index = entry;
    assign tracing = (state == 2'd0) & !clearing;
    assign record_flush = state == 2'd1;
    assign flushed = state == 2'd3;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'd1;
            index <= 8'd0;
            state <= 2'd0;
        end else begin
            if (clearing) begin
                index <= index + 8'd1;
            end
            if (&entry) begin
                clearing <= 1'd0;
            end
            if (state == 2'd0) begin
                if (flush && !clearing) begin
                    state <= 2'd1;
                end
            end else if (state == 2'd1) begin
                if (ready) begin
                    state <= 2'd2;
                end
            end else if (state == 2'd2) begin
                if (is_empty) begin
                    state <= 2'd3;
                end
            end else if (!flush) begin
                state <= 2'd0;
            end
        end
    end

endmodule

// fifo: depth = 8, width = 40

module stride_256_fifo_depth8_width40 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [39:0] in_word,
    output wire        in_ready,
    output reg         out_valid,
    output wire [39:0] out_word,
    input  wire        out_ready
);

    wire [39:0] words_read_data;
    reg  [2:0]  write_pointer;
    reg  [2:0]  read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    reg         is_full;
    wire        puts;
    wire        takes;
    reg  [39:0] words_cells [0:7];

    always @* begin
        is_full = 1'd0;
        if (write_pointer == read_pointer) begin
            is_full = is_filled;
        end
    end

    always @* begin
        out_valid = 1'd1;
        if (write_pointer == read_pointer) begin
            out_valid = is_filled;
        end
    end

    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 3'd0;
            read_pointer <= 3'd0;
            is_filled <= 1'd0;
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

// recency: ways = 1

module stride_256_recency (
    input  wire used, // one hot
    output wire oldest // one hot
);

    assign oldest = 1'd1;

    wire _unused_ok = &{1'b0, used};

endmodule

// data_address_stride_cache: sets = 256, ways = 1, tagged = 0, tag_bits = 0, stride_bits = 8, address_width = 32, clear_bits = 8

module stride_256_data_address_stride_cache (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [7:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        update, // an access is made
    input  wire [7:0]  site, // set, and above it the tag
    input  wire [31:0] address, // data address of the access
    output reg         hit // the address was predicted
);

    wire [7:0]  set;
    wire [39:0] own; // its content
    wire [7:0]  stride;
    reg  [31:0] extended; // the stride with its sign
    wire [31:0] difference; // from the last address
    wire [7:0]  stride_next;
    wire        order_write_enable;
    reg  [7:0]  order_write_address;
    wire [39:0] ways_0_read_data;
    wire        ways_0_write_enable;
    reg  [7:0]  ways_0_write_address;
    reg  [39:0] ways_0_write_data;
    wire        recency_oldest;
    reg  [39:0] ways_0_cells [0:255];

    stride_256_recency recency (
        .used   (1'd1),
        .oldest (recency_oldest)
    );

    assign set = site;
    assign own = ways_0_read_data;
    assign difference = address - own[31:0];
    assign stride = own[39:32];

    always @* begin
        extended = {24'd0, stride};
        if (stride[7]) begin
            extended = {24'hffffff, stride};
        end
    end

    always @* begin
        hit = 1'd0;
        if (difference == extended) begin
            hit = 1'd1;
        end
    end

    assign stride_next = difference[7:0];
    assign order_write_enable = update | clear_valid;

    always @* begin
        order_write_address = set;
        if (clear_valid) begin
            order_write_address = clear_index;
        end
    end

    assign ways_0_write_enable = clear_valid | update;

    always @* begin
        ways_0_write_address = set;
        if (clear_valid) begin
            ways_0_write_address = clear_index;
        end
    end

    always @* begin
        ways_0_write_data = {stride_next, address};
        if (clear_valid) begin
            ways_0_write_data = 40'd0;
        end
    end

    assign ways_0_read_data = ways_0_cells[set];

    always @(posedge clock) begin
        if (ways_0_write_enable) begin
            ways_0_cells[ways_0_write_address] <= ways_0_write_data;
        end
    end

    wire _unused_ok = &{1'b0, reset, order_write_enable, order_write_address, recency_oldest};

endmodule

// data_repetitions: pattern_bits = 8, count_bits = 8

module stride_256_data_repetitions (
    input  wire       clock,
    input  wire       reset,
    input  wire       access, // an access is made
    input  wire       hit, // the address of the access was predicted
    input  wire       flush, // never together with an access
    output reg        over, // a repetition is over
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
    reg        complete;
    reg        repeats; // the pattern came again, and there is room to count it

    assign whole = {1'd0, open} | ({7'd0, hit} << accesses);

    always @* begin
        complete = 1'd0;
        if (accesses == 3'd7) begin
            complete = access;
        end
    end

    always @* begin
        repeats = 1'd0;
        if ((whole == repeating) && !(&count)) begin
            repeats = 1'd1;
        end
    end

    assign pattern = repeating;
    assign repetition_count = count;
    assign partial_pattern = open;
    assign partial_count = accesses;

    always @* begin
        over = 1'd0;
        if (|count) begin
            over = flush | (complete & !repeats);
        end
    end

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

// encoder

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
    wire        buffer_in_ready;
    wire        buffer_out_valid;
    wire [39:0] buffer_out_word;
    wire        cache_hit;
    wire        repetitions_over;
    wire [7:0]  repetitions_pattern;
    wire [7:0]  repetitions_repetition_count;
    wire [6:0]  repetitions_partial_pattern;
    wire [2:0]  repetitions_partial_count;

    stride_256_fifo_depth8_width40 buffer (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (access),
        .in_word   (arriving),
        .in_ready  (buffer_in_ready),
        .out_valid (buffer_out_valid),
        .out_word  (buffer_out_word),
        .out_ready (record_ready)
    );

    stride_256_data_address_stride_cache cache (
        .clock       (clock),
        .reset       (reset),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .update      (looked_up),
        .site        (oldest[39:32]),
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
    assign ready = buffer_in_ready;
    assign flush_ready = record_ready & !buffer_out_valid;
    assign looked_up = record_ready & buffer_out_valid;
    assign oldest = buffer_out_word;
    assign buffered_address = oldest[31:0];
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

// fifo: depth = 2, width = 61

module stride_256_fifo_depth2_width61 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [60:0] in_word,
    output wire        in_ready,
    output reg         out_valid,
    output wire [60:0] out_word,
    input  wire        out_ready
);

    wire [60:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    reg         is_full;
    wire        puts;
    wire        takes;
    reg  [60:0] words_cells [0:1];

    always @* begin
        is_full = 1'd0;
        if (write_pointer == read_pointer) begin
            is_full = is_filled;
        end
    end

    always @* begin
        out_valid = 1'd1;
        if (write_pointer == read_pointer) begin
            out_valid = is_filled;
        end
    end

    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 1'd0;
            read_pointer <= 1'd0;
            is_filled <= 1'd0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 1'd1;
                if (write_pointer) begin
                    write_pointer <= 1'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 1'd1;
                if (read_pointer) begin
                    read_pointer <= 1'd0;
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

// serial_encoder: slots = 8, record_bits = 61, most_bits = 69

module stride_256_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid, // the record stays until it is taken
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
    reg  [7:0]  active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [7:0]  value_1;
    wire [7:0]  value_2;
    wire [31:0] value_4;
    wire [2:0]  value_6;
    wire [6:0]  value_7;
    wire [2:0]  raw_size_7;
    wire [5:0]  size_7;
    reg  [5:0]  left;

    always @* begin
        flags = 8'd0;
        if (record[1]) begin
            flags = 8'd1;
        end
        if (record[1]) begin
            flags = {flags[7:2], 1'd1, flags[0]};
        end
        if (record[1]) begin
            flags = {flags[7:3], 1'd1, flags[1:0]};
        end
        if (record[2]) begin
            flags = {flags[7:4], 1'd1, flags[2:0]};
        end
        if (record[2]) begin
            flags = {flags[7:5], 1'd1, flags[3:0]};
        end
        if (record[0]) begin
            flags = {flags[7:6], 1'd1, flags[4:0]};
        end
        if (record[0]) begin
            flags = {flags[7], 1'd1, flags[5:0]};
        end
        if (record[0]) begin
            flags = {1'd1, flags[6:0]};
        end
    end

    always @* begin
        stages = 8'd0;
        if (record[1]) begin
            stages = 8'd1;
        end
        if (record[1]) begin
            stages = {stages[7:2], 1'd1, stages[0]};
        end
        if (record[1]) begin
            stages = {stages[7:3], 1'd1, stages[1:0]};
        end
        if (record[2]) begin
            stages = {stages[7:4], 1'd1, stages[2:0]};
        end
        if (record[2]) begin
            stages = {stages[7:5], 1'd1, stages[3:0]};
        end
        if (record[0]) begin
            stages = {stages[7:6], 1'd1, stages[4:0]};
        end
        if (record[0]) begin
            stages = {stages[7], 1'd1, stages[5:0]};
        end
        if (record[0]) begin
            stages = {1'd1, stages[6:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 8'd1);
    assign is_last = pending == current;

    always @* begin
        active = 8'd0;
        if (current[0]) begin
            active = {7'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[7:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[7:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[7:4], flags[3], active[2:0]};
        end
        if (current[4]) begin
            active = {active[7:5], flags[4], active[3:0]};
        end
        if (current[5]) begin
            active = {active[7:6], flags[5], active[4:0]};
        end
        if (current[6]) begin
            active = {active[7], flags[6], active[5:0]};
        end
        if (current[7]) begin
            active = {flags[7], active[6:0]};
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[0]) begin
            piece = 8'd1;
        end
        if (active[1]) begin
            piece = value_1;
        end
        if (active[2]) begin
            piece = value_2;
        end
        if (active[3]) begin
            piece = 8'd0;
        end
        if (active[4]) begin
            if (index == 2'd0) begin
                piece = value_4[7:0];
            end
            if (index == 2'd1) begin
                piece = value_4[15:8];
            end
            if (index == 2'd2) begin
                piece = value_4[23:16];
            end
            if (index == 2'd3) begin
                piece = value_4[31:24];
            end
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
            piece = {5'd0, value_6};
        end
        if (active[7]) begin
            piece = {1'd0, value_7};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        left = 6'd0;
        if (active[0]) begin
            piece_bits = 4'd1;
        end
        if (active[1]) begin
            piece_bits = 4'd8;
        end
        if (active[2]) begin
            piece_bits = 4'd8;
        end
        if (active[3]) begin
            piece_bits = 4'd1;
        end
        if (active[4]) begin
            if (index == 2'd0) begin
                left = 6'd32;
            end
            if (index == 2'd1) begin
                left = 6'd24;
            end
            if (index == 2'd2) begin
                left = 6'd16;
            end
            if (index == 2'd3) begin
                left = 6'd8;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
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
                more = 1'd1;
            end
        end
        if (active[6]) begin
            piece_bits = 4'd3;
        end
        if (active[7]) begin
            piece_bits = size_7[3:0];
        end
    end

    assign value_1 = record[18:11];
    assign value_2 = record[10:3];
    assign value_4 = record[50:19];
    assign value_6 = record[60:58];
    assign value_7 = record[57:51];
    assign size_7 = {3'd0, raw_size_7};
    assign raw_size_7 = record[60:58];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

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

    wire _unused_ok = &{1'b0, size_7[5:4]};

endmodule

// bit_packer: piece_most_bits = 8, word_bits = 8

module stride_256_bit_packer (
    input  wire       clock,
    input  wire       reset,
    input  wire       piece_valid,
    input  wire [7:0] piece, // zero above piece_bits
    input  wire [3:0] piece_bits, // bits of the piece, the first one lowest
    input  wire       piece_last, // fill the trace word up with zeros after the piece
    output reg        piece_ready,
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
    reg  [14:0] joined;
    reg  [3:0]  joined_bits;

    assign is_empty = !(|held_bits) & !padding;

    always @* begin
        piece_ready = 1'd0;
        if ({1'd0, held_bits} < 4'd8) begin
            piece_ready = word_ready & !padding;
        end
    end

    assign takes = piece_valid & piece_ready;

    always @* begin
        joined = {8'd0, held};
        if (takes) begin
            joined = {8'd0, held} | ({7'd0, piece} << held_bits);
        end
    end

    always @* begin
        joined_bits = {1'd0, held_bits};
        if (takes) begin
            joined_bits = {1'd0, held_bits} + piece_bits;
        end
    end

    assign full = joined_bits >= 4'd8;
    assign word = joined[7:0];
    assign word_valid = full | (padding & (|held_bits));
    assign gives = word_valid & word_ready;

    always @(posedge clock) begin
        if (reset) begin
            held <= 7'd0;
            held_bits <= 3'd0;
            padding <= 1'd0;
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

// fifo: depth = 10, width = 8, has_level = 1

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

// trace_port: port_width = 1, word_bits = 8

module stride_256_trace_port (
    input  wire       clock,
    input  wire       reset,
    input  wire       word_valid, // the word stays until it is taken
    input  wire [7:0] word,
    output reg        word_ready,
    output wire       trace_valid, // a beat is ready
    output reg        trace_data, // bits of the beat
    input  wire       trace_ready // the sink takes the beat
);

    reg  [2:0] beat;

    assign trace_valid = word_valid;

    always @* begin
        trace_data = word[0];
        if (beat == 3'd0) begin
            trace_data = word[0];
        end
        if (beat == 3'd1) begin
            trace_data = word[1];
        end
        if (beat == 3'd2) begin
            trace_data = word[2];
        end
        if (beat == 3'd3) begin
            trace_data = word[3];
        end
        if (beat == 3'd4) begin
            trace_data = word[4];
        end
        if (beat == 3'd5) begin
            trace_data = word[5];
        end
        if (beat == 3'd6) begin
            trace_data = word[6];
        end
        if (beat == 3'd7) begin
            trace_data = word[7];
        end
    end

    always @* begin
        word_ready = 1'd0;
        if (word_valid && trace_ready) begin
            if (beat == 3'd7) begin
                word_ready = 1'd1;
            end
        end
    end

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

// back_end

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
    wire [60:0] next;
    wire        next_ready;
    wire        waiting_valid;
    wire [60:0] waiting;
    wire        waiting_ready;
    wire        piece_valid;
    wire [7:0]  piece; // zero above piece_bits
    wire [3:0]  piece_bits; // bits of the piece, the first one lowest
    wire        piece_last; // fill the trace word up with zeros after the piece
    wire        piece_ready;
    wire        queue_is_empty;
    wire        record_queue_in_ready;
    wire        record_queue_out_valid;
    wire [60:0] record_queue_out_word;
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

    stride_256_fifo_depth2_width61 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_queue_in_ready),
        .out_valid (record_queue_out_valid),
        .out_word  (record_queue_out_word),
        .out_ready (next_ready)
    );

    stride_256_serial_encoder serial_encoder (
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

    stride_256_bit_packer bit_packer (
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

    stride_256_fifo_depth10_width8_has_level1 output_fifo (
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

    stride_256_trace_port trace_port (
        .clock       (clock),
        .reset       (reset),
        .word_valid  (output_fifo_out_valid),
        .word        (output_fifo_out_word),
        .word_ready  (trace_port_word_ready),
        .trace_valid (trace_port_trace_valid),
        .trace_data  (trace_port_trace_data),
        .trace_ready (trace_ready)
    );

    assign next_valid = record_queue_out_valid;
    assign next = record_queue_out_word;
    assign queue_is_empty = !record_queue_out_valid;
    assign waiting_valid = next_valid;
    assign waiting = next;
    assign piece_valid = serial_encoder_piece_valid;
    assign piece = serial_encoder_piece;
    assign piece_bits = serial_encoder_piece_bits;
    assign piece_last = serial_encoder_piece_last;
    assign trace_valid = trace_port_trace_valid;
    assign trace_data = trace_port_trace_data;
    assign buffered_words = output_fifo_level;
    assign is_empty = bit_packer_is_empty & queue_is_empty & !output_fifo_out_valid;
    assign piece_ready = bit_packer_piece_ready;
    assign waiting_ready = serial_encoder_record_ready;
    assign next_ready = waiting_ready;
    assign record_ready = record_queue_in_ready;

endmodule

// data_stride

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
    wire        sequencer_flushed;
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
    wire        back_end_trace_data;
    wire        back_end_trace_valid;
    wire [3:0]  back_end_buffered_words;

    stride_256_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (encoder_flush_ready),
        .is_empty     (back_end_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (sequencer_flushed),
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

    wire _unused_ok = &{1'b0, data_pc[1:0], data_pc[31:10], data_store};

endmodule
