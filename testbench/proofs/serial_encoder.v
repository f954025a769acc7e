// The serial encoder's pieces are as the bit packer needs them: no larger than a piece can be, and zero above their
// size. Every record is sent in fewer than LIMIT cycles in which the packer takes a piece.
//
// A record stays until it is taken, as one in a queue does, and has at most one slot of each stage, as its former
// makes it.
module proof (
    input                      clock,
    input                      reset,
    input                      comes,
    input [`ENCODER_record-1:0] next,
    input                      piece_ready
);

    wire                           record_ready;
    wire                           piece_valid;
    wire [`ENCODER_piece-1:0]      piece;
    wire [`ENCODER_piece_bits-1:0] piece_bits;

    reg                       started = 1'b0;
    reg                       record_valid = 1'b0;
    reg [`ENCODER_record-1:0] record;
    reg [7:0]                 cycles = 8'd0;

    `ENCODER dut (
        .clock        (clock),
        .reset        (reset),
        .record_valid (record_valid),
        .record       (record),
        .record_ready (record_ready),
        .piece_valid  (piece_valid),
        .piece        (piece),
        .piece_bits   (piece_bits),
        .piece_ready  (piece_ready)
    );

    always @(posedge clock) begin
        started <= 1'b1;
        if (!record_valid || record_ready) begin
            record_valid <= comes;
            record <= next;
        end
        if (piece_valid && piece_ready) cycles <= record_ready ? 8'd0 : cycles + 8'd1;
        if (reset) begin
            record_valid <= 1'b0;
            cycles <= 8'd0;
        end
    end

    wire [`ENCODER_active-1:0] active;

    always @* begin
        assume (started || reset);
        assume ((active & active - 1'b1) == 0);
        if (started && piece_valid) begin
            assert (piece_bits <= `ENCODER_piece && (piece >> piece_bits) == 0);
            assert (cycles < `LIMIT);
        end
    end

endmodule
