// CVA6 with its two commit ports, on an AXI memory that answers in the next cycle. Its clock is stopped.
module core (
`include "port.svh"
);
    wire                         core_clock, running, accessed;
    wire [1:0]                   committing;
    wire [63:0]                  address;
    ariane_axi::req_t            request;
    ariane_axi::resp_t           response;
    ariane_rvfi_pkg::rvfi_port_t committed;
    hold_clock hold_clock (.clock(clock), .reset(reset), .hold(hold), .core_clock(core_clock), .running(running));
    assign fetch_request = 1'b0;
    assign fetch_address = 32'd0;
    assign data_request = accessed & running;
    assign data_address = address[31:0];
    assign valid = committing & {2{running & !reset}};

    cva6 #(.ArianeCfg(cva6_board_pkg::CONFIG)) cva6 (
        .clk_i(core_clock), .rst_ni(!reset), .boot_addr_i(64'(`MEMORY)), .hart_id_i(64'd0), .irq_i(2'd0), .ipi_i(1'b0),
        .time_irq_i(timer_interrupt), .debug_req_i(1'b0), .rvfi_o(committed), .cvxif_req_o(), .cvxif_resp_i('0),
        .axi_req_o(request), .axi_resp_i(response)
    );
    cva6_memory memory (
        .clock(core_clock), .reset(reset), .request(request), .response(response), .data_request(accessed),
        .data_address(address), .data_strobe(data_strobe), .data_written(data_written), .data_read(data_read),
        .data_error(1'b0)
    );
    // What its own port does not say is taken from inside.
    cva6_rvfi rvfi (
        .clock(core_clock), .reset(reset), .committed({committed[1].valid, committed[0].valid}),
        .exception(cva6.ex_commit.valid), .interrupt(cva6.ex_commit.cause[63]),
        .insn({committed[1].insn, committed[0].insn}), .pc({committed[1].pc_rdata, committed[0].pc_rdata}),
        .resolved({cva6.commit_instr_id_commit[1].fu == ariane_pkg::CTRL_FLOW,
                   cva6.commit_instr_id_commit[0].fu == ariane_pkg::CTRL_FLOW}),
        .target({cva6.commit_instr_id_commit[1].bp.predict_address,
                 cva6.commit_instr_id_commit[0].bp.predict_address}),
        .rvfi_valid(committing), .rvfi_insn(word), .rvfi_trap(trap), .rvfi_intr(interrupt), .rvfi_pc_rdata(pc),
        .rvfi_pc_wdata(next_pc)
    );
    assign compressed = 2'b00;
    assign number = 6'd0;
endmodule
