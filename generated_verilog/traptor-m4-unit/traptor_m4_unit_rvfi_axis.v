// AXI4-Stream port for traptor-m4-unit of Tracewright, made by `tracewright generate`.

// Sends the trace to an AXI4-Stream subordinate
module traptor_m4_unit_axi_stream (
    input  wire       clock,
    input  wire       reset,
    input  wire [7:0] trace_data,
    input  wire       trace_valid,
    output wire       trace_ready,
    input  wire       trace_flushed, // all of the trace has left the module
    input  wire       flush,
    input  wire       enable,
    input  wire       discard,
    output wire       flushed,
    output wire [7:0] m_axis_tdata, // the trace, bit 0 first
    output wire       m_axis_tvalid, // there is a beat
    output wire       m_axis_tlast, // it is the last one before a flush
    input  wire       m_axis_tready // the beat is taken
);

    reg  [7:0] held; // the beat that waits
    reg        held_valid; // there is one
    reg        held_last; // it was offered as the last one, which it then stays
    reg        held_more; // it was offered as one that another follows, which a discard may have thrown away
    reg        is_discarded; // the trace that ends was discarded
    wire       is_last;
    wire       is_offered;

    assign is_last = held_last | (trace_flushed & !trace_valid & !held_more);
    assign is_offered = held_valid & (trace_valid | is_last | held_more);
    assign flushed = trace_flushed & (!held_valid | is_discarded);
    assign m_axis_tvalid = is_offered;
    assign m_axis_tlast = is_last;
    assign m_axis_tdata = held;
    assign trace_ready = !held_valid | m_axis_tready;

    always @(posedge clock) begin
        if (reset) begin
            held <= 8'd0;
            held_valid <= 1'b0;
            held_last <= 1'b0;
            held_more <= 1'b0;
            is_discarded <= 1'b0;
        end else begin
            held_more <= is_offered & !is_last & !m_axis_tready;
            is_discarded <= (flush | !enable) & (is_discarded | discard);
            held_last <= is_offered & is_last & !m_axis_tready;
            if (trace_valid & trace_ready) begin
                held <= trace_data;
                held_valid <= 1'b1;
            end else if (is_offered & m_axis_tready) begin
                held <= 8'd0;
                held_valid <= trace_flushed & !is_last;
            end
        end
    end

endmodule

// traptor-m4-unit with its trace port as an AXI4-Stream master, and AXI4-Stream clock and reset. A beat of
// trace_data is the lowest 8 of the 8 bits of m_axis_tdata; the bits above are 0. The last beat of
// a flush has m_axis_tlast, for which a beat waits until the next one follows or the flush ends; then flushed rises.
// A discard ends the trace without what is in the module, and flushed waits for no beat then. The beat that waits has m_axis_tlast; if
// it is on offer without, it stays so, and a beat of zeros with m_axis_tlast follows, unless tracing has gone on before.
module traptor_m4_unit_rvfi_axis (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        rvfi_valid,
    input  wire [31:0] rvfi_insn,
    input  wire        rvfi_trap,
    input  wire        rvfi_intr,
    input  wire [31:0] rvfi_pc_rdata,
    input  wire [31:0] rvfi_pc_wdata,
    output wire        stall,
    output wire        lost,
    output wire        drops,
    input  wire        enable,
    input  wire        discard,
    input  wire        flush,
    output wire        flushed,
    input  wire        sync_request,
    output wire        synchronised,
    output wire [3:0]  buffered_words,
    output wire [7:0]  m_axis_tdata,
    output wire        m_axis_tvalid,
    output wire        m_axis_tlast,
    input  wire        m_axis_tready
);

    wire [7:0] trace_data;
    wire       trace_valid;
    wire       trace_ready;
    wire       trace_flushed;
    wire       is_offered; // the bus wants valid low from the first moment of the reset

    traptor_m4_unit_axi_stream sink (
        .clock         (aclk),
        .reset         (!aresetn),
        .trace_data    (trace_data),
        .trace_valid   (trace_valid),
        .trace_ready   (trace_ready),
        .trace_flushed (trace_flushed),
        .flush         (flush),
        .enable        (enable),
        .discard       (discard),
        .flushed       (flushed),
        .m_axis_tdata  (m_axis_tdata),
        .m_axis_tvalid (is_offered),
        .m_axis_tlast  (m_axis_tlast),
        .m_axis_tready (m_axis_tready)
    );

    traptor_m4_unit_rvfi trace_module (
        .clock          (aclk),
        .reset          (!aresetn),
        .rvfi_valid     (rvfi_valid),
        .rvfi_insn      (rvfi_insn),
        .rvfi_trap      (rvfi_trap),
        .rvfi_intr      (rvfi_intr),
        .rvfi_pc_rdata  (rvfi_pc_rdata),
        .rvfi_pc_wdata  (rvfi_pc_wdata),
        .stall          (stall),
        .lost           (lost),
        .drops          (drops),
        .enable         (enable),
        .discard        (discard),
        .flush          (flush),
        .flushed        (trace_flushed),
        .sync_request   (sync_request),
        .synchronised   (synchronised),
        .trace_data     (trace_data),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (buffered_words)
    );

    assign m_axis_tvalid = aresetn & is_offered;

endmodule
