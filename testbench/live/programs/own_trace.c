/* A program that traces one of its functions: it switches its own trace unit on before the call and off after it, and reads
 * the ring into its memory. The driver is that of the package of the unit's design. */
#include "tracewright.h"

#define BOARD_EXIT (*(volatile uint32_t *)0x10000004u)
#define UNIT 0x10010000u

#ifndef ROUNDS
#define ROUNDS 3u
#endif

/* What the test bench writes to a file. */
struct result {
    uint32_t ram_sink, words, ring_bytes;
    uint32_t memory[1024];
};
static struct result result __attribute__((section(".ring")));

#ifdef TW_twRamStatus
/* The ring, where the unit writes to the memory of the system. */
static uint32_t trace_ring[RING_BYTES / 4] __attribute__((aligned(8)));
#endif

/* The places that work comes to depend on data that a compiler does not know. */
static volatile uint32_t seed = 2463534242u;

static uint32_t depth(uint32_t n) { return n < 2 ? n : depth(n - 1) + depth(n - 2); }

static uint32_t bits(uint32_t n)
{
    uint32_t count = 0;
    for (; n; n &= n - 1)
        count++;
    return count;
}

static uint32_t folded(uint32_t n) { return depth(n & 7); }

static uint32_t (*const kinds[])(uint32_t) = {bits, folded, depth};

/* What is traced: loops, branches, recursion, and calls that go where a pointer says. */
__attribute__((noinline)) uint32_t work(uint32_t rounds)
{
    uint32_t sum = 0, number = seed;
    for (; rounds; rounds--) {
        number ^= number << 13;
        number ^= number >> 17;
        number ^= number << 5;
        switch (number & 3) {
        case 0:
            sum += kinds[0](number);
            break;
        case 1:
            sum ^= kinds[1](number >> 4);
            break;
        case 2:
            sum -= kinds[2](number >> 29);
            break;
        default:
            sum = sum << 1 | sum >> 31;
        }
    }
    return sum;
}

static enum tracewright_status traced(void)
{
    struct tracewright unit;
    struct tracewright_ring ring;
    enum tracewright_status status = tracewright_init(&unit, UNIT);

#ifdef TW_twRamStatus
    if (status == TRACEWRIGHT_OK)
        status = tracewright_set_ring(&unit, (uintptr_t)trace_ring, sizeof trace_ring);
#endif
    if (status == TRACEWRIGHT_OK)
        status = tracewright_start(&unit, 0);
    if (status != TRACEWRIGHT_OK)
        return status;
    seed = work(ROUNDS);
    status = tracewright_stop(&unit);
    if (status == TRACEWRIGHT_OK)
        status = tracewright_get_ring(&unit, &ring);
    if (status != TRACEWRIGHT_OK)
        return status;
    result.ram_sink = ring.ram_sink;
    result.words = ring.words;
    result.ring_bytes = unit.ring_bytes;
    /* In two parts, as who has less memory than the ring does it. */
    status = tracewright_read(&unit, &ring, 0, result.memory, ring.words / 4);
    if (status != TRACEWRIGHT_OK)
        return status;
    return tracewright_read(&unit, &ring, ring.words / 4, result.memory + ring.words / 4, ring.words - ring.words / 4);
}

__attribute__((section(".text.startup"), naked, used)) void _start(void)
{
    __asm__("li sp, 0x23000\n call program");
}

void program(void)
{
    BOARD_EXIT = (uint32_t)traced();
    for (;;)
        ;
}
