// The clock of a core that is stopped by its clock. What the core shows counts while `running` is high.
module hold_clock (
    input  wire clock,
    input  wire reset,
    input  wire hold,
    output wire core_clock,
    output reg  running
);
    always_latch
        if (!clock)
            running = reset | !hold;
    assign core_clock = clock & running;
endmodule
