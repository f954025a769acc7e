// PicoRV32. It has no input that stops it: its bus is not answered, and what it has fetched still retires.
module core (
`include "port.svh"
);
    wire        mem_valid, mem_instr;
    wire [31:0] mem_addr;
    wire [3:0]  mem_wstrb;
    reg         asked;
    wire        request = mem_valid & !asked & !hold;
    always @(posedge clock)
        asked <= !reset & (request | (asked & hold));

    assign fetch_request = request & mem_instr;
    assign fetch_address = mem_addr;
    assign data_request = request & !mem_instr;
    assign data_address = mem_addr;
    assign data_strobe = mem_wstrb;

    picorv32 #(
        .COMPRESSED_ISA(1), .ENABLE_MUL(1), .ENABLE_DIV(1), .BARREL_SHIFTER(1), .ENABLE_IRQ(1),
        .LATCHED_IRQ(32'h0000_0007), .PROGADDR_RESET(`MEMORY), .PROGADDR_IRQ(`MEMORY + 32'h10)
    ) picorv32 (
        .clk(clock), .resetn(!reset), .mem_valid(mem_valid), .mem_instr(mem_instr), .mem_ready(asked & !hold),
        .mem_addr(mem_addr), .mem_wdata(data_written), .mem_wstrb(mem_wstrb),
        .mem_rdata(mem_instr ? fetch_data : data_read),
        .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0), .pcpi_ready(1'b0), .irq({28'd0, timer_interrupt, 3'd0}),
        .rvfi_valid(valid), .rvfi_insn(word), .rvfi_trap(trap), .rvfi_intr(interrupt), .rvfi_pc_rdata(pc),
        .rvfi_pc_wdata(next_pc)
    );
    assign compressed = word[1:0] != 2'b11;
    assign number = 3'd0;
endmodule
