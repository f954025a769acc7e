// CVA6 as on the board of testbench/live/cva6.sv, alone, with its retirement port left open: nothing of it is in the figures.
// Its reset is an input as it is, because Yosys would invert another one for every flip-flop again.

module cva6_core (
    input  wire                 clock,
    input  wire                 reset_n,
    input  wire [63:0]          boot_address,
    input  wire                 timer_interrupt,
    output ariane_axi::req_t    request,
    input  ariane_axi::resp_t   response
);

    cva6 #(
        .ArianeCfg(cva6_board_pkg::CONFIG)
    ) core (
        .clk_i       (clock),
        .rst_ni      (reset_n),
        .boot_addr_i (boot_address),
        .hart_id_i   (64'd0),
        .irq_i       (2'd0),
        .ipi_i       (1'b0),
        .time_irq_i  (timer_interrupt),
        .debug_req_i (1'b0),
        .rvfi_o      (),
        .cvxif_req_o (),
        .cvxif_resp_i('0),
        .axi_req_o   (request),
        .axi_resp_i  (response)
    );

endmodule
