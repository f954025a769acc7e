/* Driver of the trace system ntrace_pair, written by `tracewright generate`: 2 harts, the funnel and the sink. It
 * allocates nothing, needs no library, and waits in loops that end. docs/system.md of Tracewright says what it drives. */
#ifndef TRACEWRIGHT_SYSTEM_H
#define TRACEWRIGHT_SYSTEM_H

#include <stdint.h>

#include "tracewright_system_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Accesses to a register. Define both where a load or store through a pointer does not reach it. */
#ifndef TRACEWRIGHT_READ
#define TRACEWRIGHT_READ(base, offset) (*(volatile uint32_t *)((base) + (offset)))
#define TRACEWRIGHT_WRITE(base, offset, value) (*(volatile uint32_t *)((base) + (offset)) = (value))
#endif

/* Reads of a register after which it should have changed. The longest wait is for the tables that a unit clears. */
#ifndef TRACEWRIGHT_POLLS
#define TRACEWRIGHT_POLLS 1000000ul
#endif

/* The harts, and a bit for each of them, the first one lowest. */
#define TRACEWRIGHT_HARTS 2u
#define TRACEWRIGHT_ALL_HARTS ((1u << TRACEWRIGHT_HARTS) - 1u)
#define TRACEWRIGHT_HART_A (1u << 0)
#define TRACEWRIGHT_HART_B (1u << 1)

/* What a function found. */
enum tracewright_system_status {
    TRACEWRIGHT_SYSTEM_OK = 0,
    /* A hart has no trace encoder, or another one: the base address is wrong, or the driver was generated with other hardware. */
    TRACEWRIGHT_SYSTEM_NO_ENCODER,
    /* There is no trace funnel after the harts. */
    TRACEWRIGHT_SYSTEM_NO_FUNNEL,
    /* There is no such sink after the funnel. */
    TRACEWRIGHT_SYSTEM_NO_SINK,
    /* The words asked for are not in the ring. */
    TRACEWRIGHT_SYSTEM_OUT_OF_RANGE,
    /* A component does not leave its reset. */
    TRACEWRIGHT_SYSTEM_NO_ANSWER,
    /* A hart is traced: stop the system first. */
    TRACEWRIGHT_SYSTEM_IS_ON,
    /* A hart is traced, and its unit takes nothing yet. */
    TRACEWRIGHT_SYSTEM_NOT_STARTED,
    /* The trace does not leave the system: what should take it does not. */
    TRACEWRIGHT_SYSTEM_NOT_EMPTY
};

/* A trace system. */
struct tracewright_system {
    uintptr_t base;
};

/* What the ring has after tracing was stopped. */
struct tracewright_system_ring {
    /* Words of the trace in it. */
    uint32_t words;
    /* The value of `tracewright decode --ram-sink` for these words, the oldest one first. */
    uint32_t ram_sink;
    /* The offset of the oldest word in the memory, in bytes. */
    uint32_t oldest;
};

/* For tracewright_system_start: a full ring stops all harts, so that it keeps the beginning of the trace and not its end. */
#define TRACEWRIGHT_SYSTEM_STOP_WHEN_FULL TW_trRamStopOnWrap_MASK

/* Finds every part of the system at an address, resets it and wakes it up. All is off then. */
enum tracewright_system_status tracewright_system_init(struct tracewright_system *system, uintptr_t base);

/* Switches on the sink, the funnel for the harts of these bits, and their encoders, and returns when all of these take what the
 * cores retire. `options` is 0 or TRACEWRIGHT_SYSTEM_STOP_WHEN_FULL. */
enum tracewright_system_status tracewright_system_start(const struct tracewright_system *system, uint32_t harts, uint32_t options);

/* Switches all of it off, and returns when all of the trace has left the system. */
enum tracewright_system_status tracewright_system_stop(const struct tracewright_system *system);

/* A bit for each hart whose core was stalled, or of which blocks were lost, since it was switched on. */
uint32_t tracewright_system_stalled_or_lost(const struct tracewright_system *system);

/* Says what the ring has. */
enum tracewright_system_status tracewright_system_get_ring(const struct tracewright_system *system,
                                                           struct tracewright_system_ring *ring);

/* Reads `count` words of the ring from the one with number `first` on, where 0 is the oldest. */
enum tracewright_system_status tracewright_system_read(const struct tracewright_system *system,
                                                       const struct tracewright_system_ring *ring, uint32_t first,
                                                       uint32_t *words, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
