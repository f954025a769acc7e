// The small core with a trace module after its RVFI port or its trace ingress port, on memories that answer in the next
// clock. It stops at once.

module live_minimal (
    input  wire        clock,
    input  wire        reset,
    input  wire        hold,
    output wire        fetch_request,
    output wire [31:0] fetch_address,
    input  wire [63:0] fetch_data,
    input  wire [1:0]  fetch_error,
    output wire        data_request,
    output wire [31:0] data_address,
    output wire [3:0]  data_strobe,
    output wire [31:0] data_written,
    input  wire [31:0] data_read,
    input  wire        data_error,
    input  wire        timer_interrupt,
    output wire [1:0]  rvfi_valid,
    output wire [31:0] rvfi_insn_0,
    output wire [31:0] rvfi_insn_1,
    output wire [1:0]  rvfi_trap,
    output wire [1:0]  rvfi_intr,
    output wire [31:0] rvfi_pc_rdata_0,
    output wire [31:0] rvfi_pc_rdata_1,
    output wire [31:0] rvfi_pc_wdata_0,
    output wire [31:0] rvfi_pc_wdata_1,
    output wire        stall,
    output wire        lost
    `TRACE_PORTS
);

    localparam WIDTH = `CHANNELS;

    wire [63:0] rvfi_insn = {rvfi_insn_1, rvfi_insn_0};
    wire [63:0] rvfi_pc_rdata = {rvfi_pc_rdata_1, rvfi_pc_rdata_0};
    wire [63:0] rvfi_pc_wdata = {rvfi_pc_wdata_1, rvfi_pc_wdata_0};
    wire [3:0]  rvfi_mode;
    wire [7:0]  tip_itype;
    wire [63:0] tip_address;
    wire [1:0]  tip_iretire;
    wire [1:0]  tip_ilastsize;
    wire [1:0]  mode;
    wire [31:0] tip_cause;
    wire [31:0] tip_tval;

    assign fetch_request = 1'b1;

    minimal_core #(
        .WIDTH         (WIDTH),
        .RESET_ADDRESS (`BOOT_ADDRESS)
    ) core (
        .clock              (clock),
        .reset              (reset),
        .stop               (hold | stall),
        .timer_interrupt    (timer_interrupt),
        .external_interrupt (1'b0),
        .fetch_address      (fetch_address),
        .fetch_data         (fetch_data),
        .fetch_error        (fetch_error),
        .data_request       (data_request),
        .data_address       (data_address),
        .data_strobe        (data_strobe),
        .data_written       (data_written),
        .data_read          (data_read),
        .data_error         (data_error),
        .rvfi_valid         (rvfi_valid),
        .rvfi_insn          ({rvfi_insn_1, rvfi_insn_0}),
        .rvfi_trap          (rvfi_trap),
        .rvfi_intr          (rvfi_intr),
        .rvfi_mode          (rvfi_mode),
        .rvfi_pc_rdata      ({rvfi_pc_rdata_1, rvfi_pc_rdata_0}),
        .rvfi_pc_wdata      ({rvfi_pc_wdata_1, rvfi_pc_wdata_0}),
        .tip_itype          (tip_itype),
        .tip_iaddr          (tip_address),
        .tip_iretire        (tip_iretire),
        .tip_ilastsize      (tip_ilastsize),
        .tip_priv           (mode),
        .tip_cause          (tip_cause),
        .tip_tval           (tip_tval)
    );

    // As wide as a design may have the pins: the core has one context.
    wire [63:0] tip_iaddr_0 = {32'd0, tip_address[31:0]};
    wire [63:0] tip_iaddr_1 = {32'd0, tip_address[63:32]};
    wire [63:0] tip_priv = {62'd0, mode};
    wire [63:0] tip_context = 64'd0;
    wire [127:0] tip_iaddr = {64'd0, tip_iaddr_1} << `ADDRESS_WIDTH | {64'd0, tip_iaddr_0};

    `TRACE_MODULE trace (
        `TRACE_PINS
        .clock       (clock),
        .`RESET_PORT (`RESET_LEVEL reset)
    );

`ifndef TRACE_WAITS
    // The trace counts what is lost, and the core never waits for it.
    assign stall = 1'b0;
    assign lost  = 1'b0;
`endif

endmodule
