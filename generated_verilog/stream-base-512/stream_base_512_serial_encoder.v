// stream-base-512 of Tracewright, scheme stream_cache.
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
//   stream_cache_entries = 512
//   stream_cache_ways = 4
//   hash_shift = 4
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   miss_index = reserved
//   last_value_start_address = none
//   upper_address_bits = 0
//   one_length_counter = false
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 10
//   one_length_reset = middle
// serial_encoder: slots = 7, record_bits = 58, most_bits = 67

module stream_base_512_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [57:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [5:0]  sent; // stages of the record that are out
    reg  [1:0]  index; // the piece of the slot
    reg  [6:0]  flags; // slots that are sent
    reg  [5:0]  stages; // stages that send one
    wire [5:0]  pending;
    wire [5:0]  current; // one hot
    reg  [6:0]  active; // one hot: the slot of this clock
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [9:0]  value_1;
    wire [29:0] value_2;
    wire [7:0]  value_3;
    wire [1:0]  value_5;
    wire [7:0]  value_6;
    reg  [4:0]  left;

    always @* begin
        flags = 7'd0;
        if (record[6]) begin
            flags = 7'd1;
        end
        if (record[1]) begin
            flags = {flags[6:2], 1'd1, flags[0]};
        end
        if (record[17]) begin
            flags = {flags[6:3], 1'd1, flags[1:0]};
        end
        if (record[3]) begin
            flags = {flags[6:4], 1'd1, flags[2:0]};
        end
        if (record[4]) begin
            flags = {flags[6:5], 1'd1, flags[3:0]};
        end
        if (record[4]) begin
            flags = {flags[6], 1'd1, flags[4:0]};
        end
        if (record[5]) begin
            flags = {1'd1, flags[5:0]};
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
        if (record[17]) begin
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
        active = 7'd0;
        if (current[0]) begin
            active = {6'd0, flags[0]};
        end
        if (current[1]) begin
            active = {active[6:2], flags[1], active[0]};
        end
        if (current[2]) begin
            active = {active[6:3], flags[2], active[1:0]};
        end
        if (current[3]) begin
            active = {active[6:4], flags[3], active[2:0]};
        end
        if (current[3]) begin
            active = {active[6:5], flags[4], active[3:0]};
        end
        if (current[4]) begin
            active = {active[6], flags[5], active[4:0]};
        end
        if (current[5]) begin
            active = {flags[6], active[5:0]};
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[0]) begin
            piece = 8'd1;
        end
        if (active[1]) begin
            if (index == 2'd0) begin
                piece = value_1[7:0];
            end
            if (index == 2'd1) begin
                piece = {6'd0, value_1[9:8]};
            end
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
                piece = {2'd0, value_2[29:24]};
            end
        end
        if (active[3]) begin
            piece = value_3;
        end
        if (active[4]) begin
            piece = 8'd0;
        end
        if (active[5]) begin
            piece = {6'd0, value_5};
        end
        if (active[6]) begin
            piece = value_6;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        left = 5'd0;
        if (active[0]) begin
            piece_bits = 4'd1;
        end
        if (active[1]) begin
            if (index == 2'd0) begin
                left = 5'd10;
            end
            if (index == 2'd1) begin
                left = 5'd2;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[2]) begin
            if (index == 2'd0) begin
                left = 5'd30;
            end
            if (index == 2'd1) begin
                left = 5'd22;
            end
            if (index == 2'd2) begin
                left = 5'd14;
            end
            if (index == 2'd3) begin
                left = 5'd6;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[3]) begin
            piece_bits = 4'd8;
        end
        if (active[4]) begin
            piece_bits = 4'd8;
        end
        if (active[5]) begin
            piece_bits = 4'd2;
        end
        if (active[6]) begin
            piece_bits = 4'd8;
        end
    end

    assign value_1 = record[16:7];
    assign value_2 = record[47:18];
    assign value_3 = record[55:48];
    assign value_5 = record[57:56];
    assign value_6 = record[55:48];
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

    wire _unused_ok = &{1'b0, record[2]};

endmodule
