// mctraptor-medium-n1 of Tracewright, scheme mctraptor.
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
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// predictor_table: entries = 8, width = 26

module mctraptor_medium_n1_predictor_table_entries8_width26 (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [2:0]  clear_index,
    input  wire [25:0] clear_entry,
    input  wire [2:0]  index,
    output wire [25:0] entry,
    input  wire        learn,
    input  wire [25:0] learned
);

    wire [25:0] entries_read_data;
    wire        entries_write_enable;
    reg  [2:0]  entries_write_address;
    reg  [25:0] entries_write_data;
    wire [2:0]  learn_index;
    reg  [25:0] entries_cells [0:7];

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
