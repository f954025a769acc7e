// ntuple-32x4-memory of Tracewright, made by `tracewright generate`.
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
//   stream_buffer_depth = 8
//   tuple_length = 8
//   tuple_history_entries = 255
//   tuple_update = every
//   tuple_search = sequential

// Clears the tables after reset, and takes the module through a flush
module ntuple_32x4_memory_sequencer (
    input  wire       clock,
    input  wire       reset,
    input  wire       flush, // level: the trace ends here
    input  wire       ready, // the compressor takes a block or a flush in this cycle
    input  wire       is_empty, // no record and no bit is left in the module
    output wire       tracing, // blocks are taken while the compressor is ready
    output wire       record_flush, // the compressor makes its flush record when it is ready
    output wire       flushed, // every bit of the trace has left the module
    output wire       clear_valid, // the tables are being cleared
    output wire [5:0] clear_index // the entry to clear, in the lower bits
);

    localparam [1:0] STATE_TRACING = 2'd0; // the state after reset
    localparam [1:0] STATE_RECORDING = 2'd1;
    localparam [1:0] STATE_DRAINING = 2'd2;
    localparam [1:0] STATE_FLUSHED = 2'd3;

    reg        clearing;
    reg  [5:0] index;
    reg  [1:0] state;

    assign clear_valid = clearing;
    assign clear_index = index;
    assign tracing = (state == STATE_TRACING) & !clearing;
    assign record_flush = state == STATE_RECORDING;
    assign flushed = state == STATE_FLUSHED;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'b1;
            index <= 6'd0;
            state <= STATE_TRACING;
        end else begin
            if (clearing) begin
                index <= index + 6'd1;
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
module ntuple_32x4_memory_retire_decoder (
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
module ntuple_32x4_memory_stream_detector (
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
module ntuple_32x4_memory_cut_start (
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
module ntuple_32x4_memory_stream_start (
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

    ntuple_32x4_memory_cut_start cut_start (
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
module ntuple_32x4_memory_stream_buffer (
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
    reg  [3:0]  write_pointer;
    reg  [3:0]  read_pointer;
    reg  [3:0]  waiting;
    reg         aside_valid;
    reg         second; // the first of the word is out
    wire        comes;
    wire        takes;
    reg  [40:0] words_cells [0:8];

    assign in_ready = waiting != 4'd8;
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
            write_pointer <= 4'd0;
            read_pointer <= 4'd0;
            waiting <= 4'd0;
            aside_valid <= 1'b0;
            second <= 1'b0;
        end else begin
            if (first_valid) begin
                write_pointer <= write_pointer + 4'd1;
                if (write_pointer == 4'd8) begin
                    write_pointer <= 4'd0;
                end
            end
            if (in_ready) begin
                aside_valid <= second_valid | (first_valid & aside_valid);
            end
            if (takes) begin
                second <= out_first;
                if (!out_first) begin
                    read_pointer <= read_pointer + 4'd1;
                    if (read_pointer == 4'd8) begin
                        read_pointer <= 4'd0;
                    end
                end
            end
            if (comes > takes) begin
                waiting <= waiting + 4'd1;
            end else if (takes > comes) begin
                waiting <= waiting - 4'd1;
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
module ntuple_32x4_memory_stream_source (
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

    ntuple_32x4_memory_stream_detector detector (
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

    ntuple_32x4_memory_stream_start starts (
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

    ntuple_32x4_memory_stream_buffer buffer (
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

    ntuple_32x4_memory_cut_start second_start (
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
module ntuple_32x4_memory_recency (
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
module ntuple_32x4_memory_stream_cache (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [5:0]  clear_index, // the entry to clear, in the lower bits
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

    ntuple_32x4_memory_recency recency (
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
    assign order_write_address = clear_valid ? clear_index[4:0] : set;
    assign order_write_data = clear_valid ? 6'd0 : recency_order_next;
    assign ways_0_write_enable = used[0] ? clear_valid | update : clear_valid;
    assign ways_0_write_address = clear_valid ? clear_index[4:0] : set;
    assign ways_0_write_data = clear_valid ? 33'd0 : wanted;
    assign ways_1_write_enable = used[1] ? clear_valid | update : clear_valid;
    assign ways_1_write_address = clear_valid ? clear_index[4:0] : set;
    assign ways_1_write_data = clear_valid ? 33'd0 : wanted;
    assign ways_2_write_enable = used[2] ? clear_valid | update : clear_valid;
    assign ways_2_write_address = clear_valid ? clear_index[4:0] : set;
    assign ways_2_write_data = clear_valid ? 33'd0 : wanted;
    assign ways_3_write_enable = used[3] ? clear_valid | update : clear_valid;
    assign ways_3_write_address = clear_valid ? clear_index[4:0] : set;
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

    wire _unused_ok = &{1'b0, clear_index[5], true_length[7:5]};

endmodule

// A ring of tuples, a row of them in as many memories, that is searched from the newest row on
module ntuple_32x4_memory_tuple_search (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [5:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        seeks, // a tuple is sought
    input  wire [55:0] tuple, // the tuple that is sought, and then learned
    input  wire        learn, // the tuple whose age is found is over
    output wire        found, // the age is known
    output wire [7:0]  age // age of the tuple; 0: none
);

    reg  [55:0] tuples_0_read_data;
    wire        tuples_0_write_enable;
    wire [5:0]  tuples_0_write_address;
    wire [55:0] tuples_0_write_data;
    reg  [55:0] tuples_1_read_data;
    wire        tuples_1_write_enable;
    wire [5:0]  tuples_1_write_address;
    wire [55:0] tuples_1_write_data;
    reg  [55:0] tuples_2_read_data;
    wire        tuples_2_write_enable;
    wire [5:0]  tuples_2_write_address;
    wire [55:0] tuples_2_write_data;
    reg  [55:0] tuples_3_read_data;
    wire        tuples_3_write_enable;
    wire [5:0]  tuples_3_write_address;
    wire [55:0] tuples_3_write_data;
    reg  [5:0]  newest_row; // the newest tuple's
    reg  [2:0]  newest_count; // tuples of that row, up to the newest
    reg         compares; // a row has been read and is compared
    reg  [5:0]  next_row; // the row that is read next
    reg  [8:0]  first_age; // age of the tuple in lane 0 of the row that is compared
    reg         is_known;
    reg  [7:0]  known_age;
    wire [5:0]  row;
    wire [3:0]  matching; // lanes with the tuple
    wire [2:0]  lane; // the newest of them
    wire        ends;
    wire        row_is_full;
    wire [5:0]  later_row;
    wire [5:0]  learned_row;
    wire [2:0]  learned_count;
    reg  [55:0] tuples_0_cells [0:63];
    reg  [55:0] tuples_1_cells [0:63];
    reg  [55:0] tuples_2_cells [0:63];
    reg  [55:0] tuples_3_cells [0:63];

    assign found = is_known;
    assign age = known_age;
    assign row = compares ? next_row : newest_row;

    assign matching = {
        (tuples_3_read_data == tuple) & (first_age > 9'd3) & (first_age <= 9'd258),
        (tuples_2_read_data == tuple) & (first_age > 9'd2) & (first_age <= 9'd257),
        (tuples_1_read_data == tuple) & (first_age > 9'd1) & (first_age <= 9'd256),
        (tuples_0_read_data == tuple) & (first_age > 9'd0) & (first_age <= 9'd255)
    };

    assign lane =
        ((tuples_3_read_data == tuple) && (first_age > 9'd3) && (first_age <= 9'd258)) ? 3'd3 :
        ((tuples_2_read_data == tuple) && (first_age > 9'd2) && (first_age <= 9'd257)) ? 3'd2 :
        {2'd0, (tuples_1_read_data == tuple) & (first_age > 9'd1) & (first_age <= 9'd256)};

    assign ends = (first_age >= 9'd255) | (|matching);
    assign row_is_full = newest_count == 3'd4;
    assign later_row = (newest_row == 6'd63) ? 6'd0 : newest_row + 6'd1;
    assign learned_row = row_is_full ? later_row : newest_row;
    assign learned_count = row_is_full ? 3'd1 : newest_count + 3'd1;
    assign tuples_0_write_enable = (learned_count == 3'd1) ? clear_valid | learn : clear_valid;
    assign tuples_0_write_address = clear_valid ? clear_index : learned_row;
    assign tuples_0_write_data = clear_valid ? 56'd0 : tuple;
    assign tuples_1_write_enable = (learned_count == 3'd2) ? clear_valid | learn : clear_valid;
    assign tuples_1_write_address = clear_valid ? clear_index : learned_row;
    assign tuples_1_write_data = clear_valid ? 56'd0 : tuple;
    assign tuples_2_write_enable = (learned_count == 3'd3) ? clear_valid | learn : clear_valid;
    assign tuples_2_write_address = clear_valid ? clear_index : learned_row;
    assign tuples_2_write_data = clear_valid ? 56'd0 : tuple;
    assign tuples_3_write_enable = (learned_count == 3'd4) ? clear_valid | learn : clear_valid;
    assign tuples_3_write_address = clear_valid ? clear_index : learned_row;
    assign tuples_3_write_data = clear_valid ? 56'd0 : tuple;

    always @(posedge clock) begin
        tuples_0_read_data <= tuples_0_cells[row];
    end
    always @(posedge clock) begin
        tuples_1_read_data <= tuples_1_cells[row];
    end
    always @(posedge clock) begin
        tuples_2_read_data <= tuples_2_cells[row];
    end
    always @(posedge clock) begin
        tuples_3_read_data <= tuples_3_cells[row];
    end

    always @(posedge clock) begin
        if (reset) begin
            newest_row <= 6'd0;
            newest_count <= 3'd1;
            compares <= 1'b0;
            next_row <= 6'd0;
            first_age <= 9'd0;
            is_known <= 1'b0;
            known_age <= 8'd0;
        end else begin
            next_row <= row - 6'd1;
            if (!(|row)) begin
                next_row <= 6'd63;
            end
            if (compares) begin
                first_age <= first_age + 9'd4;
                compares <= !ends;
                is_known <= ends;
                known_age <= 8'd0;
                if (|matching) begin
                    known_age <= first_age[7:0] - {5'd0, lane};
                end
            end else begin
                first_age <= {6'd0, newest_count};
                compares <= seeks & !is_known;
                if (learn) begin
                    is_known <= 1'b0;
                end
            end
            if (learn) begin
                newest_row <= learned_row;
                newest_count <= learned_count;
            end
        end
    end

    always @(posedge clock) begin
        if (tuples_0_write_enable) begin
            tuples_0_cells[tuples_0_write_address] <= tuples_0_write_data;
        end
    end

    always @(posedge clock) begin
        if (tuples_1_write_enable) begin
            tuples_1_cells[tuples_1_write_address] <= tuples_1_write_data;
        end
    end

    always @(posedge clock) begin
        if (tuples_2_write_enable) begin
            tuples_2_cells[tuples_2_write_address] <= tuples_2_write_data;
        end
    end

    always @(posedge clock) begin
        if (tuples_3_write_enable) begin
            tuples_3_cells[tuples_3_write_address] <= tuples_3_write_data;
        end
    end

endmodule

// Takes a stream and what the stream cache says of it; a packet of the stream and one of the tuple that it fills leave as one record
module ntuple_32x4_memory_trace_output_controller (
    input  wire         clock,
    input  wire         reset,
    input  wire         clear_valid, // the tables are being cleared
    input  wire [5:0]   clear_index, // the entry to clear, in the lower bits
    input  wire         stream_valid, // a stream is at the inputs
    input  wire [1:0]   end_code, // code of the end; 3: a branch
    input  wire         is_whole, // it goes through the stream cache
    input  wire [7:0]   length, // instructions of the stream
    input  wire [29:0]  start, // in instruction units
    input  wire         cache_hit, // the stream is in the stream cache
    input  wire [6:0]   cache_index, // index of the stream, once it is in the stream cache
    input  wire         take, // never without a stream
    output wire         record_valid, // a record is formed
    output wire [116:0] record, // the record in the format of the layout
    output wire         is_found // the stream completes no tuple whose age is still sought
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
    wire        is_formed; // nothing is to be waited for
    reg  [55:0] tuple;
    wire [55:0] placed_0;
    wire [55:0] placed_1;
    wire [55:0] placed_2;
    wire [55:0] placed_3;
    wire [55:0] placed_4;
    wire [55:0] placed_5;
    wire [55:0] placed_6;
    wire        search_learn;
    wire        search_found;
    wire [7:0]  search_age;

    ntuple_32x4_memory_tuple_search search (
        .clock       (clock),
        .reset       (reset),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .seeks       (completes),
        .tuple       (tuple),
        .learn       (search_learn),
        .found       (search_found),
        .age         (search_age)
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
    assign search_learn = take & completes;
    assign is_formed = !completes | search_found;
    assign is_found = is_formed;
    assign sends_tuple = !(|search_age) & completes;
    assign record_valid = is_formed & (misses | completes | broken);

    assign record = {
        pending_bits,
        tuple,
        count,
        search_age,
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
module ntuple_32x4_memory_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         clear_valid, // the tables are being cleared
    input  wire [5:0]   clear_index, // the entry to clear, in the lower bits
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

    wire        goes; // the stream at the front can leave
    wire        take;
    wire        source_stream_valid;
    wire [1:0]  source_end_code;
    wire        source_is_whole;
    wire [7:0]  source_length;
    wire [29:0] source_start;
    wire        cache_update;
    wire        cache_found;
    wire [6:0]  cache_index;
    wire        controller_is_found;

    ntuple_32x4_memory_stream_source source (
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
        .stream_ready       (goes)
    );

    ntuple_32x4_memory_stream_cache cache (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .start       (source_start),
        .length      (source_length),
        .update      (cache_update),
        .found       (cache_found),
        .index       (cache_index)
    );

    ntuple_32x4_memory_trace_output_controller controller (
        .clock        (clock),
        .reset        (reset),
        .clear_valid  (clear_valid),
        .clear_index  (clear_index),
        .stream_valid (source_stream_valid),
        .end_code     (source_end_code),
        .is_whole     (source_is_whole),
        .length       (source_length),
        .start        (source_start),
        .cache_hit    (cache_found),
        .cache_index  (cache_index),
        .take         (take),
        .record_valid (record_valid),
        .record       (record),
        .is_found     (controller_is_found)
    );

    assign goes = record_ready & controller_is_found;
    assign take = source_stream_valid & goes;
    assign cache_update = take & source_is_whole;

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module ntuple_32x4_memory_fifo_depth2_width117 (
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
module ntuple_32x4_memory_serial_encoder (
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
module ntuple_32x4_memory_bit_packer (
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
module ntuple_32x4_memory_fifo_depth10_width8_has_level1 (
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
module ntuple_32x4_memory_trace_port (
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
module ntuple_32x4_memory_back_end (
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

    ntuple_32x4_memory_fifo_depth2_width117 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_ready),
        .out_valid (next_valid),
        .out_word  (record_queue_out_word),
        .out_ready (serial_encoder_record_ready)
    );

    ntuple_32x4_memory_serial_encoder serial_encoder (
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

    ntuple_32x4_memory_bit_packer bit_packer (
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

    ntuple_32x4_memory_fifo_depth10_width8_has_level1 output_fifo (
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

    ntuple_32x4_memory_trace_port trace_port (
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
module ntuple_32x4_memory (
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
    wire [5:0]   sequencer_clear_index;
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

    ntuple_32x4_memory_sequencer sequencer (
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

    ntuple_32x4_memory_retire_decoder retire_decoder (
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

    ntuple_32x4_memory_encoder encoder (
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

    ntuple_32x4_memory_back_end back_end (
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
