// stride-256 of Tracewright, scheme data_stride.
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
//   stride_cache_entries = 256
//   stride_cache_ways = 1
//   stride_cache_tagged = false
//   tag_bits = 0
//   pc_shift = 2
//   stride_bits = 8
//   data_repetitions = true
//   pattern_bits = 8
//   repetition_count_bits = 8
//   data_address_buffer_depth = 8
// sequencer: clear_bits = 8

module stride_256_sequencer (
    input  wire       clock,
    input  wire       reset,
    input  wire       flush, // level: end the trace here
    input  wire       ready,
    input  wire       is_empty,
    output wire       tracing,
    output wire       record_flush,
    output wire       flushed,
    output wire       clear,
    output wire [7:0] clear_index
);

    reg        clearing;
    reg  [7:0] index;
    reg  [1:0] state;

    assign clear = clearing;
    assign clear_index = index;
    assign tracing = (state == 2'd0) & !clearing;
    assign record_flush = state == 2'd1;
    assign flushed = state == 2'd3;

    always @(posedge clock) begin
        if (reset) begin
            clearing <= 1'd1;
            index <= 8'd0;
            state <= 2'd0;
        end else begin
            if (clearing) begin
                index <= index + 8'd1;
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
