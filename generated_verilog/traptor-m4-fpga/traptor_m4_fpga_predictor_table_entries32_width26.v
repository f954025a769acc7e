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
// predictor_table: entries = 32, width = 26, synchronous = 1

module traptor_m4_fpga_predictor_table_entries32_width26 (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [4:0]  clear_index,
    input  wire [25:0] clear_entry,
    input  wire [4:0]  index,
    output reg  [25:0] entry,
    input  wire        learn,
    input  wire [25:0] learned
);

    reg  [25:0] entries_read_data;
    wire        entries_write_enable;
    reg  [4:0]  entries_write_address;
    reg  [25:0] entries_write_data;
    reg  [4:0]  read_index;
    reg         forwards;
    reg  [25:0] forwarded;
    wire [4:0]  learn_index;
    reg  [25:0] entries_cells [0:31];

    always @* begin
        entry = entries_read_data;
        if (forwards) begin
            entry = forwarded;
        end
    end

    assign learn_index = read_index;
    assign entries_write_enable = learn | clear;

    always @* begin
        entries_write_address = learn_index;
        if (clear) begin
            entries_write_address = clear_index;
        end
    end

    always @* begin
        entries_write_data = learned;
        if (clear) begin
            entries_write_data = clear_entry;
        end
    end

    always @(posedge clock) begin
        entries_read_data <= entries_cells[index];
    end

    always @(posedge clock) begin
        if (reset) begin
            read_index <= 5'd0;
            forwards <= 1'd0;
            forwarded <= 26'd0;
        end else begin
            read_index <= index;
            forwards <= 1'd0;
            if (index == read_index) begin
                forwards <= learn;
            end
            forwarded <= learned;
        end
    end

    always @(posedge clock) begin
        if (entries_write_enable) begin
            entries_cells[entries_write_address] <= entries_write_data;
        end
    end

endmodule
