// Ibex with a trace module after its RVFI port, on buses that answer in the next cycle: three pipeline stages, an
// instruction in most clocks. It stops by its input for that; what is in the pipeline still retires.

module live_ibex (
    input  wire        clock,
    input  wire        reset,
    input  wire        hold,
    output wire        fetch_request,
    output wire [31:0] fetch_address,
    input  wire [31:0] fetch_data,
    output wire        data_request,
    output wire [31:0] data_address,
    output wire [3:0]  data_strobe,
    output wire [31:0] data_written,
    input  wire [31:0] data_read,
    input  wire        data_error,
    input  wire        timer_interrupt,
    output wire        rvfi_valid,
    output wire [31:0] rvfi_insn,
    output wire        rvfi_trap,
    output wire        rvfi_intr,
    output wire [31:0] rvfi_pc_rdata,
    output wire [31:0] rvfi_pc_wdata,
    output wire        stall,
    output wire        lost
    `TRACE_PORTS
);

    wire       stopped = hold | stall;
    wire       store;
    wire [3:0] lanes;
    reg        fetched;
    reg        accessed;

    always @(posedge clock) begin
        fetched <= fetch_request & !reset;
        accessed <= data_request & !reset;
    end

    assign data_strobe = store ? lanes : 4'd0;

    ibex_top #(
        .WritebackStage  (1'b1),
        .BranchTargetALU (1'b1),
        .RV32M           (ibex_pkg::RV32MSingleCycle)
    ) core (
        .clk_i                (clock),
        .rst_ni               (!reset),
        .test_en_i            (1'b0),
        .ram_cfg_i            ('0),
        .hart_id_i            (32'd0),
        .boot_addr_i          (`BOOT_ADDRESS & 32'hffffff00),
        .instr_req_o          (fetch_request),
        .instr_gnt_i          (1'b1),
        .instr_rvalid_i       (fetched),
        .instr_addr_o         (fetch_address),
        .instr_rdata_i        (fetch_data),
        .instr_rdata_intg_i   (7'd0),
        .instr_err_i          (1'b0),
        .data_req_o           (data_request),
        .data_gnt_i           (1'b1),
        .data_rvalid_i        (accessed),
        .data_we_o            (store),
        .data_be_o            (lanes),
        .data_addr_o          (data_address),
        .data_wdata_o         (data_written),
        .data_rdata_i         (data_read),
        .data_rdata_intg_i    (7'd0),
        .data_err_i           (data_error),
        .irq_software_i       (1'b0),
        .irq_timer_i          (timer_interrupt),
        .irq_external_i       (1'b0),
        .irq_fast_i           (15'd0),
        .irq_nm_i             (1'b0),
        .scramble_key_valid_i (1'b0),
        .scramble_key_i       ('0),
        .scramble_nonce_i     ('0),
        .debug_req_i          (1'b0),
        .rvfi_valid           (rvfi_valid),
        .rvfi_insn            (rvfi_insn),
        .rvfi_trap            (rvfi_trap),
        .rvfi_intr            (rvfi_intr),
        .rvfi_pc_rdata        (rvfi_pc_rdata),
        .rvfi_pc_wdata        (rvfi_pc_wdata),
        .fetch_enable_i       (stopped ? ibex_pkg::IbexMuBiOff : ibex_pkg::IbexMuBiOn),
        .scan_rst_ni          (1'b1)
    );

    `TRACE_MODULE trace (
        `TRACE_PINS
        .clock         (clock),
        .`RESET_PORT   (`RESET_LEVEL reset),
        .rvfi_valid    (rvfi_valid),
        .rvfi_insn     (rvfi_insn),
        .rvfi_trap     (rvfi_trap),
        .rvfi_intr     (rvfi_intr),
        .rvfi_pc_rdata (rvfi_pc_rdata),
        .rvfi_pc_wdata (rvfi_pc_wdata)
    );

`ifndef TRACE_WAITS
    // The trace counts what is lost, and the core never waits for it.
    assign stall = 1'b0;
    assign lost  = 1'b0;
`endif

endmodule
