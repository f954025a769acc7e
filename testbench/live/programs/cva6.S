# CVA6's traps are RISC-V's, at one address: the cause says which.
    .text
    .globl _start
_start:
    la sp, 0x90000
    la t0, trap
    csrw mtvec, t0
    li t0, 1 << 7
    csrs mie, t0
    csrsi mstatus, 1 << 3
    j program

    .balign 4
trap:
    addi sp, sp, -128
    sd ra, 0(sp)
    sd t0, 8(sp)
    sd t1, 16(sp)
    sd t2, 24(sp)
    sd a0, 32(sp)
    sd a1, 40(sp)
    sd a2, 48(sp)
    sd a3, 56(sp)
    sd a4, 64(sp)
    sd a5, 72(sp)
    sd a6, 80(sp)
    sd a7, 88(sp)
    sd t3, 96(sp)
    sd t4, 104(sp)
    sd t5, 112(sp)
    sd t6, 120(sp)
    csrr t0, mcause
    li a0, 1 << 3
    bltz t0, 3f
    # The instruction is passed over: its lowest two bits say how long it is.
    csrr t2, mepc
    lbu t1, 0(t2)
    andi t1, t1, 3
    addi t2, t2, 2
    addi t1, t1, -3
    bnez t1, 1f
    addi t2, t2, 2
1:  csrw mepc, t2
    # A word across others: it has no bus errors.
    li a0, 1 << 2
    li t1, 4
    beq t0, t1, 3f
    li a0, 1 << 1
3:  call interrupt
    ld ra, 0(sp)
    ld t0, 8(sp)
    ld t1, 16(sp)
    ld t2, 24(sp)
    ld a0, 32(sp)
    ld a1, 40(sp)
    ld a2, 48(sp)
    ld a3, 56(sp)
    ld a4, 64(sp)
    ld a5, 72(sp)
    ld a6, 80(sp)
    ld a7, 88(sp)
    ld t3, 96(sp)
    ld t4, 104(sp)
    ld t5, 112(sp)
    ld t6, 120(sp)
    addi sp, sp, 128
    mret
