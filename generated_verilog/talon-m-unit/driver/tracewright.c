/* Driver of the trace unit talon-m-unit, written by `tracewright generate`. */
#include "tracewright.h"

/* The value of a field in the value of its register. */
#define FIELD(value, name) (((value) & TW_##name##_MASK) >> TW_##name##_SHIFT)

/* What a component's type says. */
enum { IS_ENCODER = 1, IS_ATB_BRIDGE = 14 };

static uint32_t get(const struct tracewright *unit, uint32_t offset)
{
    return TRACEWRIGHT_READ(unit->base, offset);
}

static void set(const struct tracewright *unit, uint32_t offset, uint32_t value)
{
    TRACEWRIGHT_WRITE(unit->base, offset, value);
}

/* Waits until bits of a register have a value; 0 if they do not. */
static int becomes(const struct tracewright *unit, uint32_t offset, uint32_t mask, uint32_t value)
{
    unsigned long polls;

    for (polls = 0; polls < TRACEWRIGHT_POLLS; polls++)
        if ((get(unit, offset) & mask) == value)
            return 1;
    return 0;
}

/* Resets a component by its lowest bit and wakes it up; 0 if it does not answer. */
static int wake(const struct tracewright *unit, uint32_t control, uint32_t active)
{
    set(unit, control, 0);
    if (!becomes(unit, control, active, 0))
        return 0;
    set(unit, control, active);
    return becomes(unit, control, active, active);
}

static enum tracewright_status find_encoder(const struct tracewright *unit)
{
    uint32_t says = get(unit, TW_trTeImpl);

    if (FIELD(says, trTeCompType) != IS_ENCODER)
        return TRACEWRIGHT_NO_ENCODER;
    if (FIELD(says, trTeVerMajor) != TW_trTeVerMajor_RESET)
        return TRACEWRIGHT_OTHER_VERSION;
    if (FIELD(get(unit, TW_trTeControl), trTeFormat) != TW_trTeFormat_RESET)
        return TRACEWRIGHT_OTHER_FORMAT;
    if (get(unit, TW_twFingerprint) != TW_twFingerprint_RESET)
        return TRACEWRIGHT_OTHER_DESIGN;
    return wake(unit, TW_trTeControl, TW_trTeActive_MASK) ? TRACEWRIGHT_OK : TRACEWRIGHT_NO_ANSWER;
}

static enum tracewright_status find_bridge(const struct tracewright *unit)
{
    uint32_t says = get(unit, TW_trAtbBridgeImpl);

    if (FIELD(says, trAtbBridgeCompType) != IS_ATB_BRIDGE)
        return TRACEWRIGHT_NO_BRIDGE;
    if (FIELD(says, trAtbBridgeVerMajor) != TW_trAtbBridgeVerMajor_RESET)
        return TRACEWRIGHT_OTHER_VERSION;
    return wake(unit, TW_trAtbBridgeControl, TW_trAtbBridgeActive_MASK) ? TRACEWRIGHT_OK : TRACEWRIGHT_NO_ANSWER;
}

enum tracewright_status tracewright_init(struct tracewright *unit, uintptr_t base)
{
    enum tracewright_status status;

    unit->base = base;
    unit->trace_id = 0;
    status = find_encoder(unit);
    return status == TRACEWRIGHT_OK ? find_bridge(unit) : status;
}

enum tracewright_status tracewright_set_trace_id(struct tracewright *unit, uint32_t trace_id)
{
    if (!(get(unit, TW_trAtbBridgeControl) & TW_trAtbBridgeEmpty_MASK))
        return TRACEWRIGHT_IS_ON;
    if (trace_id == 0 || trace_id > 111)
        return TRACEWRIGHT_BAD_TRACE_ID;
    unit->trace_id = trace_id;
    return TRACEWRIGHT_OK;
}

/* The encoder's control register without the bit that a 1 clears. */
static uint32_t control(const struct tracewright *unit)
{
    return get(unit, TW_trTeControl) & ~TW_trTeInstStallOrOverflow_MASK;
}

enum tracewright_status tracewright_start(const struct tracewright *unit, uint32_t options)
{
    uint32_t on = TW_trTeActive_MASK | TW_trTeEnable_MASK | TW_trTeInstTracing_MASK;
    uint32_t mode = TW_trTeInstMode_RESET << TW_trTeInstMode_SHIFT;

    if (get(unit, TW_trTeControl) & TW_trTeEnable_MASK)
        return TRACEWRIGHT_IS_ON;
    (void)options;
    if (unit->trace_id == 0)
        return TRACEWRIGHT_NO_TRACE_ID;
    set(unit, TW_trAtbBridgeControl,
        TW_trAtbBridgeActive_MASK | TW_trAtbBridgeEnable_MASK | unit->trace_id << TW_trAtbBridgeID_SHIFT);
    set(unit, TW_trTeControl, control(unit) | on | mode);
    if (!becomes(unit, TW_twStatus, TW_twTakesBlocks_MASK, TW_twTakesBlocks_MASK))
        return TRACEWRIGHT_NOT_STARTED;
    return TRACEWRIGHT_OK;
}

enum tracewright_status tracewright_stop(const struct tracewright *unit)
{
    set(unit, TW_trTeControl, control(unit) & ~(TW_trTeEnable_MASK | TW_trTeInstTracing_MASK));
    if (!becomes(unit, TW_trTeControl, TW_trTeEmpty_MASK, TW_trTeEmpty_MASK))
        return TRACEWRIGHT_NOT_EMPTY;
    set(unit, TW_trAtbBridgeControl, get(unit, TW_trAtbBridgeControl) & ~TW_trAtbBridgeEnable_MASK);
    if (!becomes(unit, TW_trAtbBridgeControl, TW_trAtbBridgeEmpty_MASK, TW_trAtbBridgeEmpty_MASK))
        return TRACEWRIGHT_NOT_EMPTY;
    return TRACEWRIGHT_OK;
}

int tracewright_stalled_or_lost(const struct tracewright *unit)
{
    return (get(unit, TW_trTeControl) & TW_trTeInstStallOrOverflow_MASK) != 0;
}
