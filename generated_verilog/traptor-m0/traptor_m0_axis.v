// AXI4-Stream port for traptor-m0 of Tracewright, made by `tracewright generate`.

// Sends the trace to an AXI4-Stream subordinate
module traptor_m0_axi_stream (
    input  wire       clock,
    input  wire       reset,
    input  wire       trace_data,
    input  wire       trace_valid,
    output wire       trace_ready,
    input  wire       trace_flushed, // all of the trace has left the module
    output wire       flushed,
    output wire [7:0] m_axis_tdata, // the trace, bit 0 first
    output wire       m_axis_tvalid, // there is a beat
    output wire       m_axis_tlast, // it is the last one before a flush
    input  wire       m_axis_tready // the beat is taken
);

    reg  held; // the beat that waits
    reg  held_valid; // there is one
    reg  held_last; // it was offered as the last one, which it then stays
    wire is_last;
    wire is_offered;

    assign is_last = held_last | (trace_flushed & !trace_valid);
    assign is_offered = held_valid & (trace_valid | is_last);
    assign flushed = trace_flushed & !held_valid;
    assign m_axis_tvalid = is_offered;
    assign m_axis_tlast = is_last;
    assign m_axis_tdata = {7'd0, held};
    assign trace_ready = !held_valid | m_axis_tready;

    always @(posedge clock) begin
        if (reset) begin
            held <= 1'b0;
            held_valid <= 1'b0;
            held_last <= 1'b0;
        end else begin
            held_last <= is_offered & is_last & !m_axis_tready;
            if (trace_valid & trace_ready) begin
                held <= trace_data;
                held_valid <= 1'b1;
            end else if (is_offered & m_axis_tready) begin
                held_valid <= 1'b0;
            end
        end
    end

endmodule

// traptor-m0 with its trace port as an AXI4-Stream master, and AXI4-Stream clock and reset. A beat of
// trace_data is the lowest 1 of the 8 bits of m_axis_tdata; the bits above are 0. The last beat of
// a flush has m_axis_tlast, for which a beat waits until the next one follows or the flush ends; then flushed rises.
module traptor_m0_axis (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        retire_valid,
    input  wire [3:0]  retire_count,
    input  wire [31:0] retire_pc,
    input  wire [3:0]  retire_length,
    input  wire [2:0]  retire_kind,
    input  wire        retire_call,
    input  wire        retire_return,
    input  wire        retire_taken,
    input  wire [31:0] retire_target,
    output wire        stall,
    input  wire        flush,
    output wire        flushed,
    output wire [5:0]  buffered_words,
    output wire [7:0]  m_axis_tdata,
    output wire        m_axis_tvalid,
    output wire        m_axis_tlast,
    input  wire        m_axis_tready
);

    wire trace_data;
    wire trace_valid;
    wire trace_ready;
    wire trace_flushed;
    wire is_offered; // the bus wants valid low from the first moment of the reset

    traptor_m0_axi_stream sink (
        .clock         (aclk),
        .reset         (!aresetn),
        .trace_data    (trace_data),
        .trace_valid   (trace_valid),
        .trace_ready   (trace_ready),
        .trace_flushed (trace_flushed),
        .flushed       (flushed),
        .m_axis_tdata  (m_axis_tdata),
        .m_axis_tvalid (is_offered),
        .m_axis_tlast  (m_axis_tlast),
        .m_axis_tready (m_axis_tready)
    );

    traptor_m0 trace_module (
        .clock          (aclk),
        .reset          (!aresetn),
        .retire_valid   (retire_valid),
        .retire_count   (retire_count),
        .retire_pc      (retire_pc),
        .retire_length  (retire_length),
        .retire_kind    (retire_kind),
        .retire_call    (retire_call),
        .retire_return  (retire_return),
        .retire_taken   (retire_taken),
        .retire_target  (retire_target),
        .stall          (stall),
        .flush          (flush),
        .flushed        (trace_flushed),
        .trace_data     (trace_data),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (buffered_words)
    );

    assign m_axis_tvalid = aresetn & is_offered;

endmodule
