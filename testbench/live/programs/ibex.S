# Ibex's traps are RISC-V's, vectored: exceptions go to the table's beginning, the timer interrupt to its entry 7.
    .text
    .globl _start
_start:
    la sp, 0x90000
    la t0, table
    csrw mtvec, t0
    li t0, 1 << 7
    csrs mie, t0
    csrsi mstatus, 1 << 3
    j program

    .macro save
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
    .endm

exception:
    save
    # The instruction is passed over: its lowest two bits say how long it is.
    csrr t0, mepc
    lbu t1, 0(t0)
    andi t1, t1, 3
    addi t0, t0, 2
    addi t1, t1, -3
    bnez t1, 1f
    addi t0, t0, 2
1:  csrw mepc, t0
    csrr t0, mcause
    li a0, 1 << 2
    li t1, 5
    beq t0, t1, 2f
    li a0, 1 << 1
2:  j restore

timer:
    save
    li a0, 1 << 3
restore:
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
    mret

    .balign 256
    .option norvc
table:
    j exception
    .rept 6
    j table
    .endr
    j timer
