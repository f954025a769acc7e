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
// return_address_stack: depth = 8, width = 18, clear_bits = 9

module traptor_m4_fpga_return_address_stack (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [8:0]  clear_index,
    input  wire        pop, // a taken return retires
    input  wire        push, // a taken call retires
    input  wire [17:0] return_address,
    output wire [17:0] top
);

    reg  [2:0]  pointer;
    reg  [2:0]  pointer_next;
    wire [17:0] entries_read_data;
    wire        entries_write_enable;
    reg  [2:0]  entries_write_address;
    reg  [17:0] entries_write_data;
    reg  [17:0] entries_cells [0:7];

    always @* begin
        pointer_next = pointer;
        if (push > pop) begin
            pointer_next = pointer + 3'd1;
        end else if (pop > push) begin
            pointer_next = pointer - 3'd1;
        end
    end

    assign top = entries_read_data;
    assign entries_write_enable = push | clear;

    always @* begin
        entries_write_address = pointer_next;
        if (clear) begin
            entries_write_address = clear_index[2:0];
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
            pointer <= 3'd0;
        end else begin
            pointer <= pointer_next;
        end
    end

    always @(posedge clock) begin
        if (entries_write_enable) begin
            entries_cells[entries_write_address] <= entries_write_data;
        end
    end

    wire _unused_ok = &{1'b0, clear_index[8:3]};

endmodule
