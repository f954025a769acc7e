// stride-256x4 with its trace port as an AXI4-Stream master, and AXI4-Stream clock and reset. A beat of
// trace_data is the lowest 1 of the 8 bits of m_axis_tdata; the bits above are 0.

module stride_256x4_axis (
    input  wire aclk,
    input  wire aresetn,
    input  wire data_valid,
    input  wire [31:0] data_pc,
    input  wire [31:0] data_address,
    input  wire data_store,
    output wire stall,
    input  wire flush,
    output wire flushed,
    output wire [3:0] buffered_words,
    output wire [7:0] m_axis_tdata,
    output wire m_axis_tvalid,
    input  wire m_axis_tready
);

    assign m_axis_tdata[7:1] = 7'd0;

    stride_256x4 trace_module (
        .clock (aclk),
        .reset (!aresetn),
        .data_valid (data_valid),
        .data_pc (data_pc),
        .data_address (data_address),
        .data_store (data_store),
        .stall (stall),
        .flush (flush),
        .flushed (flushed),
        .buffered_words (buffered_words),
        .trace_data (m_axis_tdata[0:0]),
        .trace_valid (m_axis_tvalid),
        .trace_ready (m_axis_tready)
    );

endmodule
