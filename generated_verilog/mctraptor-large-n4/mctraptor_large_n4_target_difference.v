// mctraptor-large-n4 of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 4
//   fifo_bits = 256
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   gshare_entries = 4096
//   gshare_history_bits = 12
//   pc_shift = 4
//   return_address_stack_depth = 32
//   indirect_branch_target_buffer_entries = 64
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 13
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
//   cores = 4
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// target_difference: target_bits = 30

module mctraptor_large_n4_target_difference (
    input  wire        clock,
    input  wire        reset,
    input  wire [29:0] target, // in instruction units
    input  wire        send,
    output reg  [29:0] magnitude,
    output wire        below
);

    reg  [29:0] previous_target;
    wire [29:0] difference;

    assign difference = target - previous_target;
    assign below = difference[29];

    always @* begin
        magnitude = difference;
        if (below) begin
            magnitude = ~difference + 30'd1;
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            previous_target <= 30'd0;
        end else begin
            if (send) begin
                previous_target <= target;
            end
        end
    end

endmodule
