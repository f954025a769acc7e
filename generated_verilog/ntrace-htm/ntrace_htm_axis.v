// ntrace-htm with its trace port as an AXI4-Stream master, and AXI4-Stream clock and reset. A beat of
// trace_data is the lowest 1 of the 8 bits of m_axis_tdata; the bits above are 0. The last beat of
// a flush has m_axis_tlast, for which a beat waits until the next one follows or the flush ends; then flushed rises.

module ntrace_htm_axis (
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
    output wire m_axis_tlast,
    input  wire m_axis_tready
);

    wire trace_data;
    wire trace_valid;
    wire trace_ready;
    wire trace_flushed;

    // The beat that waits, and whether it was offered as the last one, which it then stays.
    reg held_data;
    reg held_valid;
    reg held_last;

    wire is_last = held_last | (trace_flushed & !trace_valid);

    // AXI4-Stream wants m_axis_tvalid low from the first moment of the reset.
    assign m_axis_tvalid = aresetn & held_valid & (trace_valid | is_last);
    assign m_axis_tlast = is_last;
    assign m_axis_tdata = {7'd0, held_data};
    assign trace_ready = !held_valid | m_axis_tready;
    assign flushed = trace_flushed & !held_valid;

    always @(posedge aclk) begin
        if (!aresetn) begin
            held_data <= 1'd0;
            held_valid <= 1'b0;
            held_last <= 1'b0;
        end else begin
            held_last <= m_axis_tvalid & is_last & !m_axis_tready;
            if (trace_valid & trace_ready) begin
                held_data <= trace_data;
                held_valid <= 1'b1;
            end else if (m_axis_tvalid & m_axis_tready) begin
                held_valid <= 1'b0;
            end
        end
    end

    ntrace_htm trace_module (
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
        .flushed (trace_flushed),
        .buffered_words (buffered_words),
        .trace_data (trace_data),
        .trace_valid (trace_valid),
        .trace_ready (trace_ready)
    );

endmodule
