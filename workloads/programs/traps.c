/* A traffic light as a state machine: time comes by timer interrupts, its orders by exceptions. */
#include "board.h"

#define TICKS 2000

/* Control and status registers are no part of the C library's instruction set. */
#define CSR(instruction) ".option push\n.option arch, +zicsr\n" instruction "\n.option pop\n"
#define READ_CSR(name, value) __asm__ volatile(CSR("csrr %0, " name) : "=r"(value))
#define WRITE_CSR(name, value) __asm__ volatile(CSR("csrw " name ", %0") : : "r"(value) : "memory")
#define SET_CSR(name, value) __asm__ volatile(CSR("csrs " name ", %0") : : "r"(value) : "memory")

#define TIMER_INTERRUPT ((uintptr_t)1 << (sizeof(uintptr_t) * 8 - 1) | 7)

enum { ILLEGAL_INSTRUCTION = 2, BREAKPOINT = 3, LOAD_FAULT = 5, STORE_FAULT = 7, MACHINE_CALL = 11, CAUSES };
enum light { RED, RED_AMBER, GREEN, AMBER, LIGHTS };

static volatile unsigned ticks, traps[CAUSES];
static volatile enum light light;
static volatile unsigned waiting, served, time_in_light;

/* What each light does when its time is over. */
static enum light leave_red(void) { return waiting ? RED_AMBER : RED; }
static enum light leave_red_amber(void) { return GREEN; }
static enum light leave_green(void)
{
    served += waiting;
    waiting = 0;
    return AMBER;
}
static enum light leave_amber(void) { return RED; }

static enum light (*const leave[LIGHTS])(void) = {leave_red, leave_red_amber, leave_green, leave_amber};
static const unsigned duration[LIGHTS] = {5, 1, 4, 2};

static void tick(void)
{
    ticks++;
    if (++time_in_light >= duration[light]) {
        light = leave[light]();
        time_in_light = 0;
    }
    BOARD_TIMER = ticks < TICKS ? 150 + ticks % 97 : 0;
}

/* A faulting instruction is passed over; its lowest two bits say how long it is. */
static void pass_over(void)
{
    uintptr_t at;
    READ_CSR("mepc", at);
    at += (*(const uint16_t *)at & 3) == 3 ? 4 : 2;
    WRITE_CSR("mepc", at);
}

__attribute__((interrupt("machine"), aligned(4))) static void trap(void)
{
    uintptr_t cause;
    READ_CSR("mcause", cause);
    if (cause == TIMER_INTERRUPT) {
        tick();
        return;
    }
    if (cause >= CAUSES)
        board_exit(3);
    traps[cause]++;
    if (cause == MACHINE_CALL)
        waiting++;
    pass_over();
}

/* A car arrives: one of the things that trap, each of which the handler counts. */
static void arrive(unsigned how)
{
    switch (how % 5) {
    case 0:
        __asm__ volatile("ebreak" : : : "memory");
        break;
    case 1:
        __asm__ volatile(".4byte 0x0000000b" : : : "memory");
        break;
    case 2:
        __asm__ volatile("lw zero, 0(zero)" : : : "memory");
        break;
    case 3:
        __asm__ volatile("sw zero, 4(zero)" : : : "memory");
        break;
    default:
        break;
    }
    __asm__ volatile("ecall" : : : "memory");
}

int program(void)
{
    unsigned arrived = 0, expected[CAUSES] = {0};
    static const unsigned cause_of[] = {BREAKPOINT, ILLEGAL_INSTRUCTION, LOAD_FAULT, STORE_FAULT};
    WRITE_CSR("mtvec", (uintptr_t)trap);
    SET_CSR("mie", (uintptr_t)1 << 7);
    SET_CSR("mstatus", (uintptr_t)1 << 3);
    BOARD_TIMER = 100;
    while (ticks < TICKS) {
        unsigned pause = board_random() % 64;
        while (pause-- && ticks < TICKS)
            ;
        unsigned how = board_random() % 5;
        arrive(how);
        arrived++;
        expected[MACHINE_CALL]++;
        if (how < 4)
            expected[cause_of[how]]++;
    }
    for (unsigned cause = 0; cause < CAUSES; cause++)
        if (traps[cause] != expected[cause])
            return 1;
    return served + waiting != arrived || ticks != TICKS;
}
