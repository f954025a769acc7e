// nexus-n8-timed of Tracewright, scheme nexus.
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
//   time_stamps = true
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// parallel_encoder: slots = 14, record_bits = 94, most_bits = 193

module nexus_n8_timed_parallel_encoder (
    input  wire         clock,
    input  wire         reset,
    input  wire         record_valid,
    input  wire [93:0]  record,
    output wire         record_ready,
    output wire         piece_valid,
    output wire [192:0] piece, // zero above piece_bits
    output wire [7:0]   piece_bits,
    output wire         piece_last, // fill the word up
    input  wire         piece_ready
);

    reg          held_valid;
    reg  [192:0] held;
    reg  [7:0]   held_bits;
    reg          held_last;
    wire [192:0] slot_code_0;
    wire [192:0] slot_code_2;
    wire [192:0] slot_code_3;
    wire [192:0] slot_code_5;
    wire [192:0] slot_code_6;
    wire [192:0] slot_code_7;
    wire [192:0] slot_code_10;
    wire [192:0] slot_code_11;
    wire [192:0] slot_code_12;
    wire [192:0] slot_code_13;
    wire [7:0]   slot_length_3;
    wire [7:0]   slot_length_6;
    wire [7:0]   slot_length_11;
    wire [7:0]   slot_length_12;
    wire [2:0]   value_0;
    wire [2:0]   value_2;
    wire [2:0]   value_4;
    wire [2:0]   value_5;
    wire [1:0]   value_8;
    wire         value_9;
    reg  [192:0] code;
    reg  [7:0]   length;
    wire         takes;
    wire [35:0]  numbers_0_code;
    wire [5:0]   numbers_0_length;
    wire [35:0]  numbers_1_code;
    wire [5:0]   numbers_1_length;
    wire [17:0]  numbers_2_code;
    wire [4:0]   numbers_2_length;
    wire [33:0]  numbers_3_code;
    wire [5:0]   numbers_3_length;

    nexus_n8_timed_variable_length_first8_next8_width32 numbers_0 (
        .value  (record[39:8]),
        .code   (numbers_0_code),
        .length (numbers_0_length)
    );

    nexus_n8_timed_variable_length_first8_next8_width32 numbers_1 (
        .value  (record[39:8]),
        .code   (numbers_1_code),
        .length (numbers_1_length)
    );

    nexus_n8_timed_variable_length_first8_next8_width16 numbers_2 (
        .value  (record[63:48]),
        .code   (numbers_2_code),
        .length (numbers_2_length)
    );

    nexus_n8_timed_variable_length_first16_next16_width30 numbers_3 (
        .value  (record[93:64]),
        .code   (numbers_3_code),
        .length (numbers_3_length)
    );

    assign value_0 = record[6:4];
    assign slot_code_0 = {190'd0, value_0};
    assign value_2 = record[6:4];
    assign slot_code_2 = {190'd0, value_2};
    assign slot_code_3 = {157'd0, numbers_0_code};
    assign slot_length_3 = {2'd0, numbers_0_length};
    assign value_4 = record[6:4];
    assign slot_code_5 = {190'd0, value_4};
    assign slot_code_6 = {157'd0, numbers_1_code};
    assign slot_length_6 = {2'd0, numbers_1_length};
    assign value_5 = record[6:4];
    assign slot_code_7 = {190'd0, value_5};
    assign value_8 = record[47:46];
    assign slot_code_10 = {191'd0, value_8};
    assign slot_code_11 = {175'd0, numbers_2_code};
    assign slot_length_11 = {3'd0, numbers_2_length};
    assign slot_code_12 = {159'd0, numbers_3_code};
    assign slot_length_12 = {2'd0, numbers_3_length};
    assign value_9 = record[45];
    assign slot_code_13 = {192'd0, value_9};

    always @* begin
        code = 193'd0;
        length = 8'd0;
        if (record[7]) begin
            code = slot_code_0;
            length = 8'd3;
        end
        if (record[7]) begin
            code = code | (193'd256 << length);
            length = length + 8'd18;
        end
        if (record[1]) begin
            code = code | (slot_code_2 << length);
            length = length + 8'd3;
        end
        if (record[1]) begin
            code = code | (slot_code_3 << length);
            length = length + slot_length_3;
        end
        if (record[41]) begin
            code = code | (193'h1ffff << length);
            length = length + 8'd18;
        end
        if (record[2]) begin
            code = code | (slot_code_5 << length);
            length = length + 8'd3;
        end
        if (record[2]) begin
            code = code | (slot_code_6 << length);
            length = length + slot_length_6;
        end
        if (record[3]) begin
            code = code | (slot_code_7 << length);
            length = length + 8'd3;
        end
        if (record[3]) begin
            code = code;
            length = length + 8'd9;
        end
        if (record[42]) begin
            code = code;
            length = length + 8'd9;
        end
        if (record[42]) begin
            code = code | (slot_code_10 << length);
            length = length + 8'd2;
        end
        if (record[43]) begin
            code = code | (slot_code_11 << length);
            length = length + slot_length_11;
        end
        if (record[44]) begin
            code = code | (slot_code_12 << length);
            length = length + slot_length_12;
        end
        if (record[44]) begin
            code = code | (slot_code_13 << length);
            length = length + 8'd1;
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
            held <= 193'd0;
            held_bits <= 8'd0;
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

    wire _unused_ok = &{1'b0, record[40]};

endmodule
