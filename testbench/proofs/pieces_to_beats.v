// Bit packer, output FIFO and trace port, joined as in the back end: every bit of every piece comes out once and in
// order, a last piece is followed by zeros up to a whole word and by nothing else, and a beat stays until it is taken.
// Any bit can be the marked one.
module proof (
    input                    clock,
    input                    reset,
    input                    piece_valid,
    input [`PACKER_piece-1:0] piece,
    input [`PACKER_piece_bits-1:0] piece_bits,
    input                    piece_last,
    input                    trace_ready,
    input                    marks,
    input [7:0]              marked_bit
);

    localparam MOST = `PACKER_piece;
    localparam WORD = `PACKER_word;
    localparam BEAT = `PORT_trace_data;

    wire                       piece_ready;
    wire                       word_valid;
    wire [WORD-1:0]            word;
    wire                       word_ready;
    wire                       packer_is_empty;
    wire                       out_valid;
    wire [WORD-1:0]            out_word;
    wire                       out_ready;
    wire                       trace_valid;
    wire [BEAT-1:0]            trace_data;
    wire [`FIFO_level-1:0]     level;

    `PACKER packer (
        .clock(clock), .reset(reset), .piece_valid(piece_valid), .piece(piece), .piece_bits(piece_bits),
        .piece_last(piece_last), .piece_ready(piece_ready), .word_valid(word_valid), .word(word),
        .word_ready(word_ready), .is_empty(packer_is_empty)
    );
    `FIFO fifo (
        .clock(clock), .reset(reset), .in_valid(word_valid), .in_word(word), .in_ready(word_ready),
        .out_valid(out_valid), .out_word(out_word), .out_ready(out_ready), .level(level)
    );
    `PORT port (
        .clock(clock), .reset(reset), .word_valid(out_valid), .word(out_word), .word_ready(out_ready),
        .trace_valid(trace_valid), .trace_data(trace_data), .trace_ready(trace_ready)
    );

    reg            started = 1'b0;
    reg [9:0]      inside;
    reg [4:0]      phase;
    reg            marked;
    reg [9:0]      ahead;
    reg            value;
    reg            had_beat;
    reg [BEAT-1:0] beat;

    wire       takes = piece_valid && piece_ready;
    wire       gives = trace_valid && trace_ready;
    // Bits of the last word that the piece leaves, and what fills it up.
    wire [9:0] after = phase + piece_bits;
    wire [4:0] left = after % WORD;
    wire [9:0] padding = piece_last && left != 0 ? WORD - left : 10'd0;
    wire [9:0] comes = takes ? piece_bits + padding : 10'd0;
    wire [9:0] goes = gives ? BEAT : 10'd0;
    wire [MOST-1:0] shifted = piece >> marked_bit;

    always @(posedge clock) begin
        started <= 1'b1;
        inside <= inside + comes - goes;
        if (takes) phase <= piece_last ? 5'd0 : left;
        had_beat <= trace_valid && !trace_ready;
        beat <= trace_data;
        if (!marked && marks && takes && marked_bit < comes) begin
            marked <= 1'b1;
            ahead <= inside - goes + marked_bit;
            value <= marked_bit < piece_bits && shifted[0];
        end else if (marked && gives) begin
            marked <= ahead >= BEAT;
            ahead <= ahead - BEAT;
        end
        if (reset) begin
            inside <= 10'd0;
            phase <= 5'd0;
            marked <= 1'b0;
            had_beat <= 1'b0;
        end
    end

    wire [BEAT-1:0] seen = trace_data >> ahead;
    always @* begin
        assume (started || reset);
        assume (piece_bits <= MOST && (piece >> piece_bits) == 0);
        if (started) begin
            assert (!marked || !gives || ahead >= BEAT || seen[0] == value);
            assert (!had_beat || trace_valid && trace_data == beat);
            assert (!trace_valid || inside >= BEAT);
            assert (!packer_is_empty || level != 0 || inside == 0);
        end
    end

    // Where the bits are inside, so that the assertions above follow by induction.
`ifdef PORT_beat
    wire [`PORT_beat-1:0] at;
`else
    wire                  at = 1'b0;
`endif
`ifdef FIFO_read_pointer
    wire [`FIFO_write_pointer-1:0] write_pointer;
    wire [`FIFO_read_pointer-1:0]  read_pointer;
`else
    wire                           write_pointer = 1'b0;
    wire                           read_pointer = 1'b0;
`endif
    wire [`DEPTH*WORD-1:0]       cells;
    wire [`PACKER_held-1:0]      held;
    wire [`PACKER_held_bits-1:0] held_bits;
    wire                         is_padding;

    wire [9:0] fill = is_padding && held_bits != 0 ? WORD - held_bits : 10'd0;
    wire [9:0] offset = ahead + at * BEAT;
    wire [9:0] place = offset - level * WORD;
    wire [9:0] number = read_pointer + offset / WORD;
    wire [9:0] marked_word = number >= `DEPTH ? number - `DEPTH : number;
    wire [9:0] write_at = read_pointer + level;
    wire [`PACKER_held-1:0] from_place = held >> place;

    integer cell;
    always @* begin
        if (started) begin
            assert (inside == level * WORD + held_bits - at * BEAT + fill);
            assert (phase == (is_padding ? 0 : held_bits));
            assert (held_bits < WORD && (held >> held_bits) == 0);
            assert (level <= `DEPTH && read_pointer < `DEPTH && at * BEAT < WORD && (at == 0 || level != 0));
            assert (write_pointer == (write_at >= `DEPTH ? write_at - `DEPTH : write_at));
            if (marked) begin
                assert (ahead < inside);
                assert (offset < level * WORD || (place < held_bits ? from_place[0] : 1'b0) == value);
                for (cell = 0; cell < `DEPTH; cell = cell + 1) begin
                    assert (offset >= level * WORD || marked_word != cell
                        || (cells[cell*WORD +: WORD] >> offset % WORD & 1'b1) == value);
                end
            end
        end
    end

endmodule
