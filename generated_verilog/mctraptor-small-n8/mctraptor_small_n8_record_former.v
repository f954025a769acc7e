// mctraptor-small-n8 of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 8
//   fifo_bits = 512
//   record_queue_depth = 2
//   encoder = serial
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
//   branch_count_bits = 16
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 2
//   instruction_count_bits = 24
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 4
//   outcome_bit_for_jumps = false
//   cores = 8
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// record_former: branch_count_bits = 16, instruction_count_bits = 24, retire_count_bits = 4, target_bits = 30, outcome_bit_for_jumps = 0

module mctraptor_small_n8_record_former (
    input  wire        clock,
    input  wire        reset,
    input  wire        retire, // a block retires
    input  wire [3:0]  count, // its instructions
    input  wire        control_flow, // its last instruction may change the flow
    input  wire        counted, // conditional or indirect
    input  wire        conditional,
    input  wire        indirect,
    input  wire        exception,
    input  wire        taken,
    input  wire [29:0] target, // in instruction units
    input  wire        predicted_taken,
    input  wire        predicted, // some table has a target
    input  wire [29:0] predicted_target, // in instruction units
    input  wire        flush, // make a flush record
    output wire        record_valid,
    output wire [64:0] record
);

    reg  [15:0] branch_count;
    reg  [23:0] instruction_count;
    wire [15:0] branch_count_next;
    reg  [24:0] total;
    wire        outcome_missed;
    reg         target_missed;
    wire        mispredicted;
    reg         branch_overflow;
    wire        clears;
    reg         crosses;
    wire        upper_half;
    reg         instruction_overflow;
    reg         overflow_first;
    reg         instruction_count_top;
    wire [23:0] counted_instructions;
    wire        has_target;
    wire        sends_outcome;
    wire        excepts;
    reg  [23:0] record_count;
    wire [29:0] target_difference_magnitude;
    wire        target_difference_below;

    mctraptor_small_n8_target_difference target_difference (
        .clock     (clock),
        .reset     (reset),
        .target    (target),
        .send      (has_target),
        .magnitude (target_difference_magnitude),
        .below     (target_difference_below)
    );

    assign outcome_missed = conditional & (predicted_taken ^ taken);

    always @* begin
        target_missed = indirect & taken;
        if (predicted && (predicted_target == target)) begin
            target_missed = 1'd0;
        end
    end

    assign mispredicted = retire & (outcome_missed | target_missed);
    assign branch_count_next = branch_count + {15'd0, retire & counted};

    always @* begin
        total = {1'd0, instruction_count};
        if (retire) begin
            total = {1'd0, instruction_count} + {21'd0, count};
        end
    end

    always @* begin
        branch_overflow = 1'd0;
        if (&branch_count_next) begin
            branch_overflow = retire & counted & !mispredicted;
        end
    end

    assign clears = mispredicted | branch_overflow | (retire & exception) | flush;

    always @* begin
        crosses = 1'd0;
        if (total[24]) begin
            crosses = retire;
            if (control_flow && !exception) begin
                crosses = retire & (|total[23:0]);
            end
        end
    end

    assign upper_half = total[23] | total[24];

    always @* begin
        instruction_overflow = retire & upper_half & control_flow & !clears;
        overflow_first = crosses & (clears | instruction_overflow);
        if (crosses && !control_flow) begin
            instruction_overflow = 1'd1;
            overflow_first = 1'd0;
        end
    end

    always @* begin
        instruction_count_top = upper_half;
        if (instruction_overflow && control_flow) begin
            instruction_count_top = total[24] & !crosses;
        end
    end

    assign counted_instructions = {instruction_count_top, total[22:0]};
    assign excepts = retire & exception;
    assign record_valid = clears | instruction_overflow;
    assign sends_outcome = mispredicted & indirect & conditional;
    assign has_target = (mispredicted & indirect & taken) | excepts;

    always @* begin
        record_count = counted_instructions;
        if (mispredicted) begin
            record_count = {8'd0, branch_count_next};
        end
    end

    assign record = {
        target_difference_magnitude,
        record_count,
        target_difference_below,
        taken,
        has_target,
        sends_outcome,
        excepts | flush,
        mispredicted,
        excepts,
        branch_overflow,
        instruction_overflow,
        overflow_first,
        flush
    };

    always @(posedge clock) begin
        if (reset) begin
            branch_count <= 16'd0;
            instruction_count <= 24'd0;
        end else begin
            branch_count <= branch_count_next;
            instruction_count <= counted_instructions;
            if (clears) begin
                branch_count <= 16'd0;
                instruction_count <= 24'd0;
            end
        end
    end

endmodule
