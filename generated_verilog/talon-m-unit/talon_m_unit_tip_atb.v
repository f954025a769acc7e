// Trace bus for talon-m-unit of Tracewright, made by `tracewright generate`.

// Sends the trace as a source on an AMBA trace bus (ATB)
module talon_m_unit_trace_bus (
    input  wire       clock,
    input  wire       reset,
    input  wire [7:0] trace_data,
    input  wire       trace_valid,
    output wire       trace_ready,
    input  wire       trace_flushed, // all of the trace has left the module
    output wire       trace_flush, // the module is to end its trace
    input  wire       flush,
    input  wire       enable,
    input  wire       discard,
    output wire       flushed,
    input  wire [6:0] trace_id, // the number of the source
    output wire [6:0] atid, // the same number, on the bus
    output wire [7:0] atdata, // the trace, bit 0 first
    output wire       atvalid, // there is a beat
    input  wire       atready, // the beat is taken
    input  wire       afvalid, // everything is to leave
    output wire       afready // everything has left
);

    reg        asked; // the user asked for the end of the trace in the cycle before
    reg        is_discarded; // the trace that ends was discarded
    reg  [7:0] gathered; // the beats of what is on offer, the first one lowest
    reg        count;
    wire       asks; // the user asks for the end of the trace
    wire       kept; // beats that wait if no other one comes
    wire       all_taken;

    assign atid = trace_id;
    assign trace_flush = flush | afvalid;
    assign asks = flush | !enable;
    assign all_taken = trace_flushed & !count;
    assign atdata = gathered;
    assign atvalid = count;
    assign trace_ready = !count | atready;
    assign kept = !(count & atready) & count;
    assign afready = afvalid & all_taken;
    assign flushed = (asks | asked) & (all_taken | (trace_flushed & is_discarded));

    always @(posedge clock) begin
        if (reset) begin
            asked <= 1'b0;
            is_discarded <= 1'b0;
            gathered <= 8'd0;
            count <= 1'b0;
        end else begin
            is_discarded <= asks & (is_discarded | discard);
            asked <= asks;
            count <= kept;
            if (trace_valid & trace_ready) begin
                count <= 1'b1;
                gathered <= trace_data;
            end
        end
    end

endmodule

// talon-m-unit as a source of trace on an AMBA trace bus (ATB), with the clock and the reset of that. trace_id, 1 to 111, does
// not change while the module traces. AFVALID ends the trace as `flush` does, and afready says that all of it has been taken; after that
// tracing goes on.
// A discard ends the trace without what is in the module. A byte or a wider beat that is on offer stays until it is taken, for which
// flushed does not wait.
module talon_m_unit_tip_atb (
    input  wire        atclk,
    input  wire        atresetn,
    input  wire [3:0]  tip_itype,
    input  wire [31:0] tip_iaddr,
    input  wire        tip_iretire,
    input  wire        tip_ilastsize,
    output wire        stall,
    output wire        lost,
    output wire        drops,
    input  wire        enable,
    input  wire        discard,
    input  wire        flush,
    output wire        flushed,
    output wire        synchronised,
    output wire [3:0]  buffered_words,
    input  wire [6:0]  trace_id,
    output wire [6:0]  atid,
    output wire [7:0]  atdata,
    output wire        atvalid,
    input  wire        atready,
    input  wire        syncreq,
    input  wire        afvalid,
    output wire        afready
);

    wire [7:0] trace_data;
    wire       trace_valid;
    wire       trace_ready;
    wire       trace_flushed;
    wire       trace_flush;
    wire       is_offered; // the bus wants valid low from the first moment of the reset

    talon_m_unit_trace_bus sink (
        .clock         (atclk),
        .reset         (!atresetn),
        .trace_data    (trace_data),
        .trace_valid   (trace_valid),
        .trace_ready   (trace_ready),
        .trace_flushed (trace_flushed),
        .trace_flush   (trace_flush),
        .flush         (flush),
        .enable        (enable),
        .discard       (discard),
        .flushed       (flushed),
        .trace_id      (trace_id),
        .atid          (atid),
        .atdata        (atdata),
        .atvalid       (is_offered),
        .atready       (atready),
        .afvalid       (afvalid),
        .afready       (afready)
    );

    talon_m_unit_tip trace_module (
        .clock          (atclk),
        .reset          (!atresetn),
        .tip_itype      (tip_itype),
        .tip_iaddr      (tip_iaddr),
        .tip_iretire    (tip_iretire),
        .tip_ilastsize  (tip_ilastsize),
        .stall          (stall),
        .lost           (lost),
        .drops          (drops),
        .enable         (enable),
        .discard        (discard),
        .flush          (trace_flush),
        .flushed        (trace_flushed),
        .sync_request   (syncreq),
        .synchronised   (synchronised),
        .trace_data     (trace_data),
        .trace_valid    (trace_valid),
        .trace_ready    (trace_ready),
        .buffered_words (buffered_words)
    );

    assign atvalid = atresetn & is_offered;

endmodule
