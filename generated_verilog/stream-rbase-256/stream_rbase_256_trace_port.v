// stream-rbase-256 of Tracewright, scheme stream_cache.
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
//   stream_cache_entries = 256
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
// trace_port: port_width = 1, word_bits = 8

module stream_rbase_256_trace_port (
    input  wire       clock,
    input  wire       reset,
    input  wire       word_valid,
    input  wire [7:0] word,
    output reg        word_ready,
    output wire       trace_valid,
    output reg        trace_data,
    input  wire       trace_ready
);

    reg  [2:0] beat;

    assign trace_valid = word_valid;

    always @* begin
        trace_data = word[0];
        if (beat == 3'd0) begin
            trace_data = word[0];
        end
        if (beat == 3'd1) begin
            trace_data = word[1];
        end
        if (beat == 3'd2) begin
            trace_data = word[2];
        end
        if (beat == 3'd3) begin
            trace_data = word[3];
        end
        if (beat == 3'd4) begin
            trace_data = word[4];
        end
        if (beat == 3'd5) begin
            trace_data = word[5];
        end
        if (beat == 3'd6) begin
            trace_data = word[6];
        end
        if (beat == 3'd7) begin
            trace_data = word[7];
        end
    end

    always @* begin
        word_ready = 1'd0;
        if (word_valid && trace_ready) begin
            if (beat == 3'd7) begin
                word_ready = 1'd1;
            end
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            beat <= 3'd0;
        end else begin
            if (word_valid && trace_ready) begin
                beat <= beat + 3'd1;
                if (beat == 3'd7) begin
                    beat <= 3'd0;
                end
            end
        end
    end

endmodule
