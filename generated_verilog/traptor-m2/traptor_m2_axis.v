// traptor-m2 with its trace port as an AXI4-Stream master, and AXI4-Stream clock and reset. A beat of
// trace_data is the lowest 1 of the 8 bits of m_axis_tdata; the bits above are 0.

module traptor_m2_axis (
    input  wire aclk,
    input  wire aresetn,
    input  wire retire_valid,
    input  wire [3:0] retire_count,
    input  wire [31:0] retire_pc,
    input  wire [3:0] retire_length,
    input  wire [2:0] retire_kind,
    input  wire retire_call,
    input  wire retire_return,
    input  wire retire_taken,
    input  wire [31:0] retire_target,
    output wire stall,
    input  wire flush,
    output wire flushed,
    output wire [3:0] buffered_words,
    output wire [7:0] m_axis_tdata,
    output wire m_axis_tvalid,
    input  wire m_axis_tready
);

    assign m_axis_tdata[7:1] = 7'd0;

    traptor_m2 trace_module (
        .clock (aclk),
        .reset (!aresetn),
        .retire_valid (retire_valid),
        .retire_count (retire_count),
        .retire_pc (retire_pc),
        .retire_length (retire_length),
        .retire_kind (retire_kind),
        .retire_call (retire_call),
        .retire_return (retire_return),
        .retire_taken (retire_taken),
        .retire_target (retire_target),
        .stall (stall),
        .flush (flush),
        .flushed (flushed),
        .buffered_words (buffered_words),
        .trace_data (m_axis_tdata[0:0]),
        .trace_valid (m_axis_tvalid),
        .trace_ready (m_axis_tready)
    );

endmodule
