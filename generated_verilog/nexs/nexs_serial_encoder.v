// nexs of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 79
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stream_length_bits = 8
//   stream_length_coding = fixed
//   stream_length_first_chunk = 8
//   stream_length_next_chunk = 8
//   target_coding = xor
//   target_first_chunk = 6
//   target_next_chunk = 6
//   target_connect_bits = 2
//   cores = 1
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// serial_encoder: slots = 5, record_bits = 52, most_bits = 74

module nexs_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [51:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [4:0] sent; // stages of the record that are out
    reg  [2:0] index; // the piece of the slot
    reg  [4:0] flags; // slots that are sent
    reg  [4:0] stages; // stages that send one
    wire [4:0] pending;
    wire [4:0] current; // one hot
    reg  [4:0] active; // one hot: the slot of this clock
    reg        more; // the slot has more pieces
    wire       is_last; // no slot is left
    wire [1:0] value_2;
    wire [7:0] value_3;
    wire [7:0] chunks_0_piece;
    wire [3:0] chunks_0_piece_bits;
    wire       chunks_0_more;

    nexs_chunk_selector chunks_0 (
        .value      (record[51:20]),
        .index      (index),
        .piece      (chunks_0_piece),
        .piece_bits (chunks_0_piece_bits),
        .more       (chunks_0_more)
    );

    always @* begin
        flags = 5'd0;
        if (record[5]) begin
            flags = 5'd1;
        end
        if (record[6]) begin
            flags = {flags[4:2], 1'd1, flags[0]};
        end
        if (record[6]) begin
            flags = {flags[4:3], 1'd1, flags[1:0]};
        end
        if (record[7]) begin
            flags = {flags[4], 1'd1, flags[2:0]};
        end
        if (record[8]) begin
            flags = {1'd1, flags[3:0]};
        end
    end

    always @* begin
        stages = 5'd0;
        if (record[5]) begin
            stages = 5'd1;
        end
        if (record[6]) begin
            stages = {stages[4:2], 1'd1, stages[0]};
        end
        if (record[6]) begin
            stages = {stages[4:3], 1'd1, stages[1:0]};
        end
        if (record[7]) begin
            stages = {stages[4], 1'd1, stages[2:0]};
        end
        if (record[8]) begin
            stages = {1'd1, stages[3:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 5'd1);
    assign is_last = pending == current;

    always @* begin
        active = 5'd0;
        if (current[0]) begin
            active = {4'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[4:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[4:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[4], flags[3], active[2:0]};
        end
        if (current[4]) begin
            active = {flags[4], active[3:0]};
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[4]) begin
            piece = chunks_0_piece;
        end
        if (active[0]) begin
            piece = 8'd255;
        end
        if (active[1]) begin
            piece = 8'd0;
        end
        if (active[2]) begin
            piece = {6'd0, value_2};
        end
        if (active[3]) begin
            piece = value_3;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        if (active[4]) begin
            piece_bits = chunks_0_piece_bits;
        end
        if (active[0]) begin
            piece_bits = 4'd8;
        end
        if (active[1]) begin
            piece_bits = 4'd8;
        end
        if (active[2]) begin
            piece_bits = 4'd2;
        end
        if (active[3]) begin
            piece_bits = 4'd8;
        end
    end

    always @* begin
        more = 1'd0;
        if (active[4]) begin
            more = chunks_0_more;
        end
    end

    assign value_2 = record[11:10];
    assign value_3 = record[19:12];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 5'd0;
            index <= 3'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 3'd1;
                end else begin
                    index <= 3'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 5'd0;
                    end
                end
            end
        end
    end

    wire _unused_ok = &{1'b0, record[4:1], record[9]};

endmodule
