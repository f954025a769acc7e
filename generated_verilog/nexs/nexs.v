// nexs of Tracewright, made by `tracewright generate`.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stream_length_bits = 8
//   stream_length_coding = fixed
//   stream_length_first_chunk = 8
//   stream_length_next_chunk = 8
//   target_coding = xor
//   target_first_chunk = 6
//   target_next_chunk = 6
//   target_continuation_bits = 2
//   cores = 1
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8

// Clears the tables after reset, and takes the module through a flush
module nexs_sequencer (
    input  wire clock,
    input  wire reset,
    input  wire flush, // level: the trace ends here
    input  wire ready, // the compressor takes a block or a flush in this cycle
    input  wire is_empty, // no record and no bit is left in the module
    output wire tracing, // blocks are taken while the compressor is ready
    output wire record_flush, // the compressor makes its flush record when it is ready
    output wire flushed, // every bit of the trace has left the module
    output wire clear_valid // the tables are being cleared
);

    localparam [1:0] STATE_TRACING = 2'd0; // the state after reset
    localparam [1:0] STATE_RECORDING = 2'd1;
    localparam [1:0] STATE_DRAINING = 2'd2;
    localparam [1:0] STATE_FLUSHED = 2'd3;

    reg        clearing;
    reg  [1:0] state;

    assign clear_valid = clearing;
    assign tracing = (state == STATE_TRACING) & !clearing;
    assign record_flush = state == STATE_RECORDING;
    assign flushed = state == STATE_FLUSHED;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'b1;
            state <= STATE_TRACING;
        end else begin
            clearing <= 1'b0;
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

// Hands the block of this cycle to the compressor if it is taken
module nexs_retire_decoder (
    input  wire        retire_valid, // a block retires in this cycle
    input  wire [3:0]  retire_count, // instructions of the block
    input  wire [31:0] retire_pc, // byte address of the last instruction
    input  wire [3:0]  retire_length, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
    input  wire        retire_call, // the last instruction leaves a return address
    input  wire        retire_return, // the last instruction returns to one
    input  wire        retire_taken, // the flow changed
    input  wire [31:0] retire_target, // byte address that the flow changed to, if taken
    input  wire        take, // the module takes a block in this cycle
    output wire        block_valid, // a block is taken
    output wire [3:0]  block_count, // instructions of the block
    output wire [31:0] block_pc, // byte address of the last instruction
    output wire [3:0]  block_length, // length of the last instruction in bytes
    output wire        block_direct, // it is a direct jump or branch
    output wire        block_conditional, // it is a branch, direct or indirect
    output wire        block_indirect, // it is an indirect jump or branch
    output wire        block_exception, // an exception follows the block
    output wire        block_call, // the last instruction leaves a return address
    output wire        block_return, // the last instruction returns to one
    output wire        block_taken, // the flow changed
    output wire [31:0] block_target // byte address that the flow changed to, if taken
);

    localparam [2:0] DIRECT_JUMP = 3'd1;
    localparam [2:0] DIRECT_CONDITIONAL = 3'd2;
    localparam [2:0] INDIRECT_JUMP = 3'd3;
    localparam [2:0] INDIRECT_CONDITIONAL = 3'd4;
    localparam [2:0] EXCEPTION = 3'd5;

    assign block_valid = retire_valid & take;
    assign block_count = retire_count;
    assign block_pc = retire_pc;
    assign block_length = retire_length;
    assign block_direct = (retire_kind == DIRECT_JUMP) | (retire_kind == DIRECT_CONDITIONAL);
    assign block_conditional = (retire_kind == DIRECT_CONDITIONAL) | (retire_kind == INDIRECT_CONDITIONAL);
    assign block_indirect = (retire_kind == INDIRECT_JUMP) | (retire_kind == INDIRECT_CONDITIONAL);
    assign block_exception = retire_kind == EXCEPTION;
    assign block_call = retire_call;
    assign block_return = retire_return;
    assign block_taken = retire_taken;
    assign block_target = retire_target;

endmodule

// At most one cut and one other end a block, as long as a block has no more instructions than the longest stream
module nexs_stream_detector (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid, // a block is taken
    input  wire [3:0]  retire_count, // instructions of the block
    input  wire [31:0] retire_pc, // byte address of the last instruction
    input  wire [3:0]  retire_length, // length of the last instruction in bytes
    input  wire        retire_direct, // it is a direct jump or branch
    input  wire        retire_conditional, // it is a branch, direct or indirect
    input  wire        retire_indirect, // it is an indirect jump or branch
    input  wire        retire_exception, // an exception follows the block
    input  wire        retire_call, // the last instruction leaves a return address
    input  wire        retire_return, // the last instruction returns to one
    input  wire        retire_taken, // the flow changed
    input  wire [31:0] retire_target, // byte address that the flow changed to, if taken
    input  wire        flush, // the trace is flushed; never together with a block
    output wire        cut, // a longest stream goes first
    output wire        branch_ends, // a stream ends with the branch of the block
    output wire        excepts, // a stream ends with an exception
    output wire [7:0]  length // instructions of the stream that ends or is flushed
);

    reg  [7:0] counted; // instructions of the stream at hand
    wire [8:0] total; // instructions so far, all of the block's
    wire       is_longest;

    assign branch_ends = retire_valid & retire_taken & (retire_conditional | retire_indirect);
    assign excepts = retire_valid & retire_exception;
    assign total = retire_valid ? {1'b0, counted} + {5'd0, retire_count} : {1'b0, counted};
    assign is_longest = (&total[7:0]) & !branch_ends;
    assign cut = total[8] | is_longest;
    assign length = total[7:0] + {7'd0, cut};

    always @(posedge clock) begin
        if (reset) begin
            counted <= 8'd0;
        end else begin
            counted <= length;
            if (branch_ends || excepts || flush) begin
                counted <= 8'd0;
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        retire_pc,
        retire_length,
        retire_direct,
        retire_call,
        retire_return,
        retire_target
    };

endmodule

// Keeps the last target sent
module nexs_target_coder (
    input  wire        clock,
    input  wire        reset,
    input  wire [31:0] target, // byte address of the target
    input  wire        send, // the target is sent
    output wire [31:0] value, // difference or exclusive or with the last target
    output wire        below // the target lies below the last one
);

    reg  [31:0] previous_target;

    assign value = target ^ previous_target;
    assign below = 1'b0;

    always @(posedge clock) begin
        if (reset) begin
            previous_target <= 32'd0;
        end else begin
            if (send) begin
                previous_target <= target;
            end
        end
    end

endmodule

// Forms a record for every stream, in the cycle of the block that ends it
module nexs_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire        retire_valid, // valid is high only while the compressor is ready
    input  wire [3:0]  retire_count, // instructions of the block
    input  wire [31:0] retire_pc, // byte address of the last instruction
    input  wire [3:0]  retire_length, // length of the last instruction in bytes
    input  wire        retire_direct, // it is a direct jump or branch
    input  wire        retire_conditional, // it is a branch, direct or indirect
    input  wire        retire_indirect, // it is an indirect jump or branch
    input  wire        retire_exception, // an exception follows the block
    input  wire        retire_call, // the last instruction leaves a return address
    input  wire        retire_return, // the last instruction returns to one
    input  wire        retire_taken, // the flow changed
    input  wire [31:0] retire_target, // byte address that the flow changed to, if taken
    input  wire        flush, // make a flush record; only when ready
    output wire        ready, // a block or a flush is taken
    output wire        is_empty, // no record waits inside
    output wire        record_valid,
    output wire [47:0] record,
    input  wire        record_ready
);

    localparam [1:0] EXACT_CODE = 2'd0;
    localparam [1:0] EXCEPTION_CODE = 2'd1;
    localparam [1:0] FLUSH_CODE = 2'd2;

    wire [47:0] formed;
    wire        has_target;
    wire        is_exact; // a branch ends a stream of the longest length
    wire        coded; // a length of 0 and a code begin the record
    wire        ends; // a record besides a cut
    wire [1:0]  code;
    wire        stream_detector_cut;
    wire        stream_detector_branch_ends;
    wire        stream_detector_excepts;
    wire [7:0]  stream_detector_length;
    wire [31:0] target_coder_value;
    wire        target_coder_below;

    nexs_stream_detector stream_detector (
        .clock              (clock),
        .reset              (reset),
        .retire_valid       (retire_valid),
        .retire_count       (retire_count),
        .retire_pc          (retire_pc),
        .retire_length      (retire_length),
        .retire_direct      (retire_direct),
        .retire_conditional (retire_conditional),
        .retire_indirect    (retire_indirect),
        .retire_exception   (retire_exception),
        .retire_call        (retire_call),
        .retire_return      (retire_return),
        .retire_taken       (retire_taken),
        .retire_target      (retire_target),
        .flush              (flush),
        .cut                (stream_detector_cut),
        .branch_ends        (stream_detector_branch_ends),
        .excepts            (stream_detector_excepts),
        .length             (stream_detector_length)
    );

    nexs_target_coder target_coder (
        .clock  (clock),
        .reset  (reset),
        .target (retire_target),
        .send   (has_target),
        .value  (target_coder_value),
        .below  (target_coder_below)
    );

    assign ready = record_ready;
    assign is_empty = 1'b1;
    assign has_target = (stream_detector_branch_ends & retire_indirect) | stream_detector_excepts;
    assign is_exact = (&stream_detector_length) & stream_detector_branch_ends;
    assign coded = stream_detector_excepts | flush | is_exact;
    assign ends = coded | stream_detector_branch_ends;

    assign code =
        is_exact ? EXACT_CODE :
        flush ? FLUSH_CODE :
        EXCEPTION_CODE;

    assign record_valid = ends | stream_detector_cut;

    assign formed = {
        target_coder_value,
        stream_detector_length,
        code,
        target_coder_below,
        has_target,
        ends & !is_exact,
        coded,
        stream_detector_cut,
        flush
    };

    assign record = formed;

    wire _unused_ok = &{1'b0, clear_valid};

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module nexs_fifo_depth2_width48 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [47:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [47:0] out_word,
    input  wire        out_ready
);

    wire [47:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    wire        is_full;
    wire        puts;
    wire        takes;
    reg  [47:0] words_cells [0:1];

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

// A record queue for every core, and the order of their records: by cycle, and within a cycle by the number of the core
module nexs_merge (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid_0, // each core's record of this cycle
    input  wire [47:0] in_word_0,
    output wire        in_ready_0,
    output wire        record_valid,
    output wire [51:0] record,
    input  wire        record_ready,
    output wire        is_empty // no record waits
);

    wire [51:0] formed;
    wire        goes_first;
    wire        has_rest;
    wire        pads;
    wire [47:0] queues_0_out_word;
    wire        queues_0_out_ready;

    nexs_fifo_depth2_width48 queues_0 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_0),
        .in_word   (in_word_0),
        .in_ready  (in_ready_0),
        .out_valid (record_valid),
        .out_word  (queues_0_out_word),
        .out_ready (queues_0_out_ready)
    );

    assign is_empty = !record_valid;
    assign queues_0_out_ready = record_valid & record_ready;
    assign goes_first = queues_0_out_word[1];
    assign has_rest = queues_0_out_word[2] | queues_0_out_word[3] | queues_0_out_word[4];
    assign pads = queues_0_out_word[0];

    assign formed = {
        queues_0_out_word,
        has_rest & goes_first,
        has_rest & !goes_first,
        goes_first,
        pads
    };

    assign record = formed;

endmodule

// One chunk of a number with its continuation bit, and whether more follow
module nexs_chunk_selector (
    input  wire [31:0] value, // the number
    input  wire [2:0]  index, // number of the chunk, 0 for the first
    output reg  [7:0]  piece, // chunk and continuation bit
    output reg  [3:0]  piece_bits, // bits of the piece
    output reg         more // the continuation bit
);

    wire [5:0] chunk_0;
    wire [5:0] chunk_1;
    wire [5:0] chunk_2;
    wire [5:0] chunk_3;
    wire [5:0] chunk_4;
    wire [5:0] chunk_5;

    always @* begin
        case (index)
            3'd0: more = |value[31:6];
            3'd1: more = |value[31:12];
            3'd2: more = |value[31:18];
            3'd3: more = |value[31:24];
            3'd4: more = |value[31:30];
            default: more = 1'b0;
        endcase
    end

    always @* begin
        case (index)
            3'd0: piece = {|value[31:6], |value[31:6], chunk_0};
            3'd1: piece = {|value[31:12], |value[31:12], chunk_1};
            3'd2: piece = {|value[31:18], |value[31:18], chunk_2};
            3'd3: piece = {|value[31:24], |value[31:24], chunk_3};
            3'd4: piece = {|value[31:30], |value[31:30], chunk_4};
            3'd5: piece = {2'd0, chunk_5};
            default: piece = 8'd0;
        endcase
    end

    always @* begin
        case (index)
            3'd0, 3'd1, 3'd2, 3'd3, 3'd4, 3'd5: piece_bits = 4'd8;
            default: piece_bits = 4'd0;
        endcase
    end

    assign chunk_0 = value[5:0];
    assign chunk_1 = value[11:6];
    assign chunk_2 = value[17:12];
    assign chunk_3 = value[23:18];
    assign chunk_4 = value[29:24];
    assign chunk_5 = {4'd0, value[31:30]};

endmodule

// Sends a record slot by slot, a large slot piece by piece
module nexs_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid, // without registers it stays until it is taken
    input  wire [51:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits, // bits of the piece, the first one lowest
    output wire        piece_last, // fill the trace word up with zeros after the piece
    input  wire        piece_ready
);

    reg  [4:0] sent; // stages of the record that are out
    reg  [2:0] index; // the piece of the slot
    wire [4:0] flags; // slots that are sent
    wire [4:0] stages; // stages that send one
    wire [4:0] pending;
    wire [4:0] current; // one hot
    wire [4:0] active; // one hot: the slot of this cycle
    wire       more; // the slot has more pieces
    wire       is_last; // no slot is left
    wire [1:0] coded_value_2;
    wire [7:0] has_length_value;
    wire [7:0] has_target_selector_piece;
    wire [3:0] has_target_selector_piece_bits;
    wire       has_target_selector_more;

    nexs_chunk_selector has_target_selector (
        .value      (record[51:20]),
        .index      (index),
        .piece      (has_target_selector_piece),
        .piece_bits (has_target_selector_piece_bits),
        .more       (has_target_selector_more)
    );

    assign flags = {record[8:6], record[6:5]};
    assign stages = {record[8:6], record[6:5]};
    assign pending = stages & ~sent;
    assign current = pending & (~pending + 5'd1);
    assign is_last = pending == current;

    assign active = {
        current[4] & flags[4],
        current[3] & flags[3],
        current[2] & flags[2],
        current[1] & flags[1],
        current[0] & flags[0]
    };

    always @* begin
        piece = 8'd0;
        if (active[4]) begin
            piece = has_target_selector_piece;
        end
        if (active[0]) begin
            piece = 8'd255;
        end
        if (active[2]) begin
            piece = piece | {6'd0, coded_value_2};
        end
        if (active[3]) begin
            piece = piece | has_length_value;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        if (active[4]) begin
            piece_bits = has_target_selector_piece_bits;
        end
        if (active[0]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[1]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[2]) begin
            piece_bits = piece_bits | 4'd2;
        end
        if (active[3]) begin
            piece_bits = piece_bits | 4'd8;
        end
    end

    assign more = active[4] & has_target_selector_more;
    assign coded_value_2 = record[11:10];
    assign has_length_value = record[19:12];
    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 5'd0;
            index <= 3'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 3'd1;
                end else begin
                    index <= 3'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 5'd0;
                    end
                end
            end
        end
    end

    wire _unused_ok = &{1'b0, record[4:1], record[9]};

endmodule

// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module nexs_bit_packer (
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
module nexs_fifo_depth10_width8_has_level1 (
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
module nexs_trace_port (
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
module nexs_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [51:0] record,
    output wire        record_ready,
    output wire        is_empty, // no record, piece or trace word is inside
    output wire        trace_data, // trace bits
    output wire        trace_valid, // a beat is ready
    input  wire        trace_ready, // the sink takes the beat
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire [7:0] piece; // zero above piece_bits
    wire [3:0] piece_bits; // bits of the piece, the first one lowest
    wire       piece_last; // fill the trace word up with zeros after the piece
    wire       serial_encoder_piece_valid;
    wire       bit_packer_piece_ready;
    wire       bit_packer_word_valid;
    wire [7:0] bit_packer_word;
    wire       bit_packer_is_empty;
    wire       output_fifo_in_ready;
    wire       output_fifo_out_valid;
    wire [7:0] output_fifo_out_word;
    wire       trace_port_word_ready;

    nexs_serial_encoder serial_encoder (
        .clock        (clock),
        .reset        (reset),
        .record_valid (record_valid),
        .record       (record),
        .record_ready (record_ready),
        .piece_valid  (serial_encoder_piece_valid),
        .piece        (piece),
        .piece_bits   (piece_bits),
        .piece_last   (piece_last),
        .piece_ready  (bit_packer_piece_ready)
    );

    nexs_bit_packer bit_packer (
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

    nexs_fifo_depth10_width8_has_level1 output_fifo (
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

    nexs_trace_port trace_port (
        .clock       (clock),
        .reset       (reset),
        .word_valid  (output_fifo_out_valid),
        .word        (output_fifo_out_word),
        .word_ready  (trace_port_word_ready),
        .trace_valid (trace_valid),
        .trace_data  (trace_data),
        .trace_ready (trace_ready)
    );

    assign is_empty = bit_packer_is_empty & !output_fifo_out_valid;

endmodule

// Nexus-like modules, one for every core
module nexs (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid_0, // a block retires in this cycle
    input  wire [3:0]  retire_count_0, // instructions of the block
    input  wire [31:0] retire_pc_0, // byte address of the last instruction
    input  wire [3:0]  retire_length_0, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind_0, // 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
    input  wire        retire_call_0, // the last instruction leaves a return address
    input  wire        retire_return_0, // the last instruction returns to one
    input  wire        retire_taken_0, // the flow changed
    input  wire [31:0] retire_target_0, // byte address that the flow changed to, if taken
    output wire        stall_0, // the block of this cycle is not taken
    input  wire        flush, // level: the trace ends here
    output wire        flushed, // every bit of the trace has left the module
    output wire        trace_data, // trace bits, bit 0 first
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        all_empty;
    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_clear_valid;
    wire        retire_decoders_0_take;
    wire        retire_decoders_0_block_valid;
    wire [3:0]  retire_decoders_0_block_count;
    wire [31:0] retire_decoders_0_block_pc;
    wire [3:0]  retire_decoders_0_block_length;
    wire        retire_decoders_0_block_direct;
    wire        retire_decoders_0_block_conditional;
    wire        retire_decoders_0_block_indirect;
    wire        retire_decoders_0_block_exception;
    wire        retire_decoders_0_block_call;
    wire        retire_decoders_0_block_return;
    wire        retire_decoders_0_block_taken;
    wire [31:0] retire_decoders_0_block_target;
    wire        encoders_0_flush;
    wire        encoders_0_ready;
    wire        encoders_0_is_empty;
    wire        encoders_0_record_valid;
    wire [47:0] encoders_0_record;
    wire        merge_in_ready_0;
    wire        merge_record_valid;
    wire [51:0] merge_record;
    wire        merge_is_empty;
    wire        back_end_record_ready;
    wire        back_end_is_empty;

    nexs_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (encoders_0_ready),
        .is_empty     (all_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (flushed),
        .clear_valid  (sequencer_clear_valid)
    );

    nexs_retire_decoder retire_decoders_0 (
        .retire_valid      (retire_valid_0),
        .retire_count      (retire_count_0),
        .retire_pc         (retire_pc_0),
        .retire_length     (retire_length_0),
        .retire_kind       (retire_kind_0),
        .retire_call       (retire_call_0),
        .retire_return     (retire_return_0),
        .retire_taken      (retire_taken_0),
        .retire_target     (retire_target_0),
        .take              (retire_decoders_0_take),
        .block_valid       (retire_decoders_0_block_valid),
        .block_count       (retire_decoders_0_block_count),
        .block_pc          (retire_decoders_0_block_pc),
        .block_length      (retire_decoders_0_block_length),
        .block_direct      (retire_decoders_0_block_direct),
        .block_conditional (retire_decoders_0_block_conditional),
        .block_indirect    (retire_decoders_0_block_indirect),
        .block_exception   (retire_decoders_0_block_exception),
        .block_call        (retire_decoders_0_block_call),
        .block_return      (retire_decoders_0_block_return),
        .block_taken       (retire_decoders_0_block_taken),
        .block_target      (retire_decoders_0_block_target)
    );

    nexs_encoder encoders_0 (
        .clock              (clock),
        .reset              (reset),
        .clear_valid        (sequencer_clear_valid),
        .retire_valid       (retire_decoders_0_block_valid),
        .retire_count       (retire_decoders_0_block_count),
        .retire_pc          (retire_decoders_0_block_pc),
        .retire_length      (retire_decoders_0_block_length),
        .retire_direct      (retire_decoders_0_block_direct),
        .retire_conditional (retire_decoders_0_block_conditional),
        .retire_indirect    (retire_decoders_0_block_indirect),
        .retire_exception   (retire_decoders_0_block_exception),
        .retire_call        (retire_decoders_0_block_call),
        .retire_return      (retire_decoders_0_block_return),
        .retire_taken       (retire_decoders_0_block_taken),
        .retire_target      (retire_decoders_0_block_target),
        .flush              (encoders_0_flush),
        .ready              (encoders_0_ready),
        .is_empty           (encoders_0_is_empty),
        .record_valid       (encoders_0_record_valid),
        .record             (encoders_0_record),
        .record_ready       (merge_in_ready_0)
    );

    nexs_merge merge (
        .clock        (clock),
        .reset        (reset),
        .in_valid_0   (encoders_0_record_valid),
        .in_word_0    (encoders_0_record),
        .in_ready_0   (merge_in_ready_0),
        .record_valid (merge_record_valid),
        .record       (merge_record),
        .record_ready (back_end_record_ready),
        .is_empty     (merge_is_empty)
    );

    nexs_back_end back_end (
        .clock          (clock),
        .reset          (reset),
        .record_valid   (merge_record_valid),
        .record         (merge_record),
        .record_ready   (back_end_record_ready),
        .is_empty       (back_end_is_empty),
        .trace_data     (trace_data),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (buffered_words)
    );

    assign all_empty = merge_is_empty & back_end_is_empty & encoders_0_is_empty;
    assign stall_0 = !(sequencer_tracing & encoders_0_ready);
    assign retire_decoders_0_take = !stall_0;
    assign encoders_0_flush = sequencer_record_flush & encoders_0_ready;

endmodule
