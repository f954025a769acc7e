// stream-rbase-512 of Tracewright, scheme stream_cache.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 80
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   stream_cache_entries = 512
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
//   one_length_most_bits = 20
//   one_length_reset = middle
// stream_buffer: depth = 2, width = 41

module stream_rbase_512_stream_buffer (
    input  wire        clock,
    input  wire        reset,
    input  wire        first_valid,
    input  wire [40:0] first,
    input  wire        second_valid, // never without the first
    input  wire [40:0] second,
    output wire        in_ready,
    output wire        out_valid,
    output wire [40:0] out,
    input  wire        out_ready,
    output wire        is_empty
);

    reg         aside_valid;
    reg  [40:0] aside;
    wire        fifo_in_valid;
    reg  [40:0] fifo_in_word;
    wire        fifo_in_ready;
    wire        fifo_out_valid;
    wire [40:0] fifo_out_word;
    wire [1:0]  fifo_level;

    stream_rbase_512_fifo_depth2_width41 fifo (
        .clock     (clock),
        .reset     (reset),
        .in_valid  (fifo_in_valid),
        .in_word   (fifo_in_word),
        .in_ready  (fifo_in_ready),
        .out_valid (fifo_out_valid),
        .out_word  (fifo_out_word),
        .out_ready (out_ready),
        .level     (fifo_level)
    );

    assign in_ready = fifo_in_ready;
    assign out_valid = fifo_out_valid;
    assign out = fifo_out_word;
    assign is_empty = !fifo_out_valid & !aside_valid;
    assign fifo_in_valid = first_valid | aside_valid;

    always @* begin
        fifo_in_word = first;
        if (aside_valid) begin
            fifo_in_word = aside;
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            aside_valid <= 1'd0;
            aside <= 41'd0;
        end else begin
            if (fifo_in_ready) begin
                if (aside_valid) begin
                    aside_valid <= first_valid;
                    aside <= first;
                end else begin
                    aside_valid <= second_valid;
                    aside <= second;
                end
            end
        end
    end

    wire _unused_ok = &{1'b0, fifo_level};

endmodule
