// mctraptor-medium-n8-timed of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 8
//   fifo_bits = 512
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
//   cores = 8
//   time_stamps = true
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// trace_port: port_width = 8, word_bits = 8

module mctraptor_medium_n8_timed_trace_port (
    input  wire       clock,
    input  wire       reset,
    input  wire       word_valid,
    input  wire [7:0] word,
    output reg        word_ready,
    output wire       trace_valid,
    output wire [7:0] trace_data,
    input  wire       trace_ready
);

    assign trace_valid = word_valid;
    assign trace_data = word;

    always @* begin
        word_ready = 1'd0;
        if (word_valid && trace_ready) begin
            word_ready = 1'd1;
        end
    end

    wire _unused_ok = &{1'b0, clock, reset};

endmodule
