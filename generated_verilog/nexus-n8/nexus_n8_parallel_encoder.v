// nexus-n8 of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 32
//   fifo_bits = 512
//   record_queue_depth = 2
//   encoder = parallel
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
//   cores = 8
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// parallel_encoder: slots = 9, record_bits = 61, most_bits = 91

module nexus_n8_parallel_encoder (
    input  wire        clock,
    input  wire        reset,
    input  wire        record_valid,
    input  wire [60:0] record,
    output wire        record_ready,
    output wire        piece_valid,
    output wire [90:0] piece, // zero above piece_bits
    output wire [6:0]  piece_bits,
    output wire        piece_last, // fill the word up
    input  wire        piece_ready
);

    reg         held_valid;
    reg  [90:0] held;
    reg  [6:0]  held_bits;
    reg         held_last;
    wire [90:0] slot_code_0;
    wire [90:0] slot_code_2;
    wire [90:0] slot_code_3;
    wire [90:0] slot_code_5;
    wire [90:0] slot_code_6;
    wire [90:0] slot_code_7;
    wire [90:0] slot_code_8;
    wire [6:0]  slot_length_6;
    wire [6:0]  slot_length_7;
    wire [2:0]  value_0;
    wire [2:0]  value_2;
    wire [2:0]  value_3;
    wire [1:0]  value_5;
    wire        value_6;
    reg  [90:0] code;
    reg  [6:0]  length;
    wire        takes;
    wire [17:0] numbers_0_code;
    wire [4:0]  numbers_0_length;
    wire [33:0] numbers_1_code;
    wire [5:0]  numbers_1_length;

    nexus_n8_variable_length_first8_next8_width16 numbers_0 (
        .value  (record[30:15]),
        .code   (numbers_0_code),
        .length (numbers_0_length)
    );

    nexus_n8_variable_length_first16_next16_width30 numbers_1 (
        .value  (record[60:31]),
        .code   (numbers_1_code),
        .length (numbers_1_length)
    );

    assign value_0 = record[6:4];
    assign slot_code_0 = {88'd0, value_0};
    assign value_2 = record[6:4];
    assign slot_code_2 = {88'd0, value_2};
    assign value_3 = record[6:4];
    assign slot_code_3 = {88'd0, value_3};
    assign value_5 = record[14:13];
    assign slot_code_5 = {89'd0, value_5};
    assign slot_code_6 = {73'd0, numbers_0_code};
    assign slot_length_6 = {2'd0, numbers_0_length};
    assign slot_code_7 = {57'd0, numbers_1_code};
    assign slot_length_7 = {1'd0, numbers_1_length};
    assign value_6 = record[12];
    assign slot_code_8 = {90'd0, value_6};

    always @* begin
        code = 91'd0;
        length = 7'd0;
        if (record[1]) begin
            code = slot_code_0;
            length = 7'd3;
        end
        if (record[8]) begin
            code = code | (91'h1ffff << length);
            length = length + 7'd18;
        end
        if (record[2]) begin
            code = code | (slot_code_2 << length);
            length = length + 7'd3;
        end
        if (record[3]) begin
            code = code | (slot_code_3 << length);
            length = length + 7'd3;
        end
        if (record[9]) begin
            code = code;
            length = length + 7'd9;
        end
        if (record[9]) begin
            code = code | (slot_code_5 << length);
            length = length + 7'd2;
        end
        if (record[10]) begin
            code = code | (slot_code_6 << length);
            length = length + slot_length_6;
        end
        if (record[11]) begin
            code = code | (slot_code_7 << length);
            length = length + slot_length_7;
        end
        if (record[11]) begin
            code = code | (slot_code_8 << length);
            length = length + 7'd1;
        end
    end

    assign record_ready = piece_ready | !held_valid;
    assign takes = record_valid & record_ready;
    assign piece_valid = held_valid;
    assign piece = held;
    assign piece_bits = held_bits;
    assign piece_last = held_last;

    always @(posedge clock) begin
        if (reset) begin
            held_valid <= 1'd0;
            held <= 91'd0;
            held_bits <= 7'd0;
            held_last <= 1'd0;
        end else begin
            if (piece_ready) begin
                held_valid <= 1'd0;
            end
            if (takes) begin
                held_valid <= 1'd1;
                held <= code;
                held_bits <= length;
                held_last <= record[0];
            end
        end
    end

    wire _unused_ok = &{1'b0, record[7]};

endmodule
