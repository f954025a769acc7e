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
// record_former: branch_count_bits = 11, instruction_count_bits = 17, retire_count_bits = 4, target_bits = 30, outcome_bit_for_jumps = 1, takes_difference = 0

module traptor_m4_fpga_record_former (
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
    input  wire        missed, // outcome or target was not predicted
    input  wire        flush, // make a flush record
    output wire        record_valid,
    output wire [56:0] record
);

    reg  [10:0] branch_count;
    reg  [16:0] instruction_count;
    wire [10:0] branch_count_next;
    reg  [17:0] total;
    wire        mispredicted;
    reg         branch_overflow;
    wire        clears;
    reg         instruction_overflow;
    reg         overflow_first;
    reg         instruction_count_top;
    wire [16:0] counted_instructions;
    wire        has_target;
    wire        sends_outcome;
    wire        excepts;
    reg  [16:0] record_count;
    wire [29:0] sent_target;

    assign mispredicted = retire & missed;
    assign branch_count_next = branch_count + {10'd0, retire & counted};

    always @* begin
        total = {1'd0, instruction_count};
        if (retire) begin
            total = {1'd0, instruction_count} + {14'd0, count};
        end
    end

    always @* begin
        branch_overflow = 1'd0;
        if (branch_count == 11'd2046) begin
            branch_overflow = retire & counted & !mispredicted;
        end
    end

    assign clears = mispredicted | branch_overflow | (retire & exception) | flush;

    wire low_any = |total[3:0];
    wire sub = retire & control_flow & !clears;
    always @* begin
        instruction_count_top = total[17] ? !(sub & low_any) : (total[16] & !sub);
        instruction_overflow = (sub & (total[17] | total[16])) | (total[17] & !control_flow);
        overflow_first = total[17] & control_flow & (exception | low_any);
    end
    assign counted_instructions = {instruction_count_top, total[15:0]};
    assign excepts = retire & exception;
    assign record_valid = clears | instruction_overflow;
    assign sends_outcome = mispredicted & indirect;
    assign has_target = (mispredicted & indirect & taken) | excepts;

    always @* begin
        record_count = counted_instructions;
        if (mispredicted) begin
            record_count = {6'd0, branch_count_next};
        end
    end

    assign sent_target = target;

    assign record = {
        sent_target,
        record_count,
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
            branch_count <= 11'd0;
            instruction_count <= 17'd0;
        end else begin
            branch_count <= branch_count_next;
            instruction_count <= counted_instructions;
            if (clears) begin
                branch_count <= 11'd0;
                instruction_count <= 17'd0;
            end
        end
    end

    wire _unused_ok = &{1'b0, conditional};

endmodule
