/* Driver of the trace unit {{ name }}, written by `tracewright generate`. */
#include "tracewright.h"

/* The value of a field in the value of its register. */
#define FIELD(value, name) (((value) & TW_##name##_MASK) >> TW_##name##_SHIFT)

/* What a component's type says. */
enum { IS_ENCODER = 1{{ ", IS_RAM_SINK = 9" if has_sink else ", IS_ATB_BRIDGE = 14" if has_bridge }} };

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
{% if has_sink %}

static enum tracewright_status find_sink(struct tracewright *unit)
{
    uint32_t says = get(unit, TW_trRamImpl);

    if (FIELD(says, trRamCompType) != IS_RAM_SINK || !FIELD(says, {{ "trRamHasSRAM" if has_own_memory else "trRamHasSMEM" }}))
        return TRACEWRIGHT_NO_SINK;
    if (FIELD(says, trRamVerMajor) != TW_trRamVerMajor_RESET)
        return TRACEWRIGHT_OTHER_VERSION;
    if (!wake(unit, TW_trRamControl, TW_trRamActive_MASK))
        return TRACEWRIGHT_NO_ANSWER;
{% if has_own_memory %}
    /* The highest address that the ring may have reads back. */
    set(unit, TW_trRamLimitLow, TW_trRamLimitLow_MASK);
    unit->ring_bytes = get(unit, TW_trRamLimitLow) + 4 - get(unit, TW_trRamStartLow);
{% endif %}
    return TRACEWRIGHT_OK;
}
{% endif %}
{% if has_bridge %}

static enum tracewright_status find_bridge(const struct tracewright *unit)
{
    uint32_t says = get(unit, TW_trAtbBridgeImpl);

    if (FIELD(says, trAtbBridgeCompType) != IS_ATB_BRIDGE)
        return TRACEWRIGHT_NO_BRIDGE;
    if (FIELD(says, trAtbBridgeVerMajor) != TW_trAtbBridgeVerMajor_RESET)
        return TRACEWRIGHT_OTHER_VERSION;
    return wake(unit, TW_trAtbBridgeControl, TW_trAtbBridgeActive_MASK) ? TRACEWRIGHT_OK : TRACEWRIGHT_NO_ANSWER;
}
{% endif %}

enum tracewright_status tracewright_init(struct tracewright *unit, uintptr_t base)
{
    enum tracewright_status status;

    unit->base = base;
{% if has_sink %}
    unit->ring_bytes = 0;
    status = find_encoder(unit);
    return status == TRACEWRIGHT_OK ? find_sink(unit) : status;
{% elif has_bridge %}
    unit->trace_id = 0;
    status = find_encoder(unit);
    return status == TRACEWRIGHT_OK ? find_bridge(unit) : status;
{% else %}
    status = find_encoder(unit);
    return status;
{% endif %}
}

{% if has_sink and not has_own_memory %}
/* Bytes of a word of the unit's bus. */
#define WORD_BYTES ((uint32_t)1 << TW_trRamStartLow_SHIFT)

/* Writes an address into two registers, the upper bits first. */
static void set_address(const struct tracewright *unit, uint32_t low, {{ "uint32_t high, " if has_high }}tracewright_address address)
{
{% if has_high %}
    set(unit, high, (uint32_t)(address >> 32));
{% endif %}
    set(unit, low, (uint32_t)address);
}

/* An address that is in two registers, of which the lower one has other fields too. */
static tracewright_address get_address(const struct tracewright *unit, uint32_t low{{ ", uint32_t high" if has_high }})
{
    tracewright_address address = get(unit, low) & TW_trRamWPLow_MASK;

{% if has_high %}
    address |= (tracewright_address)get(unit, high) << 32;
{% endif %}
    return address;
}

/* The registers of an address. */
{% if has_high %}
#define AT(name) TW_##name##Low, TW_##name##High
{% else %}
#define AT(name) TW_##name##Low
{% endif %}

enum tracewright_status tracewright_set_ring(struct tracewright *unit, tracewright_address address, uint32_t bytes)
{
    tracewright_address limit = address + bytes - WORD_BYTES;

    unit->ring_bytes = 0;
    if (!(get(unit, TW_trRamControl) & TW_trRamEmpty_MASK))
        return TRACEWRIGHT_IS_ON;
    if (bytes == 0 || bytes % WORD_BYTES != 0 || address % WORD_BYTES != 0 || limit < address)
        return TRACEWRIGHT_BAD_RING;
    set_address(unit, AT(trRamStart), address);
    set_address(unit, AT(trRamLimit), limit);
    if (get_address(unit, AT(trRamStart)) != address || get_address(unit, AT(trRamLimit)) != limit)
        return TRACEWRIGHT_BAD_RING;
    unit->ring_start = address;
    unit->ring_bytes = bytes;
    return TRACEWRIGHT_OK;
}

{% endif %}
{% if has_bridge %}
enum tracewright_status tracewright_set_trace_id(struct tracewright *unit, uint32_t trace_id)
{
    if (!(get(unit, TW_trAtbBridgeControl) & TW_trAtbBridgeEmpty_MASK))
        return TRACEWRIGHT_IS_ON;
    if (trace_id == 0 || trace_id > 111)
        return TRACEWRIGHT_BAD_TRACE_ID;
    unit->trace_id = trace_id;
    return TRACEWRIGHT_OK;
}

{% endif %}
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
{% if has_sink %}
{% if has_own_memory %}
    set(unit, TW_trRamWPLow, get(unit, TW_trRamStartLow));
{% else %}
    if (unit->ring_bytes == 0)
        return TRACEWRIGHT_NO_RING;
    set_address(unit, AT(trRamWP), unit->ring_start);
{% endif %}
    set(unit, TW_trRamControl, TW_trRamActive_MASK | TW_trRamEnable_MASK | (options & TRACEWRIGHT_STOP_WHEN_FULL));
    if (!becomes(unit, TW_trRamControl, TW_trRamEnable_MASK, TW_trRamEnable_MASK))
        return TRACEWRIGHT_NO_SINK;
{% else %}
    (void)options;
{% endif %}
{% if has_bridge %}
    if (unit->trace_id == 0)
        return TRACEWRIGHT_NO_TRACE_ID;
    set(unit, TW_trAtbBridgeControl,
        TW_trAtbBridgeActive_MASK | TW_trAtbBridgeEnable_MASK | unit->trace_id << TW_trAtbBridgeID_SHIFT);
{% endif %}
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
{% if has_sink %}
    set(unit, TW_trRamControl, get(unit, TW_trRamControl) & ~TW_trRamEnable_MASK);
    if (!becomes(unit, TW_trRamControl, TW_trRamEmpty_MASK, TW_trRamEmpty_MASK))
        return TRACEWRIGHT_NOT_EMPTY;
{% if not has_own_memory %}
    if (get(unit, TW_twRamStatus) & TW_twRamResponse_MASK)
        return TRACEWRIGHT_MEMORY_ERROR;
{% endif %}
{% endif %}
{% if has_bridge %}
    set(unit, TW_trAtbBridgeControl, get(unit, TW_trAtbBridgeControl) & ~TW_trAtbBridgeEnable_MASK);
    if (!becomes(unit, TW_trAtbBridgeControl, TW_trAtbBridgeEmpty_MASK, TW_trAtbBridgeEmpty_MASK))
        return TRACEWRIGHT_NOT_EMPTY;
{% endif %}
    return TRACEWRIGHT_OK;
}

int tracewright_stalled_or_lost(const struct tracewright *unit)
{
    return (get(unit, TW_trTeControl) & TW_trTeInstStallOrOverflow_MASK) != 0;
}
{% if has_sink %}

enum tracewright_status tracewright_get_ring(const struct tracewright *unit, struct tracewright_ring *ring)
{
{% if has_own_memory %}
    uint32_t start = get(unit, TW_trRamStartLow), pointer = get(unit, TW_trRamWPLow);
    uint32_t offset = (pointer & TW_trRamWPLow_MASK) - start;
{% else %}
    uint32_t pointer = get(unit, TW_trRamWPLow);
    uint32_t offset = (uint32_t)(get_address(unit, AT(trRamWP)) - unit->ring_start);
{% endif %}

    if (!(get(unit, TW_trRamControl) & TW_trRamEmpty_MASK))
        return TRACEWRIGHT_IS_ON;
    if (pointer & TW_trRamWrap_MASK) {
        ring->words = {{ "(get(unit, TW_trRamLimitLow) + 4 - start)" if has_own_memory else "unit->ring_bytes" }} / 4;
        ring->oldest = offset;
        /* The oldest word is the first one that is read. */
        ring->ram_sink = TW_trRamWrap_MASK;
    } else {
        ring->words = offset / 4;
        ring->oldest = 0;
        ring->ram_sink = offset;
    }
    return TRACEWRIGHT_OK;
}

enum tracewright_status tracewright_read(const struct tracewright *unit, const struct tracewright_ring *ring, uint32_t first,
                                         uint32_t *words, uint32_t count)
{
    uint32_t bytes = ring->words * 4, offset, index;

    if (first > ring->words || count > ring->words - first)
        return TRACEWRIGHT_OUT_OF_RANGE;
    if (count == 0)
        return TRACEWRIGHT_OK;
    if (!(get(unit, TW_trRamControl) & TW_trRamEmpty_MASK))
        return TRACEWRIGHT_IS_ON;
    /* Only a ring that has wrapped has words before the oldest one, and they are newer. */
    offset = ring->oldest + first * 4;
    if (offset >= bytes)
        offset -= bytes;
{% if has_own_memory %}
    set(unit, TW_trRamRPLow, get(unit, TW_trRamStartLow) + offset);
    for (index = 0; index < count; index++)
        words[index] = get(unit, TW_trRamData);
{% else %}
    for (index = 0; index < count; index++) {
        words[index] = TRACEWRIGHT_MEMORY(unit->ring_start + offset);
        offset += 4;
        if (offset == bytes)
            offset = 0;
    }
{% endif %}
    return TRACEWRIGHT_OK;
}
{% endif %}
