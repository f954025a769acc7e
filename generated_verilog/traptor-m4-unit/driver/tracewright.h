/* Driver of the trace unit traptor-m4-unit, written by `tracewright generate`. It allocates nothing, needs no library, and waits
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
    /* There is no RAM sink with a memory of its own after the encoder. */
    TRACEWRIGHT_NO_SINK,
    /* The words asked for are not in the ring. */
    TRACEWRIGHT_OUT_OF_RANGE,
    /* A component does not leave its reset. */
    TRACEWRIGHT_NO_ANSWER,
    /* Tracing is on: stop it first. */
    TRACEWRIGHT_IS_ON,
    /* Tracing is on, and the unit takes nothing yet: one with packets begins at the next branch of a running core. */
    TRACEWRIGHT_NOT_STARTED,
    /* The trace does not leave the unit: what should take it does not. */
    TRACEWRIGHT_NOT_EMPTY
};

/* A trace unit. */
struct tracewright {
    uintptr_t base;
    /* Bytes of the memory of its RAM sink. */
    uint32_t ring_bytes;
};

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

/* Finds the unit at an address, resets it and wakes it up. It is off then; what else its registers can do may be set up
 * before it is started. */
enum tracewright_status tracewright_init(struct tracewright *unit, uintptr_t base);

/* Switches tracing on, into an empty ring, and returns when the unit takes what the core retires. `options` is 0 or
 * TRACEWRIGHT_STOP_WHEN_FULL. */
enum tracewright_status tracewright_start(const struct tracewright *unit, uint32_t options);

/* Switches tracing off, and returns when all of the trace has left the unit. */
enum tracewright_status tracewright_stop(const struct tracewright *unit);

/* True if the core was stalled or blocks were lost since tracing was switched on. */
int tracewright_stalled_or_lost(const struct tracewright *unit);

/* Says what the ring has. */
enum tracewright_status tracewright_get_ring(const struct tracewright *unit, struct tracewright_ring *ring);

/* Reads `count` words of the ring from the one with number `first` on, where 0 is the oldest. The bytes of the trace are those
 * of the words, the lowest first. */
enum tracewright_status tracewright_read(const struct tracewright *unit, const struct tracewright_ring *ring, uint32_t first,
                                         uint32_t *words, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
