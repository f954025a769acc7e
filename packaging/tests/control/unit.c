/* A trace unit with a ring, in which each word says where it is, and the faults that the driver tells apart. */
#include <stdio.h>

#include "tracewright.h"

#define BASE 0x4000u
#define BYTES 4096u

enum fault { NONE, ABSENT, VERSION, FORMAT, DESIGN, SINK, ASLEEP, DEAF, FULL, MEMORY, REACH } fault;

static uint32_t control, ram, limit, write_pointer;

/* A ring in the memory of the system begins here, and ends where its length says. */
#define RING 0x20000u
#ifdef TW_twRamStatus
static uint32_t start;
#ifdef TW_trRamStartHigh
#define HIGH 5u
static uint32_t start_high, limit_high, write_high;
#else
#define HIGH 0u
#endif

uint32_t unit_memory(uint64_t address) { return (uint32_t)(address - ((uint64_t)HIGH << 32) - RING); }
#else
static uint32_t read_pointer;
#endif

uint32_t unit_read(uintptr_t address)
{
    uint32_t word;

    if (fault == ABSENT)
        return 0;
    switch (address - BASE) {
    case TW_trTeImpl:
        return fault == VERSION ? 0x102 : 0x101;
    case TW_trTeControl:
        word = control | (TW_trTeFormat_RESET ^ (fault == FORMAT)) << TW_trTeFormat_SHIFT;
        return word | (control & TW_trTeEnable_MASK || fault == FULL ? 0 : TW_trTeEmpty_MASK);
    case TW_twStatus:
        return fault != DEAF && control & TW_trTeInstTracing_MASK;
    case TW_twFingerprint:
        return TW_twFingerprint_RESET + (fault == DESIGN);
    case TW_trRamImpl:
#ifdef TW_twRamStatus
        return fault == SINK ? 0x1901 : 0x2901;
#else
        return fault == SINK ? 0 : 0x1901;
#endif
    case TW_trRamControl:
        return ram | (ram & TW_trRamEnable_MASK ? 0 : TW_trRamEmpty_MASK);
    case TW_trRamLimitLow:
        return limit;
    case TW_trRamWPLow:
        return write_pointer;
#ifdef TW_twRamStatus
    case TW_trRamStartLow:
        return start;
    case TW_twRamStatus:
        return fault == MEMORY ? 2 : 0;
#ifdef TW_trRamStartHigh
    case TW_trRamStartHigh:
        return start_high;
    case TW_trRamLimitHigh:
        return limit_high;
    case TW_trRamWPHigh:
        return write_high;
#endif
#else
    case TW_trRamData:
        word = read_pointer;
        read_pointer = word == limit ? 0 : word + 4;
        return word;
#endif
    default:
        return 0;
    }
}

void unit_write(uintptr_t address, uint32_t value)
{
    switch (address - BASE) {
    case TW_trTeControl:
        if (fault != ASLEEP)
            control = value & 0x77;
        break;
    case TW_trRamControl:
        ram = value & 0x103;
        break;
    case TW_trRamWPLow:
        write_pointer = value;
        break;
#ifdef TW_twRamStatus
    case TW_trRamStartLow:
        start = fault == REACH ? 0 : value;
        break;
    case TW_trRamLimitLow:
        limit = value;
        break;
#ifdef TW_trRamStartHigh
    case TW_trRamStartHigh:
        start_high = value;
        break;
    case TW_trRamLimitHigh:
        limit_high = value;
        break;
    case TW_trRamWPHigh:
        write_high = value;
        break;
#endif
#else
    case TW_trRamLimitLow:
        limit = value & (BYTES - 4);
        break;
    case TW_trRamRPLow:
        read_pointer = value;
        break;
#endif
    default:
        break;
    }
}

static int wrong;

static void expect(const char *what, long found, long expected)
{
    if (found != expected) {
        printf("%s: %ld, expected %ld\n", what, found, expected);
        wrong = 1;
    }
}

#ifdef TW_twRamStatus
#define WHERE (((tracewright_address)HIGH << 16 << 16) + RING)

static enum tracewright_status set_ring(struct tracewright *unit) { return tracewright_set_ring(unit, WHERE, BYTES); }

/* Rings that the unit can have, and those that it cannot. */
static void rings(struct tracewright *unit)
{
    expect("start without a ring", tracewright_start(unit, 0), TRACEWRIGHT_NO_RING);
    expect("no bytes", tracewright_set_ring(unit, WHERE, 0), TRACEWRIGHT_BAD_RING);
    expect("half a word", tracewright_set_ring(unit, WHERE, BYTES - 2), TRACEWRIGHT_BAD_RING);
    expect("between words", tracewright_set_ring(unit, WHERE + 2, BYTES), TRACEWRIGHT_BAD_RING);
    expect("over the end", tracewright_set_ring(unit, (tracewright_address)0 - 8, 16), TRACEWRIGHT_BAD_RING);
    expect("start with a bad ring", tracewright_start(unit, 0), TRACEWRIGHT_NO_RING);
    expect("ring", set_ring(unit), TRACEWRIGHT_OK);
    expect("first word", start, RING);
    expect("last word", limit, RING + BYTES - (TW_trRamLimitLow_MASK & -TW_trRamLimitLow_MASK));
}
#else
static enum tracewright_status set_ring(struct tracewright *unit) { return unit->ring_bytes ? TRACEWRIGHT_OK : TRACEWRIGHT_NO_SINK; }
#endif

/* What a whole run says with a fault from the beginning. */
static enum tracewright_status with(enum fault is)
{
    struct tracewright unit;
    enum tracewright_status status;

    control = ram = write_pointer = 0;
    fault = is;
    status = tracewright_init(&unit, BASE);
    if (status == TRACEWRIGHT_OK)
        status = set_ring(&unit);
    if (status == TRACEWRIGHT_OK)
        status = tracewright_start(&unit, 0);
    return status == TRACEWRIGHT_OK ? tracewright_stop(&unit) : status;
}

static void ring(struct tracewright *unit, uint32_t pointer, uint32_t words, uint32_t ram_sink)
{
    struct tracewright_ring ring;
    uint32_t found[BYTES / 4], index;

    expect("start", tracewright_start(unit, TRACEWRIGHT_STOP_WHEN_FULL), TRACEWRIGHT_OK);
    expect("stops", ram, 0x103);
    expect("ring while on", tracewright_get_ring(unit, &ring), TRACEWRIGHT_IS_ON);
    expect("start while on", tracewright_start(unit, 0), TRACEWRIGHT_IS_ON);
#ifdef TW_twRamStatus
    expect("begins at the start", write_pointer, RING);
    pointer += RING;
#endif
    write_pointer = pointer;
    expect("stop", tracewright_stop(unit), TRACEWRIGHT_OK);
    expect("ring", tracewright_get_ring(unit, &ring), TRACEWRIGHT_OK);
    expect("words", ring.words, words);
    expect("ram_sink", ring.ram_sink, ram_sink);
    expect("too many", tracewright_read(unit, &ring, 1, found, words), TRACEWRIGHT_OUT_OF_RANGE);
    expect("too far", tracewright_read(unit, &ring, words + 1, found, 0), TRACEWRIGHT_OUT_OF_RANGE);
    expect("none", tracewright_read(unit, &ring, words, found, 0), TRACEWRIGHT_OK);
    for (index = 0; index < words; index += words / 2)
        expect("read", tracewright_read(unit, &ring, index, found + index, words / 2), TRACEWRIGHT_OK);
    for (index = 0; index < words; index++)
        expect("word", found[index], ((pointer & 1 ? (pointer - 1) % RING : 0) + 4 * index) % BYTES);
}

int main(void)
{
    struct tracewright unit;

    expect("absent", with(ABSENT), TRACEWRIGHT_NO_ENCODER);
    expect("version", with(VERSION), TRACEWRIGHT_OTHER_VERSION);
    expect("format", with(FORMAT), TRACEWRIGHT_OTHER_FORMAT);
    expect("design", with(DESIGN), TRACEWRIGHT_OTHER_DESIGN);
    expect("sink", with(SINK), TRACEWRIGHT_NO_SINK);
    expect("asleep", with(ASLEEP), TRACEWRIGHT_NO_ANSWER);
    expect("deaf", with(DEAF), TRACEWRIGHT_NOT_STARTED);
    expect("full", with(FULL), TRACEWRIGHT_NOT_EMPTY);
    expect("good", with(NONE), TRACEWRIGHT_OK);
#ifdef TW_twRamStatus
    expect("memory", with(MEMORY), TRACEWRIGHT_MEMORY_ERROR);
    expect("reach", with(REACH), TRACEWRIGHT_BAD_RING);
    expect("good again", with(NONE), TRACEWRIGHT_OK);
    expect("init", tracewright_init(&unit, BASE), TRACEWRIGHT_OK);
    rings(&unit);
#else
    expect("init", tracewright_init(&unit, BASE), TRACEWRIGHT_OK);
#endif
    expect("bytes", unit.ring_bytes, BYTES);
    ring(&unit, 0x400, 0x100, 0x400);
    ring(&unit, 0xff9, BYTES / 4, 1);
    ring(&unit, 0x1, BYTES / 4, 1);
    puts(wrong ? "wrong" : "right");
    return wrong;
}
