// mctraptor-small-n1 of Tracewright, scheme mctraptor.
// Generated; to change it, change the parameters and run `tracewright generate` again.
//   address_width = 32
//   alignment = 2
//   retire_count_bits = 4
//   trace_port_width = 1
//   fifo_bits = 64
//   record_queue_depth = 2
//   encoder = serial
//   reset = synchronous
//   gshare_entries = 512
//   gshare_history_bits = 9
//   pc_shift = 4
//   return_address_stack_depth = 8
//   indirect_branch_target_buffer_entries = 0
//   indirect_branch_target_buffer_ways = 2
//   indirect_branch_target_buffer_tag_bits = 8
//   indirect_branch_target_buffer_tag_shift = 10
//   path_history_bits = 8
//   elided_upper_bits = 12
//   branch_count_bits = 16
//   branch_count_first_chunk = 3
//   branch_count_next_chunk = 2
//   instruction_count_bits = 24
//   instruction_count_first_chunk = 2
//   instruction_count_next_chunk = 2
//   target_first_chunk = 3
//   target_next_chunk = 4
//   outcome_bit_for_jumps = false
//   cores = 1
//   time_stamps = false
//   encoding = variable
//   time_stamp_bits = 32
//   time_stamp_first_chunk = 4
//   time_stamp_next_chunk = 2
// bit_packer: piece_most_bits = 8, word_bits = 8

module mctraptor_small_n1_bit_packer (
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
