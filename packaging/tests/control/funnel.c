/* A trace funnel whose registers do what docs/control.md says, and the faults that its driver tells apart. */
#include <stdio.h>

#include "tracewright_funnel.h"

#define BASE 0x4000u

static uint32_t control, disabled, offs, polls_to_go;
static int absent;

uint32_t unit_read(uintptr_t address)
{
    switch (address - BASE) {
    case TW_trFunnelImpl:
        return absent ? 0x101 : 0x801;
    case TW_trFunnelControl:
        if (control & TW_trFunnelEnable_MASK)
            return control;
        polls_to_go -= polls_to_go > 0;
        return control | (polls_to_go ? 0 : TW_trFunnelEmpty_MASK);
    default:
        return address - BASE == TW_trFunnelDisInput ? disabled : 0;
    }
}

void unit_write(uintptr_t address, uint32_t value)
{
    const int was_active = control & value & TW_trFunnelActive_MASK;

    if (address - BASE == TW_trFunnelDisInput)
        disabled = control & TW_trFunnelActive_MASK ? value & 7 : 0;
    if (address - BASE != TW_trFunnelControl)
        return;
    offs += control & ~value & TW_trFunnelEnable_MASK ? 1 : 0;
    control = value & (was_active ? 3u : 1u);
}

static int is_right(void)
{
    absent = 1;
    if (tracewright_funnel_start(BASE, 0) != TRACEWRIGHT_FUNNEL_ABSENT || control)
        return 0;
    absent = 0;
    if (tracewright_funnel_start(BASE, 5) != TRACEWRIGHT_FUNNEL_OK || control != 3 || disabled != 5)
        return 0;
    /* Other sources, and the funnel stays on. */
    if (tracewright_funnel_start(BASE, 0) != TRACEWRIGHT_FUNNEL_OK || control != 3 || disabled || offs)
        return 0;
    polls_to_go = 50;
    if (tracewright_funnel_stop(BASE) != TRACEWRIGHT_FUNNEL_OK || control != 1 || polls_to_go)
        return 0;
    if (tracewright_funnel_start(BASE, 0) != TRACEWRIGHT_FUNNEL_OK || control != 3)
        return 0;
    polls_to_go = 1000;
    return tracewright_funnel_stop(BASE) == TRACEWRIGHT_FUNNEL_NOT_EMPTY && control == 1;
}

int main(void)
{
    puts(is_right() ? "right" : "wrong");
    return 0;
}
