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
// fifo: depth = 2, width = 57, reserve = 3

module traptor_m4_fpga_fifo_depth2_width57_reserve3 (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid,
    input  wire [56:0] in_word,
    output wire        in_ready,
    output wire        out_valid,
    output wire [56:0] out_word,
    input  wire        out_ready,
    output wire [2:0]  level // words held
);

    wire [56:0] words_read_data;
    reg  [2:0]  write_pointer;
    reg  [2:0]  read_pointer;
    reg  [2:0]  held;
    wire        puts;
    wire        takes;
    reg  [56:0] words_cells [0:5];

    assign out_valid = |held;
    assign in_ready = held < 3'd2;
    assign puts = in_valid;
    assign takes = out_ready & out_valid;
    assign level = held;
    assign out_word = words_read_data;
    assign words_read_data = words_cells[read_pointer];

    always @(posedge clock) begin
        if (reset) begin
            write_pointer <= 3'd0;
            read_pointer <= 3'd0;
            held <= 3'd0;
        end else begin
            if (puts) begin
                write_pointer <= write_pointer + 3'd1;
                if (write_pointer == 3'd5) begin
                    write_pointer <= 3'd0;
                end
            end
            if (takes) begin
                read_pointer <= read_pointer + 3'd1;
                if (read_pointer == 3'd5) begin
                    read_pointer <= 3'd0;
                end
            end
            if (puts > takes) begin
                held <= held + 3'd1;
            end else if (takes > puts) begin
                held <= held - 3'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (puts) begin
            words_cells[write_pointer] <= in_word;
        end
    end

endmodule
