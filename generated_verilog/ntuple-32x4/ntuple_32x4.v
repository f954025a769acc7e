// ntuple-32x4 of Tracewright, made by `tracewright generate`.
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

// Clears the tables after reset, and takes the module through a flush
module ntuple_32x4_sequencer (
    input  wire       clock,
    input  wire       reset,
    input  wire       flush, // level: the trace ends here
    input  wire       ready, // the compressor takes a block or a flush in this cycle
    input  wire       is_empty, // no record and no bit is left in the module
    output wire       tracing, // blocks are taken while the compressor is ready
    output wire       record_flush, // the compressor makes its flush record when it is ready
    output wire       flushed, // every bit of the trace has left the module
    output wire       clear_valid, // the tables are being cleared
    output wire [4:0] clear_index // the entry to clear, in the lower bits
);

    localparam [1:0] STATE_TRACING = 2'd0; // the state after reset
    localparam [1:0] STATE_RECORDING = 2'd1;
    localparam [1:0] STATE_DRAINING = 2'd2;
    localparam [1:0] STATE_FLUSHED = 2'd3;

    reg        clearing;
    reg  [4:0] index;
    reg  [1:0] state;

    assign clear_valid = clearing;
    assign clear_index = index;
    assign tracing = (state == STATE_TRACING) & !clearing;
    assign record_flush = state == STATE_RECORDING;
    assign flushed = state == STATE_FLUSHED;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'b1;
            index <= 5'd0;
            state <= STATE_TRACING;
        end else begin
            if (clearing) begin
                index <= index + 5'd1;
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

// Hands the block of this cycle to the compressor if it is taken
module ntuple_32x4_retire_decoder (
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
module ntuple_32x4_stream_detector (
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

    assign branch_ends = retire_valid & retire_taken & (retire_direct | retire_indirect);
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
        retire_conditional,
        retire_call,
        retire_return,
        retire_target
    };

endmodule

// Where a stream goes on after a cut: as many instruction units on as the longest has instructions
module ntuple_32x4_cut_start (
    input  wire [29:0] start, // in instruction units
    input  wire        goes_on, // it continues after the cut
    output wire [29:0] place // start of the next stream, or of this one if it is not cut
);

    wire [7:0]  lower;
    wire        carry;
    wire [21:0] upper;

    assign lower = start[7:0] - {7'd0, goes_on};
    assign carry = (|start[7:0]) & goes_on;
    assign upper = start[29:8] + {21'd0, carry};
    assign place = {upper, lower};

endmodule

// The start of the stream at hand
module ntuple_32x4_stream_start (
    input  wire        clock,
    input  wire        reset,
    input  wire        cut, // comes before any other end in the block
    input  wire        branch_ends, // a stream ends with a branch
    input  wire        excepts, // a stream ends with an exception
    input  wire        flush, // the trace is flushed
    input  wire        direct, // the branch is direct
    input  wire [29:0] target, // in instruction units
    output wire [29:0] first // start of the first stream that ends in the block
);

    reg  [29:0] start;
    wire [29:0] cut_start_place;

    ntuple_32x4_cut_start cut_start (
        .start   (start),
        .goes_on (cut),
        .place   (cut_start_place)
    );

    assign first = start;

    always @(posedge clock) begin
        if (reset) begin
            start <= 30'd0;
        end else begin
            start <= cut_start_place;
            if (branch_ends || excepts) begin
                start <= target;
            end
        end
    end

    wire _unused_ok = &{1'b0, flush, direct};

endmodule

// Takes up to two streams per cycle, as long as no two such cycles follow each other without one that brings none; shows one
module ntuple_32x4_stream_buffer (
    input  wire        clock,
    input  wire        reset,
    input  wire        first_valid, // a stream ends; only while in_ready
    input  wire        second_valid, // never without the first
    input  wire [39:0] streams, // properties of both streams
    output wire        in_ready, // streams can be taken; from registers alone
    output wire        out_valid, // a stream waits
    output wire [39:0] out, // properties of both streams of its block
    output wire        out_first, // the first or second of two streams of a block
    output wire        out_second, // the first or second of two streams of a block
    input  wire        out_ready, // the stream is taken
    output wire        is_empty // no stream is inside
);

    wire [40:0] words_read_data;
    reg  [1:0]  write_pointer;
    reg  [1:0]  read_pointer;
    reg  [1:0]  waiting;
    reg         aside_valid;
    reg         second; // the first of the word is out
    wire        comes;
    wire        takes;
    reg  [40:0] words_cells [0:2];

    assign in_ready = waiting != 2'd2;
    assign out_valid = |waiting;
    assign is_empty = !out_valid & !aside_valid;
    assign comes = (first_valid | aside_valid) & in_ready;
    assign out = words_read_data[39:0];
    assign out_second = second;
    assign out_first = words_read_data[40] & !second;
    assign takes = out_ready & out_valid;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 2'd0;
            read_pointer <= 2'd0;
            waiting <= 2'd0;
            aside_valid <= 1'b0;
            second <= 1'b0;
        end else begin
            if (first_valid) begin
                write_pointer <= write_pointer + 2'd1;
                if (write_pointer == 2'd2) begin
                    write_pointer <= 2'd0;
                end
            end
            if (in_ready) begin
                aside_valid <= second_valid | (first_valid & aside_valid);
            end
            if (takes) begin
                second <= out_first;
                if (!out_first) begin
                    read_pointer <= read_pointer + 2'd1;
                    if (read_pointer == 2'd2) begin
                        read_pointer <= 2'd0;
                    end
                end
            end
            if (comes > takes) begin
                waiting <= waiting + 2'd1;
            end else if (takes > comes) begin
                waiting <= waiting - 2'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (first_valid) begin
            words_cells[write_pointer] <= {second_valid, streams};
        end
    end

endmodule

// Stream detector, starts and stream buffer; one stream leaves per cycle
module ntuple_32x4_stream_source (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid, // valid is high only while the source is ready
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
    input  wire        flush, // the trace is flushed; only while ready, never together with a block
    output wire        ready, // a block or a flush can be taken; from registers alone
    output wire        is_empty, // no stream is inside
    output wire        stream_valid, // a stream waits
    output wire [1:0]  end_code, // code of the end; 3: a branch
    output wire        is_whole, // it ends with a branch or a cut
    output wire [7:0]  length, // 0: cut
    output wire [29:0] start, // in instruction units
    input  wire        stream_ready // the stream is taken
);

    localparam [1:0] BRANCH_CODE = 2'd3;
    localparam [1:0] CUT_CODE = 2'd0;
    localparam [1:0] EXCEPTION_CODE = 2'd1;
    localparam [1:0] FLUSH_CODE = 2'd2;

    wire        ends; // a stream besides a cut one
    wire [1:0]  ending;
    wire [39:0] streams;
    wire [39:0] stored;
    wire        detector_cut;
    wire        detector_branch_ends;
    wire        detector_excepts;
    wire [7:0]  detector_length;
    wire [29:0] starts_first;
    wire        buffer_first_valid;
    wire        buffer_second_valid;
    wire        buffer_out_first;
    wire        buffer_out_second;

    wire [1:0]  stored_end_code = stored[1:0];
    wire [7:0]  stored_length = stored[9:2];
    wire [29:0] stored_start = stored[39:10];

    ntuple_32x4_stream_detector detector (
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
        .cut                (detector_cut),
        .branch_ends        (detector_branch_ends),
        .excepts            (detector_excepts),
        .length             (detector_length)
    );

    ntuple_32x4_stream_start starts (
        .clock       (clock),
        .reset       (reset),
        .cut         (detector_cut),
        .branch_ends (detector_branch_ends),
        .excepts     (detector_excepts),
        .flush       (flush),
        .direct      (retire_direct),
        .target      (retire_target[31:2]),
        .first       (starts_first)
    );

    ntuple_32x4_stream_buffer buffer (
        .clock        (clock),
        .reset        (reset),
        .first_valid  (buffer_first_valid),
        .second_valid (buffer_second_valid),
        .streams      (streams),
        .in_ready     (ready),
        .out_valid    (stream_valid),
        .out          (stored),
        .out_first    (buffer_out_first),
        .out_second   (buffer_out_second),
        .out_ready    (stream_ready),
        .is_empty     (is_empty)
    );

    ntuple_32x4_cut_start second_start (
        .start   (stored_start),
        .goes_on (buffer_out_second),
        .place   (start)
    );

    assign ends = detector_branch_ends | detector_excepts | flush;

    assign ending =
        detector_branch_ends ? BRANCH_CODE :
        detector_excepts ? EXCEPTION_CODE :
        flush ? FLUSH_CODE :
        CUT_CODE;

    assign buffer_first_valid = detector_cut | ends;
    assign buffer_second_valid = detector_cut & ends;
    assign streams = {starts_first, detector_length, ending};
    assign end_code = buffer_out_first ? CUT_CODE : stored_end_code;
    assign is_whole = (end_code == BRANCH_CODE) | (end_code == CUT_CODE);
    assign length = (end_code != CUT_CODE) ? stored_length : 8'd0;

endmodule

// From a set's order and the way now used, the way to replace and the order afterwards
module ntuple_32x4_recency (
    input  wire [5:0] order, // the order as stored, one bit per pair of ways
    input  wire [3:0] used, // one hot
    output wire [3:0] oldest, // one hot
    output wire [5:0] order_next // the order to store
);

    assign order_next = {
        used[2] | (!used[3] & order[5]),
        used[1] | (!used[3] & order[4]),
        used[1] | (!used[2] & order[3]),
        used[0] | (!used[3] & order[2]),
        used[0] | (!used[2] & order[1]),
        used[0] | (!used[1] & order[0])
    };

    assign oldest = {
        order[2] & order[4] & order[5],
        !(!order[1] | !order[3] | order[5]),
        !(!order[0] | order[3] | order[4]),
        !(order[1] | order[2]) & !order[0]
    };

endmodule

// A set-associative table of stream descriptors; looked up and updated in the same cycle
module ntuple_32x4_stream_cache (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [4:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [29:0] start, // in instruction units
    input  wire [7:0]  length, // 0 if it is cut
    input  wire        update, // the stream is used: stored if it was not found, its way becomes the most recent
    output wire        found, // the stream is in the cache
    output wire [6:0]  index // index of the stream: where it is, or where it is stored
);

    wire [7:0]  true_length;
    wire [4:0]  set;
    wire        is_set_0;
    wire [32:0] wanted;
    reg  [3:0]  matching;
    wire [3:0]  used;
    wire [1:0]  way_index;
    wire [5:0]  order_read_data;
    wire        order_write_enable;
    wire [4:0]  order_write_address;
    wire [5:0]  order_write_data;
    wire [32:0] ways_0_read_data;
    wire        ways_0_write_enable;
    wire [4:0]  ways_0_write_address;
    wire [32:0] ways_0_write_data;
    wire [32:0] ways_1_read_data;
    wire        ways_1_write_enable;
    wire [4:0]  ways_1_write_address;
    wire [32:0] ways_1_write_data;
    wire [32:0] ways_2_read_data;
    wire        ways_2_write_enable;
    wire [4:0]  ways_2_write_address;
    wire [32:0] ways_2_write_data;
    wire [32:0] ways_3_read_data;
    wire        ways_3_write_enable;
    wire [4:0]  ways_3_write_address;
    wire [32:0] ways_3_write_data;
    wire [5:0]  recency_order;
    wire [3:0]  recency_oldest;
    wire [5:0]  recency_order_next;
    reg  [5:0]  order_cells [0:31];
    reg  [32:0] ways_0_cells [0:31];
    reg  [32:0] ways_1_cells [0:31];
    reg  [32:0] ways_2_cells [0:31];
    reg  [32:0] ways_3_cells [0:31];

    ntuple_32x4_recency recency (
        .order      (recency_order),
        .used       (used),
        .oldest     (recency_oldest),
        .order_next (recency_order_next)
    );

    assign true_length = (|length) ? length : 8'd255;
    assign set = start[8:4] ^ true_length[4:0];
    assign is_set_0 = !(|set);
    assign wanted = {start[29:9], start[3:0], length};

    always @* begin
        matching = 4'd0;
        if ((ways_0_read_data == wanted) && !is_set_0) begin
            matching = 4'd1;
        end
        if (!(|matching) && (ways_1_read_data == wanted)) begin
            matching[1] = 1'b1;
        end
        if (!(|matching) && (ways_2_read_data == wanted)) begin
            matching[2] = 1'b1;
        end
        if (!(|matching) && (ways_3_read_data == wanted)) begin
            matching[3] = 1'b1;
        end
    end

    assign found = |matching;
    assign recency_order = is_set_0 ? order_read_data | 6'd7 : order_read_data;

    assign used =
        (|matching) ? matching :
        is_set_0 ? recency_oldest & 4'd14 :
        recency_oldest;

    assign way_index =
        used[3] ? 2'd3 :
        used[2] ? 2'd2 :
        {1'b0, used[1]};

    assign index = {set, way_index};
    assign order_write_enable = update | clear_valid;
    assign order_write_address = clear_valid ? clear_index : set;
    assign order_write_data = clear_valid ? 6'd0 : recency_order_next;
    assign ways_0_write_enable = used[0] ? clear_valid | update : clear_valid;
    assign ways_0_write_address = clear_valid ? clear_index : set;
    assign ways_0_write_data = clear_valid ? 33'd0 : wanted;
    assign ways_1_write_enable = used[1] ? clear_valid | update : clear_valid;
    assign ways_1_write_address = clear_valid ? clear_index : set;
    assign ways_1_write_data = clear_valid ? 33'd0 : wanted;
    assign ways_2_write_enable = used[2] ? clear_valid | update : clear_valid;
    assign ways_2_write_address = clear_valid ? clear_index : set;
    assign ways_2_write_data = clear_valid ? 33'd0 : wanted;
    assign ways_3_write_enable = used[3] ? clear_valid | update : clear_valid;
    assign ways_3_write_address = clear_valid ? clear_index : set;
    assign ways_3_write_data = clear_valid ? 33'd0 : wanted;
    assign order_read_data = order_cells[set];
    assign ways_0_read_data = ways_0_cells[set];
    assign ways_1_read_data = ways_1_cells[set];
    assign ways_2_read_data = ways_2_cells[set];
    assign ways_3_read_data = ways_3_cells[set];

    always @(posedge clock) begin
        if (order_write_enable) begin
            order_cells[order_write_address] <= order_write_data;
        end
    end

    always @(posedge clock) begin
        if (ways_0_write_enable) begin
            ways_0_cells[ways_0_write_address] <= ways_0_write_data;
        end
    end

    always @(posedge clock) begin
        if (ways_1_write_enable) begin
            ways_1_cells[ways_1_write_address] <= ways_1_write_data;
        end
    end

    always @(posedge clock) begin
        if (ways_2_write_enable) begin
            ways_2_cells[ways_2_write_address] <= ways_2_write_data;
        end
    end

    always @(posedge clock) begin
        if (ways_3_write_enable) begin
            ways_3_cells[ways_3_write_address] <= ways_3_write_data;
        end
    end

    wire _unused_ok = &{1'b0, true_length[7:5]};

endmodule

// Compares an index with its column as it comes, so that only one index a tuple is compared at once
module ntuple_32x4_tuple_history_buffer (
    input  wire        clock,
    input  wire        reset,
    input  wire        valid, // an index is at the inputs
    input  wire        update, // the index is taken
    input  wire [6:0]  index, // index of the stream
    input  wire [2:0]  place, // position of the index in its tuple
    output reg  [7:0]  age, // age of the tuple up to that position; 0: none
    input  wire        learn, // the tuple is full
    input  wire [55:0] tuple // the first index lowest
);

    reg  [254:0]  matching; // entries like the tuple so far
    reg  [1784:0] columns_0; // the newest tuple's index lowest
    reg  [1784:0] columns_1; // the newest tuple's index lowest
    reg  [1784:0] columns_2; // the newest tuple's index lowest
    reg  [1784:0] columns_3; // the newest tuple's index lowest
    reg  [1784:0] columns_4; // the newest tuple's index lowest
    reg  [1784:0] columns_5; // the newest tuple's index lowest
    reg  [1784:0] columns_6; // the newest tuple's index lowest
    reg  [1784:0] columns_7; // the newest tuple's index lowest
    wire [254:0]  so_far;
    reg  [1784:0] column;
    reg  [254:0]  now;
    wire [254:0]  newest; // one hot
    wire [6:0]    tuple_index_0;
    wire [6:0]    tuple_index_1;
    wire [6:0]    tuple_index_2;
    wire [6:0]    tuple_index_3;
    wire [6:0]    tuple_index_4;
    wire [6:0]    tuple_index_5;
    wire [6:0]    tuple_index_6;
    wire [6:0]    tuple_index_7;

    assign so_far =
        (|place) ? matching :
        255'h7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff;

    always @* begin
        column = 1785'd0;
        if (valid) begin
            case (place)
                3'd0: column = columns_0;
                3'd1: column = columns_1;
                3'd2: column = columns_2;
                3'd3: column = columns_3;
                3'd4: column = columns_4;
                3'd5: column = columns_5;
                3'd6: column = columns_6;
                3'd7: column = columns_7;
            endcase
        end
    end

    always @* begin
        now = 255'd0;
        if (valid) begin
            if ((column[6:0] == index) && so_far[0]) begin
                now = 255'd1;
            end
            if ((column[13:7] == index) && so_far[1]) begin
                now[1] = 1'b1;
            end
            if ((column[20:14] == index) && so_far[2]) begin
                now[2] = 1'b1;
            end
            if ((column[27:21] == index) && so_far[3]) begin
                now[3] = 1'b1;
            end
            if ((column[34:28] == index) && so_far[4]) begin
                now[4] = 1'b1;
            end
            if ((column[41:35] == index) && so_far[5]) begin
                now[5] = 1'b1;
            end
            if ((column[48:42] == index) && so_far[6]) begin
                now[6] = 1'b1;
            end
            if ((column[55:49] == index) && so_far[7]) begin
                now[7] = 1'b1;
            end
            if ((column[62:56] == index) && so_far[8]) begin
                now[8] = 1'b1;
            end
            if ((column[69:63] == index) && so_far[9]) begin
                now[9] = 1'b1;
            end
            if ((column[76:70] == index) && so_far[10]) begin
                now[10] = 1'b1;
            end
            if ((column[83:77] == index) && so_far[11]) begin
                now[11] = 1'b1;
            end
            if ((column[90:84] == index) && so_far[12]) begin
                now[12] = 1'b1;
            end
            if ((column[97:91] == index) && so_far[13]) begin
                now[13] = 1'b1;
            end
            if ((column[104:98] == index) && so_far[14]) begin
                now[14] = 1'b1;
            end
            if ((column[111:105] == index) && so_far[15]) begin
                now[15] = 1'b1;
            end
            if ((column[118:112] == index) && so_far[16]) begin
                now[16] = 1'b1;
            end
            if ((column[125:119] == index) && so_far[17]) begin
                now[17] = 1'b1;
            end
            if ((column[132:126] == index) && so_far[18]) begin
                now[18] = 1'b1;
            end
            if ((column[139:133] == index) && so_far[19]) begin
                now[19] = 1'b1;
            end
            if ((column[146:140] == index) && so_far[20]) begin
                now[20] = 1'b1;
            end
            if ((column[153:147] == index) && so_far[21]) begin
                now[21] = 1'b1;
            end
            if ((column[160:154] == index) && so_far[22]) begin
                now[22] = 1'b1;
            end
            if ((column[167:161] == index) && so_far[23]) begin
                now[23] = 1'b1;
            end
            if ((column[174:168] == index) && so_far[24]) begin
                now[24] = 1'b1;
            end
            if ((column[181:175] == index) && so_far[25]) begin
                now[25] = 1'b1;
            end
            if ((column[188:182] == index) && so_far[26]) begin
                now[26] = 1'b1;
            end
            if ((column[195:189] == index) && so_far[27]) begin
                now[27] = 1'b1;
            end
            if ((column[202:196] == index) && so_far[28]) begin
                now[28] = 1'b1;
            end
            if ((column[209:203] == index) && so_far[29]) begin
                now[29] = 1'b1;
            end
            if ((column[216:210] == index) && so_far[30]) begin
                now[30] = 1'b1;
            end
            if ((column[223:217] == index) && so_far[31]) begin
                now[31] = 1'b1;
            end
            if ((column[230:224] == index) && so_far[32]) begin
                now[32] = 1'b1;
            end
            if ((column[237:231] == index) && so_far[33]) begin
                now[33] = 1'b1;
            end
            if ((column[244:238] == index) && so_far[34]) begin
                now[34] = 1'b1;
            end
            if ((column[251:245] == index) && so_far[35]) begin
                now[35] = 1'b1;
            end
            if ((column[258:252] == index) && so_far[36]) begin
                now[36] = 1'b1;
            end
            if ((column[265:259] == index) && so_far[37]) begin
                now[37] = 1'b1;
            end
            if ((column[272:266] == index) && so_far[38]) begin
                now[38] = 1'b1;
            end
            if ((column[279:273] == index) && so_far[39]) begin
                now[39] = 1'b1;
            end
            if ((column[286:280] == index) && so_far[40]) begin
                now[40] = 1'b1;
            end
            if ((column[293:287] == index) && so_far[41]) begin
                now[41] = 1'b1;
            end
            if ((column[300:294] == index) && so_far[42]) begin
                now[42] = 1'b1;
            end
            if ((column[307:301] == index) && so_far[43]) begin
                now[43] = 1'b1;
            end
            if ((column[314:308] == index) && so_far[44]) begin
                now[44] = 1'b1;
            end
            if ((column[321:315] == index) && so_far[45]) begin
                now[45] = 1'b1;
            end
            if ((column[328:322] == index) && so_far[46]) begin
                now[46] = 1'b1;
            end
            if ((column[335:329] == index) && so_far[47]) begin
                now[47] = 1'b1;
            end
            if ((column[342:336] == index) && so_far[48]) begin
                now[48] = 1'b1;
            end
            if ((column[349:343] == index) && so_far[49]) begin
                now[49] = 1'b1;
            end
            if ((column[356:350] == index) && so_far[50]) begin
                now[50] = 1'b1;
            end
            if ((column[363:357] == index) && so_far[51]) begin
                now[51] = 1'b1;
            end
            if ((column[370:364] == index) && so_far[52]) begin
                now[52] = 1'b1;
            end
            if ((column[377:371] == index) && so_far[53]) begin
                now[53] = 1'b1;
            end
            if ((column[384:378] == index) && so_far[54]) begin
                now[54] = 1'b1;
            end
            if ((column[391:385] == index) && so_far[55]) begin
                now[55] = 1'b1;
            end
            if ((column[398:392] == index) && so_far[56]) begin
                now[56] = 1'b1;
            end
            if ((column[405:399] == index) && so_far[57]) begin
                now[57] = 1'b1;
            end
            if ((column[412:406] == index) && so_far[58]) begin
                now[58] = 1'b1;
            end
            if ((column[419:413] == index) && so_far[59]) begin
                now[59] = 1'b1;
            end
            if ((column[426:420] == index) && so_far[60]) begin
                now[60] = 1'b1;
            end
            if ((column[433:427] == index) && so_far[61]) begin
                now[61] = 1'b1;
            end
            if ((column[440:434] == index) && so_far[62]) begin
                now[62] = 1'b1;
            end
            if ((column[447:441] == index) && so_far[63]) begin
                now[63] = 1'b1;
            end
            if ((column[454:448] == index) && so_far[64]) begin
                now[64] = 1'b1;
            end
            if ((column[461:455] == index) && so_far[65]) begin
                now[65] = 1'b1;
            end
            if ((column[468:462] == index) && so_far[66]) begin
                now[66] = 1'b1;
            end
            if ((column[475:469] == index) && so_far[67]) begin
                now[67] = 1'b1;
            end
            if ((column[482:476] == index) && so_far[68]) begin
                now[68] = 1'b1;
            end
            if ((column[489:483] == index) && so_far[69]) begin
                now[69] = 1'b1;
            end
            if ((column[496:490] == index) && so_far[70]) begin
                now[70] = 1'b1;
            end
            if ((column[503:497] == index) && so_far[71]) begin
                now[71] = 1'b1;
            end
            if ((column[510:504] == index) && so_far[72]) begin
                now[72] = 1'b1;
            end
            if ((column[517:511] == index) && so_far[73]) begin
                now[73] = 1'b1;
            end
            if ((column[524:518] == index) && so_far[74]) begin
                now[74] = 1'b1;
            end
            if ((column[531:525] == index) && so_far[75]) begin
                now[75] = 1'b1;
            end
            if ((column[538:532] == index) && so_far[76]) begin
                now[76] = 1'b1;
            end
            if ((column[545:539] == index) && so_far[77]) begin
                now[77] = 1'b1;
            end
            if ((column[552:546] == index) && so_far[78]) begin
                now[78] = 1'b1;
            end
            if ((column[559:553] == index) && so_far[79]) begin
                now[79] = 1'b1;
            end
            if ((column[566:560] == index) && so_far[80]) begin
                now[80] = 1'b1;
            end
            if ((column[573:567] == index) && so_far[81]) begin
                now[81] = 1'b1;
            end
            if ((column[580:574] == index) && so_far[82]) begin
                now[82] = 1'b1;
            end
            if ((column[587:581] == index) && so_far[83]) begin
                now[83] = 1'b1;
            end
            if ((column[594:588] == index) && so_far[84]) begin
                now[84] = 1'b1;
            end
            if ((column[601:595] == index) && so_far[85]) begin
                now[85] = 1'b1;
            end
            if ((column[608:602] == index) && so_far[86]) begin
                now[86] = 1'b1;
            end
            if ((column[615:609] == index) && so_far[87]) begin
                now[87] = 1'b1;
            end
            if ((column[622:616] == index) && so_far[88]) begin
                now[88] = 1'b1;
            end
            if ((column[629:623] == index) && so_far[89]) begin
                now[89] = 1'b1;
            end
            if ((column[636:630] == index) && so_far[90]) begin
                now[90] = 1'b1;
            end
            if ((column[643:637] == index) && so_far[91]) begin
                now[91] = 1'b1;
            end
            if ((column[650:644] == index) && so_far[92]) begin
                now[92] = 1'b1;
            end
            if ((column[657:651] == index) && so_far[93]) begin
                now[93] = 1'b1;
            end
            if ((column[664:658] == index) && so_far[94]) begin
                now[94] = 1'b1;
            end
            if ((column[671:665] == index) && so_far[95]) begin
                now[95] = 1'b1;
            end
            if ((column[678:672] == index) && so_far[96]) begin
                now[96] = 1'b1;
            end
            if ((column[685:679] == index) && so_far[97]) begin
                now[97] = 1'b1;
            end
            if ((column[692:686] == index) && so_far[98]) begin
                now[98] = 1'b1;
            end
            if ((column[699:693] == index) && so_far[99]) begin
                now[99] = 1'b1;
            end
            if ((column[706:700] == index) && so_far[100]) begin
                now[100] = 1'b1;
            end
            if ((column[713:707] == index) && so_far[101]) begin
                now[101] = 1'b1;
            end
            if ((column[720:714] == index) && so_far[102]) begin
                now[102] = 1'b1;
            end
            if ((column[727:721] == index) && so_far[103]) begin
                now[103] = 1'b1;
            end
            if ((column[734:728] == index) && so_far[104]) begin
                now[104] = 1'b1;
            end
            if ((column[741:735] == index) && so_far[105]) begin
                now[105] = 1'b1;
            end
            if ((column[748:742] == index) && so_far[106]) begin
                now[106] = 1'b1;
            end
            if ((column[755:749] == index) && so_far[107]) begin
                now[107] = 1'b1;
            end
            if ((column[762:756] == index) && so_far[108]) begin
                now[108] = 1'b1;
            end
            if ((column[769:763] == index) && so_far[109]) begin
                now[109] = 1'b1;
            end
            if ((column[776:770] == index) && so_far[110]) begin
                now[110] = 1'b1;
            end
            if ((column[783:777] == index) && so_far[111]) begin
                now[111] = 1'b1;
            end
            if ((column[790:784] == index) && so_far[112]) begin
                now[112] = 1'b1;
            end
            if ((column[797:791] == index) && so_far[113]) begin
                now[113] = 1'b1;
            end
            if ((column[804:798] == index) && so_far[114]) begin
                now[114] = 1'b1;
            end
            if ((column[811:805] == index) && so_far[115]) begin
                now[115] = 1'b1;
            end
            if ((column[818:812] == index) && so_far[116]) begin
                now[116] = 1'b1;
            end
            if ((column[825:819] == index) && so_far[117]) begin
                now[117] = 1'b1;
            end
            if ((column[832:826] == index) && so_far[118]) begin
                now[118] = 1'b1;
            end
            if ((column[839:833] == index) && so_far[119]) begin
                now[119] = 1'b1;
            end
            if ((column[846:840] == index) && so_far[120]) begin
                now[120] = 1'b1;
            end
            if ((column[853:847] == index) && so_far[121]) begin
                now[121] = 1'b1;
            end
            if ((column[860:854] == index) && so_far[122]) begin
                now[122] = 1'b1;
            end
            if ((column[867:861] == index) && so_far[123]) begin
                now[123] = 1'b1;
            end
            if ((column[874:868] == index) && so_far[124]) begin
                now[124] = 1'b1;
            end
            if ((column[881:875] == index) && so_far[125]) begin
                now[125] = 1'b1;
            end
            if ((column[888:882] == index) && so_far[126]) begin
                now[126] = 1'b1;
            end
            if ((column[895:889] == index) && so_far[127]) begin
                now[127] = 1'b1;
            end
            if ((column[902:896] == index) && so_far[128]) begin
                now[128] = 1'b1;
            end
            if ((column[909:903] == index) && so_far[129]) begin
                now[129] = 1'b1;
            end
            if ((column[916:910] == index) && so_far[130]) begin
                now[130] = 1'b1;
            end
            if ((column[923:917] == index) && so_far[131]) begin
                now[131] = 1'b1;
            end
            if ((column[930:924] == index) && so_far[132]) begin
                now[132] = 1'b1;
            end
            if ((column[937:931] == index) && so_far[133]) begin
                now[133] = 1'b1;
            end
            if ((column[944:938] == index) && so_far[134]) begin
                now[134] = 1'b1;
            end
            if ((column[951:945] == index) && so_far[135]) begin
                now[135] = 1'b1;
            end
            if ((column[958:952] == index) && so_far[136]) begin
                now[136] = 1'b1;
            end
            if ((column[965:959] == index) && so_far[137]) begin
                now[137] = 1'b1;
            end
            if ((column[972:966] == index) && so_far[138]) begin
                now[138] = 1'b1;
            end
            if ((column[979:973] == index) && so_far[139]) begin
                now[139] = 1'b1;
            end
            if ((column[986:980] == index) && so_far[140]) begin
                now[140] = 1'b1;
            end
            if ((column[993:987] == index) && so_far[141]) begin
                now[141] = 1'b1;
            end
            if ((column[1000:994] == index) && so_far[142]) begin
                now[142] = 1'b1;
            end
            if ((column[1007:1001] == index) && so_far[143]) begin
                now[143] = 1'b1;
            end
            if ((column[1014:1008] == index) && so_far[144]) begin
                now[144] = 1'b1;
            end
            if ((column[1021:1015] == index) && so_far[145]) begin
                now[145] = 1'b1;
            end
            if ((column[1028:1022] == index) && so_far[146]) begin
                now[146] = 1'b1;
            end
            if ((column[1035:1029] == index) && so_far[147]) begin
                now[147] = 1'b1;
            end
            if ((column[1042:1036] == index) && so_far[148]) begin
                now[148] = 1'b1;
            end
            if ((column[1049:1043] == index) && so_far[149]) begin
                now[149] = 1'b1;
            end
            if ((column[1056:1050] == index) && so_far[150]) begin
                now[150] = 1'b1;
            end
            if ((column[1063:1057] == index) && so_far[151]) begin
                now[151] = 1'b1;
            end
            if ((column[1070:1064] == index) && so_far[152]) begin
                now[152] = 1'b1;
            end
            if ((column[1077:1071] == index) && so_far[153]) begin
                now[153] = 1'b1;
            end
            if ((column[1084:1078] == index) && so_far[154]) begin
                now[154] = 1'b1;
            end
            if ((column[1091:1085] == index) && so_far[155]) begin
                now[155] = 1'b1;
            end
            if ((column[1098:1092] == index) && so_far[156]) begin
                now[156] = 1'b1;
            end
            if ((column[1105:1099] == index) && so_far[157]) begin
                now[157] = 1'b1;
            end
            if ((column[1112:1106] == index) && so_far[158]) begin
                now[158] = 1'b1;
            end
            if ((column[1119:1113] == index) && so_far[159]) begin
                now[159] = 1'b1;
            end
            if ((column[1126:1120] == index) && so_far[160]) begin
                now[160] = 1'b1;
            end
            if ((column[1133:1127] == index) && so_far[161]) begin
                now[161] = 1'b1;
            end
            if ((column[1140:1134] == index) && so_far[162]) begin
                now[162] = 1'b1;
            end
            if ((column[1147:1141] == index) && so_far[163]) begin
                now[163] = 1'b1;
            end
            if ((column[1154:1148] == index) && so_far[164]) begin
                now[164] = 1'b1;
            end
            if ((column[1161:1155] == index) && so_far[165]) begin
                now[165] = 1'b1;
            end
            if ((column[1168:1162] == index) && so_far[166]) begin
                now[166] = 1'b1;
            end
            if ((column[1175:1169] == index) && so_far[167]) begin
                now[167] = 1'b1;
            end
            if ((column[1182:1176] == index) && so_far[168]) begin
                now[168] = 1'b1;
            end
            if ((column[1189:1183] == index) && so_far[169]) begin
                now[169] = 1'b1;
            end
            if ((column[1196:1190] == index) && so_far[170]) begin
                now[170] = 1'b1;
            end
            if ((column[1203:1197] == index) && so_far[171]) begin
                now[171] = 1'b1;
            end
            if ((column[1210:1204] == index) && so_far[172]) begin
                now[172] = 1'b1;
            end
            if ((column[1217:1211] == index) && so_far[173]) begin
                now[173] = 1'b1;
            end
            if ((column[1224:1218] == index) && so_far[174]) begin
                now[174] = 1'b1;
            end
            if ((column[1231:1225] == index) && so_far[175]) begin
                now[175] = 1'b1;
            end
            if ((column[1238:1232] == index) && so_far[176]) begin
                now[176] = 1'b1;
            end
            if ((column[1245:1239] == index) && so_far[177]) begin
                now[177] = 1'b1;
            end
            if ((column[1252:1246] == index) && so_far[178]) begin
                now[178] = 1'b1;
            end
            if ((column[1259:1253] == index) && so_far[179]) begin
                now[179] = 1'b1;
            end
            if ((column[1266:1260] == index) && so_far[180]) begin
                now[180] = 1'b1;
            end
            if ((column[1273:1267] == index) && so_far[181]) begin
                now[181] = 1'b1;
            end
            if ((column[1280:1274] == index) && so_far[182]) begin
                now[182] = 1'b1;
            end
            if ((column[1287:1281] == index) && so_far[183]) begin
                now[183] = 1'b1;
            end
            if ((column[1294:1288] == index) && so_far[184]) begin
                now[184] = 1'b1;
            end
            if ((column[1301:1295] == index) && so_far[185]) begin
                now[185] = 1'b1;
            end
            if ((column[1308:1302] == index) && so_far[186]) begin
                now[186] = 1'b1;
            end
            if ((column[1315:1309] == index) && so_far[187]) begin
                now[187] = 1'b1;
            end
            if ((column[1322:1316] == index) && so_far[188]) begin
                now[188] = 1'b1;
            end
            if ((column[1329:1323] == index) && so_far[189]) begin
                now[189] = 1'b1;
            end
            if ((column[1336:1330] == index) && so_far[190]) begin
                now[190] = 1'b1;
            end
            if ((column[1343:1337] == index) && so_far[191]) begin
                now[191] = 1'b1;
            end
            if ((column[1350:1344] == index) && so_far[192]) begin
                now[192] = 1'b1;
            end
            if ((column[1357:1351] == index) && so_far[193]) begin
                now[193] = 1'b1;
            end
            if ((column[1364:1358] == index) && so_far[194]) begin
                now[194] = 1'b1;
            end
            if ((column[1371:1365] == index) && so_far[195]) begin
                now[195] = 1'b1;
            end
            if ((column[1378:1372] == index) && so_far[196]) begin
                now[196] = 1'b1;
            end
            if ((column[1385:1379] == index) && so_far[197]) begin
                now[197] = 1'b1;
            end
            if ((column[1392:1386] == index) && so_far[198]) begin
                now[198] = 1'b1;
            end
            if ((column[1399:1393] == index) && so_far[199]) begin
                now[199] = 1'b1;
            end
            if ((column[1406:1400] == index) && so_far[200]) begin
                now[200] = 1'b1;
            end
            if ((column[1413:1407] == index) && so_far[201]) begin
                now[201] = 1'b1;
            end
            if ((column[1420:1414] == index) && so_far[202]) begin
                now[202] = 1'b1;
            end
            if ((column[1427:1421] == index) && so_far[203]) begin
                now[203] = 1'b1;
            end
            if ((column[1434:1428] == index) && so_far[204]) begin
                now[204] = 1'b1;
            end
            if ((column[1441:1435] == index) && so_far[205]) begin
                now[205] = 1'b1;
            end
            if ((column[1448:1442] == index) && so_far[206]) begin
                now[206] = 1'b1;
            end
            if ((column[1455:1449] == index) && so_far[207]) begin
                now[207] = 1'b1;
            end
            if ((column[1462:1456] == index) && so_far[208]) begin
                now[208] = 1'b1;
            end
            if ((column[1469:1463] == index) && so_far[209]) begin
                now[209] = 1'b1;
            end
            if ((column[1476:1470] == index) && so_far[210]) begin
                now[210] = 1'b1;
            end
            if ((column[1483:1477] == index) && so_far[211]) begin
                now[211] = 1'b1;
            end
            if ((column[1490:1484] == index) && so_far[212]) begin
                now[212] = 1'b1;
            end
            if ((column[1497:1491] == index) && so_far[213]) begin
                now[213] = 1'b1;
            end
            if ((column[1504:1498] == index) && so_far[214]) begin
                now[214] = 1'b1;
            end
            if ((column[1511:1505] == index) && so_far[215]) begin
                now[215] = 1'b1;
            end
            if ((column[1518:1512] == index) && so_far[216]) begin
                now[216] = 1'b1;
            end
            if ((column[1525:1519] == index) && so_far[217]) begin
                now[217] = 1'b1;
            end
            if ((column[1532:1526] == index) && so_far[218]) begin
                now[218] = 1'b1;
            end
            if ((column[1539:1533] == index) && so_far[219]) begin
                now[219] = 1'b1;
            end
            if ((column[1546:1540] == index) && so_far[220]) begin
                now[220] = 1'b1;
            end
            if ((column[1553:1547] == index) && so_far[221]) begin
                now[221] = 1'b1;
            end
            if ((column[1560:1554] == index) && so_far[222]) begin
                now[222] = 1'b1;
            end
            if ((column[1567:1561] == index) && so_far[223]) begin
                now[223] = 1'b1;
            end
            if ((column[1574:1568] == index) && so_far[224]) begin
                now[224] = 1'b1;
            end
            if ((column[1581:1575] == index) && so_far[225]) begin
                now[225] = 1'b1;
            end
            if ((column[1588:1582] == index) && so_far[226]) begin
                now[226] = 1'b1;
            end
            if ((column[1595:1589] == index) && so_far[227]) begin
                now[227] = 1'b1;
            end
            if ((column[1602:1596] == index) && so_far[228]) begin
                now[228] = 1'b1;
            end
            if ((column[1609:1603] == index) && so_far[229]) begin
                now[229] = 1'b1;
            end
            if ((column[1616:1610] == index) && so_far[230]) begin
                now[230] = 1'b1;
            end
            if ((column[1623:1617] == index) && so_far[231]) begin
                now[231] = 1'b1;
            end
            if ((column[1630:1624] == index) && so_far[232]) begin
                now[232] = 1'b1;
            end
            if ((column[1637:1631] == index) && so_far[233]) begin
                now[233] = 1'b1;
            end
            if ((column[1644:1638] == index) && so_far[234]) begin
                now[234] = 1'b1;
            end
            if ((column[1651:1645] == index) && so_far[235]) begin
                now[235] = 1'b1;
            end
            if ((column[1658:1652] == index) && so_far[236]) begin
                now[236] = 1'b1;
            end
            if ((column[1665:1659] == index) && so_far[237]) begin
                now[237] = 1'b1;
            end
            if ((column[1672:1666] == index) && so_far[238]) begin
                now[238] = 1'b1;
            end
            if ((column[1679:1673] == index) && so_far[239]) begin
                now[239] = 1'b1;
            end
            if ((column[1686:1680] == index) && so_far[240]) begin
                now[240] = 1'b1;
            end
            if ((column[1693:1687] == index) && so_far[241]) begin
                now[241] = 1'b1;
            end
            if ((column[1700:1694] == index) && so_far[242]) begin
                now[242] = 1'b1;
            end
            if ((column[1707:1701] == index) && so_far[243]) begin
                now[243] = 1'b1;
            end
            if ((column[1714:1708] == index) && so_far[244]) begin
                now[244] = 1'b1;
            end
            if ((column[1721:1715] == index) && so_far[245]) begin
                now[245] = 1'b1;
            end
            if ((column[1728:1722] == index) && so_far[246]) begin
                now[246] = 1'b1;
            end
            if ((column[1735:1729] == index) && so_far[247]) begin
                now[247] = 1'b1;
            end
            if ((column[1742:1736] == index) && so_far[248]) begin
                now[248] = 1'b1;
            end
            if ((column[1749:1743] == index) && so_far[249]) begin
                now[249] = 1'b1;
            end
            if ((column[1756:1750] == index) && so_far[250]) begin
                now[250] = 1'b1;
            end
            if ((column[1763:1757] == index) && so_far[251]) begin
                now[251] = 1'b1;
            end
            if ((column[1770:1764] == index) && so_far[252]) begin
                now[252] = 1'b1;
            end
            if ((column[1777:1771] == index) && so_far[253]) begin
                now[253] = 1'b1;
            end
            if ((column[1784:1778] == index) && so_far[254]) begin
                now[254] = 1'b1;
            end
        end
    end

    assign newest = (|now) ? now & (~now + 255'd1) : 255'd0;

    always @* begin
        age = 8'd0;
        if (|now) begin
            if (|(newest & 255'h5555555555555555555555555555555555555555555555555555555555555555)) begin
                age = 8'd1;
            end
            if (|(newest & 255'h6666666666666666666666666666666666666666666666666666666666666666)) begin
                age[1] = 1'b1;
            end
            if (|(newest & 255'h7878787878787878787878787878787878787878787878787878787878787878)) begin
                age[2] = 1'b1;
            end
            if (|(newest & 255'h7f807f807f807f807f807f807f807f807f807f807f807f807f807f807f807f80)) begin
                age[3] = 1'b1;
            end
            if (|(newest & 255'h7fff80007fff80007fff80007fff80007fff80007fff80007fff80007fff8000)) begin
                age[4] = 1'b1;
            end
            if (|(newest & 255'h7fffffff800000007fffffff800000007fffffff800000007fffffff80000000)) begin
                age[5] = 1'b1;
            end
            if (|(newest & 255'h7fffffffffffffff80000000000000007fffffffffffffff8000000000000000)) begin
                age[6] = 1'b1;
            end
            if (|(newest & 255'h7fffffffffffffffffffffffffffffff80000000000000000000000000000000)) begin
                age[7] = 1'b1;
            end
        end
    end

    assign tuple_index_0 = tuple[6:0];
    assign tuple_index_1 = tuple[13:7];
    assign tuple_index_2 = tuple[20:14];
    assign tuple_index_3 = tuple[27:21];
    assign tuple_index_4 = tuple[34:28];
    assign tuple_index_5 = tuple[41:35];
    assign tuple_index_6 = tuple[48:42];
    assign tuple_index_7 = tuple[55:49];

    always @(posedge clock) begin
        if (reset) begin
            matching <= 255'd0;
            columns_0 <= 1785'd0;
            columns_1 <= 1785'd0;
            columns_2 <= 1785'd0;
            columns_3 <= 1785'd0;
            columns_4 <= 1785'd0;
            columns_5 <= 1785'd0;
            columns_6 <= 1785'd0;
            columns_7 <= 1785'd0;
        end else begin
            if (update) begin
                matching <= now;
            end
            if (learn) begin
                columns_0 <= {columns_0[1777:0], tuple_index_0};
                columns_1 <= {columns_1[1777:0], tuple_index_1};
                columns_2 <= {columns_2[1777:0], tuple_index_2};
                columns_3 <= {columns_3[1777:0], tuple_index_3};
                columns_4 <= {columns_4[1777:0], tuple_index_4};
                columns_5 <= {columns_5[1777:0], tuple_index_5};
                columns_6 <= {columns_6[1777:0], tuple_index_6};
                columns_7 <= {columns_7[1777:0], tuple_index_7};
            end
        end
    end

endmodule

// Takes a stream and what the stream cache says of it; a packet of the stream and one of the tuple that it fills leave as one record
module ntuple_32x4_trace_output_controller (
    input  wire         clock,
    input  wire         reset,
    input  wire         stream_valid, // a stream is at the inputs
    input  wire [1:0]   end_code, // code of the end; 3: a branch
    input  wire         is_whole, // it goes through the stream cache
    input  wire [7:0]   length, // instructions of the stream
    input  wire [29:0]  start, // in instruction units
    input  wire         cache_hit, // the stream is in the stream cache
    input  wire [6:0]   cache_index, // index of the stream, once it is in the stream cache
    input  wire         take, // never without a stream
    output wire         record_valid, // a record is formed
    output wire [116:0] record // the record in the format of the layout
);

    localparam [1:0] FLUSH_CODE = 2'd2;

    reg  [6:0]  indices_0;
    reg  [6:0]  indices_1;
    reg  [6:0]  indices_2;
    reg  [6:0]  indices_3;
    reg  [6:0]  indices_4;
    reg  [6:0]  indices_5;
    reg  [6:0]  indices_6;
    reg  [2:0]  count; // indices of the tuple at hand
    reg  [5:0]  pending_bits; // bits they have
    wire        is_flush;
    wire [6:0]  index; // 0: not in the stream cache
    wire        is_last; // of the tuple
    wire        collects;
    wire        completes; // the tuple is full
    wire        misses;
    wire        sends_tuple;
    wire        broken; // an exception or the flush
    wire        clears; // the tuple at hand is over
    reg  [55:0] tuple;
    wire [55:0] placed_0;
    wire [55:0] placed_1;
    wire [55:0] placed_2;
    wire [55:0] placed_3;
    wire [55:0] placed_4;
    wire [55:0] placed_5;
    wire [55:0] placed_6;
    wire        history_update;
    wire [7:0]  history_age;
    wire        history_learn;

    ntuple_32x4_tuple_history_buffer history (
        .clock  (clock),
        .reset  (reset),
        .valid  (collects),
        .update (history_update),
        .index  (index),
        .place  (count),
        .age    (history_age),
        .learn  (history_learn),
        .tuple  (tuple)
    );

    assign is_flush = end_code == FLUSH_CODE;
    assign index = cache_hit ? cache_index : 7'd0;
    assign collects = stream_valid & is_whole;
    assign is_last = count == 3'd7;
    assign completes = collects & is_last;
    assign misses = collects & !cache_hit;
    assign broken = stream_valid & !is_whole;

    always @* begin
        tuple = 56'd0;
        if (completes) begin
            tuple = {index, 49'd0};
        end
        tuple = tuple | placed_0;
        tuple = tuple | {placed_1[48:0], 7'd0};
        tuple = tuple | {placed_2[41:0], 14'd0};
        tuple = tuple | {placed_3[34:0], 21'd0};
        tuple = tuple | {placed_4[27:0], 28'd0};
        tuple = tuple | {placed_5[20:0], 35'd0};
        tuple = tuple | {placed_6[13:0], 42'd0};
    end

    assign clears = take & (completes | (broken & is_flush));
    assign placed_0 = {49'd0, indices_0};
    assign placed_1 = {49'd0, indices_1};
    assign placed_2 = {49'd0, indices_2};
    assign placed_3 = {49'd0, indices_3};
    assign placed_4 = {49'd0, indices_4};
    assign placed_5 = {49'd0, indices_5};
    assign placed_6 = {49'd0, indices_6};
    assign history_update = take & collects;
    assign history_learn = take & completes;
    assign sends_tuple = !(|history_age) & completes;
    assign record_valid = misses | completes | broken;

    assign record = {
        pending_bits,
        tuple,
        count,
        history_age,
        length,
        start,
        broken,
        sends_tuple,
        completes,
        misses,
        broken & !is_flush,
        broken & is_flush
    };

    always @(posedge clock) begin
        if (reset) begin
            indices_0 <= 7'd0;
            indices_1 <= 7'd0;
            indices_2 <= 7'd0;
            indices_3 <= 7'd0;
            indices_4 <= 7'd0;
            indices_5 <= 7'd0;
            indices_6 <= 7'd0;
            count <= 3'd0;
            pending_bits <= 6'd0;
        end else begin
            if (clears) begin
                indices_0 <= 7'd0;
            end else if (take && collects && (count == 3'd0)) begin
                indices_0 <= index;
            end
            if (clears) begin
                indices_1 <= 7'd0;
            end else if (take && collects && (count == 3'd1)) begin
                indices_1 <= index;
            end
            if (clears) begin
                indices_2 <= 7'd0;
            end else if (take && collects && (count == 3'd2)) begin
                indices_2 <= index;
            end
            if (clears) begin
                indices_3 <= 7'd0;
            end else if (take && collects && (count == 3'd3)) begin
                indices_3 <= index;
            end
            if (clears) begin
                indices_4 <= 7'd0;
            end else if (take && collects && (count == 3'd4)) begin
                indices_4 <= index;
            end
            if (clears) begin
                indices_5 <= 7'd0;
            end else if (take && collects && (count == 3'd5)) begin
                indices_5 <= index;
            end
            if (clears) begin
                indices_6 <= 7'd0;
            end else if (take && collects && (count == 3'd6)) begin
                indices_6 <= index;
            end
            if (clears) begin
                count <= 3'd0;
                pending_bits <= 6'd0;
            end else if (take && collects) begin
                count <= count + 3'd1;
                pending_bits <= pending_bits + 6'd7;
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        placed_1[55:49],
        placed_2[55:42],
        placed_3[55:35],
        placed_4[55:28],
        placed_5[55:21],
        placed_6[55:14]
    };

endmodule

// Streams are buffered for one cycle; a record leaves in the cycle in which its stream is looked up
module ntuple_32x4_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         clear_valid, // the tables are being cleared
    input  wire [4:0]   clear_index, // the entry to clear, in the lower bits
    input  wire         retire_valid, // valid is high only while the compressor is ready
    input  wire [3:0]   retire_count, // instructions of the block
    input  wire [31:0]  retire_pc, // byte address of the last instruction
    input  wire [3:0]   retire_length, // length of the last instruction in bytes
    input  wire         retire_direct, // it is a direct jump or branch
    input  wire         retire_conditional, // it is a branch, direct or indirect
    input  wire         retire_indirect, // it is an indirect jump or branch
    input  wire         retire_exception, // an exception follows the block
    input  wire         retire_call, // the last instruction leaves a return address
    input  wire         retire_return, // the last instruction returns to one
    input  wire         retire_taken, // the flow changed
    input  wire [31:0]  retire_target, // byte address that the flow changed to, if taken
    input  wire         flush, // make a flush record; only when ready
    output wire         ready, // a block or a flush is taken
    output wire         is_empty, // no record waits inside
    output wire         record_valid,
    output wire [116:0] record,
    input  wire         record_ready
);

    wire        take;
    wire        source_stream_valid;
    wire [1:0]  source_end_code;
    wire        source_is_whole;
    wire [7:0]  source_length;
    wire [29:0] source_start;
    wire        cache_update;
    wire        cache_found;
    wire [6:0]  cache_index;

    ntuple_32x4_stream_source source (
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
        .ready              (ready),
        .is_empty           (is_empty),
        .stream_valid       (source_stream_valid),
        .end_code           (source_end_code),
        .is_whole           (source_is_whole),
        .length             (source_length),
        .start              (source_start),
        .stream_ready       (record_ready)
    );

    ntuple_32x4_stream_cache cache (
        .clock       (clock),
        .clear_valid (clear_valid),
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
        .end_code     (source_end_code),
        .is_whole     (source_is_whole),
        .length       (source_length),
        .start        (source_start),
        .cache_hit    (cache_found),
        .cache_index  (cache_index),
        .take         (take),
        .record_valid (record_valid),
        .record       (record)
    );

    assign take = source_stream_valid & record_ready;
    assign cache_update = take & source_is_whole;

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module ntuple_32x4_fifo_depth2_width117 (
    input  wire         clock,
    input  wire         reset,
    input  wire         in_valid,
    input  wire [116:0] in_word,
    output wire         in_ready,
    output wire         out_valid,
    output wire [116:0] out_word,
    input  wire         out_ready
);

    wire [116:0] words_read_data;
    reg          write_pointer;
    reg          read_pointer;
    reg          is_filled; // more words came than went since the pointers were equal last
    wire         is_full;
    wire         puts;
    wire         takes;
    reg  [116:0] words_cells [0:1];

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
module ntuple_32x4_serial_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid, // without registers it stays until it is taken
    input  wire [116:0] record,
    output wire         record_ready,
    output wire         piece_valid,
    output reg  [7:0]   piece, // zero above piece_bits
    output reg  [3:0]   piece_bits, // bits of the piece, the first one lowest
    output wire         piece_last, // fill the trace word up with zeros after the piece
    input  wire         piece_ready
);

    reg  [11:0] sent; // stages of the record that are out
    reg  [2:0]  index; // the piece of the slot
    reg  [11:0] flags; // slots that are sent
    reg  [11:0] stages; // stages that send one
    wire [11:0] pending;
    wire [11:0] current; // one hot
    wire [11:0] active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [29:0] miss_value_2;
    wire [7:0]  miss_value_3;
    wire [7:0]  age_value_2;
    wire [55:0] tuple_value;
    wire [2:0]  broken_value;
    wire [55:0] flush_value_2;
    wire [29:0] broken_value_2;
    wire [7:0]  broken_value_3;
    wire [5:0]  flush_raw_size_2;
    reg  [5:0]  left;

    always @* begin
        flags = 12'd0;
        if (record[2]) begin
            flags = 12'd7;
        end
        if (record[3]) begin
            flags[3] = 1'b1;
            flags[4] = 1'b1;
        end
        if (record[4]) begin
            flags[5] = 1'b1;
        end
        if (record[1]) begin
            flags[6] = 1'b1;
        end
        if (record[0]) begin
            flags[7] = 1'b1;
        end
        if (record[5]) begin
            flags[8] = 1'b1;
        end
        if (record[0]) begin
            flags[9] = 1'b1;
        end
        if (record[5]) begin
            flags[10] = 1'b1;
            flags[11] = 1'b1;
        end
    end

    always @* begin
        stages = 12'd0;
        if (record[2]) begin
            stages = 12'd7;
        end
        if (record[3]) begin
            stages[3] = 1'b1;
            stages[4] = 1'b1;
        end
        if (record[4]) begin
            stages[5] = 1'b1;
        end
        if (record[1]) begin
            stages[6] = 1'b1;
        end
        if (record[0]) begin
            stages[7] = 1'b1;
        end
        if (record[5]) begin
            stages[8] = 1'b1;
        end
        if (record[0]) begin
            stages[9] = 1'b1;
        end
        if (record[5]) begin
            stages[10] = 1'b1;
            stages[11] = 1'b1;
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 12'd1);
    assign is_last = pending == current;

    assign active = {
        current[11] & flags[11],
        current[10] & flags[10],
        current[9] & flags[9],
        current[8] & flags[8],
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
            case (index)
                3'd0: piece = miss_value_2[7:0];
                3'd1: piece = miss_value_2[15:8];
                3'd2: piece = miss_value_2[23:16];
                3'd3: piece = {2'd0, miss_value_2[29:24]};
                default: ;
            endcase
        end
        if (active[2]) begin
            piece = piece | miss_value_3;
        end
        if (active[4]) begin
            piece = piece | age_value_2;
        end
        if (active[5]) begin
            case (index)
                3'd0: piece = tuple_value[7:0];
                3'd1: piece = tuple_value[15:8];
                3'd2: piece = tuple_value[23:16];
                3'd3: piece = tuple_value[31:24];
                3'd4: piece = tuple_value[39:32];
                3'd5: piece = tuple_value[47:40];
                3'd6: piece = tuple_value[55:48];
                default: ;
            endcase
        end
        if (active[6]) begin
            piece = piece | 8'd7;
        end
        if (active[7]) begin
            piece = piece | 8'd11;
        end
        if (active[8]) begin
            piece = piece | {5'd0, broken_value};
        end
        if (active[9]) begin
            case (index)
                3'd0: piece = flush_value_2[7:0];
                3'd1: piece = flush_value_2[15:8];
                3'd2: piece = flush_value_2[23:16];
                3'd3: piece = flush_value_2[31:24];
                3'd4: piece = flush_value_2[39:32];
                3'd5: piece = flush_value_2[47:40];
                3'd6: piece = flush_value_2[55:48];
                default: ;
            endcase
        end
        if (active[10]) begin
            case (index)
                3'd0: piece = broken_value_2[7:0];
                3'd1: piece = broken_value_2[15:8];
                3'd2: piece = broken_value_2[23:16];
                3'd3: piece = {2'd0, broken_value_2[29:24]};
                default: ;
            endcase
        end
        if (active[11]) begin
            piece = piece | broken_value_3;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'b0;
        left = 6'd0;
        if (active[0]) begin
            piece_bits = 4'd2;
        end
        if (active[1]) begin
            case (index)
                3'd0: left = 6'd30;
                3'd1: left = 6'd22;
                3'd2: left = 6'd14;
                3'd3: left = 6'd6;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[2]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[3]) begin
            piece_bits = piece_bits | 4'd1;
        end
        if (active[4]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[5]) begin
            case (index)
                3'd0: left = 6'd56;
                3'd1: left = 6'd48;
                3'd2: left = 6'd40;
                3'd3: left = 6'd32;
                3'd4: left = 6'd24;
                3'd5: left = 6'd16;
                3'd6: left = 6'd8;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[6]) begin
            piece_bits = piece_bits | 4'd4;
        end
        if (active[7]) begin
            piece_bits = piece_bits | 4'd4;
        end
        if (active[8]) begin
            piece_bits = piece_bits | 4'd3;
        end
        if (active[9]) begin
            case (index)
                3'd0: left = flush_raw_size_2;
                3'd1: left = flush_raw_size_2 - 6'd8;
                3'd2: left = flush_raw_size_2 - 6'd16;
                3'd3: left = flush_raw_size_2 - 6'd24;
                3'd4: left = flush_raw_size_2 - 6'd32;
                3'd5: left = flush_raw_size_2 - 6'd40;
                3'd6: left = flush_raw_size_2 - 6'd48;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[10]) begin
            case (index)
                3'd0: left = 6'd30;
                3'd1: left = 6'd22;
                3'd2: left = 6'd14;
                3'd3: left = 6'd6;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[11]) begin
            piece_bits = piece_bits | 4'd8;
        end
    end

    assign miss_value_2 = record[35:6];
    assign miss_value_3 = record[43:36];
    assign age_value_2 = record[51:44];
    assign tuple_value = record[110:55];
    assign broken_value = record[54:52];
    assign flush_value_2 = record[110:55];
    assign flush_raw_size_2 = record[116:111];
    assign broken_value_2 = record[35:6];
    assign broken_value_3 = record[43:36];
    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 12'd0;
            index <= 3'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 3'd1;
                end else begin
                    index <= 3'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 12'd0;
                    end
                end
            end
        end
    end

endmodule

// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module ntuple_32x4_bit_packer (
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
module ntuple_32x4_fifo_depth10_width8_has_level1 (
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
module ntuple_32x4_trace_port (
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
module ntuple_32x4_back_end (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid,
    input  wire [116:0] record,
    output wire         record_ready,
    output wire         is_empty, // no record, piece or trace word is inside
    output wire         trace_data, // trace bits
    output wire         trace_valid, // a beat is ready
    input  wire         trace_ready, // the sink takes the beat
    output wire [3:0]   buffered_words // trace words in the output FIFO
);

    wire         next_valid; // the record that comes to the encoder next
    wire [7:0]   piece; // zero above piece_bits
    wire [3:0]   piece_bits; // bits of the piece, the first one lowest
    wire         piece_last; // fill the trace word up with zeros after the piece
    wire         queue_is_empty;
    wire [116:0] record_queue_out_word;
    wire         serial_encoder_record_ready;
    wire         serial_encoder_piece_valid;
    wire         bit_packer_piece_ready;
    wire         bit_packer_word_valid;
    wire [7:0]   bit_packer_word;
    wire         bit_packer_is_empty;
    wire         output_fifo_in_ready;
    wire         output_fifo_out_valid;
    wire [7:0]   output_fifo_out_word;
    wire         trace_port_word_ready;

    ntuple_32x4_fifo_depth2_width117 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_ready),
        .out_valid (next_valid),
        .out_word  (record_queue_out_word),
        .out_ready (serial_encoder_record_ready)
    );

    ntuple_32x4_serial_encoder serial_encoder (
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

    ntuple_32x4_bit_packer bit_packer (
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

    ntuple_32x4_fifo_depth10_width8_has_level1 output_fifo (
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

    ntuple_32x4_trace_port trace_port (
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

// Stream detector and buffer, stream cache, trace output controller, encoder, buffer and port
module ntuple_32x4 (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid, // a block retires in this cycle
    input  wire [3:0]  retire_count, // instructions of the block
    input  wire [31:0] retire_pc, // byte address of the last instruction
    input  wire [3:0]  retire_length, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 conditional, 3 indirect, 4 indirect conditional, 5 exception
    input  wire        retire_call, // the last instruction leaves a return address
    input  wire        retire_return, // the last instruction returns to one
    input  wire        retire_taken, // the flow changed
    input  wire [31:0] retire_target, // byte address that the flow changed to, if taken
    output wire        stall, // the block of this cycle is not taken
    input  wire        flush, // level: the trace ends here
    output wire        flushed, // every bit of the trace has left the module
    output wire        trace_data, // trace bits, bit 0 first
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire         sequencer_is_empty;
    wire         sequencer_tracing;
    wire         sequencer_record_flush;
    wire         sequencer_clear_valid;
    wire [4:0]   sequencer_clear_index;
    wire         retire_decoder_take;
    wire         retire_decoder_block_valid;
    wire [3:0]   retire_decoder_block_count;
    wire [31:0]  retire_decoder_block_pc;
    wire [3:0]   retire_decoder_block_length;
    wire         retire_decoder_block_direct;
    wire         retire_decoder_block_conditional;
    wire         retire_decoder_block_indirect;
    wire         retire_decoder_block_exception;
    wire         retire_decoder_block_call;
    wire         retire_decoder_block_return;
    wire         retire_decoder_block_taken;
    wire [31:0]  retire_decoder_block_target;
    wire         encoder_flush;
    wire         encoder_ready;
    wire         encoder_is_empty;
    wire         encoder_record_valid;
    wire [116:0] encoder_record;
    wire         back_end_record_ready;
    wire         back_end_is_empty;

    ntuple_32x4_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (encoder_ready),
        .is_empty     (sequencer_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (flushed),
        .clear_valid  (sequencer_clear_valid),
        .clear_index  (sequencer_clear_index)
    );

    ntuple_32x4_retire_decoder retire_decoder (
        .retire_valid      (retire_valid),
        .retire_count      (retire_count),
        .retire_pc         (retire_pc),
        .retire_length     (retire_length),
        .retire_kind       (retire_kind),
        .retire_call       (retire_call),
        .retire_return     (retire_return),
        .retire_taken      (retire_taken),
        .retire_target     (retire_target),
        .take              (retire_decoder_take),
        .block_valid       (retire_decoder_block_valid),
        .block_count       (retire_decoder_block_count),
        .block_pc          (retire_decoder_block_pc),
        .block_length      (retire_decoder_block_length),
        .block_direct      (retire_decoder_block_direct),
        .block_conditional (retire_decoder_block_conditional),
        .block_indirect    (retire_decoder_block_indirect),
        .block_exception   (retire_decoder_block_exception),
        .block_call        (retire_decoder_block_call),
        .block_return      (retire_decoder_block_return),
        .block_taken       (retire_decoder_block_taken),
        .block_target      (retire_decoder_block_target)
    );

    ntuple_32x4_encoder encoder (
        .clock              (clock),
        .reset              (reset),
        .clear_valid        (sequencer_clear_valid),
        .clear_index        (sequencer_clear_index),
        .retire_valid       (retire_decoder_block_valid),
        .retire_count       (retire_decoder_block_count),
        .retire_pc          (retire_decoder_block_pc),
        .retire_length      (retire_decoder_block_length),
        .retire_direct      (retire_decoder_block_direct),
        .retire_conditional (retire_decoder_block_conditional),
        .retire_indirect    (retire_decoder_block_indirect),
        .retire_exception   (retire_decoder_block_exception),
        .retire_call        (retire_decoder_block_call),
        .retire_return      (retire_decoder_block_return),
        .retire_taken       (retire_decoder_block_taken),
        .retire_target      (retire_decoder_block_target),
        .flush              (encoder_flush),
        .ready              (encoder_ready),
        .is_empty           (encoder_is_empty),
        .record_valid       (encoder_record_valid),
        .record             (encoder_record),
        .record_ready       (back_end_record_ready)
    );

    ntuple_32x4_back_end back_end (
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

    assign sequencer_is_empty = encoder_is_empty & back_end_is_empty;
    assign stall = !(sequencer_tracing & encoder_ready);
    assign retire_decoder_take = !stall;
    assign encoder_flush = sequencer_record_flush & encoder_ready;

endmodule
