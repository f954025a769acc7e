/* Driver of the trace unit talon-m-unit, written by `tracewright generate`. It allocates nothing, needs no library, and waits
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
    /* There is no ATB bridge after the encoder. */
    TRACEWRIGHT_NO_BRIDGE,
    /* The trace bus has no such source: the numbers are 1 to 111. */
    TRACEWRIGHT_BAD_TRACE_ID,
    /* The source has no number on the bus: call tracewright_set_trace_id first. */
    TRACEWRIGHT_NO_TRACE_ID,
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
    /* Its number on the trace bus, which is 0 before tracewright_set_trace_id. */
    uint32_t trace_id;
};

/* Finds the unit at an address, resets it and wakes it up. It is off then; what else its registers can do may be set up
 * before it is started. */
enum tracewright_status tracewright_init(struct tracewright *unit, uintptr_t base);

/* Says whose the trace is on the trace bus, before tracing is switched on: a number from 1 to 111 (ATID) that no other source
 * of the bus has. */
enum tracewright_status tracewright_set_trace_id(struct tracewright *unit, uint32_t trace_id);

/* Switches tracing on, and returns when the unit takes what the core retires. `options` is 0. */
enum tracewright_status tracewright_start(const struct tracewright *unit, uint32_t options);

/* Switches tracing off, and returns when all of the trace has left the unit. */
enum tracewright_status tracewright_stop(const struct tracewright *unit);

/* True if the core was stalled or blocks were lost since tracing was switched on. */
int tracewright_stalled_or_lost(const struct tracewright *unit);

#ifdef __cplusplus
}
#endif

#endif
