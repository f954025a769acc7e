// traptor-m1 of Tracewright, scheme traptor.
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
//   gshare_entries = 512
//   gshare_history_bits = 9
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 0
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 8
//   elided_upper_bits = 12
//   branch_count_bits = 11
//   branch_count_first_chunk = 2
//   branch_count_next_chunk = 1
//   instruction_count_bits = 17
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 5
//   target_next_chunk = 5
//   outcome_bit_for_jumps = true
//   memory_style = asynchronous
// target_predictor: return_address_stack_depth = 8, buffer_entries = 0, lower_bits = 18, upper_bits = 12, alignment = 2, clear_bits = 9, synchronous = 0

module traptor_m1_target_predictor (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [8:0]  clear_index,
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
    output reg         predicted, // some table has a target
    output wire [29:0] predicted_target // in instruction units
);

    wire        use_stack;
    reg  [17:0] lower;
    wire [17:0] path_return_address;
    wire [17:0] return_address;
    wire        return_address_stack_pop;
    wire        return_address_stack_push;
    wire [17:0] return_address_stack_top;
    wire        last_value_predictor_update;
    wire [11:0] last_value_predictor_predicted_upper;

    traptor_m1_return_address_stack return_address_stack (
        .clock          (clock),
        .reset          (reset),
        .clear          (clear),
        .clear_index    (clear_index),
        .pop            (return_address_stack_pop),
        .push           (return_address_stack_push),
        .return_address (return_address),
        .top            (return_address_stack_top)
    );

    traptor_m1_last_value_predictor last_value_predictor (
        .clock           (clock),
        .reset           (reset),
        .update          (last_value_predictor_update),
        .target_upper    (target[29:18]),
        .predicted_upper (last_value_predictor_predicted_upper)
    );

    assign use_stack = is_return;

    always @* begin
        lower = 18'd0;
        if (use_stack) begin
            lower = return_address_stack_top;
        end
    end

    always @* begin
        predicted = 1'd0;
        if (use_stack) begin
            predicted = 1'd1;
        end
    end

    assign path_return_address = program_counter[19:2] + {16'd0, length[3:2]};
    assign return_address = path_return_address;
    assign return_address_stack_pop = update & is_return & taken;
    assign return_address_stack_push = update & call & taken;
    assign predicted_target = {last_value_predictor_predicted_upper, lower};
    assign last_value_predictor_update = update & indirect & taken;

    wire _unused_ok = &{
        1'b0,
        update_path,
        path_taken,
        program_counter[1:0],
        program_counter[31:20],
        length[1:0],
        target[17:0]
    };

endmodule
