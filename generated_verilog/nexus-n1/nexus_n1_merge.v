// nexus-n1 of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 4
//   fifo_bits = 64
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
//   cores = 1
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// merge: cores = 1, record_bits = 58

module nexus_n1_merge (
    input  wire        clock,
    input  wire        reset,
    input  wire        in_valid_0,
    input  wire [53:0] in_record_0,
    output wire        in_ready_0,
    output wire        record_valid,
    output wire [57:0] record,
    input  wire        record_ready,
    output wire        is_empty
);

    wire [53:0] waiting;
    wire        goes_first;
    reg         has_rest;
    wire        pads;
    wire        queues_0_in_ready;
    wire        queues_0_out_valid;
    wire [53:0] queues_0_out_word;
    wire        queues_0_out_ready;
    wire [1:0]  queues_0_level;

    nexus_n1_fifo_depth2_width54 queues_0 (
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

    assign in_ready_0 = queues_0_in_ready;
    assign record_valid = queues_0_out_valid;
    assign is_empty = !queues_0_out_valid;
    assign waiting = queues_0_out_word;
    assign queues_0_out_ready = record_valid & record_ready;
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

    assign pads = waiting[0];
    assign record = {waiting, has_rest & goes_first, has_rest & !goes_first, goes_first, pads};

    wire _unused_ok = &{1'b0, queues_0_level};

endmodule
