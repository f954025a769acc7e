// nexus-n1-timed of Tracewright, scheme nexus.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 4
//   fifo_bits = 64
//   record_queue_depth = 2
//   encoder = serial
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
//   cores = 1
//   time_stamps = true
//   encoding = fixed
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 8
//   time_stamp_next_chunk = 8
// bit_packer: piece_most_bits = 17, word_bits = 8

module nexus_n1_timed_bit_packer (
    input  wire        clock,
    input  wire        reset,
    input  wire        piece_valid,
    input  wire [16:0] piece, // zero above piece_bits
    input  wire [4:0]  piece_bits,
    input  wire        piece_last, // fill the word up with zeros
    output reg         piece_ready,
    output wire        word_valid,
    output wire [7:0]  word,
    input  wire        word_ready,
    output wire        is_empty
);

    reg  [15:0] held;
    reg  [4:0]  held_bits;
    reg         padding;
    wire        takes;
    wire        gives;
    wire        full;
    reg  [23:0] joined;
    reg  [4:0]  joined_bits;

    assign is_empty = !(|held_bits) & !padding;

    always @* begin
        piece_ready = 1'd0;
        if (held_bits < 5'd8) begin
            piece_ready = word_ready & !padding;
        end
    end

    assign takes = piece_valid & piece_ready;

    always @* begin
        joined = {8'd0, held};
        if (takes) begin
            joined = {8'd0, held} | ({7'd0, piece} << held_bits);
        end
    end

    always @* begin
        joined_bits = held_bits;
        if (takes) begin
            joined_bits = held_bits + piece_bits;
        end
    end

    assign full = joined_bits >= 5'd8;
    assign word = joined[7:0];
    assign word_valid = full | (padding & (|held_bits));
    assign gives = word_valid & word_ready;

    always @(posedge clock) begin
        if (reset) begin
            held <= 16'd0;
            held_bits <= 5'd0;
            padding <= 1'd0;
        end else begin
            held <= joined[15:0];
            held_bits <= joined_bits;
            if (gives) begin
                held <= joined[23:8];
                held_bits <= 5'd0;
                if (full) begin
                    held_bits <= joined_bits - 5'd8;
                end
            end
            if (takes) begin
                padding <= piece_last;
            end
            if (padding && !full) begin
                padding <= (|held_bits) & !gives;
            end
        end
    end

endmodule
