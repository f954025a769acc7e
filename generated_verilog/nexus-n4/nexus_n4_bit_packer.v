// nexus-n4 of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 16
//   fifo_bits = 256
//   record_queue_depth = 2
//   encoder = parallel
//   reset = synchronous
//   stream_length_bits = 16
//   stream_length_coding = chunks
//   stream_length_first_chunk = 8
//   stream_length_next_chunk = 8
//   target_coding = difference
//   target_first_chunk = 16
//   target_next_chunk = 16
//   target_connect_bits = 1
//   cores = 4
//   time_stamps = false
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// bit_packer: piece_most_bits = 88, word_bits = 16

module nexus_n4_bit_packer (
    input  wire        clock,
    input  wire        reset,
    input  wire        piece_valid,
    input  wire [87:0] piece, // zero above piece_bits
    input  wire [6:0]  piece_bits,
    input  wire        piece_last, // fill the word up with zeros
    output reg         piece_ready,
    output reg         word_valid,
    output wire [15:0] word,
    input  wire        word_ready,
    output wire        is_empty
);

    reg  [102:0] held;
    reg  [6:0]   held_bits;
    reg          padding;
    wire         full;
    wire         gives;
    reg  [102:0] rest;
    reg  [6:0]   rest_bits;
    wire         takes;

    assign full = held_bits >= 7'd16;
    assign word = held[15:0];

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
            rest = {16'd0, held[102:16]};
        end
    end

    always @* begin
        rest_bits = held_bits;
        if (gives) begin
            rest_bits = 7'd0;
            if (full) begin
                rest_bits = held_bits - 7'd16;
            end
        end
    end

    always @* begin
        piece_ready = 1'd0;
        if (rest_bits < 7'd16) begin
            piece_ready = !padding;
        end
    end

    assign takes = piece_valid & piece_ready;

    always @(posedge clock) begin
        if (reset) begin
            held <= 103'd0;
            held_bits <= 7'd0;
            padding <= 1'd0;
        end else begin
            held <= rest;
            held_bits <= rest_bits;
            if (takes) begin
                held <= rest | ({15'd0, piece} << rest_bits);
                held_bits <= rest_bits + piece_bits;
                padding <= piece_last;
            end
            if (padding && !(|rest_bits)) begin
                padding <= 1'd0;
            end
        end
    end

endmodule
