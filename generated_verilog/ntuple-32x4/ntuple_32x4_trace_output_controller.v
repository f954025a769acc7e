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
// trace_output_controller

module ntuple_32x4_trace_output_controller (
    input  wire         clock,
    input  wire         reset,
    input  wire         stream_valid,
    input  wire [1:0]   code, // code of the end; 3: a branch
    input  wire         is_whole, // it goes through the stream cache
    input  wire [7:0]   length,
    input  wire [29:0]  start, // in instruction units
    input  wire         cache_hit,
    input  wire [6:0]   cache_index,
    input  wire         take, // never without a stream
    output wire         record_valid,
    output wire [116:0] record
);

    reg  [6:0]  indices_0;
    reg  [6:0]  indices_1;
    reg  [6:0]  indices_2;
    reg  [6:0]  indices_3;
    reg  [6:0]  indices_4;
    reg  [6:0]  indices_5;
    reg  [6:0]  indices_6;
    reg  [2:0]  count; // indices of the tuple at hand
    reg  [5:0]  pending_bits; // bits they have
    wire        is_flush;
    reg  [6:0]  index; // 0: not in the stream cache
    wire        is_last; // of the tuple
    wire        collects;
    wire        completes; // the tuple is full
    wire        misses;
    reg         sends_tuple;
    wire        broken; // an exception or the flush
    wire        clears; // the tuple at hand is over
    reg  [55:0] tuple;
    wire [55:0] placed_0;
    wire [55:0] placed_1;
    wire [55:0] placed_2;
    wire [55:0] placed_3;
    wire [55:0] placed_4;
    wire [55:0] placed_5;
    wire [55:0] placed_6;
    wire        history_update;
    wire [7:0]  history_age;
    wire        history_learn;

    ntuple_32x4_tuple_history_buffer history (
        .clock  (clock),
        .reset  (reset),
        .valid  (collects),
        .update (history_update),
        .index  (index),
        .place  (count),
        .age    (history_age),
        .learn  (history_learn),
        .tuple  (tuple)
    );

    assign is_flush = code == 2'd2;

    always @* begin
        index = 7'd0;
        if (cache_hit) begin
            index = cache_index;
        end
    end

    assign collects = stream_valid & is_whole;
    assign is_last = count == 3'd7;
    assign completes = collects & is_last;
    assign misses = collects & !cache_hit;
    assign broken = stream_valid & !is_whole;

    always @* begin
        tuple = 56'd0;
        if (completes) begin
            tuple = {index, 49'd0};
        end
        tuple = tuple | placed_0;
        tuple = tuple | {placed_1[48:0], 7'd0};
        tuple = tuple | {placed_2[41:0], 14'd0};
        tuple = tuple | {placed_3[34:0], 21'd0};
        tuple = tuple | {placed_4[27:0], 28'd0};
        tuple = tuple | {placed_5[20:0], 35'd0};
        tuple = tuple | {placed_6[13:0], 42'd0};
    end

    assign clears = take & (completes | (broken & is_flush));
    assign placed_0 = {49'd0, indices_0};
    assign placed_1 = {49'd0, indices_1};
    assign placed_2 = {49'd0, indices_2};
    assign placed_3 = {49'd0, indices_3};
    assign placed_4 = {49'd0, indices_4};
    assign placed_5 = {49'd0, indices_5};
    assign placed_6 = {49'd0, indices_6};
    assign history_update = take & collects;
    assign history_learn = take & completes;

    always @* begin
        sends_tuple = completes;
        if (|history_age) begin
            sends_tuple = 1'd0;
        end
    end

    assign record_valid = misses | completes | broken;

    assign record = {
        pending_bits,
        tuple,
        count,
        history_age,
        length,
        start,
        broken,
        sends_tuple,
        completes,
        misses,
        broken & !is_flush,
        broken & is_flush
    };

    always @(posedge clock) begin
        if (reset) begin
            indices_0 <= 7'd0;
            indices_1 <= 7'd0;
            indices_2 <= 7'd0;
            indices_3 <= 7'd0;
            indices_4 <= 7'd0;
            indices_5 <= 7'd0;
            indices_6 <= 7'd0;
            count <= 3'd0;
            pending_bits <= 6'd0;
        end else begin
            if (clears) begin
                indices_0 <= 7'd0;
            end else if (take && collects && (count == 3'd0)) begin
                indices_0 <= index;
            end
            if (clears) begin
                indices_1 <= 7'd0;
            end else if (take && collects && (count == 3'd1)) begin
                indices_1 <= index;
            end
            if (clears) begin
                indices_2 <= 7'd0;
            end else if (take && collects && (count == 3'd2)) begin
                indices_2 <= index;
            end
            if (clears) begin
                indices_3 <= 7'd0;
            end else if (take && collects && (count == 3'd3)) begin
                indices_3 <= index;
            end
            if (clears) begin
                indices_4 <= 7'd0;
            end else if (take && collects && (count == 3'd4)) begin
                indices_4 <= index;
            end
            if (clears) begin
                indices_5 <= 7'd0;
            end else if (take && collects && (count == 3'd5)) begin
                indices_5 <= index;
            end
            if (clears) begin
                indices_6 <= 7'd0;
            end else if (take && collects && (count == 3'd6)) begin
                indices_6 <= index;
            end
            if (clears) begin
                count <= 3'd0;
                pending_bits <= 6'd0;
            end else if (take && collects) begin
                count <= count + 3'd1;
                pending_bits <= pending_bits + 6'd7;
            end
        end
    end

    wire _unused_ok = &{
        1'b0,
        placed_1[55:49],
        placed_2[55:42],
        placed_3[55:35],
        placed_4[55:28],
        placed_5[55:21],
        placed_6[55:14]
    };

endmodule
