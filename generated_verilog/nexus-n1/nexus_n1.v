// nexus-n1 of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 4
//   fifo_bits = 64
//   record_queue_depth = 2
//   encoder = serial
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
//   cores = 1
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// verilator lint_off DECLFILENAME
// One file holds every module of the design; `tracewright generate --split` writes one file per module.

// sequencer: clear_bits = 0

module nexus_n1_sequencer (
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

    reg        clearing;
    reg  [1:0] state;

    assign clear_valid = clearing;
    assign tracing = (state == 2'd0) & !clearing;
    assign record_flush = state == 2'd1;
    assign flushed = state == 2'd3;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'd1;
            state <= 2'd0;
        end else begin
            clearing <= 1'd0;
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

// retire_decoder

module nexus_n1_retire_decoder (
    input  wire        retire_valid, // a block retires in this cycle
    input  wire [3:0]  retire_count, // instructions of the block
    input  wire [31:0] retire_pc, // byte address of the last instruction
    input  wire [3:0]  retire_length, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception
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

    assign block_valid = retire_valid & take;
    assign block_count = retire_count;
    assign block_pc = retire_pc;
    assign block_length = retire_length;
    assign block_direct = (retire_kind == 3'd1) | (retire_kind == 3'd2);
    assign block_conditional = (retire_kind == 3'd2) | (retire_kind == 3'd4);
    assign block_indirect = (retire_kind == 3'd3) | (retire_kind == 3'd4);
    assign block_exception = retire_kind == 3'd5;
    assign block_call = retire_call;
    assign block_return = retire_return;
    assign block_taken = retire_taken;
    assign block_target = retire_target;

endmodule

// stream_detector: length_bits = 16, count_bits = 4

module nexus_n1_stream_detector (
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
    output wire [15:0] length // instructions of the stream that ends or is flushed
);

    reg  [15:0] counted; // instructions of the stream at hand
    reg  [16:0] total; // instructions so far, all of the block's
    reg         is_longest;

    assign branch_ends = retire_valid & retire_taken & (retire_conditional | retire_indirect);
    assign excepts = retire_valid & retire_exception;

    always @* begin
        total = {1'd0, counted};
        if (retire_valid) begin
            total = {1'd0, counted} + {13'd0, retire_count};
        end
    end

    always @* begin
        is_longest = 1'd0;
        if (&total[15:0]) begin
            is_longest = !branch_ends;
        end
    end

    assign cut = total[16] | is_longest;
    assign length = total[15:0] + {15'd0, cut};

    always @(posedge clock) begin
        if (reset) begin
            counted <= 16'd0;
        end else begin
            counted <= length;
            if (branch_ends || excepts || flush) begin
                counted <= 16'd0;
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

// target_difference: target_bits = 30

module nexus_n1_target_difference (
    input  wire        clock,
    input  wire        reset,
    input  wire [29:0] target, // in instruction units
    input  wire        send, // the target is sent
    output reg  [29:0] magnitude, // distance of the target from the last one sent
    output wire        below // the target lies below the last one sent
);

    reg  [29:0] previous_target;
    wire [29:0] difference;

    assign difference = target - previous_target;
    assign below = difference[29];

    always @* begin
        magnitude = difference;
        if (below) begin
            magnitude = ~difference + 30'd1;
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            previous_target <= 30'd0;
        end else begin
            if (send) begin
                previous_target <= target;
            end
        end
    end

endmodule

// target_coder

module nexus_n1_target_coder (
    input  wire        clock,
    input  wire        reset,
    input  wire [31:0] target, // byte address of the target
    input  wire        send, // the target is sent
    output wire [29:0] value, // difference or exclusive or with the last target
    output wire        below // the target lies below the last one
);

    wire [29:0] target_difference_magnitude;
    wire        target_difference_below;

    nexus_n1_target_difference target_difference (
        .clock     (clock),
        .reset     (reset),
        .target    (target[31:2]),
        .send      (send),
        .magnitude (target_difference_magnitude),
        .below     (target_difference_below)
    );

    assign value = target_difference_magnitude;
    assign below = target_difference_below;

    wire _unused_ok = &{1'b0, target[1:0]};

endmodule

// encoder

module nexus_n1_encoder (
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
    output wire [53:0] record,
    input  wire        record_ready
);

    wire [53:0] formed;
    wire        has_target;
    reg         is_exact; // a branch ends a stream of the longest length
    wire        coded; // a length of 0 and a code begin the record
    wire        ends; // a record besides a cut
    reg  [1:0]  code;
    wire        stream_detector_cut;
    wire        stream_detector_branch_ends;
    wire        stream_detector_excepts;
    wire [15:0] stream_detector_length;
    wire [29:0] target_coder_value;
    wire        target_coder_below;

    nexus_n1_stream_detector stream_detector (
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

    nexus_n1_target_coder target_coder (
        .clock  (clock),
        .reset  (reset),
        .target (retire_target),
        .send   (has_target),
        .value  (target_coder_value),
        .below  (target_coder_below)
    );

    assign ready = record_ready;
    assign is_empty = 1'd1;
    assign has_target = (stream_detector_branch_ends & retire_indirect) | stream_detector_excepts;

    always @* begin
        is_exact = 1'd0;
        if (&stream_detector_length) begin
            is_exact = stream_detector_branch_ends;
        end
    end

    assign coded = stream_detector_excepts | flush | is_exact;
    assign ends = coded | stream_detector_branch_ends;

    always @* begin
        code = 2'd1;
        if (is_exact) begin
            code = 2'd0;
        end else if (flush) begin
            code = 2'd2;
        end
    end

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

// fifo: depth = 2, width = 54

module nexus_n1_fifo_depth2_width54 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [53:0] in_word,
    output wire        in_ready,
    output reg         out_valid,
    output wire [53:0] out_word,
    input  wire        out_ready
);

    wire [53:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    reg         is_full;
    wire        puts;
    wire        takes;
    reg  [53:0] words_cells [0:1];

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

// merge: cores = 1, record_bits = 58

module nexus_n1_merge (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid_0, // each core's record of this cycle
    input  wire [53:0] in_word_0,
    output wire        in_ready_0,
    output wire        record_valid,
    output wire [57:0] record,
    input  wire        record_ready,
    output wire        is_empty // no record waits
);

    wire [57:0] formed;
    wire [53:0] waiting;
    wire        goes_first;
    reg         has_rest;
    wire        pads;
    wire        queues_0_in_ready;
    wire        queues_0_out_valid;
    wire [53:0] queues_0_out_word;
    wire        queues_0_out_ready;

    nexus_n1_fifo_depth2_width54 queues_0 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_0),
        .in_word   (in_word_0),
        .in_ready  (queues_0_in_ready),
        .out_valid (queues_0_out_valid),
        .out_word  (queues_0_out_word),
        .out_ready (queues_0_out_ready)
    );

    assign record_valid = queues_0_out_valid;
    assign is_empty = !queues_0_out_valid;
    assign waiting = queues_0_out_word;
    assign queues_0_out_ready = record_valid & record_ready;
    assign goes_first = waiting[1];

    always @* begin
        has_rest = 1'd0;
        if (waiting[2]) begin
            has_rest = 1'd1;
        end
        if (waiting[2]) begin
            has_rest = 1'd1;
        end
        if (waiting[3]) begin
            has_rest = 1'd1;
        end
        if (waiting[4]) begin
            has_rest = 1'd1;
        end
        if (waiting[4]) begin
            has_rest = 1'd1;
        end
    end

    assign pads = waiting[0];
    assign formed = {waiting, has_rest & goes_first, has_rest & !goes_first, goes_first, pads};
    assign record = formed;
    assign in_ready_0 = queues_0_in_ready;

endmodule

// chunk_selector: first = 8, next = 8, width = 16, connect_bits = 1, piece_width = 17

module nexus_n1_chunk_selector_first8_next8_width16 (
    input  wire [15:0] value, // the number
    input  wire        index, // number of the chunk, 0 for the first
    output reg  [16:0] piece, // chunk and connect bit
    output reg  [4:0]  piece_bits, // bits of the piece
    output reg         more // the connect bit
);

    wire [7:0] chunk_0;
    wire [7:0] chunk_1;

    always @* begin
        more = 1'd0;
        if (!index) begin
            if (|{8'd0, value[15:8]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 17'd0;
        if (!index) begin
            piece = {9'd0, chunk_0};
            if (|{8'd0, value[15:8]}) begin
                piece = piece | 17'd256;
            end
        end
        if (index) begin
            piece = {9'd0, chunk_1};
        end
    end

    always @* begin
        piece_bits = 5'd0;
        if (!index) begin
            piece_bits = 5'd9;
        end
        if (index) begin
            piece_bits = 5'd9;
        end
    end

    assign chunk_0 = value[7:0];
    assign chunk_1 = value[15:8];

endmodule

// chunk_selector: first = 16, next = 16, width = 30, connect_bits = 1, piece_width = 17

module nexus_n1_chunk_selector_first16_next16_width30 (
    input  wire [29:0] value, // the number
    input  wire        index, // number of the chunk, 0 for the first
    output reg  [16:0] piece, // chunk and connect bit
    output reg  [4:0]  piece_bits, // bits of the piece
    output reg         more // the connect bit
);

    wire [15:0] chunk_0;
    wire [15:0] chunk_1;

    always @* begin
        more = 1'd0;
        if (!index) begin
            if (|{16'd0, value[29:16]}) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        piece = 17'd0;
        if (!index) begin
            piece = {1'd0, chunk_0};
            if (|{16'd0, value[29:16]}) begin
                piece = piece | 17'h10000;
            end
        end
        if (index) begin
            piece = {1'd0, chunk_1};
        end
    end

    always @* begin
        piece_bits = 5'd0;
        if (!index) begin
            piece_bits = 5'd17;
        end
        if (index) begin
            piece_bits = 5'd17;
        end
    end

    assign chunk_0 = value[15:0];
    assign chunk_1 = {2'd0, value[29:16]};

endmodule

// serial_encoder: slots = 6, record_bits = 58, most_bits = 82

module nexus_n1_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid, // the record stays until it is taken
    input  wire [57:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [16:0] piece, // zero above piece_bits
    output reg  [4:0]  piece_bits, // bits of the piece, the first one lowest
    output wire        piece_last, // fill the trace word up with zeros after the piece
    input  wire        piece_ready
);

    reg  [5:0]  sent; // stages of the record that are out
    reg         index; // the piece of the slot
    reg  [5:0]  flags; // slots that are sent
    reg  [5:0]  stages; // stages that send one
    wire [5:0]  pending;
    wire [5:0]  current; // one hot
    reg  [5:0]  active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [1:0]  value_2;
    wire        value_3;
    reg  [4:0]  left;
    wire [16:0] chunks_0_piece;
    wire [4:0]  chunks_0_piece_bits;
    wire        chunks_0_more;
    wire [16:0] chunks_1_piece;
    wire [4:0]  chunks_1_piece_bits;
    wire        chunks_1_more;

    nexus_n1_chunk_selector_first8_next8_width16 chunks_0 (
        .value      (record[27:12]),
        .index      (index),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .more       (chunks_0_more)
    );

    nexus_n1_chunk_selector_first16_next16_width30 chunks_1 (
        .value      (record[57:28]),
        .index      (index),
        .piece      (chunks_1_piece),
        .piece_bits (chunks_1_piece_bits),
        .more       (chunks_1_more)
    );

    always @* begin
        flags = 6'd0;
        if (record[5]) begin
            flags = 6'd1;
        end
        if (record[6]) begin
            flags = {flags[5:2], 1'd1, flags[0]};
        end
        if (record[6]) begin
            flags = {flags[5:3], 1'd1, flags[1:0]};
        end
        if (record[7]) begin
            flags = {flags[5:4], 1'd1, flags[2:0]};
        end
        if (record[8]) begin
            flags = {flags[5], 1'd1, flags[3:0]};
        end
        if (record[8]) begin
            flags = {1'd1, flags[4:0]};
        end
    end

    always @* begin
        stages = 6'd0;
        if (record[5]) begin
            stages = 6'd1;
        end
        if (record[6]) begin
            stages = {stages[5:2], 1'd1, stages[0]};
        end
        if (record[6]) begin
            stages = {stages[5:3], 1'd1, stages[1:0]};
        end
        if (record[7]) begin
            stages = {stages[5:4], 1'd1, stages[2:0]};
        end
        if (record[8]) begin
            stages = {stages[5], 1'd1, stages[3:0]};
        end
        if (record[8]) begin
            stages = {1'd1, stages[4:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 6'd1);
    assign is_last = pending == current;

    always @* begin
        active = 6'd0;
        if (current[0]) begin
            active = {5'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[5:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[5:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[5:4], flags[3], active[2:0]};
        end
        if (current[4]) begin
            active = {active[5], flags[4], active[3:0]};
        end
        if (current[5]) begin
            active = {flags[5], active[4:0]};
        end
    end

    always @* begin
        piece = 17'd0;
        if (active[3]) begin
            piece = chunks_0_piece;
        end
        if (active[4]) begin
            piece = chunks_1_piece;
        end
        if (active[0]) begin
            if (!index) begin
                piece = 17'h1ffff;
            end
            if (index) begin
                piece = 17'd0;
            end
        end
        if (active[1]) begin
            piece = 17'd0;
        end
        if (active[2]) begin
            piece = {15'd0, value_2};
        end
        if (active[5]) begin
            piece = {16'd0, value_3};
        end
    end

    always @* begin
        piece_bits = 5'd0;
        if (active[3]) begin
            piece_bits = chunks_0_piece_bits;
        end
        if (active[4]) begin
            piece_bits = chunks_1_piece_bits;
        end
        if (active[0]) begin
            piece_bits = left;
            if (left > 5'd17) begin
                piece_bits = 5'd17;
            end
        end
        if (active[1]) begin
            piece_bits = 5'd9;
        end
        if (active[2]) begin
            piece_bits = 5'd2;
        end
        if (active[5]) begin
            piece_bits = 5'd1;
        end
    end

    always @* begin
        more = 1'd0;
        if (active[3]) begin
            more = chunks_0_more;
        end
        if (active[4]) begin
            more = chunks_1_more;
        end
        if (active[0]) begin
            if (left > 5'd17) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        left = 5'd0;
        if (active[0]) begin
            if (!index) begin
                left = 5'd18;
            end
            if (index) begin
                left = 5'd1;
            end
        end
    end

    assign value_2 = record[11:10];
    assign value_3 = record[9];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 6'd0;
            index <= 1'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 1'd1;
                end else begin
                    index <= 1'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 6'd0;
                    end
                end
            end
        end
    end

    wire _unused_ok = &{1'b0, record[4:1]};

endmodule

// bit_packer: piece_most_bits = 17, word_bits = 8

module nexus_n1_bit_packer (
    input  wire        clock,
    input  wire        reset,
    input  wire        piece_valid,
    input  wire [16:0] piece, // zero above piece_bits
    input  wire [4:0]  piece_bits, // bits of the piece, the first one lowest
    input  wire        piece_last, // fill the trace word up with zeros after the piece
    output reg         piece_ready,
    output wire        word_valid,
    output wire [7:0]  word,
    input  wire        word_ready,
    output wire        is_empty // no bit is held
);

    reg  [15:0] held;
    reg  [4:0]  held_bits;
    reg         padding;
    wire        takes;
    wire        gives;
    wire        full;
    reg  [23:0] joined;
    reg  [4:0]  joined_bits;

    assign is_empty = !(|held_bits) & !padding;

    always @* begin
        piece_ready = 1'd0;
        if (held_bits < 5'd8) begin
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
        joined_bits = held_bits;
        if (takes) begin
            joined_bits = held_bits + piece_bits;
        end
    end

    assign full = joined_bits >= 5'd8;
    assign word = joined[7:0];
    assign word_valid = full | (padding & (|held_bits));
    assign gives = word_valid & word_ready;

    always @(posedge clock) begin
        if (reset) begin
            held <= 16'd0;
            held_bits <= 5'd0;
            padding <= 1'd0;
        end else begin
            held <= joined[15:0];
            held_bits <= joined_bits;
            if (gives) begin
                held <= joined[23:8];
                held_bits <= 5'd0;
                if (full) begin
                    held_bits <= joined_bits - 5'd8;
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

// fifo: depth = 8, width = 8, has_level = 1

module nexus_n1_fifo_depth8_width8_has_level1 (
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
    reg  [2:0] write_pointer;
    reg  [2:0] read_pointer;
    reg  [3:0] held;
    wire       is_full;
    wire       puts;
    wire       takes;
    reg  [7:0] words_cells [0:7];

    assign is_full = held == 4'd8;
    assign out_valid = |held;
    assign in_ready = !is_full;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign level = held;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 3'd0;
            read_pointer <= 3'd0;
            held <= 4'd0;
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

// trace_port: port_width = 4, word_bits = 8

module nexus_n1_trace_port (
    input  wire       clock,
    input  wire       reset,
    input  wire       word_valid, // the word stays until it is taken
    input  wire [7:0] word,
    output reg        word_ready,
    output wire       trace_valid, // a beat is ready
    output reg  [3:0] trace_data, // bits of the beat
    input  wire       trace_ready // the sink takes the beat
);

    reg  beat;

    assign trace_valid = word_valid;

    always @* begin
        trace_data = word[3:0];
        if (!beat) begin
            trace_data = word[3:0];
        end
        if (beat) begin
            trace_data = word[7:4];
        end
    end

    always @* begin
        word_ready = 1'd0;
        if (word_valid && trace_ready) begin
            if (beat) begin
                word_ready = 1'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            beat <= 1'd0;
        end else begin
            if (word_valid && trace_ready) begin
                beat <= beat + 1'd1;
                if (beat) begin
                    beat <= 1'd0;
                end
            end
        end
    end

endmodule

// back_end

module nexus_n1_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [57:0] record,
    output wire        record_ready,
    output wire        is_empty, // no record, piece or trace word is inside
    output wire [3:0]  trace_data, // trace bits
    output wire        trace_valid, // a beat is ready
    input  wire        trace_ready, // the sink takes the beat
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        next_valid; // the record that comes to the encoder next
    wire [57:0] next;
    wire        next_ready;
    wire        waiting_valid;
    wire [57:0] waiting;
    wire        waiting_ready;
    wire        piece_valid;
    wire [16:0] piece; // zero above piece_bits
    wire [4:0]  piece_bits; // bits of the piece, the first one lowest
    wire        piece_last; // fill the trace word up with zeros after the piece
    wire        piece_ready;
    wire        serial_encoder_record_ready;
    wire        serial_encoder_piece_valid;
    wire [16:0] serial_encoder_piece;
    wire [4:0]  serial_encoder_piece_bits;
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
    wire [3:0]  trace_port_trace_data;

    nexus_n1_serial_encoder serial_encoder (
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

    nexus_n1_bit_packer bit_packer (
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

    nexus_n1_fifo_depth8_width8_has_level1 output_fifo (
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

    nexus_n1_trace_port trace_port (
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
    assign next = record;
    assign waiting_valid = next_valid;
    assign waiting = next;
    assign piece_valid = serial_encoder_piece_valid;
    assign piece = serial_encoder_piece;
    assign piece_bits = serial_encoder_piece_bits;
    assign piece_last = serial_encoder_piece_last;
    assign trace_valid = trace_port_trace_valid;
    assign trace_data = trace_port_trace_data;
    assign buffered_words = output_fifo_level;
    assign is_empty = bit_packer_is_empty & !output_fifo_out_valid;
    assign piece_ready = bit_packer_piece_ready;
    assign waiting_ready = serial_encoder_record_ready;
    assign next_ready = waiting_ready;
    assign record_ready = next_ready;

endmodule

// nexus

module nexus_n1 (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid_0, // a block retires in this cycle
    input  wire [3:0]  retire_count_0, // instructions of the block
    input  wire [31:0] retire_pc_0, // byte address of the last instruction
    input  wire [3:0]  retire_length_0, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind_0, // 0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception
    input  wire        retire_call_0, // the last instruction leaves a return address
    input  wire        retire_return_0, // the last instruction returns to one
    input  wire        retire_taken_0, // the flow changed
    input  wire [31:0] retire_target_0, // byte address that the flow changed to, if taken
    output wire        stall_0, // the block of this cycle is not taken
    input  wire        flush, // level: the trace ends here
    output wire        flushed, // every bit of the trace has left the module
    output wire [3:0]  trace_data, // trace bits, bit 0 first
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        all_ready;
    reg         all_empty;
    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_flushed;
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
    wire [53:0] encoders_0_record;
    wire        merge_in_ready_0;
    wire        merge_record_valid;
    wire [57:0] merge_record;
    wire        merge_is_empty;
    wire        back_end_record_ready;
    wire        back_end_is_empty;
    wire [3:0]  back_end_trace_data;
    wire        back_end_trace_valid;
    wire [3:0]  back_end_buffered_words;

    nexus_n1_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (all_ready),
        .is_empty     (all_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (sequencer_flushed),
        .clear_valid  (sequencer_clear_valid)
    );

    nexus_n1_retire_decoder retire_decoders_0 (
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

    nexus_n1_encoder encoders_0 (
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

    nexus_n1_merge merge (
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

    nexus_n1_back_end back_end (
        .clock          (clock),
        .reset          (reset),
        .record_valid   (merge_record_valid),
        .record         (merge_record),
        .record_ready   (back_end_record_ready),
        .is_empty       (back_end_is_empty),
        .trace_data     (back_end_trace_data),
        .trace_valid    (back_end_trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (back_end_buffered_words)
    );

    assign all_ready = encoders_0_ready;

    always @* begin
        all_empty = merge_is_empty & back_end_is_empty;
        all_empty = all_empty & encoders_0_is_empty;
    end

    assign flushed = sequencer_flushed;
    assign stall_0 = !(sequencer_tracing & encoders_0_ready);
    assign retire_decoders_0_take = !stall_0;
    assign encoders_0_flush = sequencer_record_flush & all_ready;
    assign trace_valid = back_end_trace_valid;
    assign trace_data = back_end_trace_data;
    assign buffered_words = back_end_buffered_words;

endmodule
