// The sequencer: after a reset every entry of the tables is cleared before a block is taken, and a flush takes no
// block, makes one flush record, and ends: if the compressor is ready and the module empty after fewer than PATIENCE
// cycles each, in at most 2 * PATIENCE + 1 cycles. The core keeps `flush` until `flushed`.
module proof (
    input clock,
    input reset,
    input flush,
    input ready,
    input is_empty
);

    wire                            tracing;
    wire                            record_flush;
    wire                            flushed;
    wire                            clear_valid;
    wire [`SEQUENCER_clear_index-1:0] clear_index;
`ifdef SEQUENCER_swept
    reg  [`SEQUENCER_clear_index-1:0] swept;

    // The compressor counts while the tables are being cleared.
    always @(posedge clock) begin
        if (clear_valid) swept <= swept + 1'b1;
        if (reset) swept <= 0;
    end
`endif

    `SEQUENCER dut (
        .clock        (clock),
        .reset        (reset),
        .flush        (flush),
        .ready        (ready),
        .is_empty     (is_empty),
        .tracing      (tracing),
        .record_flush (record_flush),
        .flushed      (flushed),
`ifdef SEQUENCER_swept
        .swept        (swept),
`endif
        .clear_valid  (clear_valid),
        .clear_index  (clear_index)
    );

    (* anyconst *) wire [`SEQUENCER_clear_index-1:0] entry;
    wire drains = !tracing && !record_flush && !flushed && !clear_valid;

    reg       started = 1'b0;
    reg       is_cleared;
    reg       was_reset = 1'b1;
    reg       had_flush = 1'b0;
    reg       was_flushed = 1'b0;
    reg [7:0] recording;
    reg [7:0] draining;
    reg [7:0] waited;
    reg [1:0] records;

    always @(posedge clock) begin
        started <= 1'b1;
        was_reset <= reset;
        had_flush <= flush;
        was_flushed <= flushed;
        if (clear_valid && clear_index == entry) is_cleared <= 1'b1;
        recording <= record_flush && !ready ? recording + 8'd1 : 8'd0;
        draining <= drains && !is_empty ? draining + 8'd1 : 8'd0;
        waited <= flush && !flushed && !clear_valid ? waited + 8'd1 : 8'd0;
        if (record_flush && ready) records <= records + 2'd1;
        if (tracing) records <= 2'd0;
        if (reset) begin
            is_cleared <= 1'b0;
            recording <= 8'd0;
            draining <= 8'd0;
            waited <= 8'd0;
            records <= 2'd0;
        end
    end

    always @* begin
        assume (started || reset);
        assume (was_reset || !had_flush || was_flushed || flush);
        assume (recording < `PATIENCE && draining < `PATIENCE);
        if (started) begin
            assert (!tracing || is_cleared);
            assert (!tracing || !clear_valid);
            assert (!clear_valid || is_cleared || clear_index <= entry);
            assert (!flushed || records == 1);
            assert (waited <= 2 * `PATIENCE + 1);
        end
    end

endmodule
