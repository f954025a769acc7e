// stream-base-32 of Tracewright, scheme stream_cache.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 80
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   stream_cache_entries = 32
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
// bit_packer: piece_most_bits = 8, word_bits = 8

module stream_base_32_bit_packer (
    input  wire       clock,
    input  wire       reset,
    input  wire       piece_valid,
    input  wire [7:0] piece, // zero above piece_bits
    input  wire [3:0] piece_bits,
    input  wire       piece_last, // fill the word up with zeros
    output reg        piece_ready,
    output reg        word_valid,
    output wire [7:0] word,
    input  wire       word_ready,
    output wire       is_empty
);

    reg  [14:0] held;
    reg  [3:0]  held_bits;
    reg         padding;
    wire        full;
    wire        gives;
    reg  [14:0] rest;
    reg  [3:0]  rest_bits;
    wire        takes;

    assign full = held_bits >= 4'd8;
    assign word = held[7:0];

    always @* begin
        word_valid = full;
        if (padding && (|held_bits)) begin
            word_valid = 1'd1;
        end
    end

    assign is_empty = !(|held_bits) & !padding;
    assign gives = word_valid & word_ready;

    always @* begin
        rest = held;
        if (gives) begin
            rest = {8'd0, held[14:8]};
        end
    end

    always @* begin
        rest_bits = held_bits;
        if (gives) begin
            rest_bits = 4'd0;
            if (full) begin
                rest_bits = held_bits - 4'd8;
            end
        end
    end

    always @* begin
        piece_ready = 1'd0;
        if (rest_bits < 4'd8) begin
            piece_ready = !padding;
        end
    end

    assign takes = piece_valid & piece_ready;

    always @(posedge clock) begin
        if (reset) begin
            held <= 15'd0;
            held_bits <= 4'd0;
            padding <= 1'd0;
        end else begin
            held <= rest;
            held_bits <= rest_bits;
            if (takes) begin
                held <= rest | ({7'd0, piece} << rest_bits);
                held_bits <= rest_bits + piece_bits;
                padding <= piece_last;
            end
            if (padding && !(|rest_bits)) begin
                padding <= 1'd0;
            end
        end
    end

endmodule
