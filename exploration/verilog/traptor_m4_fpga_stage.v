// traptor-m4-fpga of Tracewright, scheme traptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = true
//   reset = synchronous
//   gshare_entries = 512
//   gshare_history_bits = 9
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
//   memory_style = synchronous
// stage: flags = 15, count_bits = 4, target_bits = 30

module traptor_m4_fpga_stage (
    input  wire        clock,
    input  wire        reset,
    input  wire [14:0] flags,
    input  wire [3:0]  count,
    input  wire [29:0] target,
    output wire [14:0] later_flags,
    output wire [3:0]  later_count,
    output wire [29:0] later_target
);

    reg  [14:0] held_flags;
    reg  [3:0]  held_count;
    reg  [29:0] held_target;

    assign later_flags = held_flags;
    assign later_count = held_count;
    assign later_target = held_target;

    always @(posedge clock) begin
        if (reset) begin
            held_flags <= 15'd0;
        end else begin
            held_flags <= flags;
        end
    end

    always @(posedge clock) begin held_count <= count; held_target <= target; end
endmodule
