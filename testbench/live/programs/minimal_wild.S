# Calls through a table of functions that the program itself overwrites, without a handler: it crashes for ever.
    .text
    .globl _start
_start:
    csrw mtvec, zero
    la sp, 0x28000
    la s0, table
    li s1, 100
1:  andi t0, s1, 12
    add t0, t0, s0
    lw t0, 0(t0)
    jalr t0
    addi s1, s1, -1
    bnez s1, 1b
    # One entry too many.
    sw zero, 0(s0)
    lw t0, 0(s0)
    jalr t0
2:  j 2b

first:
    addi a0, a0, 1
    ret
second:
    addi sp, sp, -16
    sw ra, 0(sp)
    call first
    lw ra, 0(sp)
    addi sp, sp, 16
    ret
third:
    andi t1, s1, 3
    beqz t1, 3f
    tail second
3:  ret

    .data
    .balign 4
table:
    .word first, second, third, second
