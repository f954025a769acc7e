// A small RV32I core with machine and user mode, written for tests of trace modules: an instruction is fetched in one
// clock and executed in the next, loads and stores take one clock more. With WIDTH 2 it retires a second instruction in
// the clock of a first one that neither jumps, traps nor uses memory or system registers.
//
// Memory answers in the clock after a request and holds the answer until the next one. fetch_data and fetch_error are
// the words at fetch_address (lower half) and after it. In a cycle with stop high nothing retires.
//
// What it does stands on two ports in the same cycle. RVFI is that of riscv-formal: an instruction that traps is valid
// with rvfi_trap, with rvfi_insn 0 if it could not be fetched; the first instruction of a handler has rvfi_intr. The trace
// ingress port (TIP) has a block of one instruction for each channel; an exception or interrupt is a block of none.

module minimal_core #(
    parameter        WIDTH = 1,
    parameter [31:0] RESET_ADDRESS = 32'h0,
    parameter [31:0] TRAP_ADDRESS = 32'h0
) (
    input  wire        clock,
    input  wire        reset,
    input  wire        stop,
    input  wire        timer_interrupt,
    input  wire        external_interrupt,
    output wire [31:0] fetch_address,
    input  wire [63:0] fetch_data,
    input  wire [1:0]  fetch_error,
    output wire        data_request,
    output wire [31:0] data_address,
    output wire [3:0]  data_strobe,
    output wire [31:0] data_written,
    input  wire [31:0] data_read,
    input  wire        data_error,
    output wire [1:0]  rvfi_valid,
    output wire [63:0] rvfi_insn,
    output wire [1:0]  rvfi_trap,
    output wire [1:0]  rvfi_intr,
    output wire [3:0]  rvfi_mode,
    output wire [63:0] rvfi_pc_rdata,
    output wire [63:0] rvfi_pc_wdata,
    output wire [7:0]  tip_itype,
    output wire [63:0] tip_iaddr,
    output wire [1:0]  tip_iretire,
    output wire [1:0]  tip_ilastsize,
    output wire [1:0]  tip_priv,
    output wire [31:0] tip_cause,
    output wire [31:0] tip_tval
);

    localparam [1:0] MACHINE = 2'd3;
    localparam [3:0] ITYPE_EXCEPTION = 4'd1, ITYPE_INTERRUPT = 4'd2;

    reg [31:0] registers [1:31];
    reg [31:0] pc, mepc, mcause, mtval, mscratch, mtvec, mie;
    reg [1:0]  mode, mpp;
    reg        interrupts_on, previous_on;
    reg        fetched;    // fetch_data is the instruction at pc
    reg        accessed;   // data_read is the answer to the load or store at pc
    reg        is_entered; // the next instruction is the first of a handler

    // The two instructions.
    wire [31:0] insn0 = fetch_error[0] ? 32'd0 : fetch_data[31:0];
    wire [31:0] insn1 = fetch_error[1] ? 32'd0 : fetch_data[63:32];
    wire [31:0] pc1 = pc + 32'd4;
    wire        writes0, memory0, system0, jumps0, trap0, writes1, memory1, system1, trap1, unused_jumps;
    wire [31:0] result0, next0, tval0, result1, next1, tval1;
    wire [3:0]  cause0, itype0, cause1, itype1;

    wire [31:0] rs1_0 = insn0[19:15] == 5'd0 ? 32'd0 : registers[insn0[19:15]];
    wire [31:0] rs2_0 = insn0[24:20] == 5'd0 ? 32'd0 : registers[insn0[24:20]];
    wire [31:0] rs1_1 = insn1[19:15] == 5'd0 ? 32'd0 :
        writes0 && insn1[19:15] == insn0[11:7] ? result0 : registers[insn1[19:15]];
    wire [31:0] rs2_1 = insn1[24:20] == 5'd0 ? 32'd0 :
        writes0 && insn1[24:20] == insn0[11:7] ? result0 : registers[insn1[24:20]];

    // Control and status registers: their values, and what an instruction makes of them.
    wire [31:0] mip = {20'd0, external_interrupt, 3'd0, timer_interrupt, 7'd0};
    wire [31:0] mstatus = {19'd0, mpp, 3'd0, previous_on, 3'd0, interrupts_on, 3'd0};
    reg  [31:0] csr;
    reg         csr_is_there;
    always @(*) begin
        csr_is_there = mode == MACHINE;
        case (insn0[31:20])
            12'h300: csr = mstatus;
            12'h304: csr = mie;
            12'h305: csr = mtvec;
            12'h340: csr = mscratch;
            12'h341: csr = mepc;
            12'h342: csr = mcause;
            12'h343: csr = mtval;
            12'h344: csr = mip;
            default: begin
                csr = 32'd0;
                csr_is_there = 1'b0;
            end
        endcase
    end
    wire [31:0] operand = insn0[14] ? {27'd0, insn0[19:15]} : rs1_0;
    wire [31:0] csr_next = insn0[13:12] == 2'd1 ? operand : insn0[12] ? csr & ~operand : csr | operand;

    minimal_instruction first (
        .insn(insn0), .fetch_error(fetch_error[0]), .pc(pc), .rs1(rs1_0), .rs2(rs2_0), .mode(mode),
        .csr(csr), .csr_is_there(csr_is_there), .mepc(mepc), .data_read(data_read), .data_error(accessed & data_error),
        .data_address(data_address), .data_strobe(data_strobe), .data_written(data_written),
        .writes(writes0), .is_memory(memory0), .is_system(system0), .jumps(jumps0), .result(result0), .next_pc(next0),
        .trap(trap0), .cause(cause0), .tval(tval0), .itype(itype0)
    );

    wire [31:0] unused_address, unused_written;
    wire [3:0]  unused_strobe;
    minimal_instruction second (
        .insn(insn1), .fetch_error(fetch_error[1]), .pc(pc1), .rs1(rs1_1), .rs2(rs2_1), .mode(mode),
        .csr(32'd0), .csr_is_there(1'b0), .mepc(32'd0), .data_read(32'd0), .data_error(1'b0),
        .data_address(unused_address), .data_strobe(unused_strobe), .data_written(unused_written),
        .writes(writes1), .is_memory(memory1), .is_system(system1), .jumps(unused_jumps), .result(result1), .next_pc(next1),
        .trap(trap1), .cause(cause1), .tval(tval1), .itype(itype1)
    );

    // What happens in this cycle: an interrupt, a request to memory, or one or two instructions end.
    wire run = fetched & !stop & !reset;
    wire is_interrupt = run & !accessed & (mode != MACHINE | interrupts_on) & |(mip & mie);
    assign data_request = run & !accessed & !is_interrupt & memory0 & !trap0;
    wire end0 = run & !is_interrupt & !data_request;
    wire end1 = end0 & WIDTH == 2 & !trap0 & !jumps0 & !memory0 & !system0 & !memory1 & !system1;
    wire trap = end0 & trap0 | end1 & trap1;

    wire [31:0] next_pc = is_interrupt | trap ? mtvec : end1 ? next1 : end0 ? next0 : pc;
    assign fetch_address = next_pc;
    wire [31:0] interrupt_cause = {28'h8000_000, mip[11] & mie[11] ? 4'd11 : 4'd7};
    wire [31:0] cause = is_interrupt ? interrupt_cause : {28'd0, end1 ? cause1 : cause0};
    wire [31:0] tval = is_interrupt ? 32'd0 : end1 ? tval1 : tval0;

    always @(posedge clock) begin
        fetched <= !reset;
        pc <= next_pc;
        accessed <= data_request | (accessed & !end0);
        if (end0 & writes0 & !trap0)
            registers[insn0[11:7]] <= result0;
        if (end1 & writes1 & !trap1)
            registers[insn1[11:7]] <= result1;
        if (end0)
            is_entered <= 1'b0;
        if (end0 & system0 & !trap0) begin
            if (insn0[14:12] == 3'd0 && itype0 == 4'd3) begin
                mode <= mpp;
                mpp <= 2'd0;
                interrupts_on <= previous_on;
                previous_on <= 1'b1;
            end else if (insn0[14:12] != 3'd0) begin
                case (insn0[31:20])
                    12'h300: begin
                        {previous_on, interrupts_on} <= {csr_next[7], csr_next[3]};
                        mpp <= {2{csr_next[12] & csr_next[11]}};
                    end
                    12'h304: mie <= csr_next & 32'h0000_0880;
                    12'h305: mtvec <= csr_next & ~32'd3;
                    12'h340: mscratch <= csr_next;
                    12'h341: mepc <= csr_next & ~32'd3;
                    12'h342: mcause <= csr_next;
                    12'h343: mtval <= csr_next;
                    default: ;
                endcase
            end
        end
        if (is_interrupt | trap) begin
            is_entered <= 1'b1;
            mepc <= end1 ? pc1 : pc;
            mcause <= cause;
            mtval <= tval;
            {mpp, mode} <= {mode, MACHINE};
            {previous_on, interrupts_on} <= {interrupts_on, 1'b0};
        end
        if (reset) begin
            pc <= RESET_ADDRESS;
            {accessed, is_entered, interrupts_on, previous_on} <= 4'd0;
            {mode, mpp} <= {MACHINE, 2'd0};
            mtvec <= TRAP_ADDRESS;
            {mepc, mcause, mtval, mscratch, mie} <= 160'd0;
        end
    end

    assign rvfi_valid = {end1, end0};
    assign rvfi_insn = {insn1, insn0};
    assign rvfi_trap = {end1 & trap1, end0 & trap0};
    assign rvfi_intr = {1'b0, end0 & is_entered};
    assign rvfi_mode = {2{mode}};
    assign rvfi_pc_rdata = {pc1, pc};
    assign rvfi_pc_wdata = {next_pc, end1 ? pc1 : next_pc};

    wire [3:0] tip0 = is_interrupt ? ITYPE_INTERRUPT : trap0 ? ITYPE_EXCEPTION : itype0;
    assign tip_itype = {end1 ? trap1 ? ITYPE_EXCEPTION : itype1 : 4'd0, end0 | is_interrupt ? tip0 : 4'd0};
    assign tip_iaddr = {pc1, pc};
    assign tip_iretire = {end1 & !trap1, end0 & !trap0};
    assign tip_ilastsize = 2'b11;
    assign tip_priv = mode;
    assign tip_cause = {28'd0, cause[3:0]};
    assign tip_tval = tval;

endmodule
