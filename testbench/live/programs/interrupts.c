/* Interrupts and traps in the middle of calls, branches and loops; the start of each core is in a file of its own. */
#include "../../../workloads/programs/board.h"

#define TICKS 400

/* What a handler is told: a bit for each thing that happened. */
enum { INSTRUCTION = 1 << 1, ACCESS = 1 << 2, TIMER = 1 << 3 };

static volatile unsigned ticks, instructions, accesses;

void interrupt(unsigned what)
{
    if (what & TIMER) {
        ticks++;
        BOARD_TIMER = ticks < TICKS ? 20 + ticks % 97 : 0;
    }
    if (what & INSTRUCTION)
        instructions++;
    if (what & ACCESS)
        accesses++;
}

static unsigned random_number(void)
{
    static unsigned state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static unsigned depth(unsigned n) { return n < 2 ? n : depth(n - 1) + depth(n - 2); }
static unsigned bits(unsigned n)
{
    unsigned count = 0;
    for (; n; n &= n - 1)
        count++;
    return count;
}
static unsigned twice(unsigned n) { return bits(n) + bits(~n); }

static unsigned (*const work[])(unsigned) = {bits, twice, depth};

static void print(const char *text)
{
    while (*text)
        BOARD_CONSOLE = (uint8_t)*text++;
}

int program(void)
{
    unsigned expected_instructions = 0, expected_accesses = 0, wrong = 0;
    BOARD_TIMER = 100;
    while (ticks < TICKS) {
        unsigned number = random_number();
        unsigned result = work[number % 3](number % 3 == 2 ? number / 3 % 8 : number);
        if (number % 3 == 1 && result != 32)
            wrong = 1;
        switch (number >> 8 & 7) {
        case 0:
            __asm__ volatile(".option push\n.option norvc\nebreak\n.option pop" : : : "memory");
            expected_instructions++;
            break;
        case 1:
            __asm__ volatile("ecall" : : : "memory");
            expected_instructions++;
            break;
        case 2: /* no instruction of either core */
            __asm__ volatile(".4byte 0x0000005b" : : : "memory");
            expected_instructions++;
            break;
        case 3: /* one core has no page 0, the other no words across others */
            __asm__ volatile("lw zero, 0(zero)\nlw zero, 1(sp)" : : : "memory");
            expected_accesses++;
            break;
        }
    }
    wrong |= instructions != expected_instructions || accesses != expected_accesses;
    print(wrong ? "wrong\n" : "right\n");
    BOARD_EXIT = wrong;
    for (;;)
        ;
}
