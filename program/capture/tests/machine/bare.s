# A program for the machine level alone: system calls, a timer's interrupts, a wait for one, and the end.

    .global _start
_start:
    la t0, handler
    csrw mtvec, t0
    li t0, 0x80
    csrs mie, t0
    li s0, 0x2004000 # the time of the next interrupt
    li s1, 0x200bff8 # the time
    lw t1, (s1)
    addi t1, t1, 200
    sw t1, (s0)
    csrsi mstatus, 8
    li s3, 0
work:
    addi s4, s4, 1
    andi t2, s4, 7
    bnez t2, check
    ecall
check:
    # A loop to itself: with -icount its block is cut before an interrupt, after any number of its instructions.
    li t6, 4
    j again
again:
    addi t6, t6, -1
    xor s5, s5, t6
    bnez t6, again
    li t3, 12
    blt s3, t3, work
    wfi
    li t0, 0x100000
    li t1, 0x5555
    sw t1, (t0)
end:
    j end
    .align 2
handler:
    csrr t4, mcause
    bltz t4, timer
    csrr t5, mepc
    addi t5, t5, 4
    csrw mepc, t5
    mret
timer:
    addi s3, s3, 1
    lw t4, (s1)
    addi t4, t4, 200
    sw t4, (s0)
    mret
