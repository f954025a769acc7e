// Ibex: fetch_enable_i lets no further instruction into decode; those in decode, write-back and the register of the
// port still retire.
module core (
`include "port.svh"
);
    wire       store;
    wire [3:0] lanes;
    reg        fetched, accessed;
    always @(posedge clock) begin
        fetched <= fetch_request & !reset;
        accessed <= data_request & !reset;
    end
    assign data_strobe = store ? lanes : 4'd0;

    ibex_top #(.WritebackStage(1'b1), .BranchTargetALU(1'b1), .RV32M(ibex_pkg::RV32MSingleCycle)) ibex (
        .clk_i(clock), .rst_ni(!reset), .test_en_i(1'b0), .ram_cfg_i('0), .hart_id_i(32'd0),
        .boot_addr_i(`MEMORY), .instr_req_o(fetch_request), .instr_gnt_i(1'b1), .instr_rvalid_i(fetched),
        .instr_addr_o(fetch_address), .instr_rdata_i(fetch_data), .instr_rdata_intg_i(7'd0), .instr_err_i(1'b0),
        .data_req_o(data_request), .data_gnt_i(1'b1), .data_rvalid_i(accessed), .data_we_o(store), .data_be_o(lanes),
        .data_addr_o(data_address), .data_wdata_o(data_written), .data_rdata_i(data_read), .data_rdata_intg_i(7'd0),
        .data_err_i(1'b0), .irq_software_i(1'b0), .irq_timer_i(timer_interrupt), .irq_external_i(1'b0),
        .irq_fast_i(15'd0), .irq_nm_i(1'b0), .scramble_key_valid_i(1'b0), .scramble_key_i('0),
        .scramble_nonce_i('0), .debug_req_i(1'b0), .scan_rst_ni(1'b1),
        .fetch_enable_i(hold ? ibex_pkg::IbexMuBiOff : ibex_pkg::IbexMuBiOn),
        .rvfi_valid(valid), .rvfi_insn(word), .rvfi_trap(trap), .rvfi_intr(interrupt), .rvfi_pc_rdata(pc),
        .rvfi_pc_wdata(next_pc)
    );
    assign compressed = word[1:0] != 2'b11;
    assign number = 3'd0;
endmodule
