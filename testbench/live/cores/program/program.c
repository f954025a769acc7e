/* Calls, a switch, function pointers, recursion, loops, traps and timer interrupts between any two of their
 * instructions. The macros say what a core has: HAS_ECALL, HAS_EBREAK, HAS_ILLEGAL, HAS_WFI. ROUNDS: no interrupts. */
#include <stdint.h>

#define DEVICE(offset) (*(volatile uint32_t *)(uintptr_t)(DEVICES + (offset)))
#define CONSOLE DEVICE(0x00)
#define EXIT DEVICE(0x04)
#define TIMER DEVICE(0x18)
#ifdef CLINT /* a timer of its own, in hundreds of cycles */
#define TIME (*(volatile uint64_t *)(uintptr_t)(CLINT + 0xbff8))
#define TIME_COMPARE (*(volatile uint64_t *)(uintptr_t)(CLINT + 0x4000))
static void interrupt_after(unsigned instructions)
{
    TIME_COMPARE = instructions ? TIME + 4 + (instructions & 15) : ~UINT64_C(0);
}
#else
static void interrupt_after(unsigned instructions) { TIMER = instructions; }
#endif

#ifndef TICKS
#define TICKS 300
#endif

uint32_t stack[1024];
__asm__(".globl stack_end\nstack_end = stack + 4096");

static volatile unsigned ticks, traps;

__attribute__((noinline)) void tick(void)
{
    ticks++;
    interrupt_after(ticks < TICKS ? 20 + (ticks & 127) : 0);
}

void trap(unsigned cause)
{
    (void)cause;
    traps++;
}

#ifdef PICORV32
void pico_trap(unsigned pending)
{
    if (pending & 8)
        tick();
    if (pending & 6)
        trap(pending);
}
#endif

static unsigned random_number(void)
{
    static unsigned state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static unsigned ones(unsigned n)
{
    unsigned count = 0;
    for (; n; n &= n - 1)
        count++;
    return count;
}
static unsigned both(unsigned n) { return ones(n) + ones(~n); }
static unsigned mixed(unsigned n)
{
    switch (n >> 8 & 7) {
    case 0: return n * 3 + 1;
    case 1: return n ^ n >> 5;
    case 2: return fibonacci(n & 3);
    case 3: return ones(n & 0xff);
    case 4: return n - (n >> 2);
    case 5: return ~n;
    case 6: return n << 3 | n >> 29;
    default: return n & 0x5555;
    }
}

static unsigned (*volatile work[])(unsigned) = {ones, both, mixed, fibonacci};

int program(void)
{
    unsigned expected = 0, wrong = 0, sum = 0;
#ifdef ROUNDS /* without interrupts */
    for (unsigned round = 0; round < ROUNDS; round++) {
#else
    interrupt_after(100);
    while (ticks < TICKS) {
#endif
#ifdef SETS_MIE
        __asm__ volatile("csrsi mstatus, 8"); /* docs/cores.md says why */
#endif
        unsigned number = random_number();
        unsigned result = work[number & 3]((number & 3) == 3 ? number >> 2 & 7 : number);
        sum = (sum << 1 | sum >> 31) ^ result;
        if ((number & 3) == 1 && result != 32)
            wrong = 1;
        switch (number >> 16 & 15) {
#ifdef HAS_EBREAK
        case 0:
            __asm__ volatile(".option push\n.option norvc\nebreak\n.option pop" : : : "memory");
            expected++;
            break;
#endif
#ifdef HAS_ECALL
        case 1:
            __asm__ volatile("ecall" : : : "memory");
            expected++;
            break;
#endif
#ifdef HAS_ILLEGAL
        case 2:
            __asm__ volatile(".4byte 0x0000005b" : : : "memory");
            expected++;
            break;
#endif
#ifdef HAS_WFI
        case 3:
            if (number >> 20 & 1)
                __asm__ volatile("wfi" : : : "memory");
            break;
#endif
        default:
            break;
        }
    }
    wrong |= traps != expected;
    for (const char *text = wrong ? "wrong\n" : "right\n"; *text; text++)
        CONSOLE = (uint8_t)*text;
    EXIT = wrong;
    return (int)sum;
}
