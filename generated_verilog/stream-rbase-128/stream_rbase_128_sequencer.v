// stream-rbase-128 of Tracewright, scheme stream_cache.
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
// sequencer: clear_bits = 7

module stream_rbase_128_sequencer (
    input  wire       clock,
    input  wire       reset,
    input  wire       flush, // level: end the trace here
    input  wire       ready,
    input  wire       is_empty,
    output wire       tracing,
    output wire       record_flush,
    output wire       flushed,
    output wire       clear,
    output wire [6:0] clear_index
);

    reg        clearing;
    reg  [6:0] index;
    reg  [1:0] state;

    assign clear = clearing;
    assign clear_index = index;
    assign tracing = (state == 2'd0) & !clearing;
    assign record_flush = state == 2'd1;
    assign flushed = state == 2'd3;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'd1;
            index <= 7'd0;
            state <= 2'd0;
        end else begin
            if (clearing) begin
                index <= index + 7'd1;
                if (&index) begin
                    clearing <= 1'd0;
                end
            end
            if (state == 2'd0) begin
                if (flush && !clearing) begin
                    state <= 2'd1;
                end
            end else if (state == 2'd1) begin
                if (ready) begin
                    state <= 2'd2;
                end
            end else if (state == 2'd2) begin
                if (is_empty) begin
                    state <= 2'd3;
                end
            end else if (!flush) begin
                state <= 2'd0;
            end
        end
    end

endmodule
