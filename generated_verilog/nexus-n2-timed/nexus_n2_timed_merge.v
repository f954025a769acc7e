// nexus-n2-timed of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 8
//   fifo_bits = 128
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stream_length_bits = 16
//   stream_length_coding = chunks
//   stream_length_first_chunk = 8
//   stream_length_next_chunk = 8
//   target_coding = difference
//   target_first_chunk = 16
//   target_next_chunk = 16
//   target_connect_bits = 1
//   cores = 2
//   time_stamps = true
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// merge: cores = 2, record_bits = 92

module nexus_n2_timed_merge (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid_0,
    input  wire        in_valid_1,
    input  wire [86:0] in_record_0,
    input  wire [86:0] in_record_1,
    output wire        in_ready_0,
    output wire        in_ready_1,
    output wire        record_valid,
    output wire [91:0] record,
    input  wire        record_ready,
    output wire        is_empty
);

    reg  [1:0]  done;
    reg  [1:0]  arrived; // cores with a record of this clock
    wire [1:0]  pending; // cores whose record of the oldest clock waits
    wire [1:0]  current; // one hot
    reg  [86:0] waiting;
    reg         thread;
    wire        goes_first;
    reg         has_rest;
    wire        pads;
    wire        queues_0_in_ready;
    wire        queues_0_out_valid;
    wire [86:0] queues_0_out_word;
    reg         queues_0_out_ready;
    wire [1:0]  queues_0_level;
    wire        queues_1_in_ready;
    wire        queues_1_out_valid;
    wire [86:0] queues_1_out_word;
    reg         queues_1_out_ready;
    wire [1:0]  queues_1_level;
    wire        order_in_valid;
    wire        order_in_ready;
    wire        order_out_valid;
    wire [1:0]  order_out_word;
    reg         order_out_ready;
    wire [2:0]  order_level;

    nexus_n2_timed_fifo_depth2_width87 queues_0 (
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

    nexus_n2_timed_fifo_depth2_width87 queues_1 (
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

    nexus_n2_timed_fifo_depth4_width2 order (
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
        waiting = 87'd0;
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

    assign goes_first = waiting[34];

    always @* begin
        has_rest = 1'd0;
        if (waiting[35]) begin
            has_rest = 1'd1;
        end
        if (waiting[35]) begin
            has_rest = 1'd1;
        end
        if (waiting[36]) begin
            has_rest = 1'd1;
        end
        if (waiting[37]) begin
            has_rest = 1'd1;
        end
        if (waiting[37]) begin
            has_rest = 1'd1;
        end
    end

    assign pads = waiting[33] & current[1];
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
