// stream-ebase-32 of Tracewright, made by `tracewright generate`.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 80
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stream_cache_entries = 32
//   stream_cache_ways = 4
//   hash_shift = 4
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   miss_index = reserved
//   last_value_start_address = misses
//   upper_address_bits = 14
//   one_length_counter = true
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle

// Clears the tables after reset, and takes the module through a flush
module stream_ebase_32_sequencer (
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
module stream_ebase_32_retire_decoder (
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
module stream_ebase_32_stream_detector (
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

// Where a stream goes on after a cut: as many instruction units on as the longest has instructions
module stream_ebase_32_cut_start (
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
module stream_ebase_32_stream_start (
    input  wire        clock,
    input  wire        reset,
    input  wire        cut, // comes before any other end in the block
    input  wire        branch_ends, // a stream ends with a branch
    input  wire        excepts, // a stream ends with an exception
    input  wire        flush, // the trace is flushed
    input  wire        direct, // the branch is direct
    input  wire [29:0] target, // in instruction units
    output wire [29:0] first, // start of the first stream that ends in the block
    output wire        first_inferred // the decoder can infer that start
);

    reg  [29:0] start;
    reg         inferred;
    wire [29:0] cut_start_place;

    stream_ebase_32_cut_start cut_start (
        .start   (start),
        .goes_on (cut),
        .place   (cut_start_place)
    );

    assign first = start;
    assign first_inferred = inferred;

    always @(posedge clock) begin
        if (reset) begin
            start <= 30'd0;
            inferred <= 1'b1;
        end else begin
            start <= cut_start_place;
            if (branch_ends || excepts) begin
                start <= target;
                inferred <= branch_ends & direct;
            end else if (cut || flush) begin
                inferred <= 1'b1;
            end
        end
    end

endmodule

// Takes up to two streams per cycle, as long as no two such cycles follow each other without one that brings none; shows one
module stream_ebase_32_stream_buffer (
    input  wire        clock,
    input  wire        reset,
    input  wire        first_valid, // a stream ends; only while in_ready
    input  wire        second_valid, // never without the first
    input  wire [40:0] streams, // properties of both streams
    output wire        in_ready, // streams can be taken; from registers alone
    output wire        out_valid, // a stream waits
    output wire [40:0] out, // properties of both streams of its block
    output wire        out_first, // the first or second of two streams of a block
    output wire        out_second, // the first or second of two streams of a block
    input  wire        out_ready, // the stream is taken
    output wire        is_empty // no stream is inside
);

    wire [41:0] words_read_data;
    reg  [1:0]  write_pointer;
    reg  [1:0]  read_pointer;
    reg  [1:0]  waiting;
    reg         aside_valid;
    reg         second; // the first of the word is out
    wire        comes;
    wire        takes;
    reg  [41:0] words_cells [0:2];

    assign in_ready = waiting != 2'd2;
    assign out_valid = |waiting;
    assign is_empty = !out_valid & !aside_valid;
    assign comes = (first_valid | aside_valid) & in_ready;
    assign out = words_read_data[40:0];
    assign out_second = second;
    assign out_first = words_read_data[41] & !second;
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
module stream_ebase_32_stream_source (
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
    output wire        inferred, // the decoder can infer the start
    input  wire        stream_ready // the stream is taken
);

    localparam [1:0] BRANCH_CODE = 2'd3;
    localparam [1:0] CUT_CODE = 2'd0;
    localparam [1:0] EXCEPTION_CODE = 2'd1;
    localparam [1:0] FLUSH_CODE = 2'd2;

    wire        ends; // a stream besides a cut one
    wire [1:0]  ending;
    wire [40:0] streams;
    wire [40:0] stored;
    wire        detector_cut;
    wire        detector_branch_ends;
    wire        detector_excepts;
    wire [7:0]  detector_length;
    wire [29:0] starts_first;
    wire        starts_first_inferred;
    wire        buffer_first_valid;
    wire        buffer_second_valid;
    wire        buffer_out_first;
    wire        buffer_out_second;

    wire [1:0]  stored_end_code = stored[1:0];
    wire [7:0]  stored_length = stored[9:2];
    wire [29:0] stored_start = stored[39:10];
    wire        stored_inferred = stored[40];

    stream_ebase_32_stream_detector detector (
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

    stream_ebase_32_stream_start starts (
        .clock          (clock),
        .reset          (reset),
        .cut            (detector_cut),
        .branch_ends    (detector_branch_ends),
        .excepts        (detector_excepts),
        .flush          (flush),
        .direct         (retire_direct),
        .target         (retire_target[31:2]),
        .first          (starts_first),
        .first_inferred (starts_first_inferred)
    );

    stream_ebase_32_stream_buffer buffer (
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

    stream_ebase_32_cut_start second_start (
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
    assign streams = {starts_first_inferred, starts_first, detector_length, ending};
    assign end_code = buffer_out_first ? CUT_CODE : stored_end_code;
    assign is_whole = (end_code == BRANCH_CODE) | (end_code == CUT_CODE);
    assign length = (end_code != CUT_CODE) ? stored_length : 8'd0;
    assign inferred = stored_inferred | buffer_out_second;

endmodule

// From a set's order and the way now used, the way to replace and the order afterwards
module stream_ebase_32_recency (
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
module stream_ebase_32_stream_cache (
    input  wire        clock,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [4:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [29:0] start, // in instruction units
    input  wire [7:0]  length, // 0 if it is cut
    input  wire        update, // the stream is used: stored if it was not found, its way becomes the most recent
    output wire        found, // the stream is in the cache
    output wire [4:0]  index // index of the stream: where it is, or where it is stored
);

    wire [7:0]  true_length;
    wire [2:0]  set;
    wire        is_set_0;
    wire [34:0] wanted;
    reg  [3:0]  matching;
    wire [3:0]  used;
    wire [1:0]  way_index;
    wire [5:0]  order_read_data;
    wire        order_write_enable;
    wire [2:0]  order_write_address;
    wire [5:0]  order_write_data;
    wire [34:0] ways_0_read_data;
    wire        ways_0_write_enable;
    wire [2:0]  ways_0_write_address;
    wire [34:0] ways_0_write_data;
    wire [34:0] ways_1_read_data;
    wire        ways_1_write_enable;
    wire [2:0]  ways_1_write_address;
    wire [34:0] ways_1_write_data;
    wire [34:0] ways_2_read_data;
    wire        ways_2_write_enable;
    wire [2:0]  ways_2_write_address;
    wire [34:0] ways_2_write_data;
    wire [34:0] ways_3_read_data;
    wire        ways_3_write_enable;
    wire [2:0]  ways_3_write_address;
    wire [34:0] ways_3_write_data;
    wire [5:0]  recency_order;
    wire [3:0]  recency_oldest;
    wire [5:0]  recency_order_next;
    reg  [5:0]  order_cells [0:7];
    reg  [34:0] ways_0_cells [0:7];
    reg  [34:0] ways_1_cells [0:7];
    reg  [34:0] ways_2_cells [0:7];
    reg  [34:0] ways_3_cells [0:7];

    stream_ebase_32_recency recency (
        .order      (recency_order),
        .used       (used),
        .oldest     (recency_oldest),
        .order_next (recency_order_next)
    );

    assign true_length = (|length) ? length : 8'd255;
    assign set = start[4:2] ^ true_length[2:0];
    assign is_set_0 = !(|set);
    assign wanted = {start[29:5], start[1:0], length};

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
    assign order_write_address = clear_valid ? clear_index[2:0] : set;
    assign order_write_data = clear_valid ? 6'd0 : recency_order_next;
    assign ways_0_write_enable = used[0] ? clear_valid | update : clear_valid;
    assign ways_0_write_address = clear_valid ? clear_index[2:0] : set;
    assign ways_0_write_data = clear_valid ? 35'd0 : wanted;
    assign ways_1_write_enable = used[1] ? clear_valid | update : clear_valid;
    assign ways_1_write_address = clear_valid ? clear_index[2:0] : set;
    assign ways_1_write_data = clear_valid ? 35'd0 : wanted;
    assign ways_2_write_enable = used[2] ? clear_valid | update : clear_valid;
    assign ways_2_write_address = clear_valid ? clear_index[2:0] : set;
    assign ways_2_write_data = clear_valid ? 35'd0 : wanted;
    assign ways_3_write_enable = used[3] ? clear_valid | update : clear_valid;
    assign ways_3_write_address = clear_valid ? clear_index[2:0] : set;
    assign ways_3_write_data = clear_valid ? 35'd0 : wanted;
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

    wire _unused_ok = &{1'b0, clear_index[4:3], true_length[7:3]};

endmodule

// A table of stream indices, looked up by the previous index
module stream_ebase_32_last_stream_predictor (
    input  wire       clock,
    input  wire       reset,
    input  wire       clear_valid, // the tables are being cleared
    input  wire [4:0] clear_index, // the entry to clear, in the lower bits
    input  wire [4:0] index, // index of the stream
    input  wire       update, // the table learns the index
    output wire [4:0] prediction // 0 is none
);

    reg  [4:0] previous_index;
    wire [4:0] entries_read_data;
    wire       entries_write_enable;
    wire [4:0] entries_write_address;
    wire [4:0] entries_write_data;
    reg  [4:0] entries_cells [0:31];

    assign prediction = entries_read_data;
    assign entries_write_enable = update | clear_valid;
    assign entries_write_address = clear_valid ? clear_index : previous_index;
    assign entries_write_data = clear_valid ? 5'd0 : index;
    assign entries_read_data = entries_cells[previous_index];

    always @(posedge clock) begin
        if (reset) begin
            previous_index <= 5'd0;
        end else begin
            if (update) begin
                previous_index <= index;
            end
        end
    end

    always @(posedge clock) begin
        if (entries_write_enable) begin
            entries_cells[entries_write_address] <= entries_write_data;
        end
    end

endmodule

// One register of upper bits
module stream_ebase_32_start_address_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire [29:0] start, // in instruction units
    input  wire        update, // the start of a stream is learned
    input  wire        sent, // the start is sent in the trace
    output wire        matching // the start has the upper bits of the last one
);

    reg  [13:0] upper;
    wire [13:0] start_upper;

    assign start_upper = start[29:16];
    assign matching = start_upper == upper;

    always @(posedge clock) begin
        if (reset) begin
            upper <= 14'd0;
        end else begin
            if (update && sent) begin
                upper <= start_upper;
            end
        end
    end

    wire _unused_ok = &{1'b0, start[15:0]};

endmodule

// Counts right predictions; a run leaves when it ends, or goes on beyond the longest
module stream_ebase_32_one_length_counter (
    input  wire       clock,
    input  wire       reset,
    input  wire       hit, // a stream was predicted
    input  wire       ends, // another record is made
    output wire       sends, // a run is sent
    output wire [9:0] run, // its length less 1
    output wire [3:0] run_bits // bits of the run in the trace, with its header bit
);

    reg        running;
    reg  [9:0] count; // the run at hand less 1
    reg  [3:0] size; // of the longest run and a header bit
    reg  [3:0] monitor;
    wire [9:0] ones; // the longest run less 1: as many ones as the size
    wire [9:0] ones_below; // one less
    wire       begins;
    wire       is_full;
    wire       went_on;
    wire       is_short;
    wire       grows;
    wire       shrinks;
    wire       steps_down;
    wire [3:0] size_step;
    wire [3:0] monitor_step;

    assign ones = {
        size > 4'd10,
        size > 4'd9,
        size > 4'd8,
        size > 4'd7,
        size > 4'd6,
        size > 4'd5,
        size > 4'd4,
        size > 4'd3,
        size > 4'd2,
        size > 4'd1
    };

    assign ones_below = {1'b0, ones[9:1]};
    assign is_full = &(count | ~ones);
    assign went_on = hit & running & is_full;
    assign is_short = !(&(count | ~ones_below)) & !(|(count & ones & ~ones_below));
    assign sends = went_on | (ends & running);
    assign run = count;
    assign run_bits = size;
    assign begins = hit & (!running | is_full);
    assign grows = (monitor > 4'd11) & went_on;
    assign steps_down = ends & running & is_short;
    assign shrinks = (monitor < 4'd2) & steps_down;
    assign size_step = (shrinks && (size != 4'd1)) ? 4'd15 : {3'd0, grows & (size != 4'd11)};

    assign monitor_step =
        steps_down ? 4'd15 :
        went_on ? 4'd3 :
        4'd0;

    always @(posedge clock) begin
        if (reset) begin
            running <= 1'b0;
            count <= 10'd0;
            size <= 4'd5;
            monitor <= 4'd8;
        end else begin
            running <= hit | (running & !ends);
            count <= count + {9'd0, hit};
            if (begins) begin
                count <= 10'd0;
            end
            size <= size + size_step;
            monitor <= monitor + monitor_step;
            if (grows || shrinks) begin
                monitor <= 4'd8;
            end
        end
    end

endmodule

// Looks a stream up in the cache and the predictor, updates both, and forms a record if one is due
module stream_ebase_32_record_former (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [4:0]  clear_index, // the entry to clear, in the lower bits
    input  wire        stream_valid, // a stream waits
    input  wire [29:0] start, // in instruction units
    input  wire        inferred, // the decoder can infer the start
    input  wire [1:0]  end_code, // 0 cut, 1 exception, 2 flush, 3 branch
    input  wire        is_whole, // it does not end with an exception or a flush
    input  wire [7:0]  length, // length of the stream, 0 if it is cut
    output wire        record_valid, // a record is formed
    output wire [67:0] record, // the record in the format of the layout
    input  wire        record_ready // the record is taken
);

    localparam [1:0] BRANCH_CODE = 2'd3;
    localparam [1:0] FLUSH_CODE = 2'd2;

    wire       steps;
    wire       whole_hit;
    wire       predicted;
    wire       sends_index;
    wire       misses;
    wire       sends_start;
    wire       has_code;
    wire [4:0] index;
    wire       cache_update;
    wire       cache_found;
    wire [4:0] cache_index;
    wire [4:0] predictor_index;
    wire       predictor_update;
    wire [4:0] predictor_prediction;
    wire       start_addresses_matching;
    wire       counter_hit;
    wire       counter_ends;
    wire       counter_sends;
    wire [9:0] counter_run;
    wire [3:0] counter_run_bits;

    stream_ebase_32_stream_cache cache (
        .clock       (clock),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .start       (start),
        .length      (length),
        .update      (cache_update),
        .found       (cache_found),
        .index       (cache_index)
    );

    stream_ebase_32_last_stream_predictor predictor (
        .clock       (clock),
        .reset       (reset),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .index       (predictor_index),
        .update      (predictor_update),
        .prediction  (predictor_prediction)
    );

    stream_ebase_32_start_address_predictor start_addresses (
        .clock    (clock),
        .reset    (reset),
        .start    (start),
        .update   (steps),
        .sent     (sends_start),
        .matching (start_addresses_matching)
    );

    stream_ebase_32_one_length_counter counter (
        .clock    (clock),
        .reset    (reset),
        .hit      (counter_hit),
        .ends     (counter_ends),
        .sends    (counter_sends),
        .run      (counter_run),
        .run_bits (counter_run_bits)
    );

    assign steps = stream_valid & record_ready;
    assign cache_update = steps & is_whole;
    assign whole_hit = is_whole & cache_found;
    assign predicted = (predictor_prediction == cache_index) & whole_hit;
    assign predictor_update = steps & is_whole;
    assign predictor_index = whole_hit ? cache_index : 5'd0;
    assign sends_index = !predicted;
    assign misses = !whole_hit;
    assign counter_hit = steps & predicted;
    assign counter_ends = steps & !predicted;
    assign sends_start = misses & !inferred;
    assign has_code = end_code != BRANCH_CODE;
    assign index = misses ? 5'd0 : cache_index;
    assign record_valid = stream_valid & (counter_sends | sends_index);

    assign record = {
        counter_run_bits,
        end_code,
        length,
        start,
        sends_start & !start_addresses_matching,
        index,
        1'b0,
        counter_run,
        counter_sends,
        misses & !is_whole,
        misses & has_code,
        misses & !has_code,
        sends_start & start_addresses_matching,
        sends_index,
        end_code == FLUSH_CODE
    };

endmodule

// Streams are buffered for one cycle; a record leaves in the cycle in which its stream is looked up
module stream_ebase_32_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [4:0]  clear_index, // the entry to clear, in the lower bits
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
    output wire [67:0] record,
    input  wire        record_ready
);

    wire        source_stream_valid;
    wire [1:0]  source_end_code;
    wire        source_is_whole;
    wire [7:0]  source_length;
    wire [29:0] source_start;
    wire        source_inferred;

    stream_ebase_32_stream_source source (
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
        .inferred           (source_inferred),
        .stream_ready       (record_ready)
    );

    stream_ebase_32_record_former record_former (
        .clock        (clock),
        .reset        (reset),
        .clear_valid  (clear_valid),
        .clear_index  (clear_index),
        .stream_valid (source_stream_valid),
        .start        (source_start),
        .inferred     (source_inferred),
        .end_code     (source_end_code),
        .is_whole     (source_is_whole),
        .length       (source_length),
        .record_valid (record_valid),
        .record       (record),
        .record_ready (record_ready)
    );

endmodule

// Words in their order, the oldest shown at once: depth words of width bits
module stream_ebase_32_fifo_depth2_width68 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [67:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [67:0] out_word,
    input  wire        out_ready
);

    wire [67:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg         is_filled; // more words came than went since the pointers were equal last
    wire        is_full;
    wire        puts;
    wire        takes;
    reg  [67:0] words_cells [0:1];

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
module stream_ebase_32_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid, // without registers it stays until it is taken
    input  wire [67:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits, // bits of the piece, the first one lowest
    output wire        piece_last, // fill the trace word up with zeros after the piece
    input  wire        piece_ready
);

    reg  [5:0]  sent; // stages of the record that are out
    reg  [1:0]  index; // the piece of the slot
    wire [7:0]  flags; // slots that are sent
    wire [5:0]  stages; // stages that send one
    wire [5:0]  pending;
    wire [5:0]  current; // one hot
    reg  [7:0]  active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [10:0] hit_value;
    wire [5:0]  index_value;
    wire [30:0] whole_start_value;
    wire [16:0] lower_start_value;
    wire [7:0]  length_value;
    wire [1:0]  end_value_2;
    wire [7:0]  partial_value;
    wire [3:0]  hit_raw_size;
    wire [4:0]  hit_size;
    reg  [4:0]  left;

    assign flags = {record[5:4], record[4:2], record[23], record[1], record[6]};
    assign stages = {record[5:4], record[3] | record[4], record[23] | record[2], record[1], record[6]};
    assign pending = stages & ~sent;
    assign current = pending & (~pending + 6'd1);
    assign is_last = pending == current;

    always @* begin
        active = 8'd0;
        if (current[0]) begin
            active = {7'd0, flags[0]};
        end
        if (current[1]) begin
            active[1] = flags[1];
        end
        if (current[2]) begin
            active[2] = flags[2];
            active[3] = flags[3];
        end
        if (current[3]) begin
            active[4] = flags[4];
            active[5] = flags[5];
        end
        if (current[4]) begin
            active[6] = flags[6];
        end
        if (current[5]) begin
            active[7] = flags[7];
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[0]) begin
            if (index == 2'd0) begin
                piece = hit_value[7:0];
            end
            if (index == 2'd1) begin
                piece = {5'd0, hit_value[10:8]};
            end
        end
        if (active[1]) begin
            piece = piece | {2'd0, index_value};
        end
        if (active[2]) begin
            case (index)
                2'd0: piece = whole_start_value[7:0];
                2'd1: piece = whole_start_value[15:8];
                2'd2: piece = whole_start_value[23:16];
                2'd3: piece = {1'b0, whole_start_value[30:24]};
            endcase
        end
        if (active[3]) begin
            case (index)
                2'd0: piece = lower_start_value[7:0];
                2'd1: piece = lower_start_value[15:8];
                2'd2: piece = {7'd0, lower_start_value[16]};
                default: ;
            endcase
        end
        if (active[4]) begin
            piece = piece | length_value;
        end
        if (active[6]) begin
            piece = piece | {6'd0, end_value_2};
        end
        if (active[7]) begin
            piece = piece | partial_value;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'b0;
        left = 5'd0;
        if (active[0]) begin
            if (index == 2'd0) begin
                left = hit_size;
            end
            if (index == 2'd1) begin
                left = hit_size - 5'd8;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[1]) begin
            piece_bits = piece_bits | 4'd6;
        end
        if (active[2]) begin
            case (index)
                2'd0: left = 5'd31;
                2'd1: left = 5'd23;
                2'd2: left = 5'd15;
                2'd3: left = 5'd7;
            endcase
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[3]) begin
            case (index)
                2'd0: left = 5'd17;
                2'd1: left = 5'd9;
                2'd2: left = 5'd1;
                default: ;
            endcase
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'b1;
            end
        end
        if (active[4]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[5]) begin
            piece_bits = piece_bits | 4'd8;
        end
        if (active[6]) begin
            piece_bits = piece_bits | 4'd2;
        end
        if (active[7]) begin
            piece_bits = piece_bits | 4'd8;
        end
    end

    assign hit_value = record[16:6];
    assign hit_size = {1'b0, hit_raw_size};
    assign hit_raw_size = record[67:64];
    assign index_value = record[22:17];
    assign whole_start_value = record[53:23];
    assign lower_start_value = record[39:23];
    assign length_value = record[61:54];
    assign end_value_2 = record[63:62];
    assign partial_value = record[61:54];
    assign piece_valid = record_valid;
    assign piece_last = record[0] & is_last & !more;
    assign record_ready = piece_ready & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 6'd0;
            index <= 2'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 2'd1;
                end else begin
                    index <= 2'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 6'd0;
                    end
                end
            end
        end
    end

endmodule

// Collects pieces, first bit lowest, until a word is full; on request fills one up with zeros
module stream_ebase_32_bit_packer (
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
module stream_ebase_32_fifo_depth10_width8_has_level1 (
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
module stream_ebase_32_trace_port (
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
module stream_ebase_32_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [67:0] record,
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
    wire [67:0] record_queue_out_word;
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

    stream_ebase_32_fifo_depth2_width68 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_ready),
        .out_valid (next_valid),
        .out_word  (record_queue_out_word),
        .out_ready (serial_encoder_record_ready)
    );

    stream_ebase_32_serial_encoder serial_encoder (
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

    stream_ebase_32_bit_packer bit_packer (
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

    stream_ebase_32_fifo_depth10_width8_has_level1 output_fifo (
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

    stream_ebase_32_trace_port trace_port (
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

// Stream detector, stream buffer, stream cache, predictor, record former, and the way out
module stream_ebase_32 (
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

    wire        sequencer_is_empty;
    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_clear_valid;
    wire [4:0]  sequencer_clear_index;
    wire        retire_decoder_take;
    wire        retire_decoder_block_valid;
    wire [3:0]  retire_decoder_block_count;
    wire [31:0] retire_decoder_block_pc;
    wire [3:0]  retire_decoder_block_length;
    wire        retire_decoder_block_direct;
    wire        retire_decoder_block_conditional;
    wire        retire_decoder_block_indirect;
    wire        retire_decoder_block_exception;
    wire        retire_decoder_block_call;
    wire        retire_decoder_block_return;
    wire        retire_decoder_block_taken;
    wire [31:0] retire_decoder_block_target;
    wire        encoder_flush;
    wire        encoder_ready;
    wire        encoder_is_empty;
    wire        encoder_record_valid;
    wire [67:0] encoder_record;
    wire        back_end_record_ready;
    wire        back_end_is_empty;

    stream_ebase_32_sequencer sequencer (
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

    stream_ebase_32_retire_decoder retire_decoder (
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

    stream_ebase_32_encoder encoder (
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

    stream_ebase_32_back_end back_end (
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
