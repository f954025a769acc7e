// stream-base-128 of Tracewright, scheme stream_cache.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 80
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   stream_cache_entries = 128
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
//   one_length_most_bits = 20
//   one_length_reset = middle
// serial_encoder: slots = 8, record_bits = 55, most_bits = 65

module stream_base_128_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [54:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [7:0]  sent; // slots of the record that are out
    reg  [1:0]  index; // the piece of the slot
    reg  [7:0]  flags; // slots that are sent
    wire [7:0]  pending;
    wire [7:0]  current; // one hot
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [6:0]  value_2;
    wire [29:0] value_3;
    wire [7:0]  value_4;
    wire [1:0]  value_6;
    wire [7:0]  value_7;
    reg  [4:0]  left;

    always @* begin
        flags = 8'd0;
        if (record[1]) begin
            flags = 8'd1;
        end
        if (record[2]) begin
            flags = {flags[7:2], 1'd1, flags[0]};
        end
        if (record[2]) begin
            flags = {flags[7:3], 1'd1, flags[1:0]};
        end
        if (record[3]) begin
            flags = {flags[7:4], 1'd1, flags[2:0]};
        end
        if (record[5]) begin
            flags = {flags[7:5], 1'd1, flags[3:0]};
        end
        if (record[6]) begin
            flags = {flags[7:6], 1'd1, flags[4:0]};
        end
        if (record[6]) begin
            flags = {flags[7], 1'd1, flags[5:0]};
        end
        if (record[7]) begin
            flags = {1'd1, flags[6:0]};
        end
    end

    assign pending = flags & ~sent;
    assign current = pending & (~pending + 8'd1);
    assign is_last = pending == current;

    always @* begin
        piece = 8'd0;
        if (current[0]) begin
            piece = 8'd1;
        end
        if (current[1]) begin
            piece = 8'd0;
        end
        if (current[2]) begin
            piece = {1'd0, value_2};
        end
        if (current[3]) begin
            if (index == 2'd0) begin
                piece = value_3[7:0];
            end
            if (index == 2'd1) begin
                piece = value_3[15:8];
            end
            if (index == 2'd2) begin
                piece = value_3[23:16];
            end
            if (index == 2'd3) begin
                piece = {2'd0, value_3[29:24]};
            end
        end
        if (current[4]) begin
            piece = value_4;
        end
        if (current[5]) begin
            piece = 8'd0;
        end
        if (current[6]) begin
            piece = {6'd0, value_6};
        end
        if (current[7]) begin
            piece = value_7;
        end
    end

    always @* begin
        piece_bits = 4'd0;
        if (current[0]) begin
            piece_bits = 4'd1;
        end
        if (current[1]) begin
            piece_bits = 4'd1;
        end
        if (current[2]) begin
            piece_bits = 4'd7;
        end
        if (current[3]) begin
            piece_bits = left[3:0];
            if (left > 5'd8) begin
                piece_bits = 4'd8;
            end
        end
        if (current[4]) begin
            piece_bits = 4'd8;
        end
        if (current[5]) begin
            piece_bits = 4'd8;
        end
        if (current[6]) begin
            piece_bits = 4'd2;
        end
        if (current[7]) begin
            piece_bits = 4'd8;
        end
    end

    always @* begin
        more = 1'd0;
        if (current[3]) begin
            if (left > 5'd8) begin
                more = 1'd1;
            end
        end
    end

    always @* begin
        left = 5'd0;
        if (current[3]) begin
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
        end
    end

    assign value_2 = record[14:8];
    assign value_3 = record[44:15];
    assign value_4 = record[52:45];
    assign value_6 = record[54:53];
    assign value_7 = record[52:45];
    assign piece_valid = record_valid;
    assign record_ready = piece_ready & is_last & !more;
    assign piece_last = record[0] & is_last & !more;

    always @(posedge clock) begin
        if (reset) begin
            sent <= 8'd0;
            index <= 2'd0;
        end else begin
            if (record_valid && piece_ready) begin
                if (more) begin
                    index <= index + 2'd1;
                end else begin
                    index <= 2'd0;
                    sent <= sent | current;
                    if (is_last) begin
                        sent <= 8'd0;
                    end
                end
            end
        end
    end

    wire _unused_ok = &{1'b0, record[4]};

endmodule
