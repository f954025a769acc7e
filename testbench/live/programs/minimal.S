# The small core's traps: one handler for all of them, in machine mode.
    .text
    .globl _start
_start:
    la sp, 0x28000
    la t0, trap
    csrw mtvec, t0
    li t0, 1 << 11 | 1 << 7
    csrw mie, t0
    csrsi mstatus, 1 << 3
    j program

    .balign 4
trap:
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
    csrr t0, mcause
    li a0, 1 << 3
    bltz t0, 2f
    csrr t1, mepc
    addi t1, t1, 4
    csrw mepc, t1
    # A word across others traps, too; the program counts the load of no memory.
    li a0, 0
    li t1, 4
    beq t0, t1, 2f
    li a0, 1 << 2
    addi t1, t1, 1
    beq t0, t1, 2f
    li a0, 1 << 1
2:  call interrupt
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
    mret
