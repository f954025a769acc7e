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
// word_register: width = 13

module traptor_m4_fpga_word_register_width13 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [12:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [12:0] out_word,
    input  wire        out_ready
);

    reg         held_valid;
    reg  [12:0] held;

    assign in_ready = out_ready | !held_valid;
    assign out_valid = held_valid;
    assign out_word = held;

    always @(posedge clock) begin
        if (reset) begin
            held_valid <= 1'd0;
        end else begin
            if (in_ready) begin
                held_valid <= in_valid;
            end
        end
    end

    always @(posedge clock) if (in_ready) held <= in_word;
endmodule
