// stream-rbase-32 of Tracewright, scheme stream_cache.
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
//   last_value_start_address = every
//   upper_address_bits = 12
//   one_length_counter = true
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle
// verilator lint_off DECLFILENAME
// One file holds every module of the design; `tracewright generate --split` writes one file per module.

// sequencer: clear_bits = 5

module stream_rbase_32_sequencer (
    input  wire       clock,
    input  wire       reset,
    input  wire       flush, // level: end the trace here
    input  wire       ready,
    input  wire       is_empty,
    output wire       tracing,
    output wire       record_flush,
    output wire       flushed,
    output wire       clear,
    output wire [4:0] clear_index
);

    reg        clearing;
    reg  [4:0] index;
    reg  [1:0] state;

    assign clear = clearing;
    assign clear_index = index;
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
                if (&index) begin
                    clearing <= 1'd0;
                end
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

// stream_detector: length_bits = 8, count_bits = 4

module stream_rbase_32_stream_detector (
    input  wire       clock,
    input  wire       reset,
    input  wire       retire,
    input  wire [3:0] count,
    input  wire [2:0] branch_kind,
    input  wire       taken,
    input  wire       flush,
    output wire       cut, // a longest stream goes first
    output reg        branch_ends,
    output wire       excepts,
    output wire [7:0] length
);

    reg  [7:0] counted; // instructions of the stream at hand
    wire       is_exception;
    reg  [8:0] total; // instructions so far, all of the block's
    reg        is_longest;

    assign is_exception = branch_kind == 3'd5;

    always @* begin
        branch_ends = 1'd0;
        if ((|branch_kind) && !is_exception) begin
            branch_ends = retire & taken;
        end
        if (branch_kind == 3'd1) begin
            branch_ends = 1'd0;
        end
    end

    assign excepts = retire & is_exception;

    always @* begin
        total = {1'd0, counted};
        if (retire) begin
            total = {1'd0, counted} + {5'd0, count};
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

endmodule

// cut_start: start_bits = 30, length_bits = 8

module stream_rbase_32_cut_start (
    input  wire [29:0] start, // in instruction units
    input  wire        goes_on, // behind the cut
    output wire [29:0] place
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

module stream_rbase_32_stream_start (
    input  wire        clock,
    input  wire        reset,
    input  wire        cut, // goes before any other end
    input  wire        branch_ends,
    input  wire        excepts,
    input  wire        flush,
    input  wire        direct, // the branch is direct
    input  wire [29:0] target, // in instruction units
    output wire [29:0] first,
    output wire        first_inferred
);

    reg  [29:0] start;
    reg         inferred;
    wire [29:0] cut_start_place;

    stream_rbase_32_cut_start cut_start (
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

module stream_rbase_32_stream_buffer (
    input  wire        clock,
    input  wire        reset,
    input  wire        first_valid,
    input  wire        second_valid, // never without the first
    input  wire [40:0] streams,
    output wire        in_ready,
    output wire        out_valid,
    output wire [40:0] out,
    output wire        out_first, // of two of a block
    output wire        out_second, // of two of a block
    input  wire        out_ready,
    output wire        is_empty
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

module stream_rbase_32_stream_source (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire,
    input  wire [3:0]  count,
    input  wire [2:0]  branch_kind,
    input  wire        taken,
    input  wire [31:0] target,
    input  wire        flush,
    output wire        ready,
    output wire        is_empty,
    output wire        stream_valid,
    output reg  [1:0]  code, // code of the end; 3: a branch
    output wire        is_whole, // it ends with a branch or a cut
    output reg  [7:0]  length, // 0: cut
    output wire [29:0] start, // in instruction units
    output wire        inferred, // the start is
    input  wire        stream_ready
);

    wire        ends; // a stream besides a cut one
    reg  [1:0]  end_code;
    wire [1:0]  stored_code;
    wire        detector_cut;
    wire        detector_branch_ends;
    wire        detector_excepts;
    wire [7:0]  detector_length;
    wire        starts_direct;
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

    stream_rbase_32_stream_detector detector (
        .clock       (clock),
        .reset       (reset),
        .retire      (retire),
        .count       (count),
        .branch_kind (branch_kind),
        .taken       (taken),
        .flush       (flush),
        .cut         (detector_cut),
        .branch_ends (detector_branch_ends),
        .excepts     (detector_excepts),
        .length      (detector_length)
    );

    stream_rbase_32_stream_start starts (
        .clock          (clock),
        .reset          (reset),
        .cut            (detector_cut),
        .branch_ends    (detector_branch_ends),
        .excepts        (detector_excepts),
        .flush          (flush),
        .direct         (starts_direct),
        .target         (target[31:2]),
        .first          (starts_first),
        .first_inferred (starts_first_inferred)
    );

    stream_rbase_32_stream_buffer buffer (
        .clock        (clock),
        .reset        (reset),
        .first_valid  (buffer_first_valid),
        .second_valid (buffer_second_valid),
        .streams      ({starts_first_inferred, starts_first, detector_length, end_code}),
        .in_ready     (buffer_in_ready),
        .out_valid    (buffer_out_valid),
        .out          (buffer_out),
        .out_first    (buffer_out_first),
        .out_second   (buffer_out_second),
        .out_ready    (stream_ready),
        .is_empty     (buffer_is_empty)
    );

    stream_rbase_32_cut_start second_start (
        .start   (buffer_out[39:10]),
        .goes_on (buffer_out_second),
        .place   (second_start_place)
    );

    assign ready = buffer_in_ready;
    assign is_empty = buffer_is_empty;
    assign starts_direct = (branch_kind == 3'd1) | (branch_kind == 3'd2);
    assign ends = detector_branch_ends | detector_excepts | flush;

    always @* begin
        end_code = 2'd0;
        if (detector_branch_ends) begin
            end_code = 2'd3;
        end else if (detector_excepts) begin
            end_code = 2'd1;
        end else if (flush) begin
            end_code = 2'd2;
        end
    end

    assign buffer_first_valid = detector_cut | ends;
    assign buffer_second_valid = detector_cut & ends;
    assign stream_valid = buffer_out_valid;
    assign stored_code = buffer_out[1:0];

    always @* begin
        code = stored_code;
        if (buffer_out_first) begin
            code = 2'd0;
        end
    end

    assign is_whole = (code == 2'd3) | (code == 2'd0);

    always @* begin
        length = 8'd0;
        if (code != 2'd0) begin
            length = buffer_out[9:2];
        end
    end

    assign start = second_start_place;
    assign inferred = buffer_out[40] | buffer_out_second;

    wire _unused_ok = &{1'b0, target[1:0]};

endmodule

// recency: ways = 4

module stream_rbase_32_recency (
    input  wire [5:0] order,
    input  wire [3:0] used, // one hot
    output reg  [3:0] oldest, // one hot
    output reg  [5:0] order_next
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

// stream_cache: sets = 8, ways = 4, start_bits = 18, length_bits = 8, hash_shift = 4

module stream_rbase_32_stream_cache (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [4:0]  clear_index,
    input  wire [29:0] start, // in instruction units
    input  wire [7:0]  length, // 0 if it is cut
    input  wire        update,
    output wire        found,
    output wire [4:0]  index
);

    reg  [7:0]  true_length;
    wire [2:0]  set;
    wire        is_set_0;
    wire [22:0] wanted;
    reg  [3:0]  matching;
    reg  [3:0]  used;
    reg  [1:0]  way_index;
    wire [5:0]  order_read_data;
    wire        order_write_enable;
    reg  [2:0]  order_write_address;
    reg  [5:0]  order_write_data;
    wire [22:0] ways_0_read_data;
    reg         ways_0_write_enable;
    reg  [2:0]  ways_0_write_address;
    reg  [22:0] ways_0_write_data;
    wire [22:0] ways_1_read_data;
    reg         ways_1_write_enable;
    reg  [2:0]  ways_1_write_address;
    reg  [22:0] ways_1_write_data;
    wire [22:0] ways_2_read_data;
    reg         ways_2_write_enable;
    reg  [2:0]  ways_2_write_address;
    reg  [22:0] ways_2_write_data;
    wire [22:0] ways_3_read_data;
    reg         ways_3_write_enable;
    reg  [2:0]  ways_3_write_address;
    reg  [22:0] ways_3_write_data;
    reg  [5:0]  recency_order;
    wire [3:0]  recency_oldest;
    wire [5:0]  recency_order_next;
    reg  [5:0]  order_cells [0:7];
    reg  [22:0] ways_0_cells [0:7];
    reg  [22:0] ways_1_cells [0:7];
    reg  [22:0] ways_2_cells [0:7];
    reg  [22:0] ways_3_cells [0:7];

    stream_rbase_32_recency recency (
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
    assign wanted = {start[17:5], start[1:0], length};

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
    assign order_write_enable = update | clear;

    always @* begin
        order_write_address = set;
        if (clear) begin
            order_write_address = clear_index[2:0];
        end
    end

    always @* begin
        order_write_data = recency_order_next;
        if (clear) begin
            order_write_data = 6'd0;
        end
    end

    always @* begin
        ways_0_write_enable = clear;
        if (used[0]) begin
            ways_0_write_enable = clear | update;
        end
    end

    always @* begin
        ways_0_write_address = set;
        if (clear) begin
            ways_0_write_address = clear_index[2:0];
        end
    end

    always @* begin
        ways_0_write_data = wanted;
        if (clear) begin
            ways_0_write_data = 23'd0;
        end
    end

    always @* begin
        ways_1_write_enable = clear;
        if (used[1]) begin
            ways_1_write_enable = clear | update;
        end
    end

    always @* begin
        ways_1_write_address = set;
        if (clear) begin
            ways_1_write_address = clear_index[2:0];
        end
    end

    always @* begin
        ways_1_write_data = wanted;
        if (clear) begin
            ways_1_write_data = 23'd0;
        end
    end

    always @* begin
        ways_2_write_enable = clear;
        if (used[2]) begin
            ways_2_write_enable = clear | update;
        end
    end

    always @* begin
        ways_2_write_address = set;
        if (clear) begin
            ways_2_write_address = clear_index[2:0];
        end
    end

    always @* begin
        ways_2_write_data = wanted;
        if (clear) begin
            ways_2_write_data = 23'd0;
        end
    end

    always @* begin
        ways_3_write_enable = clear;
        if (used[3]) begin
            ways_3_write_enable = clear | update;
        end
    end

    always @* begin
        ways_3_write_address = set;
        if (clear) begin
            ways_3_write_address = clear_index[2:0];
        end
    end

    always @* begin
        ways_3_write_data = wanted;
        if (clear) begin
            ways_3_write_data = 23'd0;
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

    wire _unused_ok = &{1'b0, reset, clear_index[4:3], start[29:18], true_length[7:3]};

endmodule

// last_stream_predictor: index_bits = 5

module stream_rbase_32_last_stream_predictor (
    input  wire       clock,
    input  wire       reset,
    input  wire       clear,
    input  wire [4:0] clear_index,
    input  wire [4:0] index,
    input  wire       update,
    output wire [4:0] prediction // 0 is none
);

    reg  [4:0] previous_index;
    wire [4:0] entries_read_data;
    wire       entries_write_enable;
    reg  [4:0] entries_write_address;
    reg  [4:0] entries_write_data;
    reg  [4:0] entries_cells [0:31];

    assign prediction = entries_read_data;
    assign entries_write_enable = update | clear;

    always @* begin
        entries_write_address = previous_index;
        if (clear) begin
            entries_write_address = clear_index;
        end
    end

    always @* begin
        entries_write_data = index;
        if (clear) begin
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

// start_address_predictor: upper_bits = 12

module stream_rbase_32_start_address_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire [29:0] start, // in instruction units
    input  wire        update,
    input  wire        sent,
    output wire        matching
);

    reg  [11:0] upper;
    wire [11:0] start_upper;

    assign start_upper = start[29:18];
    assign matching = start_upper == upper;

    always @(posedge clock) begin
        if (reset) begin
            upper <= 12'd0;
        end else begin
            if (update) begin
                upper <= start_upper;
            end
        end
    end

    wire _unused_ok = &{1'b0, start[17:0], sent};

endmodule

// one_length_counter: start_bits = 4, least_bits = 0, most_bits = 10, resets = 1

module stream_rbase_32_one_length_counter (
    input  wire       clock,
    input  wire       reset,
    input  wire       hit, // a stream was predicted
    input  wire       ends, // another record is made
    output wire       sends,
    output wire [9:0] run, // its length less 1
    output wire [3:0] run_bits
);

    reg        running;
    reg  [9:0] count; // the run at hand less 1
    reg  [3:0] size; // of the longest run and a header bit
    reg  [3:0] monitor;
    reg  [9:0] ones; // the longest run less 1: as many ones as the size
    wire [9:0] ones_below; // one less
    wire       begins;
    wire       is_full;
    wire       went_on;
    wire       is_short;
    reg        grows;
    reg        shrinks;
    wire       steps_down;
    reg  [3:0] size_step;
    reg  [3:0] monitor_step;

    always @* begin
        ones = 10'd0;
        if (size > 4'd1) begin
            ones = 10'd1;
        end
        if (size > 4'd2) begin
            ones = {ones[9:2], 1'd1, ones[0]};
        end
        if (size > 4'd3) begin
            ones = {ones[9:3], 1'd1, ones[1:0]};
        end
        if (size > 4'd4) begin
            ones = {ones[9:4], 1'd1, ones[2:0]};
        end
        if (size > 4'd5) begin
            ones = {ones[9:5], 1'd1, ones[3:0]};
        end
        if (size > 4'd6) begin
            ones = {ones[9:6], 1'd1, ones[4:0]};
        end
        if (size > 4'd7) begin
            ones = {ones[9:7], 1'd1, ones[5:0]};
        end
        if (size > 4'd8) begin
            ones = {ones[9:8], 1'd1, ones[6:0]};
        end
        if (size > 4'd9) begin
            ones = {ones[9], 1'd1, ones[7:0]};
        end
        if (size > 4'd10) begin
            ones = {1'd1, ones[8:0]};
        end
    end

    assign ones_below = {1'd0, ones[9:1]};
    assign is_full = &(count | ~ones);
    assign went_on = hit & running & is_full;
    assign is_short = !(&(count | ~ones_below)) & !(|(count & ones & ~ones_below));
    assign sends = went_on | (ends & running);
    assign run = count;
    assign run_bits = size;
    assign begins = hit & (!running | is_full);

    always @* begin
        grows = 1'd0;
        if (monitor > 4'd11) begin
            grows = went_on;
        end
    end

    assign steps_down = ends & running & is_short;

    always @* begin
        shrinks = 1'd0;
        if (monitor < 4'd2) begin
            shrinks = steps_down;
        end
    end

    always @* begin
        size_step = 4'd0;
        if (grows && (size != 4'd11)) begin
            size_step = 4'd1;
        end
        if (shrinks && (size != 4'd1)) begin
            size_step = 4'd15;
        end
    end

    always @* begin
        monitor_step = 4'd0;
        if (went_on) begin
            monitor_step = 4'd3;
        end
        if (steps_down) begin
            monitor_step = 4'd15;
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            running <= 1'd0;
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

// record_former

module stream_rbase_32_record_former (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [4:0]  clear_index,
    input  wire        stream_valid,
    input  wire [29:0] start, // in instruction units
    input  wire        inferred,
    input  wire [1:0]  ending, // 0 cut, 1 exception, 2 flush, 3 branch
    input  wire        is_whole, // not broken off by an exception or a flush
    input  wire [7:0]  length,
    output wire        record_valid,
    output reg  [67:0] record,
    input  wire        record_ready
);

    wire       steps;
    wire       is_told; // an index says where the stream starts
    wire       whole_hit;
    reg        predicted;
    wire       sends_hit;
    wire       sends_index;
    wire       misses;
    wire       lower_suffices;
    wire       sends_start;
    reg        has_code;
    reg  [4:0] index;
    wire [9:0] run;
    wire [3:0] run_bits;
    wire       cache_update;
    wire       cache_found;
    wire [4:0] cache_index;
    reg  [4:0] predictor_index;
    wire       predictor_update;
    wire [4:0] predictor_prediction;
    wire       start_addresses_matching;
    wire       counter_hit;
    wire       counter_ends;
    wire       counter_sends;
    wire [9:0] counter_run;
    wire [3:0] counter_run_bits;

    stream_rbase_32_stream_cache cache (
        .clock       (clock),
        .reset       (reset),
        .clear       (clear),
        .clear_index (clear_index),
        .start       (start),
        .length      (length),
        .update      (cache_update),
        .found       (cache_found),
        .index       (cache_index)
    );

    stream_rbase_32_last_stream_predictor predictor (
        .clock       (clock),
        .reset       (reset),
        .clear       (clear),
        .clear_index (clear_index),
        .index       (predictor_index),
        .update      (predictor_update),
        .prediction  (predictor_prediction)
    );

    stream_rbase_32_start_address_predictor start_addresses (
        .clock    (clock),
        .reset    (reset),
        .start    (start),
        .update   (steps),
        .sent     (sends_start),
        .matching (start_addresses_matching)
    );

    stream_rbase_32_one_length_counter counter (
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
    assign lower_suffices = start_addresses_matching;
    assign is_told = inferred | lower_suffices;
    assign whole_hit = is_whole & cache_found & is_told;

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
    assign run = counter_run;
    assign run_bits = counter_run_bits;
    assign counter_hit = steps & predicted;
    assign counter_ends = steps & !predicted;
    assign sends_hit = counter_sends;
    assign sends_start = misses & !inferred;

    always @* begin
        has_code = 1'd1;
        if (ending == 2'd3) begin
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
        record = {4'd0, ending, length, start, sends_start & !lower_suffices, index, 11'd0, sends_hit, misses & !is_whole, misses & has_code, misses & !has_code, sends_start & lower_suffices, sends_index, 1'd0};
        if (ending == 2'd2) begin
            record = record | 68'd1;
        end
        record = record | {51'd0, run, 7'd0} | {run_bits, 64'd0};
    end

endmodule

// encoder

module stream_rbase_32_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [4:0]  clear_index,
    input  wire        retire, // a block retires; only when ready
    input  wire [3:0]  count,
    input  wire [31:0] program_counter,
    input  wire [3:0]  length,
    input  wire [2:0]  branch_kind,
    input  wire        call,
    input  wire        is_return,
    input  wire        taken,
    input  wire [31:0] target,
    input  wire        flush, // make a flush record; only when ready
    output wire        ready,
    output wire        is_empty,
    output wire        record_valid,
    output wire [67:0] record,
    input  wire        record_ready
);

    wire        source_ready;
    wire        source_is_empty;
    wire        source_stream_valid;
    wire [1:0]  source_code;
    wire        source_is_whole;
    wire [7:0]  source_length;
    wire [29:0] source_start;
    wire        source_inferred;
    wire        record_former_record_valid;
    wire [67:0] record_former_record;

    stream_rbase_32_stream_source source (
        .clock        (clock),
        .reset        (reset),
        .retire       (retire),
        .count        (count),
        .branch_kind  (branch_kind),
        .taken        (taken),
        .target       (target),
        .flush        (flush),
        .ready        (source_ready),
        .is_empty     (source_is_empty),
        .stream_valid (source_stream_valid),
        .code         (source_code),
        .is_whole     (source_is_whole),
        .length       (source_length),
        .start        (source_start),
        .inferred     (source_inferred),
        .stream_ready (record_ready)
    );

    stream_rbase_32_record_former record_former (
        .clock        (clock),
        .reset        (reset),
        .clear        (clear),
        .clear_index  (clear_index),
        .stream_valid (source_stream_valid),
        .start        (source_start),
        .inferred     (source_inferred),
        .ending       (source_code),
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

    wire _unused_ok = &{1'b0, program_counter, length, call, is_return};

endmodule

// fifo: depth = 2, width = 68

module stream_rbase_32_fifo_depth2_width68 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [67:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [67:0] out_word,
    input  wire        out_ready,
    output wire [1:0]  level // words held
);

    wire [67:0] words_read_data;
    reg         write_pointer;
    reg         read_pointer;
    reg  [1:0]  held;
    wire        puts;
    wire        takes;
    reg  [67:0] words_cells [0:1];

    assign out_valid = |held;
    assign in_ready = held != 2'd2;
    assign puts = in_valid & in_ready;
    assign takes = out_ready & out_valid;
    assign level = held;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 1'd0;
            read_pointer <= 1'd0;
            held <= 2'd0;
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
            if (puts > takes) begin
                held <= held + 2'd1;
            end else if (takes > puts) begin
                held <= held - 2'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (puts) begin
            words_cells[write_pointer] <= in_word;
        end
    end

endmodule

// serial_encoder: slots = 8, record_bits = 68, most_bits = 93

module stream_rbase_32_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [67:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [5:0]  sent; // stages of the record that are out
    reg  [1:0]  index; // the piece of the slot
    reg  [7:0]  flags; // slots that are sent
    reg  [5:0]  stages; // stages that send one
    wire [5:0]  pending;
    wire [5:0]  current; // one hot
    reg  [7:0]  active; // one hot: the slot of this clock
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [10:0] value_0;
    wire [5:0]  value_1;
    wire [30:0] value_2;
    wire [18:0] value_3;
    wire [7:0]  value_4;
    wire [1:0]  value_6;
    wire [7:0]  value_7;
    wire [3:0]  raw_size_0;
    wire [4:0]  size_0;
    reg  [4:0]  left;

    always @* begin
        flags = 8'd0;
        if (record[6]) begin
            flags = 8'd1;
        end
        if (record[1]) begin
            flags = {flags[7:2], 1'd1, flags[0]};
        end
        if (record[23]) begin
            flags = {flags[7:3], 1'd1, flags[1:0]};
        end
        if (record[2]) begin
            flags = {flags[7:4], 1'd1, flags[2:0]};
        end
        if (record[3]) begin
            flags = {flags[7:5], 1'd1, flags[3:0]};
        end
        if (record[4]) begin
            flags = {flags[7:6], 1'd1, flags[4:0]};
        end
        if (record[4]) begin
            flags = {flags[7], 1'd1, flags[5:0]};
        end
        if (record[5]) begin
            flags = {1'd1, flags[6:0]};
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
        if (record[23]) begin
            stages = {stages[5:3], 1'd1, stages[1:0]};
        end
        if (record[2]) begin
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
        if (current[2]) begin
            active = {active[7:4], flags[3], active[2:0]};
        end
        if (current[3]) begin
            active = {active[7:5], flags[4], active[3:0]};
        end
        if (current[3]) begin
            active = {active[7:6], flags[5], active[4:0]};
        end
        if (current[4]) begin
            active = {active[7], flags[6], active[5:0]};
        end
        if (current[5]) begin
            active = {flags[7], active[6:0]};
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[0]) begin
            if (index == 2'd0) begin
                piece = value_0[7:0];
            end
            if (index == 2'd1) begin
                piece = {5'd0, value_0[10:8]};
            end
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
                piece = {1'd0, value_2[30:24]};
            end
        end
        if (active[3]) begin
            if (index == 2'd0) begin
                piece = value_3[7:0];
            end
            if (index == 2'd1) begin
                piece = value_3[15:8];
            end
            if (index == 2'd2) begin
                piece = {5'd0, value_3[18:16]};
            end
        end
        if (active[4]) begin
            piece = value_4;
        end
        if (active[5]) begin
            piece = 8'd0;
        end
        if (active[6]) begin
            piece = {6'd0, value_6};
        end
        if (active[7]) begin
            piece = value_7;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        left = 5'd0;
        if (active[0]) begin
            if (index == 2'd0) begin
                left = size_0;
            end
            if (index == 2'd1) begin
                left = size_0 - 5'd8;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[1]) begin
            piece_bits = 4'd6;
        end
        if (active[2]) begin
            if (index == 2'd0) begin
                left = 5'd31;
            end
            if (index == 2'd1) begin
                left = 5'd23;
            end
            if (index == 2'd2) begin
                left = 5'd15;
            end
            if (index == 2'd3) begin
                left = 5'd7;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[3]) begin
            if (index == 2'd0) begin
                left = 5'd19;
            end
            if (index == 2'd1) begin
                left = 5'd11;
            end
            if (index == 2'd2) begin
                left = 5'd3;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[4]) begin
            piece_bits = 4'd8;
        end
        if (active[5]) begin
            piece_bits = 4'd8;
        end
        if (active[6]) begin
            piece_bits = 4'd2;
        end
        if (active[7]) begin
            piece_bits = 4'd8;
        end
    end

    assign value_0 = record[16:6];
    assign size_0 = {1'd0, raw_size_0};
    assign raw_size_0 = record[67:64];
    assign value_1 = record[22:17];
    assign value_2 = record[53:23];
    assign value_3 = record[41:23];
    assign value_4 = record[61:54];
    assign value_6 = record[63:62];
    assign value_7 = record[61:54];
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

endmodule

// bit_packer: piece_most_bits = 8, word_bits = 8

module stream_rbase_32_bit_packer (
    input  wire       clock,
    input  wire       reset,
    input  wire       piece_valid,
    input  wire [7:0] piece, // zero above piece_bits
    input  wire [3:0] piece_bits,
    input  wire       piece_last, // fill the word up with zeros
    output reg        piece_ready,
    output wire       word_valid,
    output wire [7:0] word,
    input  wire       word_ready,
    output wire       is_empty
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

// fifo: depth = 10, width = 8

module stream_rbase_32_fifo_depth10_width8 (
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
    wire       puts;
    wire       takes;
    reg  [7:0] words_cells [0:9];

    assign out_valid = |held;
    assign in_ready = held != 4'd10;
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

module stream_rbase_32_trace_port (
    input  wire       clock,
    input  wire       reset,
    input  wire       word_valid,
    input  wire [7:0] word,
    output reg        word_ready,
    output wire       trace_valid,
    output reg        trace_data,
    input  wire       trace_ready
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

module stream_rbase_32_back_end (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [67:0] record,
    output wire        record_ready,
    output wire        is_empty,
    output wire        trace_data,
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words
);

    wire        queue_is_empty;
    wire        waiting_valid;
    wire [67:0] waiting;
    wire        waiting_ready;
    wire        piece_valid;
    wire [7:0]  piece;
    wire [3:0]  piece_bits;
    wire        piece_last;
    wire        piece_ready;
    wire        next_valid;
    wire [67:0] next_record; // the record that comes to the encoder next
    wire        next_ready;
    wire        record_queue_in_ready;
    wire        record_queue_out_valid;
    wire [67:0] record_queue_out_word;
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

    stream_rbase_32_fifo_depth2_width68 record_queue (
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

    stream_rbase_32_serial_encoder serial_encoder (
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

    stream_rbase_32_bit_packer bit_packer (
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

    stream_rbase_32_fifo_depth10_width8 output_fifo (
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

    stream_rbase_32_trace_port trace_port (
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

// stream_cache

module stream_rbase_32 (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire_valid, // a block retires in this clock
    input  wire [3:0]  retire_count, // its instructions
    input  wire [31:0] retire_pc, // byte address of its last instruction
    input  wire [3:0]  retire_length, // length of that in bytes
    input  wire [2:0]  retire_kind, // 0 sequential, 1 jump, 2 branch, 3 indirect, 4 both, 5 exception
    input  wire        retire_call, // it leaves a return address
    input  wire        retire_return, // it goes back to one
    input  wire        retire_taken, // the flow changed
    input  wire [31:0] retire_target, // where to, if taken
    output wire        stall, // the block of this clock is not taken
    input  wire        flush, // level: end the trace here
    output wire        flushed, // everything is out
    output wire        trace_data, // trace bits, bit 0 first
    output wire        trace_valid,
    input  wire        trace_ready,
    output wire [3:0]  buffered_words // trace words in the output FIFO
);

    wire        sequencer_is_empty;
    wire        sequencer_tracing;
    wire        sequencer_record_flush;
    wire        sequencer_flushed;
    wire        sequencer_clear;
    wire [4:0]  sequencer_clear_index;
    wire        encoder_retire;
    wire        encoder_flush;
    wire        encoder_ready;
    wire        encoder_is_empty;
    wire        encoder_record_valid;
    wire [67:0] encoder_record;
    wire        back_end_record_ready;
    wire        back_end_is_empty;
    wire        back_end_trace_data;
    wire        back_end_trace_valid;
    wire [3:0]  back_end_buffered_words;

    stream_rbase_32_sequencer sequencer (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (encoder_ready),
        .is_empty     (sequencer_is_empty),
        .tracing      (sequencer_tracing),
        .record_flush (sequencer_record_flush),
        .flushed      (sequencer_flushed),
        .clear        (sequencer_clear),
        .clear_index  (sequencer_clear_index)
    );

    stream_rbase_32_encoder encoder (
        .clock           (clock),
        .reset           (reset),
        .clear           (sequencer_clear),
        .clear_index     (sequencer_clear_index),
        .retire          (encoder_retire),
        .count           (retire_count),
        .program_counter (retire_pc),
        .length          (retire_length),
        .branch_kind     (retire_kind),
        .call            (retire_call),
        .is_return       (retire_return),
        .taken           (retire_taken),
        .target          (retire_target),
        .flush           (encoder_flush),
        .ready           (encoder_ready),
        .is_empty        (encoder_is_empty),
        .record_valid    (encoder_record_valid),
        .record          (encoder_record),
        .record_ready    (back_end_record_ready)
    );

    stream_rbase_32_back_end back_end (
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
    assign encoder_flush = sequencer_record_flush & encoder_ready;
    assign encoder_retire = retire_valid & !stall;
    assign trace_valid = back_end_trace_valid;
    assign trace_data = back_end_trace_data;
    assign buffered_words = back_end_buffered_words;

endmodule
