// nexus-n2 of Tracewright, scheme nexus.
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
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// serial_encoder: slots = 9, record_bits = 59, most_bits = 85

module nexus_n2_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [58:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [16:0] piece, // zero above piece_bits
    output reg  [4:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [8:0]  sent; // stages of the record that are out
    reg         index; // the piece of the slot
    reg  [8:0]  flags; // slots that are sent
    reg  [8:0]  stages; // stages that send one
    wire [8:0]  pending;
    wire [8:0]  current; // one hot
    reg  [8:0]  active; // one hot: the slot of this clock
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire        value_0;
    wire        value_2;
    wire        value_3;
    wire [1:0]  value_5;
    wire        value_6;
    reg  [4:0]  left;
    wire [16:0] chunks_0_piece;
    wire [4:0]  chunks_0_piece_bits;
    wire        chunks_0_more;
    wire [16:0] chunks_1_piece;
    wire [4:0]  chunks_1_piece_bits;
    wire        chunks_1_more;

    nexus_n2_chunk_selector_first8_next8_width16 chunks_0 (
        .value      (record[28:13]),
        .index      (index),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .more       (chunks_0_more)
    );

    nexus_n2_chunk_selector_first16_next16_width30 chunks_1 (
        .value      (record[58:29]),
        .index      (index),
        .piece      (chunks_1_piece),
        .piece_bits (chunks_1_piece_bits),
        .more       (chunks_1_more)
    );

    always @* begin
        flags = 9'd0;
        if (record[1]) begin
            flags = 9'd1;
        end
        if (record[6]) begin
            flags = {flags[8:2], 1'd1, flags[0]};
        end
        if (record[2]) begin
            flags = {flags[8:3], 1'd1, flags[1:0]};
        end
        if (record[3]) begin
            flags = {flags[8:4], 1'd1, flags[2:0]};
        end
        if (record[7]) begin
            flags = {flags[8:5], 1'd1, flags[3:0]};
        end
        if (record[7]) begin
            flags = {flags[8:6], 1'd1, flags[4:0]};
        end
        if (record[8]) begin
            flags = {flags[8:7], 1'd1, flags[5:0]};
        end
        if (record[9]) begin
            flags = {flags[8], 1'd1, flags[6:0]};
        end
        if (record[9]) begin
            flags = {1'd1, flags[7:0]};
        end
    end

    always @* begin
        stages = 9'd0;
        if (record[1]) begin
            stages = 9'd1;
        end
        if (record[6]) begin
            stages = {stages[8:2], 1'd1, stages[0]};
        end
        if (record[2]) begin
            stages = {stages[8:3], 1'd1, stages[1:0]};
        end
        if (record[3]) begin
            stages = {stages[8:4], 1'd1, stages[2:0]};
        end
        if (record[7]) begin
            stages = {stages[8:5], 1'd1, stages[3:0]};
        end
        if (record[7]) begin
            stages = {stages[8:6], 1'd1, stages[4:0]};
        end
        if (record[8]) begin
            stages = {stages[8:7], 1'd1, stages[5:0]};
        end
        if (record[9]) begin
            stages = {stages[8], 1'd1, stages[6:0]};
        end
        if (record[9]) begin
            stages = {1'd1, stages[7:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 9'd1);
    assign is_last = pending == current;

    always @* begin
        active = 9'd0;
        if (current[0]) begin
            active = {8'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[8:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[8:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[8:4], flags[3], active[2:0]};
        end
        if (current[4]) begin
            active = {active[8:5], flags[4], active[3:0]};
        end
        if (current[5]) begin
            active = {active[8:6], flags[5], active[4:0]};
        end
        if (current[6]) begin
            active = {active[8:7], flags[6], active[5:0]};
        end
        if (current[7]) begin
            active = {active[8], flags[7], active[6:0]};
        end
        if (current[8]) begin
            active = {flags[8], active[7:0]};
        end
    end

    always @* begin
        piece = 17'd0;
        if (active[6]) begin
            piece = chunks_0_piece;
        end
        if (active[7]) begin
            piece = chunks_1_piece;
        end
        if (active[0]) begin
            piece = {16'd0, value_0};
        end
        if (active[1]) begin
            if (!index) begin
                piece = 17'h1ffff;
            end
            if (index) begin
                piece = 17'd0;
            end
        end
        if (active[2]) begin
            piece = {16'd0, value_2};
        end
        if (active[3]) begin
            piece = {16'd0, value_3};
        end
        if (active[4]) begin
            piece = 17'd0;
        end
        if (active[5]) begin
            piece = {15'd0, value_5};
        end
        if (active[8]) begin
            piece = {16'd0, value_6};
        end
    end

    always @* begin
        piece_bits = 5'd0;
        if (active[6]) begin
            piece_bits = chunks_0_piece_bits;
        end
        if (active[7]) begin
            piece_bits = chunks_1_piece_bits;
        end
        if (active[0]) begin
            piece_bits = 5'd1;
        end
        if (active[1]) begin
            piece_bits = left;
            if (left > 5'd17) begin
                piece_bits = 5'd17;
            end
        end
        if (active[2]) begin
            piece_bits = 5'd1;
        end
        if (active[3]) begin
            piece_bits = 5'd1;
        end
        if (active[4]) begin
            piece_bits = 5'd9;
        end
        if (active[5]) begin
            piece_bits = 5'd2;
        end
        if (active[8]) begin
            piece_bits = 5'd1;
        end
    end

    always @* begin
        more = 1'd0;
        if (active[6]) begin
            more = chunks_0_more;
        end
        if (active[7]) begin
            more = chunks_1_more;
        end
        if (active[1]) begin
            if (left > 5'd17) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        left = 5'd0;
        if (active[1]) begin
            if (!index) begin
                left = 5'd18;
            end
            if (index) begin
                left = 5'd1;
            end
        end
    end

    assign value_0 = record[4];
    assign value_2 = record[4];
    assign value_3 = record[4];
    assign value_5 = record[12:11];
    assign value_6 = record[10];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 9'd0;
            index <= 1'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 1'd1;
                end else begin
                    index <= 1'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 9'd0;
                    end
                end
            end
        end
    end

    wire _unused_ok = &{1'b0, record[5]};

endmodule
