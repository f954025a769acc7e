// traptor-b0 of Tracewright, scheme traptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 384
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   gshare_entries = 1024
//   gshare_history_bits = 10
//   pc_shift = 4
//   return_address_stack_depth = 0
//   indirect_branch_target_buffer_entries = 0
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 8
//   elided_upper_bits = 0
//   branch_count_bits = 11
//   branch_count_first_chunk = 2
//   branch_count_next_chunk = 1
//   instruction_count_bits = 17
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 3
//   outcome_bit_for_jumps = true
//   memory_style = asynchronous
// target_predictor: return_address_stack_depth = 0, buffer_entries = 0, lower_bits = 30, upper_bits = 0, alignment = 2, clear_bits = 10, synchronous = 0

module traptor_b0_target_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [9:0]  clear_index,
    input  wire        update_path, // a conditional or indirect branch retires
    input  wire        path_taken,
    input  wire [31:0] program_counter, // in bytes
    input  wire [3:0]  length, // in bytes
    input  wire        update, // a control-flow instruction is predicted
    input  wire        indirect,
    input  wire        call,
    input  wire        is_return,
    input  wire        taken,
    input  wire [29:0] target, // in instruction units
    output wire        predicted, // some table has a target
    output wire [29:0] predicted_target // in instruction units
);

    assign predicted = 1'd0;
    assign predicted_target = 30'd0;

    wire _unused_ok = &{
        1'b0,
        clock,
        reset,
        clear,
        clear_index,
        update_path,
        path_taken,
        program_counter,
        length,
        update,
        indirect,
        call,
        is_return,
        taken,
        target
    };

endmodule
