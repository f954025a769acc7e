// stride-256 of Tracewright, scheme data_stride.
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
//   stride_cache_entries = 256
//   stride_cache_ways = 1
//   stride_cache_tagged = false
//   tag_bits = 0
//   pc_shift = 2
//   stride_bits = 8
//   data_repetitions = true
//   pattern_bits = 8
//   repetition_count_bits = 8
//   data_address_buffer_depth = 8
// data_address_stride_cache: sets = 256, ways = 1, tagged = 0, tag_bits = 0, stride_bits = 8, address_width = 32, clear_bits = 8

module stride_256_data_address_stride_cache (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [7:0]  clear_index,
    input  wire        update, // an access is made
    input  wire [7:0]  site, // set, and above it the tag
    input  wire [31:0] address,
    output reg         hit
);

    wire [7:0]  set;
    wire [39:0] own; // its content
    wire [7:0]  stride;
    reg  [31:0] extended; // the stride with its sign
    wire [31:0] difference; // from the last address
    wire [7:0]  stride_next;
    wire        order_write_enable;
    reg  [7:0]  order_write_address;
    wire [39:0] ways_0_read_data;
    wire        ways_0_write_enable;
    reg  [7:0]  ways_0_write_address;
    reg  [39:0] ways_0_write_data;
    wire        recency_oldest;
    reg  [39:0] ways_0_cells [0:255];

    stride_256_recency recency (
        .used   (1'd1),
        .oldest (recency_oldest)
    );

    assign set = site;
    assign own = ways_0_read_data;
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
        if (difference == extended) begin
            hit = 1'd1;
        end
    end

    assign stride_next = difference[7:0];
    assign order_write_enable = update | clear;

    always @* begin
        order_write_address = set;
        if (clear) begin
            order_write_address = clear_index;
        end
    end

    assign ways_0_write_enable = clear | update;

    always @* begin
        ways_0_write_address = set;
        if (clear) begin
            ways_0_write_address = clear_index;
        end
    end

    always @* begin
        ways_0_write_data = {stride_next, address};
        if (clear) begin
            ways_0_write_data = 40'd0;
        end
    end

    assign ways_0_read_data = ways_0_cells[set];

    always @(posedge clock) begin
        if (ways_0_write_enable) begin
            ways_0_cells[ways_0_write_address] <= ways_0_write_data;
        end
    end

    wire _unused_ok = &{1'b0, reset, order_write_enable, order_write_address, recency_oldest};

endmodule
