/* Driver of the trace unit {{ name }}, written by `tracewright generate`. It allocates nothing, needs no library, and waits
 * in loops that end. docs/drivers.md of Tracewright has an example. */
#ifndef TRACEWRIGHT_H
#define TRACEWRIGHT_H

#include <stdint.h>

#include "tracewright_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Accesses to a register. Define both where a load or store through a pointer does not reach it. */
#ifndef TRACEWRIGHT_READ
#define TRACEWRIGHT_READ(base, offset) (*(volatile uint32_t *)((base) + (offset)))
#define TRACEWRIGHT_WRITE(base, offset, value) (*(volatile uint32_t *)((base) + (offset)) = (value))
#endif
{% if has_sink and not has_own_memory %}

/* A word of the ring, at its address in the system. Define it where a load through a pointer does not read what the unit has
 * written there: where addresses are translated, or the core has the memory in a cache that the unit's bus goes past. */
#ifndef TRACEWRIGHT_MEMORY
#define TRACEWRIGHT_MEMORY(address) (*(volatile const uint32_t *)(uintptr_t)(address))
#endif
{% endif %}

/* Reads of a register after which it should have changed. The longest wait is for the tables that the unit clears. */
#ifndef TRACEWRIGHT_POLLS
#define TRACEWRIGHT_POLLS 1000000ul
#endif

/* What a function found. */
enum tracewright_status {
    TRACEWRIGHT_OK = 0,
    /* There is no trace encoder: the base address is wrong, or the unit has no clock. */
    TRACEWRIGHT_NO_ENCODER,
    /* The registers are of another version of the Trace Control Interface. */
    TRACEWRIGHT_OTHER_VERSION,
    /* The trace has another format than that of the design which this driver was generated with. */
    TRACEWRIGHT_OTHER_FORMAT,
    /* It is another design, which other files decode: generate the driver with the hardware. */
    TRACEWRIGHT_OTHER_DESIGN,
{% if has_sink %}
{% if has_own_memory %}
    /* There is no RAM sink with a memory of its own after the encoder. */
{% else %}
    /* There is no RAM sink that writes to the memory of the system after the encoder. */
{% endif %}
    TRACEWRIGHT_NO_SINK,
    /* The words asked for are not in the ring. */
    TRACEWRIGHT_OUT_OF_RANGE,
{% endif %}
{% if has_bridge %}
    /* There is no ATB bridge after the encoder. */
    TRACEWRIGHT_NO_BRIDGE,
    /* The trace bus has no such source: the numbers are 1 to 111. */
    TRACEWRIGHT_BAD_TRACE_ID,
    /* The source has no number on the bus: call tracewright_set_trace_id first. */
    TRACEWRIGHT_NO_TRACE_ID,
{% endif %}
{% if has_sink and not has_own_memory %}
    /* The ring is not where words of the unit's bus are, or the unit cannot reach it. */
    TRACEWRIGHT_BAD_RING,
    /* There is no ring: call tracewright_set_ring first. */
    TRACEWRIGHT_NO_RING,
    /* The memory answered with an error, which has ended the trace. The ring has what was written before. */
    TRACEWRIGHT_MEMORY_ERROR,
{% endif %}
    /* A component does not leave its reset. */
    TRACEWRIGHT_NO_ANSWER,
    /* Tracing is on: stop it first. */
    TRACEWRIGHT_IS_ON,
    /* Tracing is on, and the unit takes nothing yet: one with packets begins at the next branch of a running core. */
    TRACEWRIGHT_NOT_STARTED,
    /* The trace does not leave the unit: what should take it does not. */
    TRACEWRIGHT_NOT_EMPTY
};

{% if has_sink and not has_own_memory %}
/* An address in the system, as the unit's bus has it. */
typedef {{ "uint64_t" if has_high else "uint32_t" }} tracewright_address;

{% endif %}
/* A trace unit. */
struct tracewright {
    uintptr_t base;
{% if has_own_memory %}
    /* Bytes of the memory of its RAM sink. */
    uint32_t ring_bytes;
{% elif has_sink %}
    /* The ring in the memory of the system: where it begins, and its bytes, which are 0 before tracewright_set_ring. */
    tracewright_address ring_start;
    uint32_t ring_bytes;
{% elif has_bridge %}
    /* Its number on the trace bus, which is 0 before tracewright_set_trace_id. */
    uint32_t trace_id;
{% endif %}
};
{% if has_sink %}

/* What the ring has after tracing was stopped. */
struct tracewright_ring {
    /* Words of the trace in it. */
    uint32_t words;
    /* The value of `tracewright decode --ram-sink` for these words in the order of tracewright_read. */
    uint32_t ram_sink;
    /* The offset of the oldest word in the memory, in bytes. */
    uint32_t oldest;
};

/* For tracewright_start: a full ring stops tracing, so that it keeps the beginning of the trace and not its end. */
#define TRACEWRIGHT_STOP_WHEN_FULL TW_trRamStopOnWrap_MASK
{% endif %}

/* Finds the unit at an address, resets it and wakes it up. It is off then; what else its registers can do may be set up
 * before it is started. */
enum tracewright_status tracewright_init(struct tracewright *unit, uintptr_t base);

{% if has_sink and not has_own_memory %}
/* Says where in the memory of the system the ring is, before tracing is switched on: its address, and its bytes. Both are
 * multiples of the {{ word_bytes }} bytes of a word of the unit's bus. The unit writes nowhere else. */
enum tracewright_status tracewright_set_ring(struct tracewright *unit, tracewright_address address, uint32_t bytes);

{% endif %}
{% if has_bridge %}
/* Says whose the trace is on the trace bus, before tracing is switched on: a number from 1 to 111 (ATID) that no other source
 * of the bus has. */
enum tracewright_status tracewright_set_trace_id(struct tracewright *unit, uint32_t trace_id);

{% endif %}
{% if has_sink %}
/* Switches tracing on, into an empty ring, and returns when the unit takes what the core retires. `options` is 0 or
 * TRACEWRIGHT_STOP_WHEN_FULL. */
{% else %}
/* Switches tracing on, and returns when the unit takes what the core retires. `options` is 0. */
{% endif %}
enum tracewright_status tracewright_start(const struct tracewright *unit, uint32_t options);

/* Switches tracing off, and returns when all of the trace has left the unit{{ " and is in the memory" if has_sink and not has_own_memory }}. */
enum tracewright_status tracewright_stop(const struct tracewright *unit);

/* True if the core was stalled or blocks were lost since tracing was switched on. */
int tracewright_stalled_or_lost(const struct tracewright *unit);
{% if has_sink %}

/* Says what the ring has. */
enum tracewright_status tracewright_get_ring(const struct tracewright *unit, struct tracewright_ring *ring);

/* Reads `count` words of the ring from the one with number `first` on, where 0 is the oldest. The bytes of the trace are those
 * of the words, the lowest first. */
enum tracewright_status tracewright_read(const struct tracewright *unit, const struct tracewright_ring *ring, uint32_t first,
                                         uint32_t *words, uint32_t count);
{% endif %}

#ifdef __cplusplus
}
#endif

#endif
