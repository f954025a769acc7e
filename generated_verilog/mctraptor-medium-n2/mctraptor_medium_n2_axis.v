// mctraptor-medium-n2 with its trace port as an AXI4-Stream master, and AXI4-Stream clock and reset. A beat of
// trace_data is the lowest 2 of the 8 bits of m_axis_tdata; the bits above are 0.

module mctraptor_medium_n2_axis (
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
    input  wire retire_valid_1,
    input  wire [3:0] retire_count_1,
    input  wire [31:0] retire_pc_1,
    input  wire [3:0] retire_length_1,
    input  wire [2:0] retire_kind_1,
    input  wire retire_call_1,
    input  wire retire_return_1,
    input  wire retire_taken_1,
    input  wire [31:0] retire_target_1,
    output wire stall_0,
    output wire stall_1,
    input  wire flush,
    output wire flushed,
    output wire [4:0] buffered_words,
    output wire [7:0] m_axis_tdata,
    output wire m_axis_tvalid,
    input  wire m_axis_tready
);

    assign m_axis_tdata[7:2] = 6'd0;

    mctraptor_medium_n2 trace_module (
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
        .retire_valid_1 (retire_valid_1),
        .retire_count_1 (retire_count_1),
        .retire_pc_1 (retire_pc_1),
        .retire_length_1 (retire_length_1),
        .retire_kind_1 (retire_kind_1),
        .retire_call_1 (retire_call_1),
        .retire_return_1 (retire_return_1),
        .retire_taken_1 (retire_taken_1),
        .retire_target_1 (retire_target_1),
        .stall_0 (stall_0),
        .stall_1 (stall_1),
        .flush (flush),
        .flushed (flushed),
        .buffered_words (buffered_words),
        .trace_data (m_axis_tdata[1:0]),
        .trace_valid (m_axis_tvalid),
        .trace_ready (m_axis_tready)
    );

endmodule
