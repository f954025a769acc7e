// stream-rbase-64 of Tracewright, scheme stream_cache.
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
//   stream_cache_entries = 64
//   stream_cache_ways = 4
//   hash_shift = 4
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   miss_index = reserved
//   last_value_start_address = every
//   upper_address_bits = 12
//   one_length_counter = true
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle
// serial_encoder: slots = 8, record_bits = 69, most_bits = 94

module stream_rbase_64_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [68:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [5:0]  sent; // stages of the record that are out
    reg  [1:0]  index; // the piece of the slot
    reg  [7:0]  flags; // slots that are sent
    reg  [5:0]  stages; // stages that send one
    wire [5:0]  pending;
    wire [5:0]  current; // one hot
    reg  [7:0]  active; // one hot: the slot of this clock
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [10:0] value_0;
    wire [6:0]  value_1;
    wire [30:0] value_2;
    wire [18:0] value_3;
    wire [7:0]  value_4;
    wire [1:0]  value_6;
    wire [7:0]  value_7;
    wire [3:0]  raw_size_0;
    wire [4:0]  size_0;
    reg  [4:0]  left;

    always @* begin
        flags = 8'd0;
        if (record[6]) begin
            flags = 8'd1;
        end
        if (record[1]) begin
            flags = {flags[7:2], 1'd1, flags[0]};
        end
        if (record[24]) begin
            flags = {flags[7:3], 1'd1, flags[1:0]};
        end
        if (record[2]) begin
            flags = {flags[7:4], 1'd1, flags[2:0]};
        end
        if (record[3]) begin
            flags = {flags[7:5], 1'd1, flags[3:0]};
        end
        if (record[4]) begin
            flags = {flags[7:6], 1'd1, flags[4:0]};
        end
        if (record[4]) begin
            flags = {flags[7], 1'd1, flags[5:0]};
        end
        if (record[5]) begin
            flags = {1'd1, flags[6:0]};
        end
    end

    always @* begin
        stages = 6'd0;
        if (record[6]) begin
            stages = 6'd1;
        end
        if (record[1]) begin
            stages = {stages[5:2], 1'd1, stages[0]};
        end
        if (record[24]) begin
            stages = {stages[5:3], 1'd1, stages[1:0]};
        end
        if (record[2]) begin
            stages = {stages[5:3], 1'd1, stages[1:0]};
        end
        if (record[3]) begin
            stages = {stages[5:4], 1'd1, stages[2:0]};
        end
        if (record[4]) begin
            stages = {stages[5:4], 1'd1, stages[2:0]};
        end
        if (record[4]) begin
            stages = {stages[5], 1'd1, stages[3:0]};
        end
        if (record[5]) begin
            stages = {1'd1, stages[4:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 6'd1);
    assign is_last = pending == current;

    always @* begin
        active = 8'd0;
        if (current[0]) begin
            active = {7'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[7:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[7:3], flags[2], active[1:0]};
        end
        if (current[2]) begin
            active = {active[7:4], flags[3], active[2:0]};
        end
        if (current[3]) begin
            active = {active[7:5], flags[4], active[3:0]};
        end
        if (current[3]) begin
            active = {active[7:6], flags[5], active[4:0]};
        end
        if (current[4]) begin
            active = {active[7], flags[6], active[5:0]};
        end
        if (current[5]) begin
            active = {flags[7], active[6:0]};
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[0]) begin
            if (index == 2'd0) begin
                piece = value_0[7:0];
            end
            if (index == 2'd1) begin
                piece = {5'd0, value_0[10:8]};
            end
        end
        if (active[1]) begin
            piece = {1'd0, value_1};
        end
        if (active[2]) begin
            if (index == 2'd0) begin
                piece = value_2[7:0];
            end
            if (index == 2'd1) begin
                piece = value_2[15:8];
            end
            if (index == 2'd2) begin
                piece = value_2[23:16];
            end
            if (index == 2'd3) begin
                piece = {1'd0, value_2[30:24]};
            end
        end
        if (active[3]) begin
            if (index == 2'd0) begin
                piece = value_3[7:0];
            end
            if (index == 2'd1) begin
                piece = value_3[15:8];
            end
            if (index == 2'd2) begin
                piece = {5'd0, value_3[18:16]};
            end
        end
        if (active[4]) begin
            piece = value_4;
        end
        if (active[5]) begin
            piece = 8'd0;
        end
        if (active[6]) begin
            piece = {6'd0, value_6};
        end
        if (active[7]) begin
            piece = value_7;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        left = 5'd0;
        if (active[0]) begin
            if (index == 2'd0) begin
                left = size_0;
            end
            if (index == 2'd1) begin
                left = size_0 - 5'd8;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[1]) begin
            piece_bits = 4'd7;
        end
        if (active[2]) begin
            if (index == 2'd0) begin
                left = 5'd31;
            end
            if (index == 2'd1) begin
                left = 5'd23;
            end
            if (index == 2'd2) begin
                left = 5'd15;
            end
            if (index == 2'd3) begin
                left = 5'd7;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[3]) begin
            if (index == 2'd0) begin
                left = 5'd19;
            end
            if (index == 2'd1) begin
                left = 5'd11;
            end
            if (index == 2'd2) begin
                left = 5'd3;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[4]) begin
            piece_bits = 4'd8;
        end
        if (active[5]) begin
            piece_bits = 4'd8;
        end
        if (active[6]) begin
            piece_bits = 4'd2;
        end
        if (active[7]) begin
            piece_bits = 4'd8;
        end
    end

    assign value_0 = record[16:6];
    assign size_0 = {1'd0, raw_size_0};
    assign raw_size_0 = record[68:65];
    assign value_1 = record[23:17];
    assign value_2 = record[54:24];
    assign value_3 = record[42:24];
    assign value_4 = record[62:55];
    assign value_6 = record[64:63];
    assign value_7 = record[62:55];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 6'd0;
            index <= 2'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 2'd1;
                end else begin
                    index <= 2'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 6'd0;
                    end
                end
            end
        end
    end

endmodule
