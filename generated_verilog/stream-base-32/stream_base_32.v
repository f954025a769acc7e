// stream-base-32 of Tracewright, scheme stream_cache.
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
//   stream_cache_entries = 32
//   stream_cache_ways = 4
//   hash_shift = 4
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   miss_index = reserved
//   last_value_start_address = none
//   upper_address_bits = 0
//   one_length_counter = false
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle
// verilator lint_off DECLFILENAME
// One file holds every module of the design; `tracewright generate --split` writes one file per module.

// sequencer: clear_bits = 5

module stream_base_32_sequencer (
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

module stream_base_32_retire_decoder (
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

module stream_base_32_stream_detector (
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

    assign branch_ends = retire_valid & retire_taken & (retire_conditional | retire_indirect);
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
        retire_direct,
        retire_call,
        retire_return,
        retire_target
    };

endmodule

// cut_start: start_bits = 30, length_bits = 8

module stream_base_32_cut_start (
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

// stream_start: start_bits = 30, length_bits = 8, infers = 1

module stream_base_32_stream_start (
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

    stream_base_32_cut_start cut_start (
        .start   (start),
        .goes_on (cut),
        .place   (cut_start_place)
    );

    assign first = start;
    assign first_inferred = inferred;

    always @(posedge clock) begin
        if (reset) begin
            start <= 30'd0;
            inferred <= 1'd1;
        end else begin
            start <= cut_start_place;
            if (branch_ends || excepts) begin
                start <= target;
                inferred <= branch_ends & direct;
            end else if (cut || flush) begin
                inferred <= 1'd1;
            end
        end
    end

endmodule

// stream_buffer: depth = 2, width = 41

module stream_base_32_stream_buffer (
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

module stream_base_32_stream_source (
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
    output wire        inferred, // the decoder can infer the start
    input  wire        stream_ready // the stream is taken
);

    wire        ends; // a stream besides a cut one
    reg  [1:0]  ending;
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
    wire        buffer_in_ready;
    wire        buffer_out_valid;
    wire [40:0] buffer_out;
    wire        buffer_out_first;
    wire        buffer_out_second;
    wire        buffer_is_empty;
    wire [29:0] second_start_place;

    stream_base_32_stream_detector detector (
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

    stream_base_32_stream_start starts (
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

    stream_base_32_stream_buffer buffer (
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

    stream_base_32_cut_start second_start (
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
    assign streams = {starts_first_inferred, starts_first, detector_length, ending};
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
    assign inferred = stored[40] | buffer_out_second;

endmodule

// recency: ways = 4

module stream_base_32_recency (
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

// stream_cache: sets = 8, ways = 4, start_bits = 30, length_bits = 8, hash_shift = 4

module stream_base_32_stream_cache (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear_valid, // the tables are being cleared
    input  wire [4:0]  clear_index, // the entry to clear, in the lower bits
    input  wire [29:0] start, // in instruction units
    input  wire [7:0]  length, // 0 if it is cut
    input  wire        update, // the stream is used: stored if it was not found, its way becomes the most recent
    output wire        found, // the stream is in the cache
    output wire [4:0]  index // index of the stream: where it is, or where it is stored
);

    reg  [7:0]  true_length;
    wire [2:0]  set;
    wire        is_set_0;
    wire [34:0] wanted;
    reg  [3:0]  matching;
    reg  [3:0]  used;
    reg  [1:0]  way_index;
    wire [5:0]  order_read_data;
    wire        order_write_enable;
    reg  [2:0]  order_write_address;
    reg  [5:0]  order_write_data;
    wire [34:0] ways_0_read_data;
    reg         ways_0_write_enable;
    reg  [2:0]  ways_0_write_address;
    reg  [34:0] ways_0_write_data;
    wire [34:0] ways_1_read_data;
    reg         ways_1_write_enable;
    reg  [2:0]  ways_1_write_address;
    reg  [34:0] ways_1_write_data;
    wire [34:0] ways_2_read_data;
    reg         ways_2_write_enable;
    reg  [2:0]  ways_2_write_address;
    reg  [34:0] ways_2_write_data;
    wire [34:0] ways_3_read_data;
    reg         ways_3_write_enable;
    reg  [2:0]  ways_3_write_address;
    reg  [34:0] ways_3_write_data;
    reg  [5:0]  recency_order;
    wire [3:0]  recency_oldest;
    wire [5:0]  recency_order_next;
    reg  [5:0]  order_cells [0:7];
    reg  [34:0] ways_0_cells [0:7];
    reg  [34:0] ways_1_cells [0:7];
    reg  [34:0] ways_2_cells [0:7];
    reg  [34:0] ways_3_cells [0:7];

    stream_base_32_recency recency (
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

    assign set = start[4:2] ^ true_length[2:0];
    assign is_set_0 = !(|set);
    assign wanted = {start[29:5], start[1:0], length};

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
            order_write_address = clear_index[2:0];
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
            ways_0_write_address = clear_index[2:0];
        end
    end

    always @* begin
        ways_0_write_data = wanted;
        if (clear_valid) begin
            ways_0_write_data = 35'd0;
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
            ways_1_write_address = clear_index[2:0];
        end
    end

    always @* begin
        ways_1_write_data = wanted;
        if (clear_valid) begin
            ways_1_write_data = 35'd0;
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
            ways_2_write_address = clear_index[2:0];
        end
    end

    always @* begin
        ways_2_write_data = wanted;
        if (clear_valid) begin
            ways_2_write_data = 35'd0;
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
            ways_3_write_address = clear_index[2:0];
        end
    end

    always @* begin
        ways_3_write_data = wanted;
        if (clear_valid) begin
            ways_3_write_data = 35'd0;
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

    wire _unused_ok = &{1'b0, reset, clear_index[4:3], true_length[7:3]};

endmodule

// last_stream_predictor: index_bits = 5

module stream_base_32_last_stream_predictor (
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
    reg  [4:0] entries_write_address;
    reg  [4:0] entries_write_data;
    reg  [4:0] entries_cells [0:31];

    assign prediction = entries_read_data;
    assign entries_write_enable = update | clear_valid;

    always @* begin
        entries_write_address = previous_index;
        if (clear_valid) begin
            entries_write_address = clear_index;
        end
    end

    always @* begin
        entries_write_data = index;
        if (clear_valid) begin
            entries_write_data = 5'd0;
        end
    end

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

// record_former

module stream_base_32_record_former (
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
    output reg  [53:0] record, // the record in the format of the layout
    input  wire        record_ready // the record is taken
);

    wire       steps;
    wire       whole_hit;
    reg        predicted;
    wire       sends_hit;
    wire       sends_index;
    wire       misses;
    wire       sends_start;
    reg        has_code;
    reg  [4:0] index;
    wire       cache_update;
    wire       cache_found;
    wire [4:0] cache_index;
    reg  [4:0] predictor_index;
    wire       predictor_update;
    wire [4:0] predictor_prediction;

    stream_base_32_stream_cache cache (
        .clock       (clock),
        .reset       (reset),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .start       (start),
        .length      (length),
        .update      (cache_update),
        .found       (cache_found),
        .index       (cache_index)
    );

    stream_base_32_last_stream_predictor predictor (
        .clock       (clock),
        .reset       (reset),
        .clear_valid (clear_valid),
        .clear_index (clear_index),
        .index       (predictor_index),
        .update      (predictor_update),
        .prediction  (predictor_prediction)
    );

    assign steps = stream_valid & record_ready;
    assign cache_update = steps & is_whole;
    assign whole_hit = is_whole & cache_found;

    always @* begin
        predicted = 1'd0;
        if (predictor_prediction == cache_index) begin
            predicted = whole_hit;
        end
    end

    assign predictor_update = steps & is_whole;

    always @* begin
        predictor_index = cache_index;
        if (!whole_hit) begin
            predictor_index = 5'd0;
        end
    end

    assign sends_index = !predicted;
    assign misses = !whole_hit;
    assign sends_hit = predicted;
    assign sends_start = misses & !inferred;

    always @* begin
        has_code = 1'd1;
        if (end_code == 2'd3) begin
            has_code = 1'd0;
        end
    end

    always @* begin
        index = cache_index;
        if (misses) begin
            index = 5'd0;
        end
    end

    assign record_valid = stream_valid & (sends_hit | sends_index);

    always @* begin
        record = {end_code, length, start, sends_start, index, 1'd0, sends_hit, misses & !is_whole, misses & has_code, misses & !has_code, 1'd0, sends_index, 1'd0};
        if (end_code == 2'd2) begin
            record = record | 54'd1;
        end
    end

endmodule

// encoder

module stream_base_32_encoder (
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
    output wire [53:0] record,
    input  wire        record_ready
);

    wire        source_ready;
    wire        source_is_empty;
    wire        source_stream_valid;
    wire [1:0]  source_end_code;
    wire        source_is_whole;
    wire [7:0]  source_length;
    wire [29:0] source_start;
    wire        source_inferred;
    wire        record_former_record_valid;
    wire [53:0] record_former_record;

    stream_base_32_stream_source source (
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
        .inferred           (source_inferred),
        .stream_ready       (record_ready)
    );

    stream_base_32_record_former record_former (
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
        .record_valid (record_former_record_valid),
        .record       (record_former_record),
        .record_ready (record_ready)
    );

    assign ready = source_ready;
    assign is_empty = source_is_empty;
    assign record_valid = record_former_record_valid;
    assign record = record_former_record;

endmodule

// fifo: depth = 2, width = 54

module stream_base_32_fifo_depth2_width54 (
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

// serial_encoder: slots = 7, record_bits = 54, most_bits = 63

module stream_base_32_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid, // the record stays until it is taken
    input  wire [53:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits, // bits of the piece, the first one lowest
    output wire        piece_last, // fill the trace word up with zeros after the piece
    input  wire        piece_ready
);

    reg  [5:0]  sent; // stages of the record that are out
    reg  [1:0]  index; // the piece of the slot
    reg  [6:0]  flags; // slots that are sent
    reg  [5:0]  stages; // stages that send one
    wire [5:0]  pending;
    wire [5:0]  current; // one hot
    reg  [6:0]  active; // one hot: the slot of this cycle
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [5:0]  value_1;
    wire [29:0] value_2;
    wire [7:0]  value_3;
    wire [1:0]  value_5;
    wire [7:0]  value_6;
    reg  [4:0]  left;

    always @* begin
        flags = 7'd0;
        if (record[6]) begin
            flags = 7'd1;
        end
        if (record[1]) begin
            flags = {flags[6:2], 1'd1, flags[0]};
        end
        if (record[13]) begin
            flags = {flags[6:3], 1'd1, flags[1:0]};
        end
        if (record[3]) begin
            flags = {flags[6:4], 1'd1, flags[2:0]};
        end
        if (record[4]) begin
            flags = {flags[6:5], 1'd1, flags[3:0]};
        end
        if (record[4]) begin
            flags = {flags[6], 1'd1, flags[4:0]};
        end
        if (record[5]) begin
            flags = {1'd1, flags[5:0]};
        end
    end

    always @* begin
        stages = 6'd0;
        if (record[6]) begin
            stages = 6'd1;
        end
        if (record[1]) begin
            stages = {stages[5:2], 1'd1, stages[0]};
        end
        if (record[13]) begin
            stages = {stages[5:3], 1'd1, stages[1:0]};
        end
        if (record[3]) begin
            stages = {stages[5:4], 1'd1, stages[2:0]};
        end
        if (record[4]) begin
            stages = {stages[5:4], 1'd1, stages[2:0]};
        end
        if (record[4]) begin
            stages = {stages[5], 1'd1, stages[3:0]};
        end
        if (record[5]) begin
            stages = {1'd1, stages[4:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 6'd1);
    assign is_last = pending == current;

    always @* begin
        active = 7'd0;
        if (current[0]) begin
            active = {6'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[6:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[6:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[6:4], flags[3], active[2:0]};
        end
        if (current[3]) begin
            active = {active[6:5], flags[4], active[3:0]};
        end
        if (current[4]) begin
            active = {active[6], flags[5], active[4:0]};
        end
        if (current[5]) begin
            active = {flags[6], active[5:0]};
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[0]) begin
            piece = 8'd1;
        end
        if (active[1]) begin
            piece = {2'd0, value_1};
        end
        if (active[2]) begin
            if (index == 2'd0) begin
                piece = value_2[7:0];
            end
            if (index == 2'd1) begin
                piece = value_2[15:8];
            end
            if (index == 2'd2) begin
                piece = value_2[23:16];
            end
            if (index == 2'd3) begin
                piece = {2'd0, value_2[29:24]};
            end
        end
        if (active[3]) begin
            piece = value_3;
        end
        if (active[4]) begin
            piece = 8'd0;
        end
        if (active[5]) begin
            piece = {6'd0, value_5};
        end
        if (active[6]) begin
            piece = value_6;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        if (active[0]) begin
            piece_bits = 4'd1;
        end
        if (active[1]) begin
            piece_bits = 4'd6;
        end
        if (active[2]) begin
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
            end
        end
        if (active[3]) begin
            piece_bits = 4'd8;
        end
        if (active[4]) begin
            piece_bits = 4'd8;
        end
        if (active[5]) begin
            piece_bits = 4'd2;
        end
        if (active[6]) begin
            piece_bits = 4'd8;
        end
    end

    always @* begin
        more = 1'd0;
        if (active[2]) begin
            if (left > 5'd8) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        left = 5'd0;
        if (active[2]) begin
            if (index == 2'd0) begin
                left = 5'd30;
            end
            if (index == 2'd1) begin
                left = 5'd22;
            end
            if (index == 2'd2) begin
                left = 5'd14;
            end
            if (index == 2'd3) begin
                left = 5'd6;
            end
        end
    end

    assign value_1 = record[12:7];
    assign value_2 = record[43:14];
    assign value_3 = record[51:44];
    assign value_5 = record[53:52];
    assign value_6 = record[51:44];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

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

    wire _unused_ok = &{1'b0, record[2]};

endmodule

// bit_packer: piece_most_bits = 8, word_bits = 8

module stream_base_32_bit_packer (
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

module stream_base_32_fifo_depth10_width8_has_level1 (
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

module stream_base_32_trace_port (
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

module stream_base_32_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [53:0] record,
    output wire        record_ready,
    output wire        is_empty, // no record, piece or trace word is inside
    output wire        trace_data, // trace bits
    output wire        trace_valid, // a beat is ready
    input  wire        trace_ready, // the sink takes the beat
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        next_valid; // the record that comes to the encoder next
    wire [53:0] next;
    wire        next_ready;
    wire        waiting_valid;
    wire [53:0] waiting;
    wire        waiting_ready;
    wire        piece_valid;
    wire [7:0]  piece; // zero above piece_bits
    wire [3:0]  piece_bits; // bits of the piece, the first one lowest
    wire        piece_last; // fill the trace word up with zeros after the piece
    wire        piece_ready;
    wire        queue_is_empty;
    wire        record_queue_in_ready;
    wire        record_queue_out_valid;
    wire [53:0] record_queue_out_word;
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

    stream_base_32_fifo_depth2_width54 record_queue (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (record_valid),
        .in_word   (record),
        .in_ready  (record_queue_in_ready),
        .out_valid (record_queue_out_valid),
        .out_word  (record_queue_out_word),
        .out_ready (next_ready)
    );

    stream_base_32_serial_encoder serial_encoder (
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

    stream_base_32_bit_packer bit_packer (
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

    stream_base_32_fifo_depth10_width8_has_level1 output_fifo (
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

    stream_base_32_trace_port trace_port (
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

// stream_cache

module stream_base_32 (
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

    wire        sequencer_is_empty;
    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_flushed;
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
    wire [53:0] encoder_record;
    wire        back_end_record_ready;
    wire        back_end_is_empty;
    wire        back_end_trace_data;
    wire        back_end_trace_valid;
    wire [3:0]  back_end_buffered_words;

    stream_base_32_sequencer sequencer (
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

    stream_base_32_retire_decoder retire_decoder (
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

    stream_base_32_encoder encoder (
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

    stream_base_32_back_end back_end (
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
