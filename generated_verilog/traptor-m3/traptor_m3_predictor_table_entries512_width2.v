// traptor-m3 of Tracewright, scheme traptor.
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
//   indirect_branch_target_buffer_entries = 32
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 12
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
//   memory_style = asynchronous
// predictor_table: entries = 512, width = 2

module traptor_m3_predictor_table_entries512_width2 (
    input  wire       clock,
    input  wire       reset,
    input  wire       clear,
    input  wire [8:0] clear_index,
    input  wire [1:0] clear_entry,
    input  wire [8:0] index,
    output wire [1:0] entry,
    input  wire       learn,
    input  wire [1:0] learned
);

    wire [1:0] entries_read_data;
    wire       entries_write_enable;
    reg  [8:0] entries_write_address;
    reg  [1:0] entries_write_data;
    wire [8:0] learn_index;
    reg  [1:0] entries_cells [0:511];

    assign entry = entries_read_data;
    assign learn_index = index;
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

    assign entries_read_data = entries_cells[index];

    always @(posedge clock) begin
        if (entries_write_enable) begin
            entries_cells[entries_write_address] <= entries_write_data;
        end
    end

    wire _unused_ok = &{1'b0, reset};

endmodule
