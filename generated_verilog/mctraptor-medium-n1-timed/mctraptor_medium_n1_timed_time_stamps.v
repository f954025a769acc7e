// mctraptor-medium-n1-timed of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 64
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
//   cores = 1
//   time_stamps = true
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// time_stamps: time_stamp_bits = 32

module mctraptor_medium_n1_timed_time_stamps (
    input  wire        clock,
    input  wire        reset,
    input  wire        tracing,
    input  wire        ready,
    input  wire        record,
    output wire [31:0] clocks,
    output wire        overflow
);

    reg  [31:0] count;
    wire        is_full;

    assign clocks = count;
    assign is_full = &count;
    assign overflow = tracing & ready & is_full & !record;

    always @(posedge clock) begin
        if (reset) begin
            count <= 32'd0;
        end else begin
            if (record || overflow) begin
                count <= 32'd0;
                if (tracing) begin
                    count <= 32'd1;
                end
            end else if (tracing && !is_full) begin
                count <= count + 32'd1;
            end
        end
    end

endmodule
