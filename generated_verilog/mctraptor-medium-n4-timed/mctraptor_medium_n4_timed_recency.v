// mctraptor-medium-n4-timed of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 4
//   fifo_bits = 256
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   gshare_entries = 1024
//   gshare_history_bits = 10
//   pc_shift = 4
//   return_address_stack_depth = 16
//   indirect_branch_target_buffer_entries = 16
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 11
//   elided_upper_bits = 12
//   branch_count_bits = 11
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 2
//   instruction_count_bits = 17
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 4
//   outcome_bit_for_jumps = false
//   memory_style = asynchronous
//   cores = 4
//   time_stamps = true
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// recency: ways = 2

module mctraptor_medium_n4_timed_recency (
    input  wire       order,
    input  wire [1:0] used, // one hot
    output reg  [1:0] oldest, // one hot
    output reg        order_next
);

    always @* begin
        order_next = order;
        if (used[0]) begin
            order_next = 1'd1;
        end else if (used[1]) begin
            order_next = 1'd0;
        end
    end

    always @* begin
        oldest = 2'd1;
        if (order) begin
            oldest = 2'd0;
        end
        oldest = {1'd1, oldest[0]};
        if (!order) begin
            oldest = {1'd0, oldest[0]};
        end
    end

endmodule
