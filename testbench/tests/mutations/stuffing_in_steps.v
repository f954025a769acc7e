// What measures a piece, and what stuffs a zero into it, without the register between them.
module stuffing_in_steps (
    input  wire        clock,
    input  wire        reset,
    input  wire        is_marker,
    input  wire        takes,
    input  wire [8:0]  word,
    input  wire [3:0]  bits,
    output wire [9:0]  stuffed,
    output wire [3:0]  stuffed_bits,
    input  wire [19:0] fault_select
);
    wire [16:0] measured;

    traptor_m4_piece_measure piece_measure (
        .fault_select (fault_select),
        .word         (word),
        .bits         (bits),
        .is_marker    (is_marker),
        .measure      (measured)
    );

    traptor_m4_measured_stuffer measured_stuffer (
        .clock        (clock),
        .reset        (reset),
        .fault_select (fault_select),
        .takes        (takes),
        .word         (word),
        .bits         (bits),
        .measured     (measured),
        .stuffed      (stuffed),
        .stuffed_bits (stuffed_bits)
    );
endmodule
