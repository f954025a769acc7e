// stream-rbase-128 of Tracewright, scheme stream_cache.
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
// stream_cache: sets = 32, ways = 4, start_bits = 18, length_bits = 8, hash_shift = 4

module stream_rbase_128_stream_cache (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [6:0]  clear_index,
    input  wire [29:0] start, // in instruction units
    input  wire [7:0]  length, // 0 if it is cut
    input  wire        update,
    output wire        found,
    output wire [6:0]  index
);

    reg  [7:0]  true_length;
    wire [4:0]  set;
    wire        is_set_0;
    wire [20:0] wanted;
    reg  [3:0]  matching;
    reg  [3:0]  used;
    reg  [1:0]  way_index;
    wire [5:0]  order_read_data;
    wire        order_write_enable;
    reg  [4:0]  order_write_address;
    reg  [5:0]  order_write_data;
    wire [20:0] ways_0_read_data;
    reg         ways_0_write_enable;
    reg  [4:0]  ways_0_write_address;
    reg  [20:0] ways_0_write_data;
    wire [20:0] ways_1_read_data;
    reg         ways_1_write_enable;
    reg  [4:0]  ways_1_write_address;
    reg  [20:0] ways_1_write_data;
    wire [20:0] ways_2_read_data;
    reg         ways_2_write_enable;
    reg  [4:0]  ways_2_write_address;
    reg  [20:0] ways_2_write_data;
    wire [20:0] ways_3_read_data;
    reg         ways_3_write_enable;
    reg  [4:0]  ways_3_write_address;
    reg  [20:0] ways_3_write_data;
    reg  [5:0]  recency_order;
    wire [3:0]  recency_oldest;
    wire [5:0]  recency_order_next;
    reg  [5:0]  order_cells [0:31];
    reg  [20:0] ways_0_cells [0:31];
    reg  [20:0] ways_1_cells [0:31];
    reg  [20:0] ways_2_cells [0:31];
    reg  [20:0] ways_3_cells [0:31];

    stream_rbase_128_recency recency (
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

    assign set = start[6:2] ^ true_length[4:0];
    assign is_set_0 = !(|set);
    assign wanted = {start[17:7], start[1:0], length};

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
            order_write_address = clear_index[4:0];
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
            ways_0_write_address = clear_index[4:0];
        end
    end

    always @* begin
        ways_0_write_data = wanted;
        if (clear) begin
            ways_0_write_data = 21'd0;
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
            ways_1_write_address = clear_index[4:0];
        end
    end

    always @* begin
        ways_1_write_data = wanted;
        if (clear) begin
            ways_1_write_data = 21'd0;
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
            ways_2_write_address = clear_index[4:0];
        end
    end

    always @* begin
        ways_2_write_data = wanted;
        if (clear) begin
            ways_2_write_data = 21'd0;
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
            ways_3_write_address = clear_index[4:0];
        end
    end

    always @* begin
        ways_3_write_data = wanted;
        if (clear) begin
            ways_3_write_data = 21'd0;
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

    wire _unused_ok = &{1'b0, reset, clear_index[6:5], start[29:18], true_length[7:5]};

endmodule
