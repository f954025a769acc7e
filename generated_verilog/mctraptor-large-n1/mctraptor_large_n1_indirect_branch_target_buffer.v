// mctraptor-large-n1 of Tracewright, scheme mctraptor.
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
//   cores = 1
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// indirect_branch_target_buffer: sets = 32, ways = 2, tag_bits = 8, target_bits = 18, path_bits = 13, pc_shift = 4, tag_shift = 10, address_width = 32, clear_bits = 12, synchronous = 0

module mctraptor_large_n1_indirect_branch_target_buffer (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [11:0] clear_index,
    input  wire        update_path, // a conditional or indirect branch retires
    input  wire [31:0] program_counter,
    input  wire        taken,
    input  wire        learn, // a taken branch that uses the buffer is predicted
    input  wire [17:0] target,
    output wire        hit,
    output reg  [17:0] predicted_target
);

    reg  [12:0] path_history;
    wire [4:0]  set;
    wire [7:0]  path_tag;
    wire [7:0]  tag;
    reg  [1:0]  matching;
    reg  [1:0]  used;
    wire [1:0]  recency_oldest;
    wire        recency_order_next;
    wire        order_entry;
    wire [25:0] ways_0_entry;
    reg         ways_0_learn;
    wire [25:0] ways_1_entry;
    reg         ways_1_learn;

    mctraptor_large_n1_recency recency (
        .order      (order_entry),
        .used       (used),
        .oldest     (recency_oldest),
        .order_next (recency_order_next)
    );

    mctraptor_large_n1_predictor_table_entries32_width1 order (
        .clock       (clock),
        .reset       (reset),
        .clear       (clear),
        .clear_index (clear_index[4:0]),
        .clear_entry (1'd0),
        .index       (set),
        .entry       (order_entry),
        .learn       (learn),
        .learned     (recency_order_next)
    );

    mctraptor_large_n1_predictor_table_entries32_width26 ways_0 (
        .clock       (clock),
        .reset       (reset),
        .clear       (clear),
        .clear_index (clear_index[4:0]),
        .clear_entry (26'd0),
        .index       (set),
        .entry       (ways_0_entry),
        .learn       (ways_0_learn),
        .learned     ({tag, target})
    );

    mctraptor_large_n1_predictor_table_entries32_width26 ways_1 (
        .clock       (clock),
        .reset       (reset),
        .clear       (clear),
        .clear_index (clear_index[4:0]),
        .clear_entry (26'd0),
        .index       (set),
        .entry       (ways_1_entry),
        .learn       (ways_1_learn),
        .learned     ({tag, target})
    );

    assign set = path_history[12:8] ^ program_counter[8:4];
    assign path_tag = path_history[7:0] ^ program_counter[17:10];
    assign tag = path_tag;

    always @* begin
        matching = 2'd0;
        predicted_target = 18'd0;
        if (ways_0_entry[25:18] == tag) begin
            matching = 2'd1;
            predicted_target = ways_0_entry[17:0];
        end
        if (!(|matching) && (ways_1_entry[25:18] == tag)) begin
            matching = {1'd1, matching[0]};
            predicted_target = ways_1_entry[17:0];
        end
    end

    assign hit = |matching;

    always @* begin
        used = matching;
        if (!(|matching)) begin
            used = recency_oldest;
        end
    end

    always @* begin
        ways_0_learn = 1'd0;
        if (used[0]) begin
            ways_0_learn = learn;
        end
    end

    always @* begin
        ways_1_learn = 1'd0;
        if (used[1]) begin
            ways_1_learn = learn;
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            path_history <= 13'd0;
        end else begin
            if (update_path) begin
                path_history <= ({path_history[10:0], 2'd0} ^ program_counter[16:4]) | {12'd0, taken};
            end
        end
    end

    wire _unused_ok = &{1'b0, clear_index[11:5], program_counter[3:0], program_counter[31:18]};

endmodule
