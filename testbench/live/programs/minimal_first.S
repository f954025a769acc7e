# The first instruction traps, where the handler of reset is the instruction after it; so does the last one, for ever.
    .text
    .globl _start
_start:
    .word 0
    la t0, again
    csrw mtvec, t0
    li s0, 50
1:  addi s0, s0, -1
    bnez s0, 1b
again:
    ecall
