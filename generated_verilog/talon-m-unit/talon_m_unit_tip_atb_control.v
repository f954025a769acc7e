// Control registers for talon-m-unit of Tracewright, made by `tracewright generate`.

// Registers of the RISC-V Trace Control Interface as an AXI4-Lite slave. docs/control.md describes them; an access
// outside of their pages ends in an error, reads 0 and writes nothing.

module talon_m_unit_registers (
    input  wire clock,
    input  wire reset,
    input  wire [15:0] s_axi_awaddr,
    input  wire [2:0] s_axi_awprot,
    input  wire s_axi_awvalid,
    output wire s_axi_awready,
    input  wire [31:0] s_axi_wdata,
    input  wire [3:0] s_axi_wstrb,
    input  wire s_axi_wvalid,
    output wire s_axi_wready,
    output wire [1:0] s_axi_bresp,
    output wire s_axi_bvalid,
    input  wire s_axi_bready,
    input  wire [15:0] s_axi_araddr,
    input  wire [2:0] s_axi_arprot,
    input  wire s_axi_arvalid,
    output wire s_axi_arready,
    output wire [31:0] s_axi_rdata,
    output wire [1:0] s_axi_rresp,
    output wire s_axi_rvalid,
    input  wire s_axi_rready,
    output reg  trTeActive,
    output reg  trTeEnable,
    output reg  trTeInstTracing,
    input  wire trTeEmpty_value,
    output reg  [2:0] trTeInstMode,
    input  wire trTeInstStallOrOverflow_set,
    output reg  [1:0] trTeInstSyncMode,
    output reg  [3:0] trTeInstSyncMax,
    input  wire twTakesBlocks_value
);

    // One access in a cycle: the register, and what is written.
    wire [13:0] word;
    wire [31:0] data;
    wire [3:0] strobes;
    wire is_write;
    // The access takes place in this cycle, and goes on if its data is not there.
    wire is_access;
    wire can_answer;
    wire is_outside = word >= 14'd1024;
    wire is_done = is_access & can_answer;
    wire [31:0] mask = {{8{strobes[3]}}, {8{strobes[2]}}, {8{strobes[1]}}, {8{strobes[0]}}};
    reg [31:0] read_data;

    // Address and data of a write come in any order and wait for each other; a read waits for a write of its cycle.
    reg aw_held;
    reg [13:0] aw_word;
    reg w_held;
    reg [31:0] w_data;
    reg [3:0] w_strobes;
    reg ar_held;
    reg [13:0] ar_word;
    reg b_valid;
    reg b_error;
    reg r_valid;
    reg r_error;
    reg [31:0] r_data;

    wire does_read = ar_held & !is_write & (!r_valid | s_axi_rready);

    assign is_write = aw_held & w_held & (!b_valid | s_axi_bready);
    assign word = is_write ? aw_word : ar_word;
    assign data = w_data;
    assign strobes = w_strobes;
    assign is_access = is_write | does_read;
    assign s_axi_awready = !aw_held;
    assign s_axi_wready = !w_held;
    assign s_axi_arready = !ar_held;
    // AXI wants valid low from the first moment of the reset.
    assign s_axi_bvalid = b_valid & !reset;
    assign s_axi_bresp = {b_error, 1'b0};
    assign s_axi_rvalid = r_valid & !reset;
    assign s_axi_rresp = {r_error, 1'b0};
    assign s_axi_rdata = r_data;
    wire unused = &{1'b0, data, mask, s_axi_awaddr[1:0], s_axi_araddr[1:0], s_axi_awprot, s_axi_arprot};

    always @(posedge clock) begin
        if (reset) begin
            aw_held <= 1'b0;
            aw_word <= 14'd0;
            w_held <= 1'b0;
            w_data <= 32'd0;
            w_strobes <= 4'd0;
            ar_held <= 1'b0;
            ar_word <= 14'd0;
            b_valid <= 1'b0;
            b_error <= 1'b0;
            r_valid <= 1'b0;
            r_error <= 1'b0;
            r_data <= 32'd0;
        end else begin
            if (s_axi_awvalid & s_axi_awready) begin
                aw_held <= 1'b1;
                aw_word <= s_axi_awaddr[15:2];
            end else if (is_write) begin
                aw_held <= 1'b0;
            end
            if (s_axi_wvalid & s_axi_wready) begin
                w_held <= 1'b1;
                w_data <= s_axi_wdata;
                w_strobes <= s_axi_wstrb;
            end else if (is_write) begin
                w_held <= 1'b0;
            end
            if (s_axi_arvalid & s_axi_arready) begin
                ar_held <= 1'b1;
                ar_word <= s_axi_araddr[15:2];
            end else if (does_read & can_answer) begin
                ar_held <= 1'b0;
            end
            if (is_write) begin
                b_valid <= 1'b1;
                b_error <= is_outside;
            end else if (s_axi_bready) begin
                b_valid <= 1'b0;
            end
            if (does_read & can_answer) begin
                r_valid <= 1'b1;
                r_error <= is_outside;
                r_data <= read_data;
            end else if (s_axi_rready) begin
                r_valid <= 1'b0;
            end
        end
    end

    // trTeControl
    wire write_trTeControl = is_done & is_write & (word == 14'd0);
    reg trTeInstStallOrOverflow;
    wire merged_trTeActive = (trTeActive & ~mask[0]) | (data[0] & mask[0]);
    wire merged_trTeEnable = (trTeEnable & ~mask[1]) | (data[1] & mask[1]);
    wire merged_trTeInstTracing = (trTeInstTracing & ~mask[2]) | (data[2] & mask[2]);
    wire [2:0] merged_trTeInstMode = (trTeInstMode & ~mask[6:4]) | (data[6:4] & mask[6:4]);
    wire [1:0] merged_trTeInstSyncMode = (trTeInstSyncMode & ~mask[17:16]) | (data[17:16] & mask[17:16]);
    wire [3:0] merged_trTeInstSyncMax = (trTeInstSyncMax & ~mask[23:20]) | (data[23:20] & mask[23:20]);
    always @(posedge clock) begin
        if (reset) begin
            trTeActive <= 1'd0;
            trTeEnable <= 1'd0;
            trTeInstTracing <= 1'd0;
            trTeInstMode <= 3'd7;
            trTeInstStallOrOverflow <= 1'd0;
            trTeInstSyncMode <= 2'd0;
            trTeInstSyncMax <= 4'd0;
        end else begin
            if (write_trTeControl) begin
                trTeActive <= merged_trTeActive;
                trTeEnable <= merged_trTeEnable;
                trTeInstTracing <= merged_trTeInstTracing;
                trTeInstMode <= {3{|merged_trTeInstMode}};
                trTeInstSyncMode <= merged_trTeInstSyncMode & 2'd2;
                trTeInstSyncMax <= merged_trTeInstSyncMax;
                trTeInstStallOrOverflow <= trTeInstStallOrOverflow & ~(data[12] & mask[12]);
                if (merged_trTeEnable & !trTeEnable) begin
                    trTeInstStallOrOverflow <= 1'd0;
                end
            end
            if (trTeInstStallOrOverflow_set) begin
                trTeInstStallOrOverflow <= 1'd1;
            end
            if (!trTeActive) begin
                trTeEnable <= 1'd0;
                trTeInstTracing <= 1'd0;
                trTeInstMode <= 3'd7;
                trTeInstStallOrOverflow <= 1'd0;
                trTeInstSyncMode <= 2'd0;
                trTeInstSyncMax <= 4'd0;
            end
        end
    end

    assign can_answer = 1'b1;

    always @(*) begin
        case (word)
            14'd0: read_data = {5'd0, 3'd7, trTeInstSyncMax, 2'd0, trTeInstSyncMode, 2'd0, 1'd1, trTeInstStallOrOverflow, 5'd0, trTeInstMode, trTeEmpty_value, trTeInstTracing, trTeEnable, trTeActive}; // trTeControl
            14'd1: read_data = {8'd0, 4'd1, 4'd0, 4'd0, 4'd1, 4'd0, 4'd1}; // trTeImpl
            14'd896: read_data = {31'd0, twTakesBlocks_value}; // twStatus
            14'd959: read_data = 32'd641724444; // twFingerprint
            default: read_data = 32'd0;
        endcase
    end

endmodule

// talon-m-unit with the registers of the RISC-V Trace Control Interface, which drive its pins (docs/control.md).

module talon_m_unit_tip_atb_control (
    input  wire clock,
    input  wire reset,
    input  wire [15:0] s_axi_awaddr,
    input  wire [2:0] s_axi_awprot,
    input  wire s_axi_awvalid,
    output wire s_axi_awready,
    input  wire [31:0] s_axi_wdata,
    input  wire [3:0] s_axi_wstrb,
    input  wire s_axi_wvalid,
    output wire s_axi_wready,
    output wire [1:0] s_axi_bresp,
    output wire s_axi_bvalid,
    input  wire s_axi_bready,
    input  wire [15:0] s_axi_araddr,
    input  wire [2:0] s_axi_arprot,
    input  wire s_axi_arvalid,
    output wire s_axi_arready,
    output wire [31:0] s_axi_rdata,
    output wire [1:0] s_axi_rresp,
    output wire s_axi_rvalid,
    input  wire s_axi_rready,
    input  wire [3:0] tip_itype,
    input  wire [31:0] tip_iaddr,
    input  wire tip_iretire,
    input  wire tip_ilastsize,
    output wire stall,
    output wire lost,
    output wire drops,
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

    wire trTeActive;
    wire trTeEnable;
    wire trTeInstTracing;
    wire trTeEmpty_value;
    wire [2:0] trTeInstMode;
    wire trTeInstStallOrOverflow_set;
    wire [1:0] trTeInstSyncMode;
    wire [3:0] trTeInstSyncMax;
    wire twTakesBlocks_value;
    wire flushed;
    // A trace has begun, and not all of it has left the module.
    reg has_begun;
    // The module took blocks, or could have, since tracing was switched on.
    reg is_in_trace;
    // Cycles since a packet began, as long as they are counted.
    reg [19:0] cycles;

    wire enable = trTeActive & trTeEnable & trTeInstTracing & (|trTeInstMode);
    wire discard = !trTeActive & has_begun & !flushed;
    wire sync_is_due = cycles[{1'b0, trTeInstSyncMax} + 5'd4];

    assign trTeEmpty_value = !enable & !has_begun;
    assign twTakesBlocks_value = is_in_trace;
    // A core waits for its adapter when tracing is switched off.
    assign trTeInstStallOrOverflow_set = enable & is_in_trace & (stall | drops);

    always @(posedge clock) begin
        if (reset) begin
            has_begun <= 1'b0;
            is_in_trace <= 1'b0;
            cycles <= 20'd0;
        end else begin
            if (enable) begin
                has_begun <= 1'b1;
            end else if (flushed) begin
                has_begun <= 1'b0;
            end
            is_in_trace <= enable & (is_in_trace | !(stall | drops));
            if (!enable | synchronised | !(|trTeInstSyncMode)) begin
                cycles <= 20'd0;
            end else if (!sync_is_due) begin
                cycles <= cycles + 20'd1;
            end
        end
    end

    talon_m_unit_registers registers (
        .clock (clock),
        .reset (reset),
        .s_axi_awaddr (s_axi_awaddr),
        .s_axi_awprot (s_axi_awprot),
        .s_axi_awvalid (s_axi_awvalid),
        .s_axi_awready (s_axi_awready),
        .s_axi_wdata (s_axi_wdata),
        .s_axi_wstrb (s_axi_wstrb),
        .s_axi_wvalid (s_axi_wvalid),
        .s_axi_wready (s_axi_wready),
        .s_axi_bresp (s_axi_bresp),
        .s_axi_bvalid (s_axi_bvalid),
        .s_axi_bready (s_axi_bready),
        .s_axi_araddr (s_axi_araddr),
        .s_axi_arprot (s_axi_arprot),
        .s_axi_arvalid (s_axi_arvalid),
        .s_axi_arready (s_axi_arready),
        .s_axi_rdata (s_axi_rdata),
        .s_axi_rresp (s_axi_rresp),
        .s_axi_rvalid (s_axi_rvalid),
        .s_axi_rready (s_axi_rready),
        .trTeActive (trTeActive),
        .trTeEnable (trTeEnable),
        .trTeInstTracing (trTeInstTracing),
        .trTeEmpty_value (trTeEmpty_value),
        .trTeInstMode (trTeInstMode),
        .trTeInstStallOrOverflow_set (trTeInstStallOrOverflow_set),
        .trTeInstSyncMode (trTeInstSyncMode),
        .trTeInstSyncMax (trTeInstSyncMax),
        .twTakesBlocks_value (twTakesBlocks_value)
    );

    talon_m_unit_tip_atb trace_module (
        .atclk (clock),
        .atresetn (!reset),
        .tip_itype (tip_itype),
        .tip_iaddr (tip_iaddr),
        .tip_iretire (tip_iretire),
        .tip_ilastsize (tip_ilastsize),
        .stall (stall),
        .lost (lost),
        .drops (drops),
        .enable (enable),
        .discard (discard),
        .flush (1'b0),
        .flushed (flushed),
        .synchronised (synchronised),
        .buffered_words (buffered_words),
        .trace_id (trace_id),
        .atid (atid),
        .atdata (atdata),
        .atvalid (atvalid),
        .atready (atready),
        .syncreq (syncreq | sync_is_due),
        .afvalid (afvalid),
        .afready (afready)
    );

endmodule
