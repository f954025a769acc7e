/* A trace system of two harts with a ring in which each word says where it is, and the faults that the driver tells apart. */
#include <stdio.h>

#include "tracewright_system.h"

#define BASE 0x4000u
#define BYTES 1024u

enum fault { NONE, OTHER_HART, NO_FUNNEL, NO_SINK, ASLEEP, DEAF, FULL, STUCK } fault;

static uint32_t encoders[2], funnel, disabled, ram, limit, write_pointer, read_pointer;

static uint32_t of_hart(uint32_t hart, uint32_t offset)
{
    switch (offset) {
    case TW_FIRST_trTeImpl:
        return 0x101;
    case TW_FIRST_trTeControl:
        return encoders[hart] | (encoders[hart] & TW_FIRST_trTeEnable_MASK || fault == FULL ? 0 : TW_FIRST_trTeEmpty_MASK);
    case TW_FIRST_twStatus:
        /* A hart that is off in the funnel begins all the same. */
        return fault != DEAF && encoders[hart] & TW_FIRST_trTeInstTracing_MASK;
    case TW_FIRST_twFingerprint:
        return (hart ? TW_SECOND_twFingerprint_RESET : TW_FIRST_twFingerprint_RESET) + (hart && fault == OTHER_HART);
    default:
        return 0;
    }
}

uint32_t unit_read(uintptr_t address)
{
    const uint32_t offset = (uint32_t)(address - BASE);
    uint32_t word;

    if (offset < TW_FUNNEL_BASE)
        return of_hart(offset >= TW_SECOND_BASE, offset & 0xffff);
    switch (offset) {
    case TW_trFunnelImpl:
        return fault == NO_FUNNEL ? 0 : 0x801;
    case TW_trFunnelControl:
        return funnel | (fault == STUCK ? 0 : TW_trFunnelEmpty_MASK);
    case TW_trFunnelDisInput:
        return disabled;
    case TW_trRamImpl:
        return fault == NO_SINK ? 0 : 0x1901;
    case TW_trRamControl:
        return ram | (ram & TW_trRamEnable_MASK ? 0 : TW_trRamEmpty_MASK);
    case TW_trRamLimitLow:
        return limit;
    case TW_trRamWPLow:
        return write_pointer;
    case TW_trRamData:
        word = read_pointer;
        read_pointer = read_pointer == limit ? 0 : read_pointer + 4;
        return word;
    default:
        return 0;
    }
}

void unit_write(uintptr_t address, uint32_t value)
{
    const uint32_t offset = (uint32_t)(address - BASE);

    switch (offset) {
    case TW_FIRST_trTeControl:
        encoders[0] = value & (fault == ASLEEP ? 0u : 0x77u);
        break;
    case TW_SECOND_trTeControl:
        encoders[1] = value & 0x77u;
        break;
    case TW_trFunnelControl:
        funnel = value & 3u;
        break;
    case TW_trFunnelDisInput:
        disabled = value & 3u;
        break;
    case TW_trRamControl:
        ram = value & 0x103u;
        break;
    case TW_trRamLimitLow:
        limit = value & (BYTES - 4);
        break;
    case TW_trRamWPLow:
        write_pointer = value;
        break;
    case TW_trRamRPLow:
        read_pointer = value;
        break;
    }
}

static enum tracewright_system_status begun_with(enum fault with, uint32_t harts)
{
    struct tracewright_system system;
    enum tracewright_system_status status;

    fault = with;
    status = tracewright_system_init(&system, BASE);
    return status == TRACEWRIGHT_SYSTEM_OK ? tracewright_system_start(&system, harts, 0) : status;
}

static int reads(const struct tracewright_system *system, uint32_t pointer, uint32_t words, uint32_t oldest)
{
    struct tracewright_system_ring ring;
    uint32_t word;

    write_pointer = pointer;
    if (tracewright_system_get_ring(system, &ring) != TRACEWRIGHT_SYSTEM_OK || ring.words != words || ring.oldest != oldest)
        return 0;
    if (tracewright_system_read(system, &ring, words - 1, &word, 1) != TRACEWRIGHT_SYSTEM_OK)
        return 0;
    if (word != (oldest + 4 * (words - 1)) % BYTES)
        return 0;
    return tracewright_system_read(system, &ring, words, &word, 1) == TRACEWRIGHT_SYSTEM_OUT_OF_RANGE;
}

static int is_right(void)
{
    struct tracewright_system system;

    if (begun_with(OTHER_HART, 3) != TRACEWRIGHT_SYSTEM_NO_ENCODER)
        return 0;
    if (begun_with(NO_FUNNEL, 3) != TRACEWRIGHT_SYSTEM_NO_FUNNEL || begun_with(NO_SINK, 3) != TRACEWRIGHT_SYSTEM_NO_SINK)
        return 0;
    if (begun_with(ASLEEP, 3) != TRACEWRIGHT_SYSTEM_NO_ANSWER || begun_with(DEAF, 3) != TRACEWRIGHT_SYSTEM_NOT_STARTED)
        return 0;
    /* The second hart alone: the first one stays off, in its encoder and in the funnel. */
    if (begun_with(NONE, TRACEWRIGHT_HART_SECOND) != TRACEWRIGHT_SYSTEM_OK || disabled != 1 || funnel != 3 || ram != 3)
        return 0;
    if (encoders[0] & TW_FIRST_trTeEnable_MASK || !(encoders[1] & TW_FIRST_trTeEnable_MASK))
        return 0;
    system.base = BASE;
    if (tracewright_system_start(&system, 3, 0) != TRACEWRIGHT_SYSTEM_IS_ON)
        return 0;
    fault = FULL;
    if (tracewright_system_stop(&system) != TRACEWRIGHT_SYSTEM_NOT_EMPTY || !(ram & TW_trRamEnable_MASK))
        return 0;
    fault = STUCK;
    if (tracewright_system_stop(&system) != TRACEWRIGHT_SYSTEM_NOT_EMPTY || !(ram & TW_trRamEnable_MASK))
        return 0;
    fault = NONE;
    if (tracewright_system_stop(&system) != TRACEWRIGHT_SYSTEM_OK || ram & TW_trRamEnable_MASK || funnel != 1)
        return 0;
    if (!reads(&system, 0x40, 16, 0) || !reads(&system, 0x81, BYTES / 4, 0x80))
        return 0;
    encoders[1] |= TW_SECOND_trTeInstStallOrOverflow_MASK;
    if (tracewright_system_stalled_or_lost(&system) != TRACEWRIGHT_HART_SECOND)
        return 0;
    return begun_with(NONE, TRACEWRIGHT_ALL_HARTS) == TRACEWRIGHT_SYSTEM_OK && disabled == 0;
}

int main(void)
{
    puts(is_right() ? "right" : "wrong");
    return 0;
}
