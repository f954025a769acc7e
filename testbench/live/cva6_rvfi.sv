// What CVA6 commits, as the RISC-V formal interface with two channels has it.
//
// CVA6's own port has no `pc_wdata` and no `intr`, is silent about `ebreak` and about interrupts, and shows a trap on
// both channels. An exception is always at the first channel, and neither channel commits in its cycle.

module cva6_rvfi (
    input  wire         clock,
    input  wire         reset,
    input  wire [1:0]   committed,
    // The instruction of the first channel does not commit; `interrupt`: it is not the reason.
    input  wire         exception,
    input  wire         interrupt,
    input  wire [63:0]  insn,
    input  wire [127:0] pc,
    // The branch unit was asked for the next address.
    input  wire [1:0]   resolved,
    input  wire [127:0] target,
    output wire [1:0]   rvfi_valid,
    output wire [63:0]  rvfi_insn,
    output wire [1:0]   rvfi_trap,
    output wire [1:0]   rvfi_intr,
    output wire [127:0] rvfi_pc_rdata,
    output wire [127:0] rvfi_pc_wdata
);

    // The next instruction is the first of a handler.
    reg handler;

    always @(posedge clock)
        if (reset)
            handler <= 1'b0;
        else
            handler <= exception | (handler & !rvfi_valid[0]);

    assign rvfi_valid = exception ? {1'b0, !interrupt} : committed;
    assign rvfi_trap = {1'b0, exception & !interrupt};
    assign rvfi_intr = {1'b0, handler};
    assign rvfi_insn = insn;
    assign rvfi_pc_rdata = pc;

    genvar i;

    for (i = 0; i < 2; i = i + 1) begin : next
        wire [63:0] length = insn[32*i +: 2] == 2'b11 ? 64'd4 : 64'd2;
        assign rvfi_pc_wdata[64*i +: 64] = resolved[i] ? target[64*i +: 64] : pc[64*i +: 64] + length;
    end

endmodule
