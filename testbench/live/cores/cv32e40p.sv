// CV32E40P. An instruction that leaves decode completes, so that stage is the port: the word there is expanded. Its
// buses stop granting requests.
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

    cv32e40p_top cv32e40p (
        .clk_i(clock), .rst_ni(!reset), .pulp_clock_en_i(1'b1), .scan_cg_en_i(1'b0), .boot_addr_i(`MEMORY),
        .mtvec_addr_i(`MEMORY), .dm_halt_addr_i(`MEMORY), .hart_id_i(32'd0), .dm_exception_addr_i(`MEMORY),
        .instr_req_o(instr_req), .instr_gnt_i(!hold), .instr_rvalid_i(fetched), .instr_addr_o(fetch_address),
        .instr_rdata_i(fetch_data),
        .data_req_o(data_req), .data_gnt_i(!hold), .data_rvalid_i(accessed), .data_we_o(store), .data_be_o(lanes),
        .data_addr_o(data_address), .data_wdata_o(data_written), .data_rdata_i(data_read),
        .irq_i({24'd0, timer_interrupt, 7'd0}), .debug_req_i(1'b0), .fetch_enable_i(1'b1)
    );
    assign valid = cv32e40p.core_i.id_stage_i.id_valid_o & cv32e40p.core_i.id_stage_i.is_decoding_o;
    assign pc = cv32e40p.core_i.id_stage_i.pc_id_i;
    assign word = cv32e40p.core_i.id_stage_i.instr;
    assign compressed = cv32e40p.core_i.id_stage_i.is_compressed_i;
    assign trap = cv32e40p.core_i.id_stage_i.illegal_insn_dec | cv32e40p.core_i.id_stage_i.ebrk_insn_dec |
        cv32e40p.core_i.id_stage_i.ecall_insn_dec;
    assign interrupt = 1'b0;
    assign next_pc = 32'd0;
    assign number = 3'd0;
endmodule
