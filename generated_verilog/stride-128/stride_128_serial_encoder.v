// stride-128 of Tracewright, scheme data_stride.
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
//   stride_cache_entries = 128
//   stride_cache_ways = 1
//   stride_cache_tagged = false
//   tag_bits = 0
//   pc_shift = 2
//   stride_bits = 8
//   data_repetitions = true
//   pattern_bits = 8
//   repetition_count_bits = 8
//   data_address_buffer_depth = 8
// serial_encoder: slots = 8, record_bits = 61, most_bits = 69

module stride_128_serial_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [60:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output reg  [7:0]  piece, // zero above piece_bits
    output reg  [3:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg  [7:0]  sent; // stages of the record that are out
    reg  [1:0]  index; // the piece of the slot
    reg  [7:0]  flags; // slots that are sent
    reg  [7:0]  stages; // stages that send one
    wire [7:0]  pending;
    wire [7:0]  current; // one hot
    reg  [7:0]  active; // one hot: the slot of this clock
    reg         more; // the slot has more pieces
    wire        is_last; // no slot is left
    wire [7:0]  value_1;
    wire [7:0]  value_2;
    wire [31:0] value_4;
    wire [2:0]  value_6;
    wire [6:0]  value_7;
    wire [2:0]  raw_size_7;
    wire [5:0]  size_7;
    reg  [5:0]  left;

    always @* begin
        flags = 8'd0;
        if (record[1]) begin
            flags = 8'd1;
        end
        if (record[1]) begin
            flags = {flags[7:2], 1'd1, flags[0]};
        end
        if (record[1]) begin
            flags = {flags[7:3], 1'd1, flags[1:0]};
        end
        if (record[2]) begin
            flags = {flags[7:4], 1'd1, flags[2:0]};
        end
        if (record[2]) begin
            flags = {flags[7:5], 1'd1, flags[3:0]};
        end
        if (record[0]) begin
            flags = {flags[7:6], 1'd1, flags[4:0]};
        end
        if (record[0]) begin
            flags = {flags[7], 1'd1, flags[5:0]};
        end
        if (record[0]) begin
            flags = {1'd1, flags[6:0]};
        end
    end

    always @* begin
        stages = 8'd0;
        if (record[1]) begin
            stages = 8'd1;
        end
        if (record[1]) begin
            stages = {stages[7:2], 1'd1, stages[0]};
        end
        if (record[1]) begin
            stages = {stages[7:3], 1'd1, stages[1:0]};
        end
        if (record[2]) begin
            stages = {stages[7:4], 1'd1, stages[2:0]};
        end
        if (record[2]) begin
            stages = {stages[7:5], 1'd1, stages[3:0]};
        end
        if (record[0]) begin
            stages = {stages[7:6], 1'd1, stages[4:0]};
        end
        if (record[0]) begin
            stages = {stages[7], 1'd1, stages[5:0]};
        end
        if (record[0]) begin
            stages = {1'd1, stages[6:0]};
        end
    end

    assign pending = stages & ~sent;
    assign current = pending & (~pending + 8'd1);
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
        if (current[3]) begin
            active = {active[7:4], flags[3], active[2:0]};
        end
        if (current[4]) begin
            active = {active[7:5], flags[4], active[3:0]};
        end
        if (current[5]) begin
            active = {active[7:6], flags[5], active[4:0]};
        end
        if (current[6]) begin
            active = {active[7], flags[6], active[5:0]};
        end
        if (current[7]) begin
            active = {flags[7], active[6:0]};
        end
    end

    always @* begin
        piece = 8'd0;
        if (active[0]) begin
            piece = 8'd1;
        end
        if (active[1]) begin
            piece = value_1;
        end
        if (active[2]) begin
            piece = value_2;
        end
        if (active[3]) begin
            piece = 8'd0;
        end
        if (active[4]) begin
            if (index == 2'd0) begin
                piece = value_4[7:0];
            end
            if (index == 2'd1) begin
                piece = value_4[15:8];
            end
            if (index == 2'd2) begin
                piece = value_4[23:16];
            end
            if (index == 2'd3) begin
                piece = value_4[31:24];
            end
        end
        if (active[5]) begin
            if (index == 2'd0) begin
                piece = 8'd1;
            end
            if (index == 2'd1) begin
                piece = 8'd0;
            end
        end
        if (active[6]) begin
            piece = {5'd0, value_6};
        end
        if (active[7]) begin
            piece = {1'd0, value_7};
        end
    end

    always @* begin
        piece_bits = 4'd0;
        more = 1'd0;
        left = 6'd0;
        if (active[0]) begin
            piece_bits = 4'd1;
        end
        if (active[1]) begin
            piece_bits = 4'd8;
        end
        if (active[2]) begin
            piece_bits = 4'd8;
        end
        if (active[3]) begin
            piece_bits = 4'd1;
        end
        if (active[4]) begin
            if (index == 2'd0) begin
                left = 6'd32;
            end
            if (index == 2'd1) begin
                left = 6'd24;
            end
            if (index == 2'd2) begin
                left = 6'd16;
            end
            if (index == 2'd3) begin
                left = 6'd8;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[5]) begin
            if (index == 2'd0) begin
                left = 6'd9;
            end
            if (index == 2'd1) begin
                left = 6'd1;
            end
            piece_bits = left[3:0];
            if (left > 6'd8) begin
                piece_bits = 4'd8;
                more = 1'd1;
            end
        end
        if (active[6]) begin
            piece_bits = 4'd3;
        end
        if (active[7]) begin
            piece_bits = size_7[3:0];
        end
    end

    assign value_1 = record[18:11];
    assign value_2 = record[10:3];
    assign value_4 = record[50:19];
    assign value_6 = record[60:58];
    assign value_7 = record[57:51];
    assign size_7 = {3'd0, raw_size_7};
    assign raw_size_7 = record[60:58];
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

    wire _unused_ok = &{1'b0, size_7[5:4]};

endmodule
