/* Driver of the trace funnel {{ name }}, written by `tracewright funnel`. It allocates nothing, needs no library, and waits
 * in a loop that ends. A program may include it beside tracewright.h, the driver of a trace unit. */
#ifndef TRACEWRIGHT_FUNNEL_H
#define TRACEWRIGHT_FUNNEL_H

#include <stdint.h>

#include "tracewright_funnel_registers.h"

/* Accesses to a register. Define both where a load or store through a pointer does not reach it. */
#ifndef TRACEWRIGHT_READ
#define TRACEWRIGHT_READ(base, offset) (*(volatile uint32_t *)((base) + (offset)))
#define TRACEWRIGHT_WRITE(base, offset, value) (*(volatile uint32_t *)((base) + (offset)) = (value))
#endif

/* Reads of a register after which it should have changed. */
#ifndef TRACEWRIGHT_POLLS
#define TRACEWRIGHT_POLLS 1000000ul
#endif

/* What a function found. */
enum tracewright_funnel_status {
    TRACEWRIGHT_FUNNEL_OK = 0,
    /* There is no trace funnel of version 1 of the Trace Control Interface: the base address is wrong, or it has no clock. */
    TRACEWRIGHT_FUNNEL_ABSENT,
    /* Not all has left the funnel: what should take its frames does not. */
    TRACEWRIGHT_FUNNEL_NOT_EMPTY
};

/* Switches the funnel at this address on, or changes its sources while it is on. `disabled` has a bit for each source, that of
 * source_data_0 lowest, which is 1 if nothing of it is taken. Switch the encoders of such sources off first: they wait. */
static inline enum tracewright_funnel_status tracewright_funnel_start(uintptr_t base, uint32_t disabled)
{
    const uint32_t kind = TW_trFunnelCompType_MASK | TW_trFunnelVerMajor_MASK;
    const uint32_t expected = TW_trFunnelCompType_RESET << TW_trFunnelCompType_SHIFT | TW_trFunnelVerMajor_RESET;
    uint32_t control;

    if ((TRACEWRIGHT_READ(base, TW_trFunnelImpl) & kind) != expected)
        return TRACEWRIGHT_FUNNEL_ABSENT;
    /* Other fields are in reset until the funnel is active. */
    control = TRACEWRIGHT_READ(base, TW_trFunnelControl) & TW_trFunnelEnable_MASK;
    TRACEWRIGHT_WRITE(base, TW_trFunnelControl, control | TW_trFunnelActive_MASK);
    TRACEWRIGHT_WRITE(base, TW_trFunnelDisInput, disabled);
    TRACEWRIGHT_WRITE(base, TW_trFunnelControl, TW_trFunnelEnable_MASK | TW_trFunnelActive_MASK);
    return TRACEWRIGHT_FUNNEL_OK;
}

/* Switches the funnel off, and waits until all that it took has left. Stop the trace units before it first. */
static inline enum tracewright_funnel_status tracewright_funnel_stop(uintptr_t base)
{
    unsigned long polls;

    TRACEWRIGHT_WRITE(base, TW_trFunnelControl, TW_trFunnelActive_MASK);
    for (polls = 0; polls < TRACEWRIGHT_POLLS; polls++)
        if (TRACEWRIGHT_READ(base, TW_trFunnelControl) & TW_trFunnelEmpty_MASK)
            return TRACEWRIGHT_FUNNEL_OK;
    return TRACEWRIGHT_FUNNEL_NOT_EMPTY;
}

#endif
