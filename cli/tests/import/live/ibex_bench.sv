// Shows Ibex' tracer an instruction per cycle: words and addresses from the file `words`.
module tracer_bench;
    reg clock = 1'b0;
    reg valid = 1'b0;
    reg [31:0] word, address;
    integer file, count;
    reg [31:0] next_word, next_address;
    ibex_tracer tracer (
        .clk_i(clock), .rst_ni(1'b1), .hart_id_i(32'd0), .rvfi_valid(valid), .rvfi_order(64'd0), .rvfi_insn(word),
        .rvfi_trap(1'b0), .rvfi_halt(1'b0), .rvfi_intr(1'b0), .rvfi_mode(2'd3), .rvfi_ixl(2'd1),
        .rvfi_rs1_addr(5'd0), .rvfi_rs2_addr(5'd0), .rvfi_rs3_addr(5'd0), .rvfi_rs1_rdata(32'd0),
        .rvfi_rs2_rdata(32'd0), .rvfi_rs3_rdata(32'd0), .rvfi_rd_addr(5'd0), .rvfi_rd_wdata(32'd0),
        .rvfi_pc_rdata(address), .rvfi_pc_wdata(32'd0), .rvfi_mem_addr(32'd16), .rvfi_mem_rmask(4'd0),
        .rvfi_mem_wmask(4'd0), .rvfi_mem_rdata(32'd0), .rvfi_mem_wdata(32'd0)
    );
    initial begin
        file = $fopen("words", "r");
        count = $fscanf(file, "%h %h", next_word, next_address);
        valid = 1'b1;
        while (count == 2) begin
            word = next_word;
            address = next_address;
            #1 clock = 1'b1;
            #1 clock = 1'b0;
            count = $fscanf(file, "%h %h", next_word, next_address);
        end
        $finish;
    end
endmodule
