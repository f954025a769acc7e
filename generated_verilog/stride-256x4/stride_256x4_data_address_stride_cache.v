// stride-256x4 of Tracewright, scheme data_stride.
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
//   stride_cache_entries = 1024
//   stride_cache_ways = 4
//   stride_cache_tagged = true
//   tag_bits = 22
//   pc_shift = 2
//   stride_bits = 8
//   data_repetitions = true
//   pattern_bits = 8
//   repetition_count_bits = 8
//   data_address_buffer_depth = 8
// data_address_stride_cache: sets = 256, ways = 4, tagged = 1, tag_bits = 22, stride_bits = 8, address_width = 32, clear_bits = 8

module stride_256x4_data_address_stride_cache (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [7:0]  clear_index,
    input  wire        update, // an access is made
    input  wire [29:0] site, // set, and above it the tag
    input  wire [31:0] address,
    output reg         hit
);

    wire [7:0]  set;
    wire [21:0] tag;
    wire [22:0] wanted; // the tag, and valid
    reg  [3:0]  matching; // the instruction's own way, one hot
    reg  [3:0]  used;
    reg  [62:0] own; // its content
    wire [7:0]  stride;
    reg  [31:0] extended; // the stride with its sign
    wire [31:0] difference; // from the last address
    reg  [7:0]  stride_next;
    wire [5:0]  order_read_data;
    wire        order_write_enable;
    reg  [7:0]  order_write_address;
    reg  [5:0]  order_write_data;
    wire [62:0] ways_0_read_data;
    reg         ways_0_write_enable;
    reg  [7:0]  ways_0_write_address;
    reg  [62:0] ways_0_write_data;
    wire [62:0] ways_1_read_data;
    reg         ways_1_write_enable;
    reg  [7:0]  ways_1_write_address;
    reg  [62:0] ways_1_write_data;
    wire [62:0] ways_2_read_data;
    reg         ways_2_write_enable;
    reg  [7:0]  ways_2_write_address;
    reg  [62:0] ways_2_write_data;
    wire [62:0] ways_3_read_data;
    reg         ways_3_write_enable;
    reg  [7:0]  ways_3_write_address;
    reg  [62:0] ways_3_write_data;
    wire [3:0]  recency_oldest;
    wire [5:0]  recency_order_next;
    reg  [5:0]  order_cells [0:255];
    reg  [62:0] ways_0_cells [0:255];
    reg  [62:0] ways_1_cells [0:255];
    reg  [62:0] ways_2_cells [0:255];
    reg  [62:0] ways_3_cells [0:255];

    stride_256x4_recency recency (
        .order      (order_read_data),
        .used       (used),
        .oldest     (recency_oldest),
        .order_next (recency_order_next)
    );

    assign set = site[7:0];
    assign tag = site[29:8];
    assign wanted = {1'd1, tag};

    always @* begin
        matching = 4'd0;
        if (ways_0_read_data[62:40] == wanted) begin
            matching = 4'd1;
        end
        if (ways_1_read_data[62:40] == wanted) begin
            matching = {matching[3:2], 1'd1, matching[0]};
        end
        if (ways_2_read_data[62:40] == wanted) begin
            matching = {matching[3], 1'd1, matching[1:0]};
        end
        if (ways_3_read_data[62:40] == wanted) begin
            matching = {1'd1, matching[2:0]};
        end
    end

    always @* begin
        own = 63'd0;
        if (ways_0_read_data[62:40] == wanted) begin
            own = ways_0_read_data;
        end
        if (ways_1_read_data[62:40] == wanted) begin
            own = ways_1_read_data;
        end
        if (ways_2_read_data[62:40] == wanted) begin
            own = ways_2_read_data;
        end
        if (ways_3_read_data[62:40] == wanted) begin
            own = ways_3_read_data;
        end
    end

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
        if ((|matching) && (difference == extended)) begin
            hit = 1'd1;
        end
    end

    always @* begin
        used = matching;
        if (!(|matching)) begin
            used = recency_oldest;
        end
    end

    always @* begin
        stride_next = difference[7:0];
        if (!(|matching)) begin
            stride_next = 8'd0;
        end
    end

    assign order_write_enable = update | clear;

    always @* begin
        order_write_address = set;
        if (clear) begin
            order_write_address = clear_index;
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
            ways_0_write_address = clear_index;
        end
    end

    always @* begin
        ways_0_write_data = {wanted, stride_next, address};
        if (clear) begin
            ways_0_write_data = 63'd0;
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
            ways_1_write_address = clear_index;
        end
    end

    always @* begin
        ways_1_write_data = {wanted, stride_next, address};
        if (clear) begin
            ways_1_write_data = 63'd0;
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
            ways_2_write_address = clear_index;
        end
    end

    always @* begin
        ways_2_write_data = {wanted, stride_next, address};
        if (clear) begin
            ways_2_write_data = 63'd0;
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
            ways_3_write_address = clear_index;
        end
    end

    always @* begin
        ways_3_write_data = {wanted, stride_next, address};
        if (clear) begin
            ways_3_write_data = 63'd0;
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

    wire _unused_ok = &{1'b0, reset, own[62:40]};

endmodule
