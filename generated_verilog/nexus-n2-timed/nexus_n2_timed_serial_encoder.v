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
// serial_encoder: slots = 14, record_bits = 92, most_bits = 185

module nexus_n2_timed_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [91:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [16:0] piece, // zero above piece_bits
    output reg  [4:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [13:0] sent; // stages of the record that are out
    reg  [1:0]  index; // the piece of the slot
    reg  [13:0] flags; // slots that are sent
    reg  [13:0] stages; // stages that send one
    wire [13:0] pending;
    wire [13:0] current; // one hot
    reg  [13:0] active; // one hot: the slot of this clock
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire        value_0;
    wire        value_2;
    wire        value_4;
    wire        value_5;
    wire [1:0]  value_8;
    wire        value_9;
    reg  [4:0]  left;
    wire [16:0] chunks_0_piece;
    wire [4:0]  chunks_0_piece_bits;
    wire        chunks_0_more;
    wire [16:0] chunks_1_piece;
    wire [4:0]  chunks_1_piece_bits;
    wire        chunks_1_more;
    wire [16:0] chunks_2_piece;
    wire [4:0]  chunks_2_piece_bits;
    wire        chunks_2_more;
    wire [16:0] chunks_3_piece;
    wire [4:0]  chunks_3_piece_bits;
    wire        chunks_3_more;

    nexus_n2_timed_chunk_selector_first8_next8_width32 chunks_0 (
        .value      (record[37:6]),
        .index      (index),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .more       (chunks_0_more)
    );

    nexus_n2_timed_chunk_selector_first8_next8_width32 chunks_1 (
        .value      (record[37:6]),
        .index      (index),
        .piece      (chunks_1_piece),
        .piece_bits (chunks_1_piece_bits),
        .more       (chunks_1_more)
    );

    nexus_n2_timed_chunk_selector_first8_next8_width16 chunks_2 (
        .value      (record[61:46]),
        .index      (index[0]),
        .piece      (chunks_2_piece),
        .piece_bits (chunks_2_piece_bits),
        .more       (chunks_2_more)
    );

    nexus_n2_timed_chunk_selector_first16_next16_width30 chunks_3 (
        .value      (record[91:62]),
        .index      (index[0]),
        .piece      (chunks_3_piece),
        .piece_bits (chunks_3_piece_bits),
        .more       (chunks_3_more)
    );

    always @* begin
        flags = 14'd0;
        if (record[5]) begin
            flags = 14'd1;
        end
        if (record[5]) begin
            flags = {flags[13:2], 1'd1, flags[0]};
        end
        if (record[1]) begin
            flags = {flags[13:3], 1'd1, flags[1:0]};
        end
        if (record[1]) begin
            flags = {flags[13:4], 1'd1, flags[2:0]};
        end
        if (record[39]) begin
            flags = {flags[13:5], 1'd1, flags[3:0]};
        end
        if (record[2]) begin
            flags = {flags[13:6], 1'd1, flags[4:0]};
        end
        if (record[2]) begin
            flags = {flags[13:7], 1'd1, flags[5:0]};
        end
        if (record[3]) begin
            flags = {flags[13:8], 1'd1, flags[6:0]};
        end
        if (record[3]) begin
            flags = {flags[13:9], 1'd1, flags[7:0]};
        end
        if (record[40]) begin
            flags = {flags[13:10], 1'd1, flags[8:0]};
        end
        if (record[40]) begin
            flags = {flags[13:11], 1'd1, flags[9:0]};
        end
        if (record[41]) begin
            flags = {flags[13:12], 1'd1, flags[10:0]};
        end
        if (record[42]) begin
            flags = {flags[13], 1'd1, flags[11:0]};
        end
        if (record[42]) begin
            flags = {1'd1, flags[12:0]};
        end
    end

    always @* begin
        stages = 14'd0;
        if (record[5]) begin
            stages = 14'd1;
        end
        if (record[5]) begin
            stages = {stages[13:2], 1'd1, stages[0]};
        end
        if (record[1]) begin
            stages = {stages[13:3], 1'd1, stages[1:0]};
        end
        if (record[1]) begin
            stages = {stages[13:4], 1'd1, stages[2:0]};
        end
        if (record[39]) begin
            stages = {stages[13:5], 1'd1, stages[3:0]};
        end
        if (record[2]) begin
            stages = {stages[13:6], 1'd1, stages[4:0]};
        end
        if (record[2]) begin
            stages = {stages[13:7], 1'd1, stages[5:0]};
        end
        if (record[3]) begin
            stages = {stages[13:8], 1'd1, stages[6:0]};
        end
        if (record[3]) begin
            stages = {stages[13:9], 1'd1, stages[7:0]};
        end
        if (record[40]) begin
            stages = {stages[13:10], 1'd1, stages[8:0]};
        end
        if (record[40]) begin
            stages = {stages[13:11], 1'd1, stages[9:0]};
        end
        if (record[41]) begin
            stages = {stages[13:12], 1'd1, stages[10:0]};
        end
        if (record[42]) begin
            stages = {stages[13], 1'd1, stages[11:0]};
        end
        if (record[42]) begin
            stages = {1'd1, stages[12:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 14'd1);
    assign is_last = pending == current;

    always @* begin
        active = 14'd0;
        if (current[0]) begin
            active = {13'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[13:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[13:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[13:4], flags[3], active[2:0]};
        end
        if (current[4]) begin
            active = {active[13:5], flags[4], active[3:0]};
        end
        if (current[5]) begin
            active = {active[13:6], flags[5], active[4:0]};
        end
        if (current[6]) begin
            active = {active[13:7], flags[6], active[5:0]};
        end
        if (current[7]) begin
            active = {active[13:8], flags[7], active[6:0]};
        end
        if (current[8]) begin
            active = {active[13:9], flags[8], active[7:0]};
        end
        if (current[9]) begin
            active = {active[13:10], flags[9], active[8:0]};
        end
        if (current[10]) begin
            active = {active[13:11], flags[10], active[9:0]};
        end
        if (current[11]) begin
            active = {active[13:12], flags[11], active[10:0]};
        end
        if (current[12]) begin
            active = {active[13], flags[12], active[11:0]};
        end
        if (current[13]) begin
            active = {flags[13], active[12:0]};
        end
    end

    always @* begin
        piece = 17'd0;
        if (active[3]) begin
            piece = chunks_0_piece;
        end
        if (active[6]) begin
            piece = chunks_1_piece;
        end
        if (active[11]) begin
            piece = chunks_2_piece;
        end
        if (active[12]) begin
            piece = chunks_3_piece;
        end
        if (active[0]) begin
            piece = {16'd0, value_0};
        end
        if (active[1]) begin
            if (index == 2'd0) begin
                piece = 17'd256;
            end
            if (index == 2'd1) begin
                piece = 17'd0;
            end
        end
        if (active[2]) begin
            piece = {16'd0, value_2};
        end
        if (active[4]) begin
            if (index == 2'd0) begin
                piece = 17'h1ffff;
            end
            if (index == 2'd1) begin
                piece = 17'd0;
            end
        end
        if (active[5]) begin
            piece = {16'd0, value_4};
        end
        if (active[7]) begin
            piece = {16'd0, value_5};
        end
        if (active[8]) begin
            piece = 17'd0;
        end
        if (active[9]) begin
            piece = 17'd0;
        end
        if (active[10]) begin
            piece = {15'd0, value_8};
        end
        if (active[13]) begin
            piece = {16'd0, value_9};
        end
    end

    always @* begin
        piece_bits = 5'd0;
        more = 1'd0;
        if (active[3]) begin
            piece_bits = chunks_0_piece_bits;
            more = chunks_0_more;
        end
        if (active[6]) begin
            piece_bits = chunks_1_piece_bits;
            more = chunks_1_more;
        end
        if (active[11]) begin
            piece_bits = chunks_2_piece_bits;
            more = chunks_2_more;
        end
        if (active[12]) begin
            piece_bits = chunks_3_piece_bits;
            more = chunks_3_more;
        end
        left = 5'd0;
        if (active[0]) begin
            piece_bits = 5'd1;
        end
        if (active[1]) begin
            if (index == 2'd0) begin
                left = 5'd18;
            end
            if (index == 2'd1) begin
                left = 5'd1;
            end
            piece_bits = left;
            if (left > 5'd17) begin
                piece_bits = 5'd17;
                more = 1'd1;
            end
        end
        if (active[2]) begin
            piece_bits = 5'd1;
        end
        if (active[4]) begin
            if (index == 2'd0) begin
                left = 5'd18;
            end
            if (index == 2'd1) begin
                left = 5'd1;
            end
            piece_bits = left;
            if (left > 5'd17) begin
                piece_bits = 5'd17;
                more = 1'd1;
            end
        end
        if (active[5]) begin
            piece_bits = 5'd1;
        end
        if (active[7]) begin
            piece_bits = 5'd1;
        end
        if (active[8]) begin
            piece_bits = 5'd9;
        end
        if (active[9]) begin
            piece_bits = 5'd9;
        end
        if (active[10]) begin
            piece_bits = 5'd2;
        end
        if (active[13]) begin
            piece_bits = 5'd1;
        end
    end

    assign value_0 = record[4];
    assign value_2 = record[4];
    assign value_4 = record[4];
    assign value_5 = record[4];
    assign value_8 = record[45:44];
    assign value_9 = record[43];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 14'd0;
            index <= 2'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 2'd1;
                end else begin
                    index <= 2'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 14'd0;
                    end
                end
            end
        end
    end

    wire _unused_ok = &{1'b0, record[38]};

endmodule
