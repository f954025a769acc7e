// talon-m-unit as a source of trace on an AMBA trace bus (ATB), with the clock and the reset of that. trace_id, 1 to 111, does
// not change while the module traces. AFVALID ends the trace as `flush` does, and afready says that all of it has been taken; after that
// tracing goes on.
// A discard ends the trace without what is in the module. A byte or a wider beat that is on offer stays until it is taken, for which
// flushed does not wait.

module talon_m_unit_tip_atb (
    input  wire atclk,
    input  wire atresetn,
    input  wire [3:0] tip_itype,
    input  wire [31:0] tip_iaddr,
    input  wire tip_iretire,
    input  wire tip_ilastsize,
    output wire stall,
    output wire lost,
    output wire drops,
    input  wire enable,
    input  wire discard,
    input  wire flush,
    output wire flushed,
    output wire synchronised,
    output wire [3:0] buffered_words,
    input  wire [6:0] trace_id,
    output wire [6:0] atid,
    output wire [7:0] atdata,
    output wire atvalid,
    input  wire atready,
    input  wire syncreq,
    input  wire afvalid,
    output wire afready
);

    wire [7:0] trace_data;
    wire trace_valid;
    wire trace_ready;
    wire trace_flushed;
    wire all_taken;

    // What flush asks for is answered by flushed, and what afvalid asks for by afready.
    reg flush_before;
    wire flush_asks = flush | !enable;
    // The trace that ends was discarded.
    reg is_discarded;

    assign atid = trace_id;
    assign flushed = (flush_asks | flush_before) & (all_taken | (trace_flushed & is_discarded));
    assign afready = afvalid & all_taken;

    always @(posedge atclk) begin
        if (!atresetn) begin
            flush_before <= 1'b0;
            is_discarded <= 1'b0;
        end else begin
            flush_before <= flush_asks;
            is_discarded <= flush_asks & (is_discarded | discard);
        end
    end

    // The beat on offer.
    reg [7:0] gathered;
    reg count;
    wire is_whole = count;
    wire is_taken = is_whole & atready;
    wire kept = is_taken ? 1'd0 : count;

    assign all_taken = trace_flushed & !is_whole;
    assign atdata = gathered;
    // ATB wants atvalid low from the first moment of the reset.
    assign atvalid = atresetn & is_whole;
    assign trace_ready = !is_whole | atready;

    always @(posedge atclk) begin
        if (!atresetn) begin
            gathered <= 8'd0;
            count <= 1'd0;
        end else begin
            count <= kept;
            if (trace_valid & trace_ready) begin
                gathered <= trace_data;
                count <= 1'b1;
            end
        end
    end

    talon_m_unit_tip trace_module (
        .clock (atclk),
        .reset (!atresetn),
        .tip_itype (tip_itype),
        .tip_iaddr (tip_iaddr),
        .tip_iretire (tip_iretire),
        .tip_ilastsize (tip_ilastsize),
        .stall (stall),
        .lost (lost),
        .drops (drops),
        .enable (enable),
        .discard (discard),
        .flush (flush | afvalid),
        .flushed (trace_flushed),
        .synchronised (synchronised),
        .buffered_words (buffered_words),
        .sync_request (syncreq),
        .trace_data (trace_data),
        .trace_valid (trace_valid),
        .trace_ready (trace_ready)
    );

endmodule
