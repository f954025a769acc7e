// mctraptor-small-n2 of Tracewright, scheme mctraptor.
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
//   gshare_entries = 512
//   gshare_history_bits = 9
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 0
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 8
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
// merge: cores = 2, record_bits = 62

module mctraptor_small_n2_merge (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid_0,
    input  wire        in_valid_1,
    input  wire [56:0] in_record_0,
    input  wire [56:0] in_record_1,
    output wire        in_ready_0,
    output wire        in_ready_1,
    output wire        record_valid,
    output wire [61:0] record,
    input  wire        record_ready,
    output wire        is_empty
);

    reg  [1:0]  done;
    reg  [1:0]  arrived; // cores with a record of this clock
    wire [1:0]  pending; // cores whose record of the oldest clock waits
    wire [1:0]  current; // one hot
    reg  [56:0] waiting;
    reg         thread;
    wire        goes_first;
    reg         has_rest;
    wire        pads;
    wire        queues_0_in_ready;
    wire        queues_0_out_valid;
    wire [56:0] queues_0_out_word;
    reg         queues_0_out_ready;
    wire [1:0]  queues_0_level;
    wire        queues_1_in_ready;
    wire        queues_1_out_valid;
    wire [56:0] queues_1_out_word;
    reg         queues_1_out_ready;
    wire [1:0]  queues_1_level;
    wire        order_in_valid;
    wire        order_in_ready;
    wire        order_out_valid;
    wire [1:0]  order_out_word;
    reg         order_out_ready;
    wire [2:0]  order_level;

    mctraptor_small_n2_fifo_depth2_width57 queues_0 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_0),
        .in_word   (in_record_0),
        .in_ready  (queues_0_in_ready),
        .out_valid (queues_0_out_valid),
        .out_word  (queues_0_out_word),
        .out_ready (queues_0_out_ready),
        .level     (queues_0_level)
    );

    mctraptor_small_n2_fifo_depth2_width57 queues_1 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_1),
        .in_word   (in_record_1),
        .in_ready  (queues_1_in_ready),
        .out_valid (queues_1_out_valid),
        .out_word  (queues_1_out_word),
        .out_ready (queues_1_out_ready),
        .level     (queues_1_level)
    );

    mctraptor_small_n2_fifo_depth4_width2 order (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (order_in_valid),
        .in_word   (arrived),
        .in_ready  (order_in_ready),
        .out_valid (order_out_valid),
        .out_word  (order_out_word),
        .out_ready (order_out_ready),
        .level     (order_level)
    );

    always @* begin
        arrived = 2'd0;
        if (in_valid_0) begin
            arrived = 2'd1;
        end
        if (in_valid_1) begin
            arrived = {1'd1, arrived[0]};
        end
    end

    assign in_ready_0 = queues_0_in_ready;
    assign in_ready_1 = queues_1_in_ready;
    assign order_in_valid = |arrived;
    assign pending = order_out_word & ~done;
    assign current = pending & (~pending + 2'd1);
    assign record_valid = order_out_valid;

    always @* begin
        order_out_ready = 1'd0;
        if (record_valid && record_ready) begin
            if (pending == current) begin
                order_out_ready = 1'd1;
            end
        end
    end

    assign is_empty = !order_out_valid;

    always @* begin
        waiting = 57'd0;
        if (current[0]) begin
            waiting = queues_0_out_word;
        end
        if (current[1]) begin
            waiting = queues_1_out_word;
        end
    end

    always @* begin
        thread = 1'd0;
        if (current[0]) begin
            thread = 1'd0;
        end
        if (current[1]) begin
            thread = 1'd1;
        end
    end

    always @* begin
        queues_0_out_ready = 1'd0;
        if (current[0]) begin
            queues_0_out_ready = record_valid & record_ready;
        end
    end

    always @* begin
        queues_1_out_ready = 1'd0;
        if (current[1]) begin
            queues_1_out_ready = record_valid & record_ready;
        end
    end

    assign goes_first = waiting[1];

    always @* begin
        has_rest = 1'd0;
        if (waiting[2]) begin
            has_rest = 1'd1;
        end
        if (waiting[3]) begin
            has_rest = 1'd1;
        end
        if (waiting[0]) begin
            has_rest = 1'd1;
        end
        if (waiting[4]) begin
            has_rest = 1'd1;
        end
        if (waiting[5]) begin
            has_rest = 1'd1;
        end
        if (waiting[6]) begin
            has_rest = 1'd1;
        end
        if (waiting[7]) begin
            has_rest = 1'd1;
        end
        if (waiting[8]) begin
            has_rest = 1'd1;
        end
    end

    assign pads = waiting[0] & current[1];
    assign record = {waiting, thread, has_rest & goes_first, has_rest & !goes_first, goes_first, pads};

    always @(posedge clock) begin
        if (reset) begin
            done <= 2'd0;
        end else begin
            if (record_valid && record_ready) begin
                done <= done | current;
                if (pending == current) begin
                    done <= 2'd0;
                end
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        queues_0_out_valid,
        queues_0_level,
        queues_1_out_valid,
        queues_1_level,
        order_in_ready,
        order_level
    };

endmodule
