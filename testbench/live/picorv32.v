// PicoRV32 with a trace module after its RVFI port, on a bus that answers in the next cycle. It stops where it
// waits for the bus: what is stalled is not the core's clock but the answer.

module live_picorv32 (
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

    wire        mem_valid;
    wire        mem_instr;
    wire [31:0] mem_addr;
    reg         asked;
    wire        stopped = hold | stall;
    wire        mem_ready = asked & !stopped;
    wire        request = mem_valid & !asked & !stopped;
    // It knows no bus errors.
    wire        unused = data_error;

    always @(posedge clock)
        if (reset)
            asked <= 1'b0;
        else
            asked <= request | (asked & stopped);

    assign fetch_request = request & mem_instr;
    assign fetch_address = mem_addr;
    assign data_request = request & !mem_instr;
    assign data_address = mem_addr;

    picorv32 #(
        .COMPRESSED_ISA (1),
        .ENABLE_MUL     (1),
        .ENABLE_DIV     (1),
        .BARREL_SHIFTER (1),
        .ENABLE_IRQ     (1),
        .LATCHED_IRQ    (32'h0000_0007),
        .PROGADDR_RESET (`BOOT_ADDRESS),
        .PROGADDR_IRQ   (`INTERRUPT_ADDRESS)
    ) core (
        .clk           (clock),
        .resetn        (!reset),
        .mem_valid     (mem_valid),
        .mem_instr     (mem_instr),
        .mem_ready     (mem_ready),
        .mem_addr      (mem_addr),
        .mem_wdata     (data_written),
        .mem_wstrb     (data_strobe),
        .mem_rdata     (mem_instr ? fetch_data : data_read),
        .pcpi_wr       (1'b0),
        .pcpi_rd       (32'd0),
        .pcpi_wait     (1'b0),
        .pcpi_ready    (1'b0),
        .irq           ({28'd0, timer_interrupt, 3'd0}),
        .rvfi_valid    (rvfi_valid),
        .rvfi_insn     (rvfi_insn),
        .rvfi_trap     (rvfi_trap),
        .rvfi_intr     (rvfi_intr),
        .rvfi_pc_rdata (rvfi_pc_rdata),
        .rvfi_pc_wdata (rvfi_pc_wdata)
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
