// Start and traps of RV32 and RV64 cores with machine mode; -DPICORV32: with PicoRV32's own interrupts.
#if __riscv_xlen == 64
#define STORE sd
#define LOAD ld
#else
#define STORE sw
#define LOAD lw
#endif
#define AT(n) ((n) * (__riscv_xlen / 8))

    .macro save
    addi sp, sp, -AT(16)
    STORE ra, AT(0)(sp)
    STORE t0, AT(1)(sp)
    STORE t1, AT(2)(sp)
    STORE t2, AT(3)(sp)
    STORE a0, AT(4)(sp)
    STORE a1, AT(5)(sp)
    STORE a2, AT(6)(sp)
    STORE a3, AT(7)(sp)
    STORE a4, AT(8)(sp)
    STORE a5, AT(9)(sp)
    STORE a6, AT(10)(sp)
    STORE a7, AT(11)(sp)
    STORE t3, AT(12)(sp)
    STORE t4, AT(13)(sp)
    STORE t5, AT(14)(sp)
    STORE t6, AT(15)(sp)
    .endm

    .macro restore
    LOAD ra, AT(0)(sp)
    LOAD t0, AT(1)(sp)
    LOAD t1, AT(2)(sp)
    LOAD t2, AT(3)(sp)
    LOAD a0, AT(4)(sp)
    LOAD a1, AT(5)(sp)
    LOAD a2, AT(6)(sp)
    LOAD a3, AT(7)(sp)
    LOAD a4, AT(8)(sp)
    LOAD a5, AT(9)(sp)
    LOAD a6, AT(10)(sp)
    LOAD a7, AT(11)(sp)
    LOAD t3, AT(12)(sp)
    LOAD t4, AT(13)(sp)
    LOAD t5, AT(14)(sp)
    LOAD t6, AT(15)(sp)
    addi sp, sp, AT(16)
    .endm

    .section .first, "ax"
    .globl _start
    .option push
    .option norvc
_start:
    j start
    .org 0x10
    j handler
#ifdef DEBUG
    .org 0x40
    // Debug mode: every further instruction of the program is a step, and interrupts come between steps.
    csrw dscratch0, t0
    li t0, 1 << 11 | 1 << 2
    csrs dcsr, t0
    csrr t0, dscratch0
    dret
#endif
    .org 0x80
    j start
    .option pop

    .text
start:
    la sp, stack_end
#ifdef PICORV32
    .insn r 0x0b, 0, 3, x0, x0, x0 // maskirq x0, x0
#else
    la t0, table
    csrw mtvec, t0
    li t0, 1 << 7 | 1 << 11 // Sentinel's only interrupt is the external one
    csrs mie, t0
    csrsi mstatus, 1 << 3
#endif
    call program
1:  j 1b

#ifndef PICORV32
    // For cores that know only vectored traps.
    .balign 256
    .option push
    .option norvc
table:
    .rept 32
    j handler
    .endr
    .option pop
#endif

handler:
    save
#ifdef PICORV32
    .insn r 0x0b, 0, 0, a0, x1, x0 // getq a0, q1: what is pending
    call pico_trap
    restore
    .insn r 0x0b, 0, 2, x0, x0, x0 // retirq
#else
    csrr a0, mcause
#ifdef CODE_ALONE // the highest bit of mcause does not tell: docs/cores.md
    andi a0, a0, 15
    li t0, 11
    bne a0, t0, exception
#else
    bgez a0, exception
#endif
    call tick
    restore
    mret
exception:
    // The instruction is passed over: its lowest two bits say how long it is.
    csrr t0, mepc
    lhu t1, 0(t0)
    andi t1, t1, 3
    addi t0, t0, 2
    addi t1, t1, -3
    bnez t1, 1f
    addi t0, t0, 2
1:  csrw mepc, t0
    call trap
    restore
    mret
#endif
