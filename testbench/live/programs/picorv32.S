# PicoRV32's own interrupts: it goes to 0x10010 with the return address in q0 and what is pending in q1.
    .macro getq destination, source
    .insn r 0x0b, 0, 0, \destination, \source, x0
    .endm
    .macro retirq
    .insn r 0x0b, 0, 2, x0, x0, x0
    .endm
    .macro maskirq destination, source
    .insn r 0x0b, 0, 3, \destination, \source, x0
    .endm

    .text
    .globl _start
_start:
    j start
    .org 0x10
    addi sp, sp, -64
    sw ra, 0(sp)
    sw t0, 4(sp)
    sw t1, 8(sp)
    sw t2, 12(sp)
    sw a0, 16(sp)
    sw a1, 20(sp)
    sw a2, 24(sp)
    sw a3, 28(sp)
    sw a4, 32(sp)
    sw a5, 36(sp)
    sw a6, 40(sp)
    sw a7, 44(sp)
    sw t3, 48(sp)
    sw t4, 52(sp)
    sw t5, 56(sp)
    sw t6, 60(sp)
    getq a0, x1
    call interrupt
    lw ra, 0(sp)
    lw t0, 4(sp)
    lw t1, 8(sp)
    lw t2, 12(sp)
    lw a0, 16(sp)
    lw a1, 20(sp)
    lw a2, 24(sp)
    lw a3, 28(sp)
    lw a4, 32(sp)
    lw a5, 36(sp)
    lw a6, 40(sp)
    lw a7, 44(sp)
    lw t3, 48(sp)
    lw t4, 52(sp)
    lw t5, 56(sp)
    lw t6, 60(sp)
    addi sp, sp, 64
    retirq

start:
    li sp, 0x90000
    maskirq x0, x0
    j program
