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
// gshare: entries = 512, history_bits = 9, pc_shift = 4, address_width = 32, clear_bits = 9, synchronous = 1

module traptor_m4_fpga_gshare (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [8:0]  clear_index,
    input  wire        update, // a conditional branch retires
    input  wire [31:0] program_counter,
    input  wire        taken,
    output wire        predicted_taken,
    input  wire        learn, // a conditional branch is predicted
    input  wire        outcome // and goes this way
);

    wire [1:0] counter;
    reg  [1:0] counter_next;
    reg  [8:0] history;
    wire [8:0] counters_index;
    wire [1:0] counters_entry;

    traptor_m4_fpga_predictor_table_entries512_width2 counters (
        .clock       (clock),
        .reset       (reset),
        .clear       (clear),
        .clear_index (clear_index),
        .clear_entry (2'd1),
        .index       (counters_index),
        .entry       (counters_entry),
        .learn_soon(1'b0), .learn(learn),
        .learned     (counter_next)
    );

    assign counters_index = program_counter[12:4] ^ history;
    assign counter = counters_entry;
    assign predicted_taken = counter[1];

    always @* begin
        counter_next = counter;
        if (outcome) begin
            if (!(&counter)) begin
                counter_next = counter + 2'd1;
            end
        end else if (|counter) begin
            counter_next = counter - 2'd1;
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            history <= 9'd0;
        end else begin
            if (update) begin
                history <= {history[7:0], taken};
            end
        end
    end

    wire _unused_ok = &{1'b0, program_counter[3:0], program_counter[31:13]};

endmodule
