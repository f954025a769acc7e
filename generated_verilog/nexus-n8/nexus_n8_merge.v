// nexus-n8 of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 32
//   fifo_bits = 512
//   record_queue_depth = 2
//   encoder = parallel
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
//   cores = 8
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// merge: cores = 8, record_bits = 61

module nexus_n8_merge (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid_0,
    input  wire        in_valid_1,
    input  wire        in_valid_2,
    input  wire        in_valid_3,
    input  wire        in_valid_4,
    input  wire        in_valid_5,
    input  wire        in_valid_6,
    input  wire        in_valid_7,
    input  wire [53:0] in_record_0,
    input  wire [53:0] in_record_1,
    input  wire [53:0] in_record_2,
    input  wire [53:0] in_record_3,
    input  wire [53:0] in_record_4,
    input  wire [53:0] in_record_5,
    input  wire [53:0] in_record_6,
    input  wire [53:0] in_record_7,
    output wire        in_ready_0,
    output wire        in_ready_1,
    output wire        in_ready_2,
    output wire        in_ready_3,
    output wire        in_ready_4,
    output wire        in_ready_5,
    output wire        in_ready_6,
    output wire        in_ready_7,
    output wire        record_valid,
    output wire [60:0] record,
    input  wire        record_ready,
    output wire        is_empty
);

    reg  [7:0]  done;
    reg  [7:0]  arrived; // cores with a record of this clock
    wire [7:0]  pending; // cores whose record of the oldest clock waits
    wire [7:0]  current; // one hot
    reg  [53:0] waiting;
    reg  [2:0]  thread;
    wire        goes_first;
    reg         has_rest;
    wire        pads;
    wire        queues_0_in_ready;
    wire        queues_0_out_valid;
    wire [53:0] queues_0_out_word;
    reg         queues_0_out_ready;
    wire [1:0]  queues_0_level;
    wire        queues_1_in_ready;
    wire        queues_1_out_valid;
    wire [53:0] queues_1_out_word;
    reg         queues_1_out_ready;
    wire [1:0]  queues_1_level;
    wire        queues_2_in_ready;
    wire        queues_2_out_valid;
    wire [53:0] queues_2_out_word;
    reg         queues_2_out_ready;
    wire [1:0]  queues_2_level;
    wire        queues_3_in_ready;
    wire        queues_3_out_valid;
    wire [53:0] queues_3_out_word;
    reg         queues_3_out_ready;
    wire [1:0]  queues_3_level;
    wire        queues_4_in_ready;
    wire        queues_4_out_valid;
    wire [53:0] queues_4_out_word;
    reg         queues_4_out_ready;
    wire [1:0]  queues_4_level;
    wire        queues_5_in_ready;
    wire        queues_5_out_valid;
    wire [53:0] queues_5_out_word;
    reg         queues_5_out_ready;
    wire [1:0]  queues_5_level;
    wire        queues_6_in_ready;
    wire        queues_6_out_valid;
    wire [53:0] queues_6_out_word;
    reg         queues_6_out_ready;
    wire [1:0]  queues_6_level;
    wire        queues_7_in_ready;
    wire        queues_7_out_valid;
    wire [53:0] queues_7_out_word;
    reg         queues_7_out_ready;
    wire [1:0]  queues_7_level;
    wire        order_in_valid;
    wire        order_in_ready;
    wire        order_out_valid;
    wire [7:0]  order_out_word;
    reg         order_out_ready;
    wire [4:0]  order_level;

    nexus_n8_fifo_depth2_width54 queues_0 (
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

    nexus_n8_fifo_depth2_width54 queues_1 (
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

    nexus_n8_fifo_depth2_width54 queues_2 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_2),
        .in_word   (in_record_2),
        .in_ready  (queues_2_in_ready),
        .out_valid (queues_2_out_valid),
        .out_word  (queues_2_out_word),
        .out_ready (queues_2_out_ready),
        .level     (queues_2_level)
    );

    nexus_n8_fifo_depth2_width54 queues_3 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_3),
        .in_word   (in_record_3),
        .in_ready  (queues_3_in_ready),
        .out_valid (queues_3_out_valid),
        .out_word  (queues_3_out_word),
        .out_ready (queues_3_out_ready),
        .level     (queues_3_level)
    );

    nexus_n8_fifo_depth2_width54 queues_4 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_4),
        .in_word   (in_record_4),
        .in_ready  (queues_4_in_ready),
        .out_valid (queues_4_out_valid),
        .out_word  (queues_4_out_word),
        .out_ready (queues_4_out_ready),
        .level     (queues_4_level)
    );

    nexus_n8_fifo_depth2_width54 queues_5 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_5),
        .in_word   (in_record_5),
        .in_ready  (queues_5_in_ready),
        .out_valid (queues_5_out_valid),
        .out_word  (queues_5_out_word),
        .out_ready (queues_5_out_ready),
        .level     (queues_5_level)
    );

    nexus_n8_fifo_depth2_width54 queues_6 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_6),
        .in_word   (in_record_6),
        .in_ready  (queues_6_in_ready),
        .out_valid (queues_6_out_valid),
        .out_word  (queues_6_out_word),
        .out_ready (queues_6_out_ready),
        .level     (queues_6_level)
    );

    nexus_n8_fifo_depth2_width54 queues_7 (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (in_valid_7),
        .in_word   (in_record_7),
        .in_ready  (queues_7_in_ready),
        .out_valid (queues_7_out_valid),
        .out_word  (queues_7_out_word),
        .out_ready (queues_7_out_ready),
        .level     (queues_7_level)
    );

    nexus_n8_fifo_depth16_width8 order (
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
        arrived = 8'd0;
        if (in_valid_0) begin
            arrived = 8'd1;
        end
        if (in_valid_1) begin
            arrived = {arrived[7:2], 1'd1, arrived[0]};
        end
        if (in_valid_2) begin
            arrived = {arrived[7:3], 1'd1, arrived[1:0]};
        end
        if (in_valid_3) begin
            arrived = {arrived[7:4], 1'd1, arrived[2:0]};
        end
        if (in_valid_4) begin
            arrived = {arrived[7:5], 1'd1, arrived[3:0]};
        end
        if (in_valid_5) begin
            arrived = {arrived[7:6], 1'd1, arrived[4:0]};
        end
        if (in_valid_6) begin
            arrived = {arrived[7], 1'd1, arrived[5:0]};
        end
        if (in_valid_7) begin
            arrived = {1'd1, arrived[6:0]};
        end
    end

    assign in_ready_0 = queues_0_in_ready;
    assign in_ready_1 = queues_1_in_ready;
    assign in_ready_2 = queues_2_in_ready;
    assign in_ready_3 = queues_3_in_ready;
    assign in_ready_4 = queues_4_in_ready;
    assign in_ready_5 = queues_5_in_ready;
    assign in_ready_6 = queues_6_in_ready;
    assign in_ready_7 = queues_7_in_ready;
    assign order_in_valid = |arrived;
    assign pending = order_out_word & ~done;
    assign current = pending & (~pending + 8'd1);
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
        waiting = 54'd0;
        if (current[0]) begin
            waiting = queues_0_out_word;
        end
        if (current[1]) begin
            waiting = queues_1_out_word;
        end
        if (current[2]) begin
            waiting = queues_2_out_word;
        end
        if (current[3]) begin
            waiting = queues_3_out_word;
        end
        if (current[4]) begin
            waiting = queues_4_out_word;
        end
        if (current[5]) begin
            waiting = queues_5_out_word;
        end
        if (current[6]) begin
            waiting = queues_6_out_word;
        end
        if (current[7]) begin
            waiting = queues_7_out_word;
        end
    end

    always @* begin
        thread = 3'd0;
        if (current[0]) begin
            thread = 3'd0;
        end
        if (current[1]) begin
            thread = 3'd1;
        end
        if (current[2]) begin
            thread = 3'd2;
        end
        if (current[3]) begin
            thread = 3'd3;
        end
        if (current[4]) begin
            thread = 3'd4;
        end
        if (current[5]) begin
            thread = 3'd5;
        end
        if (current[6]) begin
            thread = 3'd6;
        end
        if (current[7]) begin
            thread = 3'd7;
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

    always @* begin
        queues_2_out_ready = 1'd0;
        if (current[2]) begin
            queues_2_out_ready = record_valid & record_ready;
        end
    end

    always @* begin
        queues_3_out_ready = 1'd0;
        if (current[3]) begin
            queues_3_out_ready = record_valid & record_ready;
        end
    end

    always @* begin
        queues_4_out_ready = 1'd0;
        if (current[4]) begin
            queues_4_out_ready = record_valid & record_ready;
        end
    end

    always @* begin
        queues_5_out_ready = 1'd0;
        if (current[5]) begin
            queues_5_out_ready = record_valid & record_ready;
        end
    end

    always @* begin
        queues_6_out_ready = 1'd0;
        if (current[6]) begin
            queues_6_out_ready = record_valid & record_ready;
        end
    end

    always @* begin
        queues_7_out_ready = 1'd0;
        if (current[7]) begin
            queues_7_out_ready = record_valid & record_ready;
        end
    end

    assign goes_first = waiting[1];

    always @* begin
        has_rest = 1'd0;
        if (waiting[2]) begin
            has_rest = 1'd1;
        end
        if (waiting[2]) begin
            has_rest = 1'd1;
        end
        if (waiting[3]) begin
            has_rest = 1'd1;
        end
        if (waiting[4]) begin
            has_rest = 1'd1;
        end
        if (waiting[4]) begin
            has_rest = 1'd1;
        end
    end

    assign pads = waiting[0] & current[7];
    assign record = {waiting, thread, has_rest & goes_first, has_rest & !goes_first, goes_first, pads};

    always @(posedge clock) begin
        if (reset) begin
            done <= 8'd0;
        end else begin
            if (record_valid && record_ready) begin
                done <= done | current;
                if (pending == current) begin
                    done <= 8'd0;
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
        queues_2_out_valid,
        queues_2_level,
        queues_3_out_valid,
        queues_3_level,
        queues_4_out_valid,
        queues_4_level,
        queues_5_out_valid,
        queues_5_level,
        queues_6_out_valid,
        queues_6_level,
        queues_7_out_valid,
        queues_7_level,
        order_in_ready,
        order_level
    };

endmodule
