// stream-ebase-1024 of Tracewright, scheme stream_cache.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 80
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   stream_cache_entries = 1024
//   stream_cache_ways = 4
//   hash_shift = 4
//   stream_length_bits = 8
//   stream_buffer_depth = 2
//   miss_index = reserved
//   last_value_start_address = misses
//   upper_address_bits = 14
//   one_length_counter = true
//   one_length_start_bits = 4
//   one_length_least_bits = 0
//   one_length_most_bits = 20
//   one_length_reset = middle
// serial_encoder: slots = 12, record_bits = 83, most_bits = 106

module stream_ebase_1024_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [82:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [11:0] sent; // slots of the record that are out
    reg  [1:0]  index; // the piece of the slot
    reg  [11:0] flags; // slots that are sent
    wire [11:0] pending;
    wire [11:0] current; // one hot
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [19:0] value_1;
    wire [9:0]  value_3;
    wire [29:0] value_5;
    wire [15:0] value_7;
    wire [7:0]  value_8;
    wire [1:0]  value_10;
    wire [7:0]  value_11;
    wire [4:0]  raw_size_1;
    wire [4:0]  size_1;
    reg  [4:0]  left;

    always @* begin
        flags = 12'd0;
        if (record[1]) begin
            flags = 12'd1;
        end
        if (record[1]) begin
            flags = {flags[11:2], 1'd1, flags[0]};
        end
        if (record[2]) begin
            flags = {flags[11:3], 1'd1, flags[1:0]};
        end
        if (record[2]) begin
            flags = {flags[11:4], 1'd1, flags[2:0]};
        end
        if (record[3]) begin
            flags = {flags[11:5], 1'd1, flags[3:0]};
        end
        if (record[3]) begin
            flags = {flags[11:6], 1'd1, flags[4:0]};
        end
        if (record[4]) begin
            flags = {flags[11:7], 1'd1, flags[5:0]};
        end
        if (record[4]) begin
            flags = {flags[11:8], 1'd1, flags[6:0]};
        end
        if (record[5]) begin
            flags = {flags[11:9], 1'd1, flags[7:0]};
        end
        if (record[6]) begin
            flags = {flags[11:10], 1'd1, flags[8:0]};
        end
        if (record[6]) begin
            flags = {flags[11], 1'd1, flags[9:0]};
        end
        if (record[7]) begin
            flags = {1'd1, flags[10:0]};
        end
    end

    assign pending = flags & ~sent;
    assign current = pending & (~pending + 12'd1);
    assign is_last = pending == current;

    always @* begin
        piece = 8'd0;
        if (current[0]) begin
            piece = 8'd1;
        end
        if (current[1]) begin
            if (index == 2'd0) begin
                piece = value_1[7:0];
            end
            if (index == 2'd1) begin
                piece = value_1[15:8];
            end
            if (index == 2'd2) begin
                piece = {4'd0, value_1[19:16]};
            end
        end
        if (current[2]) begin
            piece = 8'd0;
        end
        if (current[3]) begin
            if (index == 2'd0) begin
                piece = value_3[7:0];
            end
            if (index == 2'd1) begin
                piece = {6'd0, value_3[9:8]};
            end
        end
        if (current[4]) begin
            piece = 8'd1;
        end
        if (current[5]) begin
            if (index == 2'd0) begin
                piece = value_5[7:0];
            end
            if (index == 2'd1) begin
                piece = value_5[15:8];
            end
            if (index == 2'd2) begin
                piece = value_5[23:16];
            end
            if (index == 2'd3) begin
                piece = {2'd0, value_5[29:24]};
            end
        end
        if (current[6]) begin
            piece = 8'd0;
        end
        if (current[7]) begin
            if (index == 2'd0) begin
                piece = value_7[7:0];
            end
            if (index == 2'd1) begin
                piece = value_7[15:8];
            end
        end
        if (current[8]) begin
            piece = value_8;
        end
        if (current[9]) begin
            piece = 8'd0;
        end
        if (current[10]) begin
            piece = {6'd0, value_10};
        end
        if (current[11]) begin
            piece = value_11;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        left = 5'd0;
        if (current[0]) begin
            piece_bits = 4'd1;
        end
        if (current[1]) begin
            if (index == 2'd0) begin
                left = size_1;
            end
            if (index == 2'd1) begin
                left = size_1 - 5'd8;
            end
            if (index == 2'd2) begin
                left = size_1 - 5'd16;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (current[2]) begin
            piece_bits = 4'd1;
        end
        if (current[3]) begin
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
        if (current[4]) begin
            piece_bits = 4'd1;
        end
        if (current[5]) begin
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
        if (current[6]) begin
            piece_bits = 4'd1;
        end
        if (current[7]) begin
            if (index == 2'd0) begin
                left = 5'd16;
            end
            if (index == 2'd1) begin
                left = 5'd8;
            end
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (current[8]) begin
            piece_bits = 4'd8;
        end
        if (current[9]) begin
            piece_bits = 4'd8;
        end
        if (current[10]) begin
            piece_bits = 4'd2;
        end
        if (current[11]) begin
            piece_bits = 4'd8;
        end
    end

    assign value_1 = record[77:58];
    assign size_1 = raw_size_1;
    assign raw_size_1 = record[82:78];
    assign value_3 = record[17:8];
    assign value_5 = record[47:18];
    assign value_7 = record[33:18];
    assign value_8 = record[55:48];
    assign value_10 = record[57:56];
    assign value_11 = record[55:48];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 12'd0;
            index <= 2'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 2'd1;
                end else begin
                    index <= 2'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 12'd0;
                    end
                end
            end
        end
    end

endmodule
