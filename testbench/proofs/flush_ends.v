// A flush ends: while the sink takes every beat, and `flush` is high, the module has to be flushed within LIMIT
// cycles after the tables have been cleared, whatever was in it before.
module proof (
    input clock,
    input reset,
    input flush,
    input trace_ready
);

    wire                         flushed;
    wire                         clearing;

    // What is not connected is free.
    `TOP dut (
        .clock       (clock),
        .reset       (reset),
        .flush       (flush),
        .flushed     (flushed),
        .trace_ready (trace_ready)
    );

    reg        started = 1'b0;
    reg [11:0] waited = 12'd0;

    always @(posedge clock) begin
        started <= 1'b1;
        waited <= waited + 12'd1;
        if (reset || !flush || flushed || clearing || !trace_ready) waited <= 12'd0;
    end

    always @* begin
        assume (started || reset);
        if (started) assert (waited < `LIMIT);
    end

endmodule
