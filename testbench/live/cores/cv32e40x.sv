// CV32E40X. fetch_enable_i is read once after the reset, so its buses stop granting requests: what is in its prefetch
// buffer and pipeline still retires.
module core (
`include "port.svh"
);
    wire       store, instr_req, data_req;
    wire [3:0] lanes;
    reg        fetched, accessed;
    always @(posedge clock) begin
        fetched <= fetch_request;
        accessed <= data_request;
    end
    assign fetch_request = instr_req & !hold & !reset;
    assign data_request = data_req & !hold & !reset;
    assign data_strobe = store ? lanes : 4'd0;
`ifdef DEBUG
    // A debugger halts it once; the program's debug code steps from there on.
    reg  [11:0] retired;
    wire        debug_halted;
    reg         stepping;
    wire        debug_request = retired == 12'hfff & !stepping;
    always @(posedge clock)
        if (reset)
            {stepping, retired} <= 13'd0;
        else if (debug_halted)
            stepping <= 1'b1;
        else if (valid & !debug_request)
            retired <= retired + 12'd1;
`else
    wire        debug_halted;
    wire        debug_request = 1'b0;
`endif
    if_xif xif ();

    cv32e40x_wrapper cv32e40x (
        .clk_i(clock), .rst_ni(!reset), .scan_cg_en_i(1'b0), .boot_addr_i(`MEMORY), .mtvec_addr_i(`MEMORY),
        .dm_halt_addr_i(`MEMORY + 32'h40), .mhartid_i(32'd0), .mimpid_patch_i(4'd0), .dm_exception_addr_i(`MEMORY),
        .instr_req_o(instr_req), .instr_gnt_i(!hold), .instr_rvalid_i(fetched), .instr_addr_o(fetch_address),
        .instr_rdata_i(fetch_data), .instr_err_i(1'b0),
        .data_req_o(data_req), .data_gnt_i(!hold), .data_rvalid_i(accessed), .data_we_o(store), .data_be_o(lanes),
        .data_addr_o(data_address), .data_wdata_o(data_written), .data_rdata_i(data_read), .data_err_i(1'b0),
        .data_exokay_i(1'b0),
        .xif_compressed_if(xif), .xif_issue_if(xif), .xif_commit_if(xif), .xif_mem_if(xif), .xif_mem_result_if(xif),
        .xif_result_if(xif),
        .irq_i({24'd0, timer_interrupt, 7'd0}), .wu_wfe_i(1'b0), .clic_irq_i(1'b0), .clic_irq_id_i('0),
        .clic_irq_level_i(8'd0), .clic_irq_priv_i(2'd3), .clic_irq_shv_i(1'b0), .fencei_flush_ack_i(1'b1),
        .debug_req_i(debug_request), .debug_halted_o(debug_halted), .fetch_enable_i(1'b1)
    );
    // Its wrapper has the port inside, as a module beside the core.
    assign valid = cv32e40x.rvfi_i.rvfi_valid;
    assign word = cv32e40x.rvfi_i.rvfi_insn;
    assign pc = cv32e40x.rvfi_i.rvfi_pc_rdata;
    assign next_pc = cv32e40x.rvfi_i.rvfi_pc_wdata;
    assign trap = cv32e40x.rvfi_i.rvfi_trap.exception;
    assign interrupt = cv32e40x.rvfi_i.rvfi_intr.intr;
    assign compressed = word[1:0] != 2'b11;
    assign number = 3'd0;
endmodule
