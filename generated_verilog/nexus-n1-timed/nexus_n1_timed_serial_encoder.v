// nexus-n1-timed of Tracewright, scheme nexus.
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
//   time_stamps = true
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// serial_encoder: slots = 10, record_bits = 91, most_bits = 181

module nexus_n1_timed_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [90:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [16:0] piece, // zero above piece_bits
    output reg  [4:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [9:0]  sent; // stages of the record that are out
    reg  [1:0]  index; // the piece of the slot
    reg  [9:0]  flags; // slots that are sent
    reg  [9:0]  stages; // stages that send one
    wire [9:0]  pending;
    wire [9:0]  current; // one hot
    reg  [9:0]  active; // one hot: the slot of this clock
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [1:0]  value_4;
    wire        value_5;
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

    nexus_n1_timed_chunk_selector_first8_next8_width32 chunks_0 (
        .value      (record[36:5]),
        .index      (index),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .more       (chunks_0_more)
    );

    nexus_n1_timed_chunk_selector_first8_next8_width32 chunks_1 (
        .value      (record[36:5]),
        .index      (index),
        .piece      (chunks_1_piece),
        .piece_bits (chunks_1_piece_bits),
        .more       (chunks_1_more)
    );

    nexus_n1_timed_chunk_selector_first8_next8_width16 chunks_2 (
        .value      (record[60:45]),
        .index      (index[0]),
        .piece      (chunks_2_piece),
        .piece_bits (chunks_2_piece_bits),
        .more       (chunks_2_more)
    );

    nexus_n1_timed_chunk_selector_first16_next16_width30 chunks_3 (
        .value      (record[90:61]),
        .index      (index[0]),
        .piece      (chunks_3_piece),
        .piece_bits (chunks_3_piece_bits),
        .more       (chunks_3_more)
    );

    always @* begin
        flags = 10'd0;
        if (record[4]) begin
            flags = 10'd1;
        end
        if (record[1]) begin
            flags = {flags[9:2], 1'd1, flags[0]};
        end
        if (record[38]) begin
            flags = {flags[9:3], 1'd1, flags[1:0]};
        end
        if (record[2]) begin
            flags = {flags[9:4], 1'd1, flags[2:0]};
        end
        if (record[3]) begin
            flags = {flags[9:5], 1'd1, flags[3:0]};
        end
        if (record[39]) begin
            flags = {flags[9:6], 1'd1, flags[4:0]};
        end
        if (record[39]) begin
            flags = {flags[9:7], 1'd1, flags[5:0]};
        end
        if (record[40]) begin
            flags = {flags[9:8], 1'd1, flags[6:0]};
        end
        if (record[41]) begin
            flags = {flags[9], 1'd1, flags[7:0]};
        end
        if (record[41]) begin
            flags = {1'd1, flags[8:0]};
        end
    end

    always @* begin
        stages = 10'd0;
        if (record[4]) begin
            stages = 10'd1;
        end
        if (record[1]) begin
            stages = {stages[9:2], 1'd1, stages[0]};
        end
        if (record[38]) begin
            stages = {stages[9:3], 1'd1, stages[1:0]};
        end
        if (record[2]) begin
            stages = {stages[9:4], 1'd1, stages[2:0]};
        end
        if (record[3]) begin
            stages = {stages[9:5], 1'd1, stages[3:0]};
        end
        if (record[39]) begin
            stages = {stages[9:6], 1'd1, stages[4:0]};
        end
        if (record[39]) begin
            stages = {stages[9:7], 1'd1, stages[5:0]};
        end
        if (record[40]) begin
            stages = {stages[9:8], 1'd1, stages[6:0]};
        end
        if (record[41]) begin
            stages = {stages[9], 1'd1, stages[7:0]};
        end
        if (record[41]) begin
            stages = {1'd1, stages[8:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 10'd1);
    assign is_last = pending == current;

    always @* begin
        active = 10'd0;
        if (current[0]) begin
            active = {9'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[9:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[9:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[9:4], flags[3], active[2:0]};
        end
        if (current[4]) begin
            active = {active[9:5], flags[4], active[3:0]};
        end
        if (current[5]) begin
            active = {active[9:6], flags[5], active[4:0]};
        end
        if (current[6]) begin
            active = {active[9:7], flags[6], active[5:0]};
        end
        if (current[7]) begin
            active = {active[9:8], flags[7], active[6:0]};
        end
        if (current[8]) begin
            active = {active[9], flags[8], active[7:0]};
        end
        if (current[9]) begin
            active = {flags[9], active[8:0]};
        end
    end

    always @* begin
        piece = 17'd0;
        if (active[1]) begin
            piece = chunks_0_piece;
        end
        if (active[3]) begin
            piece = chunks_1_piece;
        end
        if (active[7]) begin
            piece = chunks_2_piece;
        end
        if (active[8]) begin
            piece = chunks_3_piece;
        end
        if (active[0]) begin
            if (index == 2'd0) begin
                piece = 17'd256;
            end
            if (index == 2'd1) begin
                piece = 17'd0;
            end
        end
        if (active[2]) begin
            if (index == 2'd0) begin
                piece = 17'h1ffff;
            end
            if (index == 2'd1) begin
                piece = 17'd0;
            end
        end
        if (active[4]) begin
            piece = 17'd0;
        end
        if (active[5]) begin
            piece = 17'd0;
        end
        if (active[6]) begin
            piece = {15'd0, value_4};
        end
        if (active[9]) begin
            piece = {16'd0, value_5};
        end
    end

    always @* begin
        piece_bits = 5'd0;
        more = 1'd0;
        if (active[1]) begin
            piece_bits = chunks_0_piece_bits;
            more = chunks_0_more;
        end
        if (active[3]) begin
            piece_bits = chunks_1_piece_bits;
            more = chunks_1_more;
        end
        if (active[7]) begin
            piece_bits = chunks_2_piece_bits;
            more = chunks_2_more;
        end
        if (active[8]) begin
            piece_bits = chunks_3_piece_bits;
            more = chunks_3_more;
        end
        left = 5'd0;
        if (active[0]) begin
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
        if (active[4]) begin
            piece_bits = 5'd9;
        end
        if (active[5]) begin
            piece_bits = 5'd9;
        end
        if (active[6]) begin
            piece_bits = 5'd2;
        end
        if (active[9]) begin
            piece_bits = 5'd1;
        end
    end

    assign value_4 = record[44:43];
    assign value_5 = record[42];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 10'd0;
            index <= 2'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 2'd1;
                end else begin
                    index <= 2'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 10'd0;
                    end
                end
            end
        end
    end

    wire _unused_ok = &{1'b0, record[37]};

endmodule
