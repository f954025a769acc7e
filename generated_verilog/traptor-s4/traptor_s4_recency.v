// traptor-s4 of Tracewright, scheme traptor.
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
//   gshare_entries = 256
//   gshare_history_bits = 8
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 64
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 13
//   elided_upper_bits = 12
//   branch_count_bits = 11
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 1
//   instruction_count_bits = 17
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 5
//   target_next_chunk = 5
//   outcome_bit_for_jumps = true
//   memory_style = asynchronous
// recency: ways = 2

module traptor_s4_recency (
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
