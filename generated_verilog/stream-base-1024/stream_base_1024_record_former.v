// stream-base-1024 of Tracewright, scheme stream_cache.
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
//   stream_cache_entries = 1024
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
// record_former

module stream_base_1024_record_former (
    input  wire        clock,
    input  wire        reset,
    input  wire        clear,
    input  wire [9:0]  clear_index,
    input  wire        stream_valid,
    input  wire [29:0] start, // in instruction units
    input  wire        inferred,
    input  wire [1:0]  ending, // 0 cut, 1 exception, 2 flush, 3 branch
    input  wire        is_whole, // not broken off by an exception or a flush
    input  wire [7:0]  length,
    output wire        record_valid,
    output reg  [58:0] record,
    input  wire        record_ready
);

    wire       steps;
    wire       whole_hit;
    reg        predicted;
    wire       sends_hit;
    wire       sends_index;
    wire       misses;
    wire       sends_start;
    reg        has_code;
    reg  [9:0] index;
    wire       cache_update;
    wire       cache_found;
    wire [9:0] cache_index;
    reg  [9:0] predictor_index;
    wire       predictor_update;
    wire [9:0] predictor_prediction;

    stream_base_1024_stream_cache cache (
        .clock       (clock),
        .reset       (reset),
        .clear       (clear),
        .clear_index (clear_index),
        .start       (start),
        .length      (length),
        .update      (cache_update),
        .found       (cache_found),
        .index       (cache_index)
    );

    stream_base_1024_last_stream_predictor predictor (
        .clock       (clock),
        .reset       (reset),
        .clear       (clear),
        .clear_index (clear_index),
        .index       (predictor_index),
        .update      (predictor_update),
        .prediction  (predictor_prediction)
    );

    assign steps = stream_valid & record_ready;
    assign cache_update = steps & is_whole;
    assign whole_hit = is_whole & cache_found;

    always @* begin
        predicted = 1'd0;
        if (predictor_prediction == cache_index) begin
            predicted = whole_hit;
        end
    end

    assign predictor_update = steps & is_whole;

    always @* begin
        predictor_index = cache_index;
        if (!whole_hit) begin
            predictor_index = 10'd0;
        end
    end

    assign sends_index = !predicted;
    assign misses = !whole_hit;
    assign sends_hit = predicted;
    assign sends_start = misses & !inferred;

    always @* begin
        has_code = 1'd1;
        if (ending == 2'd3) begin
            has_code = 1'd0;
        end
    end

    always @* begin
        index = cache_index;
        if (misses) begin
            index = 10'd0;
        end
    end

    assign record_valid = stream_valid & (sends_hit | sends_index);

    always @* begin
        record = {ending, length, start, sends_start, index, 1'd0, sends_hit, misses & !is_whole, misses & has_code, misses & !has_code, 1'd0, sends_index, 1'd0};
        if (ending == 2'd2) begin
            record = record | 59'd1;
        end
    end

endmodule
