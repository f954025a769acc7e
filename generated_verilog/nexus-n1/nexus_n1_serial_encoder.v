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
// serial_encoder: slots = 6, record_bits = 58, most_bits = 82

module nexus_n1_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [57:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [16:0] piece, // zero above piece_bits
    output reg  [4:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [5:0]  sent; // stages of the record that are out
    reg         index; // the piece of the slot
    reg  [5:0]  flags; // slots that are sent
    reg  [5:0]  stages; // stages that send one
    wire [5:0]  pending;
    wire [5:0]  current; // one hot
    reg  [5:0]  active; // one hot: the slot of this clock
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [1:0]  value_2;
    wire        value_3;
    reg  [4:0]  left;
    wire [16:0] chunks_0_piece;
    wire [4:0]  chunks_0_piece_bits;
    wire        chunks_0_more;
    wire [16:0] chunks_1_piece;
    wire [4:0]  chunks_1_piece_bits;
    wire        chunks_1_more;

    nexus_n1_chunk_selector_first8_next8_width16 chunks_0 (
        .value      (record[27:12]),
        .index      (index),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .more       (chunks_0_more)
    );

    nexus_n1_chunk_selector_first16_next16_width30 chunks_1 (
        .value      (record[57:28]),
        .index      (index),
        .piece      (chunks_1_piece),
        .piece_bits (chunks_1_piece_bits),
        .more       (chunks_1_more)
    );

    always @* begin
        flags = 6'd0;
        if (record[5]) begin
            flags = 6'd1;
        end
        if (record[6]) begin
            flags = {flags[5:2], 1'd1, flags[0]};
        end
        if (record[6]) begin
            flags = {flags[5:3], 1'd1, flags[1:0]};
        end
        if (record[7]) begin
            flags = {flags[5:4], 1'd1, flags[2:0]};
        end
        if (record[8]) begin
            flags = {flags[5], 1'd1, flags[3:0]};
        end
        if (record[8]) begin
            flags = {1'd1, flags[4:0]};
        end
    end

    always @* begin
        stages = 6'd0;
        if (record[5]) begin
            stages = 6'd1;
        end
        if (record[6]) begin
            stages = {stages[5:2], 1'd1, stages[0]};
        end
        if (record[6]) begin
            stages = {stages[5:3], 1'd1, stages[1:0]};
        end
        if (record[7]) begin
            stages = {stages[5:4], 1'd1, stages[2:0]};
        end
        if (record[8]) begin
            stages = {stages[5], 1'd1, stages[3:0]};
        end
        if (record[8]) begin
            stages = {1'd1, stages[4:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 6'd1);
    assign is_last = pending == current;

    always @* begin
        active = 6'd0;
        if (current[0]) begin
            active = {5'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[5:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[5:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[5:4], flags[3], active[2:0]};
        end
        if (current[4]) begin
            active = {active[5], flags[4], active[3:0]};
        end
        if (current[5]) begin
            active = {flags[5], active[4:0]};
        end
    end

    always @* begin
        piece = 17'd0;
        if (active[3]) begin
            piece = chunks_0_piece;
        end
        if (active[4]) begin
            piece = chunks_1_piece;
        end
        if (active[0]) begin
            if (!index) begin
                piece = 17'h1ffff;
            end
            if (index) begin
                piece = 17'd0;
            end
        end
        if (active[1]) begin
            piece = 17'd0;
        end
        if (active[2]) begin
            piece = {15'd0, value_2};
        end
        if (active[5]) begin
            piece = {16'd0, value_3};
        end
    end

    always @* begin
        piece_bits = 5'd0;
        if (active[3]) begin
            piece_bits = chunks_0_piece_bits;
        end
        if (active[4]) begin
            piece_bits = chunks_1_piece_bits;
        end
        if (active[0]) begin
            piece_bits = left;
            if (left > 5'd17) begin
                piece_bits = 5'd17;
            end
        end
        if (active[1]) begin
            piece_bits = 5'd9;
        end
        if (active[2]) begin
            piece_bits = 5'd2;
        end
        if (active[5]) begin
            piece_bits = 5'd1;
        end
    end

    always @* begin
        more = 1'd0;
        if (active[3]) begin
            more = chunks_0_more;
        end
        if (active[4]) begin
            more = chunks_1_more;
        end
        if (active[0]) begin
            if (left > 5'd17) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        left = 5'd0;
        if (active[0]) begin
            if (!index) begin
                left = 5'd18;
            end
            if (index) begin
                left = 5'd1;
            end
        end
    end

    assign value_2 = record[11:10];
    assign value_3 = record[9];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 6'd0;
            index <= 1'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 1'd1;
                end else begin
                    index <= 1'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 6'd0;
                    end
                end
            end
        end
    end

    wire _unused_ok = &{1'b0, record[4:1]};

endmodule
