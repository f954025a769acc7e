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
// recency: ways = 4

module stride_256x4_recency (
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
