// mctraptor-small-n1 with its trace port as an AXI4-Stream master, and AXI4-Stream clock and reset. A beat of
// trace_data is the lowest 1 of the 8 bits of m_axis_tdata; the bits above are 0.

module mctraptor_small_n1_axis (
    input  wire aclk,
    input  wire aresetn,
    input  wire retire_valid_0,
    input  wire [3:0] retire_count_0,
    input  wire [31:0] retire_pc_0,
    input  wire [3:0] retire_length_0,
    input  wire [2:0] retire_kind_0,
    input  wire retire_call_0,
    input  wire retire_return_0,
    input  wire retire_taken_0,
    input  wire [31:0] retire_target_0,
    output wire stall_0,
    input  wire flush,
    output wire flushed,
    output wire [3:0] buffered_words,
    output wire [7:0] m_axis_tdata,
    output wire m_axis_tvalid,
    input  wire m_axis_tready
);

    assign m_axis_tdata[7:1] = 7'd0;

    mctraptor_small_n1 trace_module (
        .clock (aclk),
        .reset (!aresetn),
        .retire_valid_0 (retire_valid_0),
        .retire_count_0 (retire_count_0),
        .retire_pc_0 (retire_pc_0),
        .retire_length_0 (retire_length_0),
        .retire_kind_0 (retire_kind_0),
        .retire_call_0 (retire_call_0),
        .retire_return_0 (retire_return_0),
        .retire_taken_0 (retire_taken_0),
        .retire_target_0 (retire_target_0),
        .stall_0 (stall_0),
        .flush (flush),
        .flushed (flushed),
        .buffered_words (buffered_words),
        .trace_data (m_axis_tdata[0:0]),
        .trace_valid (m_axis_tvalid),
        .trace_ready (m_axis_tready)
    );

endmodule
