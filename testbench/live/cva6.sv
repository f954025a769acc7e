// CVA6 with a trace module after its two commit ports, on a memory that answers AXI in the next cycle. It stops by a
// gate in its clock, so nothing retires from the next clock on.

module live_cva6 (
    input  wire        clock,
    input  wire        reset,
    input  wire        hold,
    output wire        data_request,
    output wire [63:0] data_address,
    output wire [7:0]  data_strobe,
    output wire [63:0] data_written,
    input  wire [63:0] data_read,
    input  wire        data_error,
    input  wire        timer_interrupt,
    output wire [1:0]  rvfi_valid,
    output wire [31:0] rvfi_insn_0,
    output wire [31:0] rvfi_insn_1,
    output wire [1:0]  rvfi_trap,
    output wire [1:0]  rvfi_intr,
    output wire [63:0] rvfi_pc_rdata_0,
    output wire [63:0] rvfi_pc_rdata_1,
    output wire [63:0] rvfi_pc_wdata_0,
    output wire [63:0] rvfi_pc_wdata_1,
    output wire        stall,
    output wire        lost
    `TRACE_PORTS
);

    // The gate is open for the high half of a clock only if it was before.
    reg  running;
    wire core_clock = clock & running;

    always_latch
        if (!clock)
            running = reset | !(hold | stall);

    ariane_axi::req_t            request;
    ariane_axi::resp_t           response;
    ariane_rvfi_pkg::rvfi_port_t committed;
    wire                         accessed;
    wire [1:0]                   valid;

    assign data_request = accessed & running;
    assign rvfi_valid = valid & {2{running & !reset}};

    cva6 #(
        .ArianeCfg (cva6_board_pkg::CONFIG)
    ) core (
        .clk_i        (core_clock),
        .rst_ni       (!reset),
        .boot_addr_i  (64'(`BOOT_ADDRESS)),
        .hart_id_i    (64'd0),
        .irq_i        (2'd0),
        .ipi_i        (1'b0),
        .time_irq_i   (timer_interrupt),
        .debug_req_i  (1'b0),
        .rvfi_o       (committed),
        .cvxif_req_o  (),
        .cvxif_resp_i ('0),
        .axi_req_o    (request),
        .axi_resp_i   (response)
    );

    cva6_memory memory (
        .clock        (core_clock),
        .reset        (reset),
        .request      (request),
        .response     (response),
        .data_request (accessed),
        .data_address (data_address),
        .data_strobe  (data_strobe),
        .data_written (data_written),
        .data_read    (data_read),
        .data_error   (data_error)
    );

    // What the port does not say is taken from inside the core.
    cva6_rvfi rvfi (
        .clock         (core_clock),
        .reset         (reset),
        .committed     ({committed[1].valid, committed[0].valid}),
        .exception     (core.ex_commit.valid),
        .interrupt     (core.ex_commit.cause[63]),
        .insn          ({committed[1].insn, committed[0].insn}),
        .pc            ({committed[1].pc_rdata, committed[0].pc_rdata}),
        .resolved      ({core.commit_instr_id_commit[1].fu == ariane_pkg::CTRL_FLOW,
                         core.commit_instr_id_commit[0].fu == ariane_pkg::CTRL_FLOW}),
        .target        ({core.commit_instr_id_commit[1].bp.predict_address,
                         core.commit_instr_id_commit[0].bp.predict_address}),
        .rvfi_valid    (valid),
        .rvfi_insn     ({rvfi_insn_1, rvfi_insn_0}),
        .rvfi_trap     (rvfi_trap),
        .rvfi_intr     (rvfi_intr),
        .rvfi_pc_rdata ({rvfi_pc_rdata_1, rvfi_pc_rdata_0}),
        .rvfi_pc_wdata ({rvfi_pc_wdata_1, rvfi_pc_wdata_0})
    );

    `TRACE_MODULE trace (
        `TRACE_PINS
        .clock         (clock),
        .`RESET_PORT   (`RESET_LEVEL reset),
        .rvfi_valid    (rvfi_valid),
        .rvfi_insn     ({rvfi_insn_1, rvfi_insn_0}),
        .rvfi_trap     (rvfi_trap),
        .rvfi_intr     (rvfi_intr),
        .rvfi_pc_rdata ({rvfi_pc_rdata_1[`ADDRESS_WIDTH-1:0], rvfi_pc_rdata_0[`ADDRESS_WIDTH-1:0]}),
        .rvfi_pc_wdata ({rvfi_pc_wdata_1[`ADDRESS_WIDTH-1:0], rvfi_pc_wdata_0[`ADDRESS_WIDTH-1:0]})
    );

`ifndef TRACE_WAITS
    // The trace counts what is lost, and the core never waits for it.
    assign stall = 1'b0;
    assign lost  = 1'b0;
`endif

endmodule
