// traptor-s1 of Tracewright, scheme traptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   gshare_entries = 256
//   gshare_history_bits = 8
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 0
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 8
//   elided_upper_bits = 12
//   branch_count_bits = 16
//   branch_count_first_chunk = 2
//   branch_count_next_chunk = 1
//   instruction_count_bits = 24
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 5
//   target_next_chunk = 5
//   outcome_bit_for_jumps = true
// record_fields: branch_count_bits = 16, instruction_count_bits = 24, difference_bits = 30

module traptor_s1_record_fields (
    input  wire [62:0] record,
    output wire        escape,
    output wire [1:0]  extended,
    output wire        is_flush,
    output wire        exception,
    output wire        sends_outcome,
    output wire        taken,
    output wire        sends_target,
    output wire        below,
    output wire        overflow_first,
    output reg  [15:0] branch_count, // 0 unless it is a misprediction
    output wire [23:0] instruction_count,
    output wire [29:0] difference
);

    assign escape = record[0];
    assign extended = record[2:1];
    assign is_flush = escape & (extended == 2'd0);
    assign exception = record[3];
    assign sends_outcome = record[4];
    assign taken = record[5];
    assign sends_target = record[6];
    assign below = record[7];
    assign overflow_first = record[8];

    always @* begin
        branch_count = record[24:9];
        if (escape || exception) begin
            branch_count = 16'd0;
        end
    end

    assign instruction_count = record[32:9];
    assign difference = record[62:33];

endmodule
