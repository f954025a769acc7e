# Every way in which a program crashes, one after another, while a timer interrupts after a number of instructions
# that changes each time. The handler goes on at s0 in machine mode, and next time at s2.
#   s3 exceptions so far, s4 rounds left, s5 distance of the next interrupt, s10 and s11 the handler's own

    .equ TIMER, 0x10000018
    .equ EXIT, 0x10000004
    .equ NO_MEMORY, 0x40
    .equ ROUNDS, 3
    .equ CRASHES, 39

    # The exceptions up to `recover` are told where to go on.
    .macro crash
    la s0, 9f
    mv s2, s0
    .endm
    .macro recover
    .balign 4
9:  call work
    .endm
    # Goes on in user mode at the next instruction.
    .macro user
    la t0, 8f
    csrw mepc, t0
    li t0, 3 << 11
    csrc mstatus, t0
    mret
8:
    .endm

    .text
    .globl _start
_start:
    la sp, stack
    la t0, handler
    csrw mtvec, t0
    li t0, 1 << 11 | 1 << 7
    csrw mie, t0
    li s3, 0
    li s4, ROUNDS
    li s5, 3
    li t0, TIMER
    sw s5, 0(t0)
    csrsi mstatus, 1 << 3

round:
    # What is no instruction, in the code and where there is none.
    crash
    .word 0
    recover
    crash
    .word 0xffffffff
    recover
    crash
    .word 0x0000005b
    recover
    crash
    la t0, zeroed
    jr t0
    recover
    crash
    la t0, into_zeroed
    jalr t0
    recover
    crash
    la t0, truncated
    jr t0
    recover
    # Unmapped, odd and misaligned addresses: calls, jumps, returns and branches.
    crash
    li t0, NO_MEMORY
    jalr t0
    recover
    crash
    li t0, NO_MEMORY + 1
    jalr t0
    recover
    crash
    li t0, NO_MEMORY
    jr t0
    recover
    crash
    li ra, NO_MEMORY
    ret
    recover
    crash
    li t0, -4
    jalr t0
    recover
    crash
    li t0, 0x10000000
    jr t0
    recover
    crash
    la t0, work + 1
    jalr t0
    j 1f
    .word 0
1:  la t0, work + 2
    jalr t0
    recover
    crash
    la t0, work + 3
    jr t0
    recover
    crash
    la ra, work + 2
    ret
    recover
    crash
    .word 0x006000ef # jal ra, . + 6
    recover
    crash
    .word 0x0060006f # jal zero, . + 6
    recover
    crash
    .word 0x00000363 # beq zero, zero, . + 6
    recover
    # Data and environment.
    crash
    lw t0, 1(sp)
    recover
    crash
    sh t0, 1(sp)
    recover
    crash
    lw t0, NO_MEMORY(zero)
    recover
    crash
    sw t0, NO_MEMORY(zero)
    recover
    crash
    ecall
    recover
    crash
    ebreak
    recover
    crash
    csrr t0, 0x7c0
    recover
    # The first instruction after a jump, a call, a return, a branch.
    crash
    j 1f
    nop
1:  .word 0
    recover
    crash
    call wrong
    recover
    crash
    beqz zero, 1f
    nop
1:  ecall
    recover
    crash
    bnez zero, 9f
    ebreak
    recover
    # The first instruction after a handler: two exceptions one after the other.
    crash
    la s0, 1f
    ecall
1:  .word 0
    recover
    crash
    li s0, NO_MEMORY
    .word 0
    recover
    # A return from a trap to no memory, in both modes.
    crash
    li t0, NO_MEMORY
    csrw mepc, t0
    li t1, 3 << 11
    csrs mstatus, t1
    mret
    recover
    crash
    user
    nop
    jr zero
    recover
    # What user mode must not do.
    crash
    user
    call work
    csrr t0, mepc
    recover
    crash
    user
    mret
    recover
    crash
    user
    ecall
    recover
    # Faults in a handler.
    crash
    la t0, handler_that_jumps_away
    csrw mtvec, t0
    csrci mstatus, 1 << 3
    ecall
    recover
    csrsi mstatus, 1 << 3

    addi s4, s4, -1
    beqz s4, 1f
    j round
1:  li t0, ROUNDS * CRASHES
    sub s3, s3, t0
    li t0, TIMER
    sw zero, 0(t0)
    li t0, EXIT
    sw s3, 0(t0)
2:  j 2b

wrong:
    .word 0xffffffff
    ret

# Calls, a loop and a branch that is hard to predict.
work:
    addi sp, sp, -16
    sw ra, 0(sp)
    xor t0, s3, s4
    andi t0, t0, 7
    addi t0, t0, 1
1:  andi t1, t0, 1
    beqz t1, 2f
    call leaf
2:  addi t0, t0, -1
    bnez t0, 1b
    lw ra, 0(sp)
    addi sp, sp, 16
    ret
leaf:
    addi t2, t2, 3
    ret

    .balign 4
handler_that_jumps_away:
    la s10, handler
    csrw mtvec, s10
    li s10, NO_MEMORY
    jr s10

    .balign 4
handler:
    csrr s10, mcause
    bltz s10, interrupted
    addi s3, s3, 1
    csrw mepc, s0
    mv s0, s2
    # Where it goes on is machine mode.
    li s10, 3 << 11
    csrs mstatus, s10
    mret
interrupted:
    # Distances from 1 to 60 instructions, the handler's last three among them: also right after the return.
    addi s5, s5, 7
    li s10, 60
    ble s5, s10, 1f
    addi s5, s5, -60
1:  li s10, TIMER
    sw s5, 0(s10)
    mret

    # Runs into zeroed memory.
    .section .edge, "ax"
into_zeroed:
    nop
    addi t0, t0, 1

    .section .zeroed, "aw", @nobits
zeroed:
    .space 64
    .space 1024
stack:

    # The file has half of the last word of memory.
    .section .last, "ax"
    nop
truncated:
    nop
    .half 0xffff
