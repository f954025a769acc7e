// A whole design. The inputs of the core are free, so whatever it retires, and however the sink takes beats:
// * a beat stays as it is until it is taken;
// * no block is taken from the cycle after the beginning of a flush until the flush is over; it begins in the first cycle
//   with `flush` in which the tables are not being cleared;
// * `flushed` means that nothing is left in the module, and that the trace has ended in a whole word.
// The only demand on the core is that it keeps `flush` until `flushed`.
module proof (
    input clock,
    input reset,
    input flush,
    input trace_ready
);

    wire                         stall;
    wire                         flushed;
    wire                         trace_valid;
    wire [`TOP_trace_data-1:0]   trace_data;
    wire [`TOP_buffered_words-1:0] buffered_words;
    wire                         clearing;

    // What is not connected is free.
    `TOP dut (
        .clock          (clock),
        .reset          (reset),
        .`STALL          (stall),
        .flush          (flush),
        .flushed        (flushed),
        .trace_data     (trace_data),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (buffered_words)
    );

    reg                       started = 1'b0;
    reg                       was_reset = 1'b1;
    reg                       had_flush = 1'b0;
    reg                       kept_flush = 1'b0;
    reg                       was_flushed = 1'b0;
    reg                       had_beat = 1'b0;
    reg [`TOP_trace_data-1:0] beat;
    reg [7:0]                 beats;

    always @(posedge clock) begin
        started <= 1'b1;
        was_reset <= reset;
        had_flush <= flush && !clearing;
        kept_flush <= flush;
        was_flushed <= flushed;
        had_beat <= trace_valid && !trace_ready;
        beat <= trace_data;
        if (trace_valid && trace_ready) beats <= beats == `BEATS - 1 ? 8'd0 : beats + 8'd1;
        if (reset) beats <= 8'd0;
    end

    always @* begin
        assume (started || reset);
        assume (was_reset || !kept_flush || was_flushed || flush);
        if (!was_reset && !reset) begin
            assert (!had_beat || trace_valid && trace_data == beat);
            assert (!had_flush || stall);
            assert (!flushed || !trace_valid && buffered_words == 0 && beats == 0);
        end
    end

endmodule
