// ntuple-32x4 of Tracewright, scheme ntuple.
// Generated; to change it, change the parameters and run `tracewright generate` again.
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
// verilator lint_off DECLFILENAME
// One file holds every module of the design; `tracewright generate --split` writes one file per module.

// sequencer: clear_bits = 5

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

    reg        clearing;
    reg  [4:0] index;
    wire [4:0] entry;
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
            index <= 5'd0;
            state <= 2'd0;
        end else begin
            if (clearing) begin
                index <= index + 5'd1;
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

// retire_decoder

module ntuple_32x4_retire_decoder (
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

// stream_detector: length_bits = 8, count_bits = 4

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
    reg  [8:0] total; // instructions so far, all of the block's
    reg        is_longest;

    assign branch_ends = retire_valid & retire_taken & (retire_direct | retire_indirect);
    assign excepts = retire_valid & retire_exception;

    always @* begin
        total = {1'd0, counted};
        if (retire_valid) begin
            total = {1'd0, counted} + {5'd0, retire_count};
        end
    end

    always @* begin
        is_longest = 1'd0;
        if (&total[7:0]) begin
            is_longest = !branch_ends;
        end
    end

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

// cut_start: start_bits = 30, length_bits = 8

module ntuple_32x4_cut_start (
    input  wire [29:0] start, // in instruction units
    input  wire        goes_on, // it continues after the cut
    output wire [29:0] place // start of the next stream, or of this one if it is not cut
);

    wire [7:0]  lower;
    reg         carry;
    wire [21:0] upper;

    assign lower = start[7:0] - {7'd0, goes_on};

    always @* begin
        carry = 1'd0;
        if (|start[7:0]) begin
            carry = goes_on;
        end
    end

    assign upper = start[29:8] + {21'd0, carry};
    assign place = {upper, lower};

endmodule

// stream_start: start_bits = 30, length_bits = 8, infers = 0

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

// stream_buffer: depth = 2, width = 40

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
            aside_valid <= 1'd0;
            second <= 1'd0;
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

// stream_source

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
    output reg  [1:0]  end_code, // code of the end; 3: a branch
    output wire        is_whole, // it ends with a branch or a cut
    output reg  [7:0]  length, // 0: cut
    output wire [29:0] start, // in instruction units
    input  wire        stream_ready // the stream is taken
);

    wire        ends; // a stream besides a cut one
    reg  [1:0]  ending;
    wire [39:0] streams;
    wire [39:0] stored;
    wire        detector_cut;
    wire        detector_branch_ends;
    wire        detector_excepts;
    wire [7:0]  detector_length;
    wire [29:0] starts_first;
    wire        buffer_first_valid;
    wire        buffer_second_valid;
    wire        buffer_in_ready;
    wire        buffer_out_valid;
    wire [39:0] buffer_out;
    wire        buffer_out_first;
    wire        buffer_out_second;
    wire        buffer_is_empty;
    wire [29:0] second_start_place;

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
        .in_ready     (buffer_in_ready),
        .out_valid    (buffer_out_valid),
        .out          (buffer_out),
        .out_first    (buffer_out_first),
        .out_second   (buffer_out_second),
        .out_ready    (stream_ready),
        .is_empty     (buffer_is_empty)
    );

    ntuple_32x4_cut_start second_start (
        .start   (stored[39:10]),
        .goes_on (buffer_out_second),
        .place   (second_start_place)
    );

    assign ready = buffer_in_ready;
    assign is_empty = buffer_is_empty;
    assign ends = detector_branch_ends | detector_excepts | flush;

    always @* begin
        ending = 2'd0;
        if (detector_branch_ends) begin
            ending = 2'd3;
        end else if (detector_excepts) begin
            ending = 2'd1;
        end else if (flush) begin
            ending = 2'd2;
        end
    end

    assign buffer_first_valid = detector_cut | ends;
    assign buffer_second_valid = detector_cut & ends;
    assign streams = {starts_first, detector_length, ending};
    assign stream_valid = buffer_out_valid;
    assign stored = buffer_out;

    always @* begin
        end_code = stored[1:0];
        if (buffer_out_first) begin
            end_code = 2'd0;
        end
    end

    assign is_whole = (end_code == 2'd3) | (end_code == 2'd0);

    always @* begin
        length = 8'd0;
        if (end_code != 2'd0) begin
            length = stored[9:2];
        end
    end

    assign start = second_start_place;

endmodule

// recency: ways = 4

module ntuple_32x4_recency (
    input  wire [5:0] order, // the order as stored, one bit per pair of ways
    input  wire [3:0] used, // one hot
    output reg  [3:0] oldest, // one hot
    output reg  [5:0] order_next // the order to store
);

    always @* begin
        order_next = order;
        if (used[0]) begin
            order_next = {order_next[5:1], 1'd1};
        end else if (used[1]) begin
            order_next = {order_next[5:1], 1'd0};
        end
        if (used[0]) begin
            order_next = {order_next[5:2], 1'd1, order_next[0]};
        end else if (used[2]) begin
            order_next = {order_next[5:2], 1'd0, order_next[0]};
        end
        if (used[0]) begin
            order_next = {order_next[5:3], 1'd1, order_next[1:0]};
        end else if (used[3]) begin
            order_next = {order_next[5:3], 1'd0, order_next[1:0]};
        end
        if (used[1]) begin
            order_next = {order_next[5:4], 1'd1, order_next[2:0]};
        end else if (used[2]) begin
            order_next = {order_next[5:4], 1'd0, order_next[2:0]};
        end
        if (used[1]) begin
            order_next = {order_next[5], 1'd1, order_next[3:0]};
        end else if (used[3]) begin
            order_next = {order_next[5], 1'd0, order_next[3:0]};
        end
        if (used[2]) begin
            order_next = {1'd1, order_next[4:0]};
        end else if (used[3]) begin
            order_next = {1'd0, order_next[4:0]};
        end
    end

    always @* begin
        oldest = 4'd1;
        if (order[0]) begin
            oldest = 4'd0;
        end
        if (order[1]) begin
            oldest = {oldest[3:1], 1'd0};
        end
        if (order[2]) begin
            oldest = {oldest[3:1], 1'd0};
        end
        oldest = {oldest[3:2], 1'd1, oldest[0]};
        if (!order[0]) begin
            oldest = {oldest[3:2], 1'd0, oldest[0]};
        end
        if (order[3]) begin
            oldest = {oldest[3:2], 1'd0, oldest[0]};
        end
        if (order[4]) begin
            oldest = {oldest[3:2], 1'd0, oldest[0]};
        end
        oldest = {oldest[3], 1'd1, oldest[1:0]};
        if (!order[1]) begin
            oldest = {oldest[3], 1'd0, oldest[1:0]};
        end
        if (!order[3]) begin
            oldest = {oldest[3], 1'd0, oldest[1:0]};
        end
        if (order[5]) begin
            oldest = {oldest[3], 1'd0, oldest[1:0]};
        end
        oldest = {1'd1, oldest[2:0]};
        if (!order[2]) begin
            oldest = {1'd0, oldest[2:0]};
        end
        if (!order[4]) begin
            oldest = {1'd0, oldest[2:0]};
        end
        if (!order[5]) begin
            oldest = {1'd0, oldest[2:0]};
        end
    end

endmodule

// stream_cache: sets = 32, ways = 4, start_bits = 30, length_bits = 8, hash_shift = 6

module ntuple_32x4_stream_cache (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [4:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [29:0] start, // in instruction units
    input  wire [7:0]  length, // 0 if it is cut
    input  wire        update, // the stream is used: stored if it was not found, its way becomes the most recent
    output wire        found, // the stream is in the cache
    output wire [6:0]  index // index of the stream: where it is, or where it is stored
);

    reg  [7:0]  true_length;
    wire [4:0]  set;
    wire        is_set_0;
    wire [32:0] wanted;
    reg  [3:0]  matching;
    reg  [3:0]  used;
    reg  [1:0]  way_index;
    wire [5:0]  order_read_data;
    wire        order_write_enable;
    reg  [4:0]  order_write_address;
    reg  [5:0]  order_write_data;
    wire [32:0] ways_0_read_data;
    reg         ways_0_write_enable;
    reg  [4:0]  ways_0_write_address;
    reg  [32:0] ways_0_write_data;
    wire [32:0] ways_1_read_data;
    reg         ways_1_write_enable;
    reg  [4:0]  ways_1_write_address;
    reg  [32:0] ways_1_write_data;
    wire [32:0] ways_2_read_data;
    reg         ways_2_write_enable;
    reg  [4:0]  ways_2_write_address;
    reg  [32:0] ways_2_write_data;
    wire [32:0] ways_3_read_data;
    reg         ways_3_write_enable;
    reg  [4:0]  ways_3_write_address;
    reg  [32:0] ways_3_write_data;
    reg  [5:0]  recency_order;
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

    always @* begin
        true_length = length;
        if (!(|length)) begin
            true_length = 8'd255;
        end
    end

    assign set = start[8:4] ^ true_length[4:0];
    assign is_set_0 = !(|set);
    assign wanted = {start[29:9], start[3:0], length};

    always @* begin
        matching = 4'd0;
        if ((ways_0_read_data == wanted) && !is_set_0) begin
            matching = 4'd1;
        end
        if (!(|matching) && (ways_1_read_data == wanted)) begin
            matching = {matching[3:2], 1'd1, matching[0]};
        end
        if (!(|matching) && (ways_2_read_data == wanted)) begin
            matching = {matching[3], 1'd1, matching[1:0]};
        end
        if (!(|matching) && (ways_3_read_data == wanted)) begin
            matching = {1'd1, matching[2:0]};
        end
    end

    assign found = |matching;

    always @* begin
        recency_order = order_read_data;
        if (is_set_0) begin
            recency_order = order_read_data | 6'd7;
        end
    end

    always @* begin
        used = matching;
        if (!(|matching)) begin
            used = recency_oldest;
            if (is_set_0) begin
                used = recency_oldest & 4'd14;
            end
        end
    end

    always @* begin
        way_index = 2'd0;
        if (used[0]) begin
            way_index = 2'd0;
        end
        if (used[1]) begin
            way_index = 2'd1;
        end
        if (used[2]) begin
            way_index = 2'd2;
        end
        if (used[3]) begin
            way_index = 2'd3;
        end
    end

    assign index = {set, way_index};
    assign order_write_enable = update | clear_valid;

    always @* begin
        order_write_address = set;
        if (clear_valid) begin
            order_write_address = clear_index;
        end
    end

    always @* begin
        order_write_data = recency_order_next;
        if (clear_valid) begin
            order_write_data = 6'd0;
        end
    end

    always @* begin
        ways_0_write_enable = clear_valid;
        if (used[0]) begin
            ways_0_write_enable = clear_valid | update;
        end
    end

    always @* begin
        ways_0_write_address = set;
        if (clear_valid) begin
            ways_0_write_address = clear_index;
        end
    end

    always @* begin
        ways_0_write_data = wanted;
        if (clear_valid) begin
            ways_0_write_data = 33'd0;
        end
    end

    always @* begin
        ways_1_write_enable = clear_valid;
        if (used[1]) begin
            ways_1_write_enable = clear_valid | update;
        end
    end

    always @* begin
        ways_1_write_address = set;
        if (clear_valid) begin
            ways_1_write_address = clear_index;
        end
    end

    always @* begin
        ways_1_write_data = wanted;
        if (clear_valid) begin
            ways_1_write_data = 33'd0;
        end
    end

    always @* begin
        ways_2_write_enable = clear_valid;
        if (used[2]) begin
            ways_2_write_enable = clear_valid | update;
        end
    end

    always @* begin
        ways_2_write_address = set;
        if (clear_valid) begin
            ways_2_write_address = clear_index;
        end
    end

    always @* begin
        ways_2_write_data = wanted;
        if (clear_valid) begin
            ways_2_write_data = 33'd0;
        end
    end

    always @* begin
        ways_3_write_enable = clear_valid;
        if (used[3]) begin
            ways_3_write_enable = clear_valid | update;
        end
    end

    always @* begin
        ways_3_write_address = set;
        if (clear_valid) begin
            ways_3_write_address = clear_index;
        end
    end

    always @* begin
        ways_3_write_data = wanted;
        if (clear_valid) begin
            ways_3_write_data = 33'd0;
        end
    end

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

    wire _unused_ok = &{1'b0, reset, true_length[7:5]};

endmodule

// tuple_history_buffer: entries = 255, tuple_length = 8, index_bits = 7, learns_every = 1

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
    reg  [254:0]  so_far;
    reg  [1784:0] column;
    reg  [254:0]  now;
    reg  [254:0]  newest; // one hot
    wire [6:0]    tuple_index_0;
    wire [6:0]    tuple_index_1;
    wire [6:0]    tuple_index_2;
    wire [6:0]    tuple_index_3;
    wire [6:0]    tuple_index_4;
    wire [6:0]    tuple_index_5;
    wire [6:0]    tuple_index_6;
    wire [6:0]    tuple_index_7;
    wire          pushes;

    always @* begin
        so_far = matching;
        if (!(|place)) begin
            so_far = 255'h7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff;
        end
    end

    always @* begin
        column = 1785'd0;
        if (valid && (place == 3'd0)) begin
            column = columns_0;
        end
        if (valid && (place == 3'd1)) begin
            column = columns_1;
        end
        if (valid && (place == 3'd2)) begin
            column = columns_2;
        end
        if (valid && (place == 3'd3)) begin
            column = columns_3;
        end
        if (valid && (place == 3'd4)) begin
            column = columns_4;
        end
        if (valid && (place == 3'd5)) begin
            column = columns_5;
        end
        if (valid && (place == 3'd6)) begin
            column = columns_6;
        end
        if (valid && (place == 3'd7)) begin
            column = columns_7;
        end
    end

    always @* begin
        now = 255'd0;
        if (valid) begin
            if ((column[6:0] == index) && so_far[0]) begin
                now = 255'd1;
            end
            if ((column[13:7] == index) && so_far[1]) begin
                now = {now[254:2], 1'd1, now[0]};
            end
            if ((column[20:14] == index) && so_far[2]) begin
                now = {now[254:3], 1'd1, now[1:0]};
            end
            if ((column[27:21] == index) && so_far[3]) begin
                now = {now[254:4], 1'd1, now[2:0]};
            end
            if ((column[34:28] == index) && so_far[4]) begin
                now = {now[254:5], 1'd1, now[3:0]};
            end
            if ((column[41:35] == index) && so_far[5]) begin
                now = {now[254:6], 1'd1, now[4:0]};
            end
            if ((column[48:42] == index) && so_far[6]) begin
                now = {now[254:7], 1'd1, now[5:0]};
            end
            if ((column[55:49] == index) && so_far[7]) begin
                now = {now[254:8], 1'd1, now[6:0]};
            end
            if ((column[62:56] == index) && so_far[8]) begin
                now = {now[254:9], 1'd1, now[7:0]};
            end
            if ((column[69:63] == index) && so_far[9]) begin
                now = {now[254:10], 1'd1, now[8:0]};
            end
            if ((column[76:70] == index) && so_far[10]) begin
                now = {now[254:11], 1'd1, now[9:0]};
            end
            if ((column[83:77] == index) && so_far[11]) begin
                now = {now[254:12], 1'd1, now[10:0]};
            end
            if ((column[90:84] == index) && so_far[12]) begin
                now = {now[254:13], 1'd1, now[11:0]};
            end
            if ((column[97:91] == index) && so_far[13]) begin
                now = {now[254:14], 1'd1, now[12:0]};
            end
            if ((column[104:98] == index) && so_far[14]) begin
                now = {now[254:15], 1'd1, now[13:0]};
            end
            if ((column[111:105] == index) && so_far[15]) begin
                now = {now[254:16], 1'd1, now[14:0]};
            end
            if ((column[118:112] == index) && so_far[16]) begin
                now = {now[254:17], 1'd1, now[15:0]};
            end
            if ((column[125:119] == index) && so_far[17]) begin
                now = {now[254:18], 1'd1, now[16:0]};
            end
            if ((column[132:126] == index) && so_far[18]) begin
                now = {now[254:19], 1'd1, now[17:0]};
            end
            if ((column[139:133] == index) && so_far[19]) begin
                now = {now[254:20], 1'd1, now[18:0]};
            end
            if ((column[146:140] == index) && so_far[20]) begin
                now = {now[254:21], 1'd1, now[19:0]};
            end
            if ((column[153:147] == index) && so_far[21]) begin
                now = {now[254:22], 1'd1, now[20:0]};
            end
            if ((column[160:154] == index) && so_far[22]) begin
                now = {now[254:23], 1'd1, now[21:0]};
            end
            if ((column[167:161] == index) && so_far[23]) begin
                now = {now[254:24], 1'd1, now[22:0]};
            end
            if ((column[174:168] == index) && so_far[24]) begin
                now = {now[254:25], 1'd1, now[23:0]};
            end
            if ((column[181:175] == index) && so_far[25]) begin
                now = {now[254:26], 1'd1, now[24:0]};
            end
            if ((column[188:182] == index) && so_far[26]) begin
                now = {now[254:27], 1'd1, now[25:0]};
            end
            if ((column[195:189] == index) && so_far[27]) begin
                now = {now[254:28], 1'd1, now[26:0]};
            end
            if ((column[202:196] == index) && so_far[28]) begin
                now = {now[254:29], 1'd1, now[27:0]};
            end
            if ((column[209:203] == index) && so_far[29]) begin
                now = {now[254:30], 1'd1, now[28:0]};
            end
            if ((column[216:210] == index) && so_far[30]) begin
                now = {now[254:31], 1'd1, now[29:0]};
            end
            if ((column[223:217] == index) && so_far[31]) begin
                now = {now[254:32], 1'd1, now[30:0]};
            end
            if ((column[230:224] == index) && so_far[32]) begin
                now = {now[254:33], 1'd1, now[31:0]};
            end
            if ((column[237:231] == index) && so_far[33]) begin
                now = {now[254:34], 1'd1, now[32:0]};
            end
            if ((column[244:238] == index) && so_far[34]) begin
                now = {now[254:35], 1'd1, now[33:0]};
            end
            if ((column[251:245] == index) && so_far[35]) begin
                now = {now[254:36], 1'd1, now[34:0]};
            end
            if ((column[258:252] == index) && so_far[36]) begin
                now = {now[254:37], 1'd1, now[35:0]};
            end
            if ((column[265:259] == index) && so_far[37]) begin
                now = {now[254:38], 1'd1, now[36:0]};
            end
            if ((column[272:266] == index) && so_far[38]) begin
                now = {now[254:39], 1'd1, now[37:0]};
            end
            if ((column[279:273] == index) && so_far[39]) begin
                now = {now[254:40], 1'd1, now[38:0]};
            end
            if ((column[286:280] == index) && so_far[40]) begin
                now = {now[254:41], 1'd1, now[39:0]};
            end
            if ((column[293:287] == index) && so_far[41]) begin
                now = {now[254:42], 1'd1, now[40:0]};
            end
            if ((column[300:294] == index) && so_far[42]) begin
                now = {now[254:43], 1'd1, now[41:0]};
            end
            if ((column[307:301] == index) && so_far[43]) begin
                now = {now[254:44], 1'd1, now[42:0]};
            end
            if ((column[314:308] == index) && so_far[44]) begin
                now = {now[254:45], 1'd1, now[43:0]};
            end
            if ((column[321:315] == index) && so_far[45]) begin
                now = {now[254:46], 1'd1, now[44:0]};
            end
            if ((column[328:322] == index) && so_far[46]) begin
                now = {now[254:47], 1'd1, now[45:0]};
            end
            if ((column[335:329] == index) && so_far[47]) begin
                now = {now[254:48], 1'd1, now[46:0]};
            end
            if ((column[342:336] == index) && so_far[48]) begin
                now = {now[254:49], 1'd1, now[47:0]};
            end
            if ((column[349:343] == index) && so_far[49]) begin
                now = {now[254:50], 1'd1, now[48:0]};
            end
            if ((column[356:350] == index) && so_far[50]) begin
                now = {now[254:51], 1'd1, now[49:0]};
            end
            if ((column[363:357] == index) && so_far[51]) begin
                now = {now[254:52], 1'd1, now[50:0]};
            end
            if ((column[370:364] == index) && so_far[52]) begin
                now = {now[254:53], 1'd1, now[51:0]};
            end
            if ((column[377:371] == index) && so_far[53]) begin
                now = {now[254:54], 1'd1, now[52:0]};
            end
            if ((column[384:378] == index) && so_far[54]) begin
                now = {now[254:55], 1'd1, now[53:0]};
            end
            if ((column[391:385] == index) && so_far[55]) begin
                now = {now[254:56], 1'd1, now[54:0]};
            end
            if ((column[398:392] == index) && so_far[56]) begin
                now = {now[254:57], 1'd1, now[55:0]};
            end
            if ((column[405:399] == index) && so_far[57]) begin
                now = {now[254:58], 1'd1, now[56:0]};
            end
            if ((column[412:406] == index) && so_far[58]) begin
                now = {now[254:59], 1'd1, now[57:0]};
            end
            if ((column[419:413] == index) && so_far[59]) begin
                now = {now[254:60], 1'd1, now[58:0]};
            end
            if ((column[426:420] == index) && so_far[60]) begin
                now = {now[254:61], 1'd1, now[59:0]};
            end
            if ((column[433:427] == index) && so_far[61]) begin
                now = {now[254:62], 1'd1, now[60:0]};
            end
            if ((column[440:434] == index) && so_far[62]) begin
                now = {now[254:63], 1'd1, now[61:0]};
            end
            if ((column[447:441] == index) && so_far[63]) begin
                now = {now[254:64], 1'd1, now[62:0]};
            end
            if ((column[454:448] == index) && so_far[64]) begin
                now = {now[254:65], 1'd1, now[63:0]};
            end
            if ((column[461:455] == index) && so_far[65]) begin
                now = {now[254:66], 1'd1, now[64:0]};
            end
            if ((column[468:462] == index) && so_far[66]) begin
                now = {now[254:67], 1'd1, now[65:0]};
            end
            if ((column[475:469] == index) && so_far[67]) begin
                now = {now[254:68], 1'd1, now[66:0]};
            end
            if ((column[482:476] == index) && so_far[68]) begin
                now = {now[254:69], 1'd1, now[67:0]};
            end
            if ((column[489:483] == index) && so_far[69]) begin
                now = {now[254:70], 1'd1, now[68:0]};
            end
            if ((column[496:490] == index) && so_far[70]) begin
                now = {now[254:71], 1'd1, now[69:0]};
            end
            if ((column[503:497] == index) && so_far[71]) begin
                now = {now[254:72], 1'd1, now[70:0]};
            end
            if ((column[510:504] == index) && so_far[72]) begin
                now = {now[254:73], 1'd1, now[71:0]};
            end
            if ((column[517:511] == index) && so_far[73]) begin
                now = {now[254:74], 1'd1, now[72:0]};
            end
            if ((column[524:518] == index) && so_far[74]) begin
                now = {now[254:75], 1'd1, now[73:0]};
            end
            if ((column[531:525] == index) && so_far[75]) begin
                now = {now[254:76], 1'd1, now[74:0]};
            end
            if ((column[538:532] == index) && so_far[76]) begin
                now = {now[254:77], 1'd1, now[75:0]};
            end
            if ((column[545:539] == index) && so_far[77]) begin
                now = {now[254:78], 1'd1, now[76:0]};
            end
            if ((column[552:546] == index) && so_far[78]) begin
                now = {now[254:79], 1'd1, now[77:0]};
            end
            if ((column[559:553] == index) && so_far[79]) begin
                now = {now[254:80], 1'd1, now[78:0]};
            end
            if ((column[566:560] == index) && so_far[80]) begin
                now = {now[254:81], 1'd1, now[79:0]};
            end
            if ((column[573:567] == index) && so_far[81]) begin
                now = {now[254:82], 1'd1, now[80:0]};
            end
            if ((column[580:574] == index) && so_far[82]) begin
                now = {now[254:83], 1'd1, now[81:0]};
            end
            if ((column[587:581] == index) && so_far[83]) begin
                now = {now[254:84], 1'd1, now[82:0]};
            end
            if ((column[594:588] == index) && so_far[84]) begin
                now = {now[254:85], 1'd1, now[83:0]};
            end
            if ((column[601:595] == index) && so_far[85]) begin
                now = {now[254:86], 1'd1, now[84:0]};
            end
            if ((column[608:602] == index) && so_far[86]) begin
                now = {now[254:87], 1'd1, now[85:0]};
            end
            if ((column[615:609] == index) && so_far[87]) begin
                now = {now[254:88], 1'd1, now[86:0]};
            end
            if ((column[622:616] == index) && so_far[88]) begin
                now = {now[254:89], 1'd1, now[87:0]};
            end
            if ((column[629:623] == index) && so_far[89]) begin
                now = {now[254:90], 1'd1, now[88:0]};
            end
            if ((column[636:630] == index) && so_far[90]) begin
                now = {now[254:91], 1'd1, now[89:0]};
            end
            if ((column[643:637] == index) && so_far[91]) begin
                now = {now[254:92], 1'd1, now[90:0]};
            end
            if ((column[650:644] == index) && so_far[92]) begin
                now = {now[254:93], 1'd1, now[91:0]};
            end
            if ((column[657:651] == index) && so_far[93]) begin
                now = {now[254:94], 1'd1, now[92:0]};
            end
            if ((column[664:658] == index) && so_far[94]) begin
                now = {now[254:95], 1'd1, now[93:0]};
            end
            if ((column[671:665] == index) && so_far[95]) begin
                now = {now[254:96], 1'd1, now[94:0]};
            end
            if ((column[678:672] == index) && so_far[96]) begin
                now = {now[254:97], 1'd1, now[95:0]};
            end
            if ((column[685:679] == index) && so_far[97]) begin
                now = {now[254:98], 1'd1, now[96:0]};
            end
            if ((column[692:686] == index) && so_far[98]) begin
                now = {now[254:99], 1'd1, now[97:0]};
            end
            if ((column[699:693] == index) && so_far[99]) begin
                now = {now[254:100], 1'd1, now[98:0]};
            end
            if ((column[706:700] == index) && so_far[100]) begin
                now = {now[254:101], 1'd1, now[99:0]};
            end
            if ((column[713:707] == index) && so_far[101]) begin
                now = {now[254:102], 1'd1, now[100:0]};
            end
            if ((column[720:714] == index) && so_far[102]) begin
                now = {now[254:103], 1'd1, now[101:0]};
            end
            if ((column[727:721] == index) && so_far[103]) begin
                now = {now[254:104], 1'd1, now[102:0]};
            end
            if ((column[734:728] == index) && so_far[104]) begin
                now = {now[254:105], 1'd1, now[103:0]};
            end
            if ((column[741:735] == index) && so_far[105]) begin
                now = {now[254:106], 1'd1, now[104:0]};
            end
            if ((column[748:742] == index) && so_far[106]) begin
                now = {now[254:107], 1'd1, now[105:0]};
            end
            if ((column[755:749] == index) && so_far[107]) begin
                now = {now[254:108], 1'd1, now[106:0]};
            end
            if ((column[762:756] == index) && so_far[108]) begin
                now = {now[254:109], 1'd1, now[107:0]};
            end
            if ((column[769:763] == index) && so_far[109]) begin
                now = {now[254:110], 1'd1, now[108:0]};
            end
            if ((column[776:770] == index) && so_far[110]) begin
                now = {now[254:111], 1'd1, now[109:0]};
            end
            if ((column[783:777] == index) && so_far[111]) begin
                now = {now[254:112], 1'd1, now[110:0]};
            end
            if ((column[790:784] == index) && so_far[112]) begin
                now = {now[254:113], 1'd1, now[111:0]};
            end
            if ((column[797:791] == index) && so_far[113]) begin
                now = {now[254:114], 1'd1, now[112:0]};
            end
            if ((column[804:798] == index) && so_far[114]) begin
                now = {now[254:115], 1'd1, now[113:0]};
            end
            if ((column[811:805] == index) && so_far[115]) begin
                now = {now[254:116], 1'd1, now[114:0]};
            end
            if ((column[818:812] == index) && so_far[116]) begin
                now = {now[254:117], 1'd1, now[115:0]};
            end
            if ((column[825:819] == index) && so_far[117]) begin
                now = {now[254:118], 1'd1, now[116:0]};
            end
            if ((column[832:826] == index) && so_far[118]) begin
                now = {now[254:119], 1'd1, now[117:0]};
            end
            if ((column[839:833] == index) && so_far[119]) begin
                now = {now[254:120], 1'd1, now[118:0]};
            end
            if ((column[846:840] == index) && so_far[120]) begin
                now = {now[254:121], 1'd1, now[119:0]};
            end
            if ((column[853:847] == index) && so_far[121]) begin
                now = {now[254:122], 1'd1, now[120:0]};
            end
            if ((column[860:854] == index) && so_far[122]) begin
                now = {now[254:123], 1'd1, now[121:0]};
            end
            if ((column[867:861] == index) && so_far[123]) begin
                now = {now[254:124], 1'd1, now[122:0]};
            end
            if ((column[874:868] == index) && so_far[124]) begin
                now = {now[254:125], 1'd1, now[123:0]};
            end
            if ((column[881:875] == index) && so_far[125]) begin
                now = {now[254:126], 1'd1, now[124:0]};
            end
            if ((column[888:882] == index) && so_far[126]) begin
                now = {now[254:127], 1'd1, now[125:0]};
            end
            if ((column[895:889] == index) && so_far[127]) begin
                now = {now[254:128], 1'd1, now[126:0]};
            end
            if ((column[902:896] == index) && so_far[128]) begin
                now = {now[254:129], 1'd1, now[127:0]};
            end
            if ((column[909:903] == index) && so_far[129]) begin
                now = {now[254:130], 1'd1, now[128:0]};
            end
            if ((column[916:910] == index) && so_far[130]) begin
                now = {now[254:131], 1'd1, now[129:0]};
            end
            if ((column[923:917] == index) && so_far[131]) begin
                now = {now[254:132], 1'd1, now[130:0]};
            end
            if ((column[930:924] == index) && so_far[132]) begin
                now = {now[254:133], 1'd1, now[131:0]};
            end
            if ((column[937:931] == index) && so_far[133]) begin
                now = {now[254:134], 1'd1, now[132:0]};
            end
            if ((column[944:938] == index) && so_far[134]) begin
                now = {now[254:135], 1'd1, now[133:0]};
            end
            if ((column[951:945] == index) && so_far[135]) begin
                now = {now[254:136], 1'd1, now[134:0]};
            end
            if ((column[958:952] == index) && so_far[136]) begin
                now = {now[254:137], 1'd1, now[135:0]};
            end
            if ((column[965:959] == index) && so_far[137]) begin
                now = {now[254:138], 1'd1, now[136:0]};
            end
            if ((column[972:966] == index) && so_far[138]) begin
                now = {now[254:139], 1'd1, now[137:0]};
            end
            if ((column[979:973] == index) && so_far[139]) begin
                now = {now[254:140], 1'd1, now[138:0]};
            end
            if ((column[986:980] == index) && so_far[140]) begin
                now = {now[254:141], 1'd1, now[139:0]};
            end
            if ((column[993:987] == index) && so_far[141]) begin
                now = {now[254:142], 1'd1, now[140:0]};
            end
            if ((column[1000:994] == index) && so_far[142]) begin
                now = {now[254:143], 1'd1, now[141:0]};
            end
            if ((column[1007:1001] == index) && so_far[143]) begin
                now = {now[254:144], 1'd1, now[142:0]};
            end
            if ((column[1014:1008] == index) && so_far[144]) begin
                now = {now[254:145], 1'd1, now[143:0]};
            end
            if ((column[1021:1015] == index) && so_far[145]) begin
                now = {now[254:146], 1'd1, now[144:0]};
            end
            if ((column[1028:1022] == index) && so_far[146]) begin
                now = {now[254:147], 1'd1, now[145:0]};
            end
            if ((column[1035:1029] == index) && so_far[147]) begin
                now = {now[254:148], 1'd1, now[146:0]};
            end
            if ((column[1042:1036] == index) && so_far[148]) begin
                now = {now[254:149], 1'd1, now[147:0]};
            end
            if ((column[1049:1043] == index) && so_far[149]) begin
                now = {now[254:150], 1'd1, now[148:0]};
            end
            if ((column[1056:1050] == index) && so_far[150]) begin
                now = {now[254:151], 1'd1, now[149:0]};
            end
            if ((column[1063:1057] == index) && so_far[151]) begin
                now = {now[254:152], 1'd1, now[150:0]};
            end
            if ((column[1070:1064] == index) && so_far[152]) begin
                now = {now[254:153], 1'd1, now[151:0]};
            end
            if ((column[1077:1071] == index) && so_far[153]) begin
                now = {now[254:154], 1'd1, now[152:0]};
            end
            if ((column[1084:1078] == index) && so_far[154]) begin
                now = {now[254:155], 1'd1, now[153:0]};
            end
            if ((column[1091:1085] == index) && so_far[155]) begin
                now = {now[254:156], 1'd1, now[154:0]};
            end
            if ((column[1098:1092] == index) && so_far[156]) begin
                now = {now[254:157], 1'd1, now[155:0]};
            end
            if ((column[1105:1099] == index) && so_far[157]) begin
                now = {now[254:158], 1'd1, now[156:0]};
            end
            if ((column[1112:1106] == index) && so_far[158]) begin
                now = {now[254:159], 1'd1, now[157:0]};
            end
            if ((column[1119:1113] == index) && so_far[159]) begin
                now = {now[254:160], 1'd1, now[158:0]};
            end
            if ((column[1126:1120] == index) && so_far[160]) begin
                now = {now[254:161], 1'd1, now[159:0]};
            end
            if ((column[1133:1127] == index) && so_far[161]) begin
                now = {now[254:162], 1'd1, now[160:0]};
            end
            if ((column[1140:1134] == index) && so_far[162]) begin
                now = {now[254:163], 1'd1, now[161:0]};
            end
            if ((column[1147:1141] == index) && so_far[163]) begin
                now = {now[254:164], 1'd1, now[162:0]};
            end
            if ((column[1154:1148] == index) && so_far[164]) begin
                now = {now[254:165], 1'd1, now[163:0]};
            end
            if ((column[1161:1155] == index) && so_far[165]) begin
                now = {now[254:166], 1'd1, now[164:0]};
            end
            if ((column[1168:1162] == index) && so_far[166]) begin
                now = {now[254:167], 1'd1, now[165:0]};
            end
            if ((column[1175:1169] == index) && so_far[167]) begin
                now = {now[254:168], 1'd1, now[166:0]};
            end
            if ((column[1182:1176] == index) && so_far[168]) begin
                now = {now[254:169], 1'd1, now[167:0]};
            end
            if ((column[1189:1183] == index) && so_far[169]) begin
                now = {now[254:170], 1'd1, now[168:0]};
            end
            if ((column[1196:1190] == index) && so_far[170]) begin
                now = {now[254:171], 1'd1, now[169:0]};
            end
            if ((column[1203:1197] == index) && so_far[171]) begin
                now = {now[254:172], 1'd1, now[170:0]};
            end
            if ((column[1210:1204] == index) && so_far[172]) begin
                now = {now[254:173], 1'd1, now[171:0]};
            end
            if ((column[1217:1211] == index) && so_far[173]) begin
                now = {now[254:174], 1'd1, now[172:0]};
            end
            if ((column[1224:1218] == index) && so_far[174]) begin
                now = {now[254:175], 1'd1, now[173:0]};
            end
            if ((column[1231:1225] == index) && so_far[175]) begin
                now = {now[254:176], 1'd1, now[174:0]};
            end
            if ((column[1238:1232] == index) && so_far[176]) begin
                now = {now[254:177], 1'd1, now[175:0]};
            end
            if ((column[1245:1239] == index) && so_far[177]) begin
                now = {now[254:178], 1'd1, now[176:0]};
            end
            if ((column[1252:1246] == index) && so_far[178]) begin
                now = {now[254:179], 1'd1, now[177:0]};
            end
            if ((column[1259:1253] == index) && so_far[179]) begin
                now = {now[254:180], 1'd1, now[178:0]};
            end
            if ((column[1266:1260] == index) && so_far[180]) begin
                now = {now[254:181], 1'd1, now[179:0]};
            end
            if ((column[1273:1267] == index) && so_far[181]) begin
                now = {now[254:182], 1'd1, now[180:0]};
            end
            if ((column[1280:1274] == index) && so_far[182]) begin
                now = {now[254:183], 1'd1, now[181:0]};
            end
            if ((column[1287:1281] == index) && so_far[183]) begin
                now = {now[254:184], 1'd1, now[182:0]};
            end
            if ((column[1294:1288] == index) && so_far[184]) begin
                now = {now[254:185], 1'd1, now[183:0]};
            end
            if ((column[1301:1295] == index) && so_far[185]) begin
                now = {now[254:186], 1'd1, now[184:0]};
            end
            if ((column[1308:1302] == index) && so_far[186]) begin
                now = {now[254:187], 1'd1, now[185:0]};
            end
            if ((column[1315:1309] == index) && so_far[187]) begin
                now = {now[254:188], 1'd1, now[186:0]};
            end
            if ((column[1322:1316] == index) && so_far[188]) begin
                now = {now[254:189], 1'd1, now[187:0]};
            end
            if ((column[1329:1323] == index) && so_far[189]) begin
                now = {now[254:190], 1'd1, now[188:0]};
            end
            if ((column[1336:1330] == index) && so_far[190]) begin
                now = {now[254:191], 1'd1, now[189:0]};
            end
            if ((column[1343:1337] == index) && so_far[191]) begin
                now = {now[254:192], 1'd1, now[190:0]};
            end
            if ((column[1350:1344] == index) && so_far[192]) begin
                now = {now[254:193], 1'd1, now[191:0]};
            end
            if ((column[1357:1351] == index) && so_far[193]) begin
                now = {now[254:194], 1'd1, now[192:0]};
            end
            if ((column[1364:1358] == index) && so_far[194]) begin
                now = {now[254:195], 1'd1, now[193:0]};
            end
            if ((column[1371:1365] == index) && so_far[195]) begin
                now = {now[254:196], 1'd1, now[194:0]};
            end
            if ((column[1378:1372] == index) && so_far[196]) begin
                now = {now[254:197], 1'd1, now[195:0]};
            end
            if ((column[1385:1379] == index) && so_far[197]) begin
                now = {now[254:198], 1'd1, now[196:0]};
            end
            if ((column[1392:1386] == index) && so_far[198]) begin
                now = {now[254:199], 1'd1, now[197:0]};
            end
            if ((column[1399:1393] == index) && so_far[199]) begin
                now = {now[254:200], 1'd1, now[198:0]};
            end
            if ((column[1406:1400] == index) && so_far[200]) begin
                now = {now[254:201], 1'd1, now[199:0]};
            end
            if ((column[1413:1407] == index) && so_far[201]) begin
                now = {now[254:202], 1'd1, now[200:0]};
            end
            if ((column[1420:1414] == index) && so_far[202]) begin
                now = {now[254:203], 1'd1, now[201:0]};
            end
            if ((column[1427:1421] == index) && so_far[203]) begin
                now = {now[254:204], 1'd1, now[202:0]};
            end
            if ((column[1434:1428] == index) && so_far[204]) begin
                now = {now[254:205], 1'd1, now[203:0]};
            end
            if ((column[1441:1435] == index) && so_far[205]) begin
                now = {now[254:206], 1'd1, now[204:0]};
            end
            if ((column[1448:1442] == index) && so_far[206]) begin
                now = {now[254:207], 1'd1, now[205:0]};
            end
            if ((column[1455:1449] == index) && so_far[207]) begin
                now = {now[254:208], 1'd1, now[206:0]};
            end
            if ((column[1462:1456] == index) && so_far[208]) begin
                now = {now[254:209], 1'd1, now[207:0]};
            end
            if ((column[1469:1463] == index) && so_far[209]) begin
                now = {now[254:210], 1'd1, now[208:0]};
            end
            if ((column[1476:1470] == index) && so_far[210]) begin
                now = {now[254:211], 1'd1, now[209:0]};
            end
            if ((column[1483:1477] == index) && so_far[211]) begin
                now = {now[254:212], 1'd1, now[210:0]};
            end
            if ((column[1490:1484] == index) && so_far[212]) begin
                now = {now[254:213], 1'd1, now[211:0]};
            end
            if ((column[1497:1491] == index) && so_far[213]) begin
                now = {now[254:214], 1'd1, now[212:0]};
            end
            if ((column[1504:1498] == index) && so_far[214]) begin
                now = {now[254:215], 1'd1, now[213:0]};
            end
            if ((column[1511:1505] == index) && so_far[215]) begin
                now = {now[254:216], 1'd1, now[214:0]};
            end
            if ((column[1518:1512] == index) && so_far[216]) begin
                now = {now[254:217], 1'd1, now[215:0]};
            end
            if ((column[1525:1519] == index) && so_far[217]) begin
                now = {now[254:218], 1'd1, now[216:0]};
            end
            if ((column[1532:1526] == index) && so_far[218]) begin
                now = {now[254:219], 1'd1, now[217:0]};
            end
            if ((column[1539:1533] == index) && so_far[219]) begin
                now = {now[254:220], 1'd1, now[218:0]};
            end
            if ((column[1546:1540] == index) && so_far[220]) begin
                now = {now[254:221], 1'd1, now[219:0]};
            end
            if ((column[1553:1547] == index) && so_far[221]) begin
                now = {now[254:222], 1'd1, now[220:0]};
            end
            if ((column[1560:1554] == index) && so_far[222]) begin
                now = {now[254:223], 1'd1, now[221:0]};
            end
            if ((column[1567:1561] == index) && so_far[223]) begin
                now = {now[254:224], 1'd1, now[222:0]};
            end
            if ((column[1574:1568] == index) && so_far[224]) begin
                now = {now[254:225], 1'd1, now[223:0]};
            end
            if ((column[1581:1575] == index) && so_far[225]) begin
                now = {now[254:226], 1'd1, now[224:0]};
            end
            if ((column[1588:1582] == index) && so_far[226]) begin
                now = {now[254:227], 1'd1, now[225:0]};
            end
            if ((column[1595:1589] == index) && so_far[227]) begin
                now = {now[254:228], 1'd1, now[226:0]};
            end
            if ((column[1602:1596] == index) && so_far[228]) begin
                now = {now[254:229], 1'd1, now[227:0]};
            end
            if ((column[1609:1603] == index) && so_far[229]) begin
                now = {now[254:230], 1'd1, now[228:0]};
            end
            if ((column[1616:1610] == index) && so_far[230]) begin
                now = {now[254:231], 1'd1, now[229:0]};
            end
            if ((column[1623:1617] == index) && so_far[231]) begin
                now = {now[254:232], 1'd1, now[230:0]};
            end
            if ((column[1630:1624] == index) && so_far[232]) begin
                now = {now[254:233], 1'd1, now[231:0]};
            end
            if ((column[1637:1631] == index) && so_far[233]) begin
                now = {now[254:234], 1'd1, now[232:0]};
            end
            if ((column[1644:1638] == index) && so_far[234]) begin
                now = {now[254:235], 1'd1, now[233:0]};
            end
            if ((column[1651:1645] == index) && so_far[235]) begin
                now = {now[254:236], 1'd1, now[234:0]};
            end
            if ((column[1658:1652] == index) && so_far[236]) begin
                now = {now[254:237], 1'd1, now[235:0]};
            end
            if ((column[1665:1659] == index) && so_far[237]) begin
                now = {now[254:238], 1'd1, now[236:0]};
            end
            if ((column[1672:1666] == index) && so_far[238]) begin
                now = {now[254:239], 1'd1, now[237:0]};
            end
            if ((column[1679:1673] == index) && so_far[239]) begin
                now = {now[254:240], 1'd1, now[238:0]};
            end
            if ((column[1686:1680] == index) && so_far[240]) begin
                now = {now[254:241], 1'd1, now[239:0]};
            end
            if ((column[1693:1687] == index) && so_far[241]) begin
                now = {now[254:242], 1'd1, now[240:0]};
            end
            if ((column[1700:1694] == index) && so_far[242]) begin
                now = {now[254:243], 1'd1, now[241:0]};
            end
            if ((column[1707:1701] == index) && so_far[243]) begin
                now = {now[254:244], 1'd1, now[242:0]};
            end
            if ((column[1714:1708] == index) && so_far[244]) begin
                now = {now[254:245], 1'd1, now[243:0]};
            end
            if ((column[1721:1715] == index) && so_far[245]) begin
                now = {now[254:246], 1'd1, now[244:0]};
            end
            if ((column[1728:1722] == index) && so_far[246]) begin
                now = {now[254:247], 1'd1, now[245:0]};
            end
            if ((column[1735:1729] == index) && so_far[247]) begin
                now = {now[254:248], 1'd1, now[246:0]};
            end
            if ((column[1742:1736] == index) && so_far[248]) begin
                now = {now[254:249], 1'd1, now[247:0]};
            end
            if ((column[1749:1743] == index) && so_far[249]) begin
                now = {now[254:250], 1'd1, now[248:0]};
            end
            if ((column[1756:1750] == index) && so_far[250]) begin
                now = {now[254:251], 1'd1, now[249:0]};
            end
            if ((column[1763:1757] == index) && so_far[251]) begin
                now = {now[254:252], 1'd1, now[250:0]};
            end
            if ((column[1770:1764] == index) && so_far[252]) begin
                now = {now[254:253], 1'd1, now[251:0]};
            end
            if ((column[1777:1771] == index) && so_far[253]) begin
                now = {now[254], 1'd1, now[252:0]};
            end
            if ((column[1784:1778] == index) && so_far[254]) begin
                now = {1'd1, now[253:0]};
            end
        end
    end

    always @* begin
        newest = 255'd0;
        if (|now) begin
            newest = now & (~now + 255'd1);
        end
    end

    always @* begin
        age = 8'd0;
        if (|now) begin
            if (|(newest & 255'h5555555555555555555555555555555555555555555555555555555555555555)) begin
                age = 8'd1;
            end
            if (|(newest & 255'h6666666666666666666666666666666666666666666666666666666666666666)) begin
                age = {age[7:2], 1'd1, age[0]};
            end
            if (|(newest & 255'h7878787878787878787878787878787878787878787878787878787878787878)) begin
                age = {age[7:3], 1'd1, age[1:0]};
            end
            if (|(newest & 255'h7f807f807f807f807f807f807f807f807f807f807f807f807f807f807f807f80)) begin
                age = {age[7:4], 1'd1, age[2:0]};
            end
            if (|(newest & 255'h7fff80007fff80007fff80007fff80007fff80007fff80007fff80007fff8000)) begin
                age = {age[7:5], 1'd1, age[3:0]};
            end
            if (|(newest & 255'h7fffffff800000007fffffff800000007fffffff800000007fffffff80000000)) begin
                age = {age[7:6], 1'd1, age[4:0]};
            end
            if (|(newest & 255'h7fffffffffffffff80000000000000007fffffffffffffff8000000000000000)) begin
                age = {age[7], 1'd1, age[5:0]};
            end
            if (|(newest & 255'h7fffffffffffffffffffffffffffffff80000000000000000000000000000000)) begin
                age = {1'd1, age[6:0]};
            end
        end
    end

    assign pushes = learn;
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
            if (pushes) begin
                columns_0 <= {columns_0[1777:0], tuple_index_0};
            end
            if (pushes) begin
                columns_1 <= {columns_1[1777:0], tuple_index_1};
            end
            if (pushes) begin
                columns_2 <= {columns_2[1777:0], tuple_index_2};
            end
            if (pushes) begin
                columns_3 <= {columns_3[1777:0], tuple_index_3};
            end
            if (pushes) begin
                columns_4 <= {columns_4[1777:0], tuple_index_4};
            end
            if (pushes) begin
                columns_5 <= {columns_5[1777:0], tuple_index_5};
            end
            if (pushes) begin
                columns_6 <= {columns_6[1777:0], tuple_index_6};
            end
            if (pushes) begin
                columns_7 <= {columns_7[1777:0], tuple_index_7};
            end
        end
    end

endmodule

// trace_output_controller

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
    reg  [6:0]  index; // 0: not in the stream cache
    wire        is_last; // of the tuple
    wire        collects;
    wire        completes; // the tuple is full
    wire        misses;
    reg         sends_tuple;
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

    assign is_flush = end_code == 2'd2;

    always @* begin
        index = 7'd0;
        if (cache_hit) begin
            index = cache_index;
        end
    end

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

    always @* begin
        sends_tuple = completes;
        if (|history_age) begin
            sends_tuple = 1'd0;
        end
    end

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

// encoder

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

    wire         take;
    wire         source_ready;
    wire         source_is_empty;
    wire         source_stream_valid;
    wire [1:0]   source_end_code;
    wire         source_is_whole;
    wire [7:0]   source_length;
    wire [29:0]  source_start;
    wire         cache_update;
    wire         cache_found;
    wire [6:0]   cache_index;
    wire         controller_record_valid;
    wire [116:0] controller_record;

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
        .ready              (source_ready),
        .is_empty           (source_is_empty),
        .stream_valid       (source_stream_valid),
        .end_code           (source_end_code),
        .is_whole           (source_is_whole),
        .length             (source_length),
        .start              (source_start),
        .stream_ready       (record_ready)
    );

    ntuple_32x4_stream_cache cache (
        .clock       (clock),
        .reset       (reset),
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
        .record_valid (controller_record_valid),
        .record       (controller_record)
    );

    assign ready = source_ready;
    assign is_empty = source_is_empty;
    assign take = source_stream_valid & record_ready;
    assign cache_update = take & source_is_whole;
    assign record_valid = controller_record_valid;
    assign record = controller_record;

endmodule

// fifo: depth = 2, width = 117

module ntuple_32x4_fifo_depth2_width117 (
    input  wire         clock,
    input  wire         reset,
    input  wire         in_valid,
    input  wire [116:0] in_word,
    output wire         in_ready,
    output reg          out_valid,
    output wire [116:0] out_word,
    input  wire         out_ready
);

    wire [116:0] words_read_data;
    reg          write_pointer;
    reg          read_pointer;
    reg          is_filled; // more words came than went since the pointers were equal last
    reg          is_full;
    wire         puts;
    wire         takes;
    reg  [116:0] words_cells [0:1];

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

// serial_encoder: slots = 12, record_bits = 117, most_bits = 210

module ntuple_32x4_serial_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid, // the record stays until it is taken
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
    reg  [11:0] active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [29:0] value_1;
    wire [7:0]  value_2;
    wire [7:0]  value_4;
    wire [55:0] value_5;
    wire [2:0]  value_8;
    wire [55:0] value_9;
    wire [29:0] value_10;
    wire [7:0]  value_11;
    wire [5:0]  raw_size_9;
    wire [5:0]  size_9;
    reg  [5:0]  left;

    always @* begin
        flags = 12'd0;
        if (record[2]) begin
            flags = 12'd1;
        end
        if (record[2]) begin
            flags = {flags[11:2], 1'd1, flags[0]};
        end
        if (record[2]) begin
            flags = {flags[11:3], 1'd1, flags[1:0]};
        end
        if (record[3]) begin
            flags = {flags[11:4], 1'd1, flags[2:0]};
        end
        if (record[3]) begin
            flags = {flags[11:5], 1'd1, flags[3:0]};
        end
        if (record[4]) begin
            flags = {flags[11:6], 1'd1, flags[4:0]};
        end
        if (record[1]) begin
            flags = {flags[11:7], 1'd1, flags[5:0]};
        end
        if (record[0]) begin
            flags = {flags[11:8], 1'd1, flags[6:0]};
        end
        if (record[5]) begin
            flags = {flags[11:9], 1'd1, flags[7:0]};
        end
        if (record[0]) begin
            flags = {flags[11:10], 1'd1, flags[8:0]};
        end
        if (record[5]) begin
            flags = {flags[11], 1'd1, flags[9:0]};
        end
        if (record[5]) begin
            flags = {1'd1, flags[10:0]};
        end
    end

    always @* begin
        stages = 12'd0;
        if (record[2]) begin
            stages = 12'd1;
        end
        if (record[2]) begin
            stages = {stages[11:2], 1'd1, stages[0]};
        end
        if (record[2]) begin
            stages = {stages[11:3], 1'd1, stages[1:0]};
        end
        if (record[3]) begin
            stages = {stages[11:4], 1'd1, stages[2:0]};
        end
        if (record[3]) begin
            stages = {stages[11:5], 1'd1, stages[3:0]};
        end
        if (record[4]) begin
            stages = {stages[11:6], 1'd1, stages[4:0]};
        end
        if (record[1]) begin
            stages = {stages[11:7], 1'd1, stages[5:0]};
        end
        if (record[0]) begin
            stages = {stages[11:8], 1'd1, stages[6:0]};
        end
        if (record[5]) begin
            stages = {stages[11:9], 1'd1, stages[7:0]};
        end
        if (record[0]) begin
            stages = {stages[11:10], 1'd1, stages[8:0]};
        end
        if (record[5]) begin
            stages = {stages[11], 1'd1, stages[9:0]};
        end
        if (record[5]) begin
            stages = {1'd1, stages[10:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 12'd1);
    assign is_last = pending == current;

    always @* begin
        active = 12'd0;
        if (current[0]) begin
            active = {11'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[11:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[11:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[11:4], flags[3], active[2:0]};
        end
        if (current[4]) begin
            active = {active[11:5], flags[4], active[3:0]};
        end
        if (current[5]) begin
            active = {active[11:6], flags[5], active[4:0]};
        end
        if (current[6]) begin
            active = {active[11:7], flags[6], active[5:0]};
        end
        if (current[7]) begin
            active = {active[11:8], flags[7], active[6:0]};
        end
        if (current[8]) begin
            active = {active[11:9], flags[8], active[7:0]};
        end
        if (current[9]) begin
            active = {active[11:10], flags[9], active[8:0]};
        end
        if (current[10]) begin
            active = {active[11], flags[10], active[9:0]};
        end
        if (current[11]) begin
            active = {flags[11], active[10:0]};
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[0]) begin
            piece = 8'd1;
        end
        if (active[1]) begin
            if (index == 3'd0) begin
                piece = value_1[7:0];
            end
            if (index == 3'd1) begin
                piece = value_1[15:8];
            end
            if (index == 3'd2) begin
                piece = value_1[23:16];
            end
            if (index == 3'd3) begin
                piece = {2'd0, value_1[29:24]};
            end
        end
        if (active[2]) begin
            piece = value_2;
        end
        if (active[3]) begin
            piece = 8'd0;
        end
        if (active[4]) begin
            piece = value_4;
        end
        if (active[5]) begin
            if (index == 3'd0) begin
                piece = value_5[7:0];
            end
            if (index == 3'd1) begin
                piece = value_5[15:8];
            end
            if (index == 3'd2) begin
                piece = value_5[23:16];
            end
            if (index == 3'd3) begin
                piece = value_5[31:24];
            end
            if (index == 3'd4) begin
                piece = value_5[39:32];
            end
            if (index == 3'd5) begin
                piece = value_5[47:40];
            end
            if (index == 3'd6) begin
                piece = value_5[55:48];
            end
        end
        if (active[6]) begin
            piece = 8'd7;
        end
        if (active[7]) begin
            piece = 8'd11;
        end
        if (active[8]) begin
            piece = {5'd0, value_8};
        end
        if (active[9]) begin
            if (index == 3'd0) begin
                piece = value_9[7:0];
            end
            if (index == 3'd1) begin
                piece = value_9[15:8];
            end
            if (index == 3'd2) begin
                piece = value_9[23:16];
            end
            if (index == 3'd3) begin
                piece = value_9[31:24];
            end
            if (index == 3'd4) begin
                piece = value_9[39:32];
            end
            if (index == 3'd5) begin
                piece = value_9[47:40];
            end
            if (index == 3'd6) begin
                piece = value_9[55:48];
            end
        end
        if (active[10]) begin
            if (index == 3'd0) begin
                piece = value_10[7:0];
            end
            if (index == 3'd1) begin
                piece = value_10[15:8];
            end
            if (index == 3'd2) begin
                piece = value_10[23:16];
            end
            if (index == 3'd3) begin
                piece = {2'd0, value_10[29:24]};
            end
        end
        if (active[11]) begin
            piece = value_11;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        left = 6'd0;
        if (active[0]) begin
            piece_bits = 4'd2;
        end
        if (active[1]) begin
            if (index == 3'd0) begin
                left = 6'd30;
            end
            if (index == 3'd1) begin
                left = 6'd22;
            end
            if (index == 3'd2) begin
                left = 6'd14;
            end
            if (index == 3'd3) begin
                left = 6'd6;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[2]) begin
            piece_bits = 4'd8;
        end
        if (active[3]) begin
            piece_bits = 4'd1;
        end
        if (active[4]) begin
            piece_bits = 4'd8;
        end
        if (active[5]) begin
            if (index == 3'd0) begin
                left = 6'd56;
            end
            if (index == 3'd1) begin
                left = 6'd48;
            end
            if (index == 3'd2) begin
                left = 6'd40;
            end
            if (index == 3'd3) begin
                left = 6'd32;
            end
            if (index == 3'd4) begin
                left = 6'd24;
            end
            if (index == 3'd5) begin
                left = 6'd16;
            end
            if (index == 3'd6) begin
                left = 6'd8;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[6]) begin
            piece_bits = 4'd4;
        end
        if (active[7]) begin
            piece_bits = 4'd4;
        end
        if (active[8]) begin
            piece_bits = 4'd3;
        end
        if (active[9]) begin
            if (index == 3'd0) begin
                left = size_9;
            end
            if (index == 3'd1) begin
                left = size_9 - 6'd8;
            end
            if (index == 3'd2) begin
                left = size_9 - 6'd16;
            end
            if (index == 3'd3) begin
                left = size_9 - 6'd24;
            end
            if (index == 3'd4) begin
                left = size_9 - 6'd32;
            end
            if (index == 3'd5) begin
                left = size_9 - 6'd40;
            end
            if (index == 3'd6) begin
                left = size_9 - 6'd48;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[10]) begin
            if (index == 3'd0) begin
                left = 6'd30;
            end
            if (index == 3'd1) begin
                left = 6'd22;
            end
            if (index == 3'd2) begin
                left = 6'd14;
            end
            if (index == 3'd3) begin
                left = 6'd6;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[11]) begin
            piece_bits = 4'd8;
        end
    end

    assign value_1 = record[35:6];
    assign value_2 = record[43:36];
    assign value_4 = record[51:44];
    assign value_5 = record[110:55];
    assign value_8 = record[54:52];
    assign value_9 = record[110:55];
    assign size_9 = raw_size_9;
    assign raw_size_9 = record[116:111];
    assign value_10 = record[35:6];
    assign value_11 = record[43:36];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

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

// bit_packer: piece_most_bits = 8, word_bits = 8

module ntuple_32x4_bit_packer (
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

// trace_port: port_width = 1, word_bits = 8

module ntuple_32x4_trace_port (
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
    wire [116:0] next;
    wire         next_ready;
    wire         waiting_valid;
    wire [116:0] waiting;
    wire         waiting_ready;
    wire         piece_valid;
    wire [7:0]   piece; // zero above piece_bits
    wire [3:0]   piece_bits; // bits of the piece, the first one lowest
    wire         piece_last; // fill the trace word up with zeros after the piece
    wire         piece_ready;
    wire         queue_is_empty;
    wire         record_queue_in_ready;
    wire         record_queue_out_valid;
    wire [116:0] record_queue_out_word;
    wire         serial_encoder_record_ready;
    wire         serial_encoder_piece_valid;
    wire [7:0]   serial_encoder_piece;
    wire [3:0]   serial_encoder_piece_bits;
    wire         serial_encoder_piece_last;
    wire         bit_packer_piece_ready;
    wire         bit_packer_word_valid;
    wire [7:0]   bit_packer_word;
    wire         bit_packer_is_empty;
    wire         output_fifo_in_ready;
    wire         output_fifo_out_valid;
    wire [7:0]   output_fifo_out_word;
    wire [3:0]   output_fifo_level;
    wire         trace_port_word_ready;
    wire         trace_port_trace_valid;
    wire         trace_port_trace_data;

    ntuple_32x4_fifo_depth2_width117 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_queue_in_ready),
        .out_valid (record_queue_out_valid),
        .out_word  (record_queue_out_word),
        .out_ready (next_ready)
    );

    ntuple_32x4_serial_encoder serial_encoder (
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

    ntuple_32x4_bit_packer bit_packer (
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

    ntuple_32x4_fifo_depth10_width8_has_level1 output_fifo (
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

    ntuple_32x4_trace_port trace_port (
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

// ntuple_module

module ntuple_32x4 (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid, // a block retires in this cycle
    input  wire [3:0]  retire_count, // instructions of the block
    input  wire [31:0] retire_pc, // byte address of the last instruction
    input  wire [3:0]  retire_length, // length of the last instruction in bytes
    input  wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception
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
    wire         sequencer_flushed;
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
    wire         back_end_trace_data;
    wire         back_end_trace_valid;
    wire [3:0]   back_end_buffered_words;

    ntuple_32x4_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (encoder_ready),
        .is_empty     (sequencer_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (sequencer_flushed),
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
        .trace_data     (back_end_trace_data),
        .trace_valid    (back_end_trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (back_end_buffered_words)
    );

    assign sequencer_is_empty = encoder_is_empty & back_end_is_empty;
    assign flushed = sequencer_flushed;
    assign stall = !(sequencer_tracing & encoder_ready);
    assign retire_decoder_take = !stall;
    assign encoder_flush = sequencer_record_flush & encoder_ready;
    assign trace_valid = back_end_trace_valid;
    assign trace_data = back_end_trace_data;
    assign buffered_words = back_end_buffered_words;

endmodule
