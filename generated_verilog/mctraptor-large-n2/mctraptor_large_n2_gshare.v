// mctraptor-large-n2 of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 2
//   fifo_bits = 128
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
//   cores = 2
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// gshare: entries = 4096, history_bits = 12, pc_shift = 4, address_width = 32, clear_bits = 12, synchronous = 0

module mctraptor_large_n2_gshare (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [11:0] clear_index,
    input  wire        update, // a conditional branch retires
    input  wire [31:0] program_counter,
    input  wire        taken,
    output wire        predicted_taken,
    input  wire        learn, // a conditional branch is predicted
    input  wire        outcome // and goes this way
);

    wire [1:0]  counter;
    reg  [1:0]  counter_next;
    reg  [11:0] history;
    wire [11:0] counters_index;
    wire [1:0]  counters_entry;

    mctraptor_large_n2_predictor_table_entries4096_width2 counters (
        .clock       (clock),
        .reset       (reset),
        .clear       (clear),
        .clear_index (clear_index),
        .clear_entry (2'd1),
        .index       (counters_index),
        .entry       (counters_entry),
        .learn       (learn),
        .learned     (counter_next)
    );

    assign counters_index = program_counter[15:4] ^ history;
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
            history <= 12'd0;
        end else begin
            if (update) begin
                history <= {history[10:0], taken};
            end
        end
    end

    wire _unused_ok = &{1'b0, program_counter[3:0], program_counter[31:16]};

endmodule
