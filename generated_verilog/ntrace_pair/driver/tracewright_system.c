/* Driver of the trace system ntrace_pair, written by `tracewright generate`. */
#include "tracewright_system.h"

/* A name of the first hart's registers: its fields are where those of every hart are, and its registers as far from its base. */
#define TE(name) TW_A_##name
#define OF_HART(hart, name) (encoders[hart].base + (TE(name) - TW_A_BASE))

/* The value of a field in the value of its register. */
#define FIELD(value, mask, shift) (((value) & (mask)) >> (shift))

/* What a component's type says. */
enum { IS_ENCODER = 1, IS_FUNNEL = 8, IS_RAM_SINK = 9 };

/* Where a hart's encoder is, and by what it is known. */
static const struct {
    uint32_t base;
    uint32_t fingerprint;
} encoders[TRACEWRIGHT_HARTS] = {
    { TW_A_BASE, TW_A_twFingerprint_RESET },
    { TW_B_BASE, TW_B_twFingerprint_RESET },
};

static uint32_t get(const struct tracewright_system *system, uint32_t offset)
{
    return TRACEWRIGHT_READ(system->base, offset);
}

static void set(const struct tracewright_system *system, uint32_t offset, uint32_t value)
{
    TRACEWRIGHT_WRITE(system->base, offset, value);
}

/* Waits until bits of a register have a value; 0 if they do not. */
static int becomes(const struct tracewright_system *system, uint32_t offset, uint32_t mask, uint32_t value)
{
    unsigned long polls;

    for (polls = 0; polls < TRACEWRIGHT_POLLS; polls++)
        if ((get(system, offset) & mask) == value)
            return 1;
    return 0;
}

/* Resets a component by its lowest bit and wakes it up; 0 if it does not answer. */
static int wake(const struct tracewright_system *system, uint32_t control)
{
    set(system, control, 0);
    if (!becomes(system, control, 1, 0))
        return 0;
    set(system, control, 1);
    return becomes(system, control, 1, 1);
}

enum tracewright_system_status tracewright_system_init(struct tracewright_system *system, uintptr_t base)
{
    uint32_t hart;

    system->base = base;
    for (hart = 0; hart < TRACEWRIGHT_HARTS; hart++) {
        if (FIELD(get(system, OF_HART(hart, trTeImpl)), TE(trTeCompType_MASK), TE(trTeCompType_SHIFT)) != IS_ENCODER ||
            get(system, OF_HART(hart, twFingerprint)) != encoders[hart].fingerprint)
            return TRACEWRIGHT_SYSTEM_NO_ENCODER;
        if (!wake(system, OF_HART(hart, trTeControl)))
            return TRACEWRIGHT_SYSTEM_NO_ANSWER;
    }
    if (FIELD(get(system, TW_trFunnelImpl), TW_trFunnelCompType_MASK, TW_trFunnelCompType_SHIFT) != IS_FUNNEL)
        return TRACEWRIGHT_SYSTEM_NO_FUNNEL;
    if (!wake(system, TW_trFunnelControl))
        return TRACEWRIGHT_SYSTEM_NO_ANSWER;
    if (FIELD(get(system, TW_trRamImpl), TW_trRamCompType_MASK, TW_trRamCompType_SHIFT) != IS_RAM_SINK)
        return TRACEWRIGHT_SYSTEM_NO_SINK;
    if (!wake(system, TW_trRamControl))
        return TRACEWRIGHT_SYSTEM_NO_ANSWER;
    /* The whole memory is the ring. */
    set(system, TW_trRamLimitLow, TW_trRamLimitLow_MASK);
    return TRACEWRIGHT_SYSTEM_OK;
}

/* The control register of a hart's encoder without the bit that a 1 clears. */
static uint32_t control(const struct tracewright_system *system, uint32_t hart)
{
    return get(system, OF_HART(hart, trTeControl)) & ~TE(trTeInstStallOrOverflow_MASK);
}

/* Switches the sink on. */
static enum tracewright_system_status start_sink(const struct tracewright_system *system, uint32_t options)
{
    set(system, TW_trRamWPLow, get(system, TW_trRamStartLow));
    set(system, TW_trRamControl,
        TW_trRamActive_MASK | TW_trRamEnable_MASK | (options & TRACEWRIGHT_SYSTEM_STOP_WHEN_FULL));
    if (!becomes(system, TW_trRamControl, TW_trRamEnable_MASK, TW_trRamEnable_MASK))
        return TRACEWRIGHT_SYSTEM_NO_SINK;
    return TRACEWRIGHT_SYSTEM_OK;
}

enum tracewright_system_status tracewright_system_start(const struct tracewright_system *system, uint32_t harts, uint32_t options)
{
    const uint32_t on = TE(trTeActive_MASK) | TE(trTeEnable_MASK) | TE(trTeInstTracing_MASK);
    const uint32_t mode = TE(trTeInstMode_RESET) << TE(trTeInstMode_SHIFT);
    enum tracewright_system_status status;
    uint32_t hart;

    for (hart = 0; hart < TRACEWRIGHT_HARTS; hart++)
        if (get(system, OF_HART(hart, trTeControl)) & TE(trTeEnable_MASK))
            return TRACEWRIGHT_SYSTEM_IS_ON;
    status = start_sink(system, options);
    if (status != TRACEWRIGHT_SYSTEM_OK)
        return status;
    set(system, TW_trFunnelDisInput, ~harts & TRACEWRIGHT_ALL_HARTS);
    set(system, TW_trFunnelControl, TW_trFunnelActive_MASK | TW_trFunnelEnable_MASK);
    for (hart = 0; hart < TRACEWRIGHT_HARTS; hart++) {
        if (!(harts >> hart & 1u))
            continue;
        set(system, OF_HART(hart, trTeControl), control(system, hart) | on | mode);
        if (!becomes(system, OF_HART(hart, twStatus), TE(twTakesBlocks_MASK), TE(twTakesBlocks_MASK)))
            return TRACEWRIGHT_SYSTEM_NOT_STARTED;
    }
    return TRACEWRIGHT_SYSTEM_OK;
}

enum tracewright_system_status tracewright_system_stop(const struct tracewright_system *system)
{
    uint32_t hart;

    for (hart = 0; hart < TRACEWRIGHT_HARTS; hart++) {
        set(system, OF_HART(hart, trTeControl), control(system, hart) & ~(TE(trTeEnable_MASK) | TE(trTeInstTracing_MASK)));
        if (!becomes(system, OF_HART(hart, trTeControl), TE(trTeEmpty_MASK), TE(trTeEmpty_MASK)))
            return TRACEWRIGHT_SYSTEM_NOT_EMPTY;
    }
    set(system, TW_trFunnelControl, TW_trFunnelActive_MASK);
    if (!becomes(system, TW_trFunnelControl, TW_trFunnelEmpty_MASK, TW_trFunnelEmpty_MASK))
        return TRACEWRIGHT_SYSTEM_NOT_EMPTY;
    set(system, TW_trRamControl, get(system, TW_trRamControl) & ~TW_trRamEnable_MASK);
    if (!becomes(system, TW_trRamControl, TW_trRamEmpty_MASK, TW_trRamEmpty_MASK))
        return TRACEWRIGHT_SYSTEM_NOT_EMPTY;
    return TRACEWRIGHT_SYSTEM_OK;
}

uint32_t tracewright_system_stalled_or_lost(const struct tracewright_system *system)
{
    uint32_t hart, harts = 0;

    for (hart = 0; hart < TRACEWRIGHT_HARTS; hart++)
        if (get(system, OF_HART(hart, trTeControl)) & TE(trTeInstStallOrOverflow_MASK))
            harts |= 1u << hart;
    return harts;
}

enum tracewright_system_status tracewright_system_get_ring(const struct tracewright_system *system,
                                                           struct tracewright_system_ring *ring)
{
    uint32_t start = get(system, TW_trRamStartLow), pointer = get(system, TW_trRamWPLow);
    uint32_t offset = (pointer & TW_trRamWPLow_MASK) - start;

    if (!(get(system, TW_trRamControl) & TW_trRamEmpty_MASK))
        return TRACEWRIGHT_SYSTEM_IS_ON;
    if (pointer & TW_trRamWrap_MASK) {
        ring->words = (get(system, TW_trRamLimitLow) + 4 - start) / 4;
        ring->oldest = offset;
        /* The oldest word is the first one that is read. */
        ring->ram_sink = TW_trRamWrap_MASK;
    } else {
        ring->words = offset / 4;
        ring->oldest = 0;
        ring->ram_sink = offset;
    }
    return TRACEWRIGHT_SYSTEM_OK;
}

enum tracewright_system_status tracewright_system_read(const struct tracewright_system *system,
                                                       const struct tracewright_system_ring *ring, uint32_t first,
                                                       uint32_t *words, uint32_t count)
{
    uint32_t bytes = ring->words * 4, offset, index;

    if (first > ring->words || count > ring->words - first)
        return TRACEWRIGHT_SYSTEM_OUT_OF_RANGE;
    if (!(get(system, TW_trRamControl) & TW_trRamEmpty_MASK))
        return TRACEWRIGHT_SYSTEM_IS_ON;
    /* Only a ring that has wrapped has words before the oldest one, and they are newer. */
    offset = ring->oldest + first * 4;
    if (offset >= bytes)
        offset -= bytes;
    set(system, TW_trRamRPLow, get(system, TW_trRamStartLow) + offset);
    for (index = 0; index < count; index++)
        words[index] = get(system, TW_trRamData);
    return TRACEWRIGHT_SYSTEM_OK;
}
