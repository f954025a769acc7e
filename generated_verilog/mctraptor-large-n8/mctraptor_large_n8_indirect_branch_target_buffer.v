// mctraptor-large-n8 of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 8
//   fifo_bits = 512
//   record_queue_depth = 2
//   encoder = serial
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
//   branch_count_bits = 16
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 2
//   instruction_count_bits = 24
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 4
//   outcome_bit_for_jumps = false
//   cores = 8
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// indirect_branch_target_buffer: sets = 32, ways = 2, tag_bits = 8, target_bits = 18, path_bits = 13, pc_shift = 4, tag_shift = 10, address_width = 32, clear_bits = 12

module mctraptor_large_n8_indirect_branch_target_buffer (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [11:0] clear_index,
    input  wire        update_path, // a conditional or indirect branch retires
    input  wire        update_target, // a taken branch that uses the buffer retires
    input  wire [31:0] program_counter,
    input  wire        taken,
    input  wire [17:0] target,
    output wire        hit,
    output reg  [17:0] predicted_target
);

    reg  [12:0] path_history;
    wire [4:0]  set;
    wire [7:0]  tag;
    reg  [1:0]  matching;
    reg  [1:0]  used;
    wire        order_read_data;
    wire        order_write_enable;
    reg  [4:0]  order_write_address;
    reg         order_write_data;
    wire [25:0] ways_0_read_data;
    reg         ways_0_write_enable;
    reg  [4:0]  ways_0_write_address;
    reg  [25:0] ways_0_write_data;
    wire [25:0] ways_1_read_data;
    reg         ways_1_write_enable;
    reg  [4:0]  ways_1_write_address;
    reg  [25:0] ways_1_write_data;
    wire [1:0]  recency_oldest;
    wire        recency_order_next;
    reg         order_cells [0:31];
    reg  [25:0] ways_0_cells [0:31];
    reg  [25:0] ways_1_cells [0:31];

    mctraptor_large_n8_recency recency (
        .order      (order_read_data),
        .used       (used),
        .oldest     (recency_oldest),
        .order_next (recency_order_next)
    );

    assign set = path_history[12:8] ^ program_counter[8:4];
    assign tag = path_history[7:0] ^ program_counter[17:10];

    always @* begin
        matching = 2'd0;
        predicted_target = 18'd0;
        if (ways_0_read_data[25:18] == tag) begin
            matching = 2'd1;
            predicted_target = ways_0_read_data[17:0];
        end
        if (!(|matching) && (ways_1_read_data[25:18] == tag)) begin
            matching = {1'd1, matching[0]};
            predicted_target = ways_1_read_data[17:0];
        end
    end

    assign hit = |matching;

    always @* begin
        used = matching;
        if (!(|matching)) begin
            used = recency_oldest;
        end
    end

    assign order_write_enable = update_target | clear;

    always @* begin
        order_write_address = set;
        if (clear) begin
            order_write_address = clear_index[4:0];
        end
    end

    always @* begin
        order_write_data = recency_order_next;
        if (clear) begin
            order_write_data = 1'd0;
        end
    end

    always @* begin
        ways_0_write_enable = clear;
        if (used[0]) begin
            ways_0_write_enable = clear | update_target;
        end
    end

    always @* begin
        ways_0_write_address = set;
        if (clear) begin
            ways_0_write_address = clear_index[4:0];
        end
    end

    always @* begin
        ways_0_write_data = {tag, target};
        if (clear) begin
            ways_0_write_data = 26'd0;
        end
    end

    always @* begin
        ways_1_write_enable = clear;
        if (used[1]) begin
            ways_1_write_enable = clear | update_target;
        end
    end

    always @* begin
        ways_1_write_address = set;
        if (clear) begin
            ways_1_write_address = clear_index[4:0];
        end
    end

    always @* begin
        ways_1_write_data = {tag, target};
        if (clear) begin
            ways_1_write_data = 26'd0;
        end
    end

    assign order_read_data = order_cells[set];
    assign ways_0_read_data = ways_0_cells[set];
    assign ways_1_read_data = ways_1_cells[set];

    always @(posedge clock) begin
        if (reset) begin
            path_history <= 13'd0;
        end else begin
            if (update_path) begin
                path_history <= ({path_history[10:0], 2'd0} ^ program_counter[16:4]) | {12'd0, taken};
            end
        end
    end

    always @(posedge clock) begin
        if (order_write_enable) begin
            order_cells[order_write_address] <= order_write_data;
        end
    end

    always @(posedge clock) begin
        if (ways_0_write_enable) begin
            ways_0_cells[ways_0_write_address] <= ways_0_write_data;
        end
    end

    always @(posedge clock) begin
        if (ways_1_write_enable) begin
            ways_1_cells[ways_1_write_address] <= ways_1_write_data;
        end
    end

    wire _unused_ok = &{1'b0, clear_index[11:5], program_counter[3:0], program_counter[31:18]};

endmodule
