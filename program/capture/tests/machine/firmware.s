# Firmware of the machine level for 32 bits, for which Debian has no OpenSBI. It starts a kernel in supervisor mode, and
# takes two of its calls: to set the timer, and to switch off. A second processor counts, interrupted by its own timer.
# Built by machine.rs.

    .globl _start
_start:
    csrr t0, mhartid
    bnez t0, second
    la t0, trap
    csrw mtvec, t0
    la t0, saved
    csrw mscratch, t0
    # User mode's calls, page faults and undefined instructions are the kernel's, and so is the supervisor's timer.
    li t0, 0xb10c
    csrw medeleg, t0
    li t0, 0x20
    csrw mideleg, t0
    # All memory and the counters are there for the levels below.
    li t0, -1
    csrw pmpaddr0, t0
    csrw mcounteren, t0
    li t0, 0x1f
    csrw pmpcfg0, t0
    li t0, 0x1800
    csrc mstatus, t0
    li t0, 0x800
    csrs mstatus, t0
    li t0, 0x80200000
    csrw mepc, t0
    mret

    .balign 4
trap:
    csrrw sp, mscratch, sp
    sw t0, 0(sp)
    sw t1, 4(sp)
    csrr t0, mcause
    bltz t0, timer
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
    li t0, 8
    beq a7, t0, off
    # The time of the next interrupt, of which the high half is set beyond all times while the low one changes.
    li t0, 0x02004000
    li t1, -1
    sw t1, 4(t0)
    sw a0, 0(t0)
    sw a1, 4(t0)
    li t0, 0x20
    csrc mip, t0
    li t0, 0x80
    csrs mie, t0
back:
    lw t0, 0(sp)
    lw t1, 4(sp)
    csrrw sp, mscratch, sp
    mret

# The machine's interrupt becomes the supervisor's.
timer:
    li t0, 0x80
    csrc mie, t0
    li t0, 0x20
    csrs mip, t0
    j back

off:
    li t0, 0x100000
    li t1, 0x5555
    sw t1, 0(t0)
    j .

second:
    la t0, tick
    csrw mtvec, t0
    li s0, 0x02004008 # the time of its next interrupt
    li s1, 0x0200bff8 # the time
    sw zero, 4(s0)
    li t0, 0x80
    csrs mie, t0
    csrsi mstatus, 8
count:
    addi s2, s2, 1
    andi t0, s2, 15
    bnez t0, count
    j count

    .balign 4
tick:
    lw t1, (s1)
    addi t1, t1, 20
    sw t1, (s0)
    mret

    .bss
    .balign 16
saved:
    .space 16
