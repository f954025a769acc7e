// mctraptor-large-n4-timed of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 4
//   fifo_bits = 256
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
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
//   cores = 4
//   time_stamps = true
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// return_address_stack: depth = 32, width = 18, clear_bits = 12

module mctraptor_large_n4_timed_return_address_stack (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [11:0] clear_index,
    input  wire        pop, // a taken return retires
    input  wire        push, // a taken call retires
    input  wire [17:0] return_address,
    output wire [17:0] top
);

    reg  [4:0]  pointer;
    reg  [4:0]  pointer_next;
    wire [17:0] entries_read_data;
    wire        entries_write_enable;
    reg  [4:0]  entries_write_address;
    reg  [17:0] entries_write_data;
    reg  [17:0] entries_cells [0:31];

    always @* begin
        pointer_next = pointer;
        if (push > pop) begin
            pointer_next = pointer + 5'd1;
        end else if (pop > push) begin
            pointer_next = pointer - 5'd1;
        end
    end

    assign top = entries_read_data;
    assign entries_write_enable = push | clear;

    always @* begin
        entries_write_address = pointer_next;
        if (clear) begin
            entries_write_address = clear_index[4:0];
        end
    end

    always @* begin
        entries_write_data = return_address;
        if (clear) begin
            entries_write_data = 18'd0;
        end
    end

    assign entries_read_data = entries_cells[pointer];

    always @(posedge clock) begin
        if (reset) begin
            pointer <= 5'd0;
        end else begin
            pointer <= pointer_next;
        end
    end

    always @(posedge clock) begin
        if (entries_write_enable) begin
            entries_cells[entries_write_address] <= entries_write_data;
        end
    end

    wire _unused_ok = &{1'b0, clear_index[11:5]};

endmodule
