// ntuple-32x4 of Tracewright, scheme ntuple.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 80
//   record_queue_depth = 2
//   encoder = serial
//   encoder_registers = false
//   reset = synchronous
//   stream_cache_entries = 128
//   stream_cache_ways = 4
//   hash_shift = 6
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   tuple_length = 8
//   tuple_history_entries = 255
//   tuple_update = every
// serial_encoder: slots = 12, record_bits = 117, most_bits = 210

module ntuple_32x4_serial_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid,
    input  wire [116:0] record,
    output wire         record_ready,
    output wire         piece_valid,
    output reg  [7:0]   piece, // zero above piece_bits
    output reg  [3:0]   piece_bits,
    output wire         piece_last, // fill the word up
    input  wire         piece_ready
);

    reg  [11:0] sent; // stages of the record that are out
    reg  [2:0]  index; // the piece of the slot
    reg  [11:0] flags; // slots that are sent
    reg  [11:0] stages; // stages that send one
    wire [11:0] pending;
    wire [11:0] current; // one hot
    reg  [11:0] active; // one hot: the slot of this clock
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [29:0] value_1;
    wire [7:0]  value_2;
    wire [7:0]  value_4;
    wire [55:0] value_5;
    wire [2:0]  value_8;
    wire [55:0] value_9;
    wire [29:0] value_10;
    wire [7:0]  value_11;
    wire [5:0]  raw_size_9;
    wire [5:0]  size_9;
    reg  [5:0]  left;

    always @* begin
        flags = 12'd0;
        if (record[2]) begin
            flags = 12'd1;
        end
        if (record[2]) begin
            flags = {flags[11:2], 1'd1, flags[0]};
        end
        if (record[2]) begin
            flags = {flags[11:3], 1'd1, flags[1:0]};
        end
        if (record[3]) begin
            flags = {flags[11:4], 1'd1, flags[2:0]};
        end
        if (record[3]) begin
            flags = {flags[11:5], 1'd1, flags[3:0]};
        end
        if (record[4]) begin
            flags = {flags[11:6], 1'd1, flags[4:0]};
        end
        if (record[1]) begin
            flags = {flags[11:7], 1'd1, flags[5:0]};
        end
        if (record[0]) begin
            flags = {flags[11:8], 1'd1, flags[6:0]};
        end
        if (record[5]) begin
            flags = {flags[11:9], 1'd1, flags[7:0]};
        end
        if (record[0]) begin
            flags = {flags[11:10], 1'd1, flags[8:0]};
        end
        if (record[5]) begin
            flags = {flags[11], 1'd1, flags[9:0]};
        end
        if (record[5]) begin
            flags = {1'd1, flags[10:0]};
        end
    end

    always @* begin
        stages = 12'd0;
        if (record[2]) begin
            stages = 12'd1;
        end
        if (record[2]) begin
            stages = {stages[11:2], 1'd1, stages[0]};
        end
        if (record[2]) begin
            stages = {stages[11:3], 1'd1, stages[1:0]};
        end
        if (record[3]) begin
            stages = {stages[11:4], 1'd1, stages[2:0]};
        end
        if (record[3]) begin
            stages = {stages[11:5], 1'd1, stages[3:0]};
        end
        if (record[4]) begin
            stages = {stages[11:6], 1'd1, stages[4:0]};
        end
        if (record[1]) begin
            stages = {stages[11:7], 1'd1, stages[5:0]};
        end
        if (record[0]) begin
            stages = {stages[11:8], 1'd1, stages[6:0]};
        end
        if (record[5]) begin
            stages = {stages[11:9], 1'd1, stages[7:0]};
        end
        if (record[0]) begin
            stages = {stages[11:10], 1'd1, stages[8:0]};
        end
        if (record[5]) begin
            stages = {stages[11], 1'd1, stages[9:0]};
        end
        if (record[5]) begin
            stages = {1'd1, stages[10:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 12'd1);
    assign is_last = pending == current;

    always @* begin
        active = 12'd0;
        if (current[0]) begin
            active = {11'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[11:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[11:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[11:4], flags[3], active[2:0]};
        end
        if (current[4]) begin
            active = {active[11:5], flags[4], active[3:0]};
        end
        if (current[5]) begin
            active = {active[11:6], flags[5], active[4:0]};
        end
        if (current[6]) begin
            active = {active[11:7], flags[6], active[5:0]};
        end
        if (current[7]) begin
            active = {active[11:8], flags[7], active[6:0]};
        end
        if (current[8]) begin
            active = {active[11:9], flags[8], active[7:0]};
        end
        if (current[9]) begin
            active = {active[11:10], flags[9], active[8:0]};
        end
        if (current[10]) begin
            active = {active[11], flags[10], active[9:0]};
        end
        if (current[11]) begin
            active = {flags[11], active[10:0]};
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[0]) begin
            piece = 8'd1;
        end
        if (active[1]) begin
            if (index == 3'd0) begin
                piece = value_1[7:0];
            end
            if (index == 3'd1) begin
                piece = value_1[15:8];
            end
            if (index == 3'd2) begin
                piece = value_1[23:16];
            end
            if (index == 3'd3) begin
                piece = {2'd0, value_1[29:24]};
            end
        end
        if (active[2]) begin
            piece = value_2;
        end
        if (active[3]) begin
            piece = 8'd0;
        end
        if (active[4]) begin
            piece = value_4;
        end
        if (active[5]) begin
            if (index == 3'd0) begin
                piece = value_5[7:0];
            end
            if (index == 3'd1) begin
                piece = value_5[15:8];
            end
            if (index == 3'd2) begin
                piece = value_5[23:16];
            end
            if (index == 3'd3) begin
                piece = value_5[31:24];
            end
            if (index == 3'd4) begin
                piece = value_5[39:32];
            end
            if (index == 3'd5) begin
                piece = value_5[47:40];
            end
            if (index == 3'd6) begin
                piece = value_5[55:48];
            end
        end
        if (active[6]) begin
            piece = 8'd7;
        end
        if (active[7]) begin
            piece = 8'd11;
        end
        if (active[8]) begin
            piece = {5'd0, value_8};
        end
        if (active[9]) begin
            if (index == 3'd0) begin
                piece = value_9[7:0];
            end
            if (index == 3'd1) begin
                piece = value_9[15:8];
            end
            if (index == 3'd2) begin
                piece = value_9[23:16];
            end
            if (index == 3'd3) begin
                piece = value_9[31:24];
            end
            if (index == 3'd4) begin
                piece = value_9[39:32];
            end
            if (index == 3'd5) begin
                piece = value_9[47:40];
            end
            if (index == 3'd6) begin
                piece = value_9[55:48];
            end
        end
        if (active[10]) begin
            if (index == 3'd0) begin
                piece = value_10[7:0];
            end
            if (index == 3'd1) begin
                piece = value_10[15:8];
            end
            if (index == 3'd2) begin
                piece = value_10[23:16];
            end
            if (index == 3'd3) begin
                piece = {2'd0, value_10[29:24]};
            end
        end
        if (active[11]) begin
            piece = value_11;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        left = 6'd0;
        if (active[0]) begin
            piece_bits = 4'd2;
        end
        if (active[1]) begin
            if (index == 3'd0) begin
                left = 6'd30;
            end
            if (index == 3'd1) begin
                left = 6'd22;
            end
            if (index == 3'd2) begin
                left = 6'd14;
            end
            if (index == 3'd3) begin
                left = 6'd6;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[2]) begin
            piece_bits = 4'd8;
        end
        if (active[3]) begin
            piece_bits = 4'd1;
        end
        if (active[4]) begin
            piece_bits = 4'd8;
        end
        if (active[5]) begin
            if (index == 3'd0) begin
                left = 6'd56;
            end
            if (index == 3'd1) begin
                left = 6'd48;
            end
            if (index == 3'd2) begin
                left = 6'd40;
            end
            if (index == 3'd3) begin
                left = 6'd32;
            end
            if (index == 3'd4) begin
                left = 6'd24;
            end
            if (index == 3'd5) begin
                left = 6'd16;
            end
            if (index == 3'd6) begin
                left = 6'd8;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[6]) begin
            piece_bits = 4'd4;
        end
        if (active[7]) begin
            piece_bits = 4'd4;
        end
        if (active[8]) begin
            piece_bits = 4'd3;
        end
        if (active[9]) begin
            if (index == 3'd0) begin
                left = size_9;
            end
            if (index == 3'd1) begin
                left = size_9 - 6'd8;
            end
            if (index == 3'd2) begin
                left = size_9 - 6'd16;
            end
            if (index == 3'd3) begin
                left = size_9 - 6'd24;
            end
            if (index == 3'd4) begin
                left = size_9 - 6'd32;
            end
            if (index == 3'd5) begin
                left = size_9 - 6'd40;
            end
            if (index == 3'd6) begin
                left = size_9 - 6'd48;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[10]) begin
            if (index == 3'd0) begin
                left = 6'd30;
            end
            if (index == 3'd1) begin
                left = 6'd22;
            end
            if (index == 3'd2) begin
                left = 6'd14;
            end
            if (index == 3'd3) begin
                left = 6'd6;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[11]) begin
            piece_bits = 4'd8;
        end
    end

    assign value_1 = record[35:6];
    assign value_2 = record[43:36];
    assign value_4 = record[51:44];
    assign value_5 = record[110:55];
    assign value_8 = record[54:52];
    assign value_9 = record[110:55];
    assign size_9 = raw_size_9;
    assign raw_size_9 = record[116:111];
    assign value_10 = record[35:6];
    assign value_11 = record[43:36];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 12'd0;
            index <= 3'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 3'd1;
                end else begin
                    index <= 3'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 12'd0;
                    end
                end
            end
        end
    end

endmodule
