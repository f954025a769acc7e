/* A trace unit with an ATB bridge, and the faults that the driver tells apart. */
#include <stdio.h>

#include "tracewright.h"

#define BASE 0x4000u

enum fault { NONE, BRIDGE, VERSION, ASLEEP, FULL } fault;

static uint32_t control, bridge;

uint32_t unit_memory(uint64_t address) { return (uint32_t)address; }

uint32_t unit_read(uintptr_t address)
{
    switch (address - BASE) {
    case TW_trTeImpl:
        return 0x101;
    case TW_trTeControl:
        return control | TW_trTeFormat_RESET << TW_trTeFormat_SHIFT | (control & TW_trTeEnable_MASK ? 0 : TW_trTeEmpty_MASK);
    case TW_twStatus:
        return (bridge & TW_trAtbBridgeEnable_MASK) && control & TW_trTeInstTracing_MASK;
    case TW_twFingerprint:
        return TW_twFingerprint_RESET;
    case TW_trAtbBridgeImpl:
        return fault == BRIDGE ? 0x1901 : fault == VERSION ? 0xe02 : 0xe01;
    case TW_trAtbBridgeControl:
        return bridge | (bridge & TW_trAtbBridgeEnable_MASK || fault == FULL ? 0 : TW_trAtbBridgeEmpty_MASK);
    default:
        return 0;
    }
}

void unit_write(uintptr_t address, uint32_t value)
{
    if (address - BASE == TW_trTeControl)
        control = value & 0x77;
    if (address - BASE == TW_trAtbBridgeControl && fault != ASLEEP)
        bridge = value & TW_trAtbBridgeActive_MASK ? value & 0x7f03 : 0;
}

static int wrong;

static void expect(const char *what, long found, long expected)
{
    if (found != expected) {
        printf("%s: %ld, expected %ld\n", what, found, expected);
        wrong = 1;
    }
}

/* What a whole run says with a fault from the beginning. */
static enum tracewright_status with(enum fault is)
{
    struct tracewright unit;
    enum tracewright_status status;

    control = bridge = 0;
    fault = is;
    status = tracewright_init(&unit, BASE);
    if (status == TRACEWRIGHT_OK)
        status = tracewright_set_trace_id(&unit, 111);
    if (status == TRACEWRIGHT_OK)
        status = tracewright_start(&unit, 0);
    return status == TRACEWRIGHT_OK ? tracewright_stop(&unit) : status;
}

int main(void)
{
    struct tracewright unit;

    expect("bridge", with(BRIDGE), TRACEWRIGHT_NO_BRIDGE);
    expect("version", with(VERSION), TRACEWRIGHT_OTHER_VERSION);
    expect("asleep", with(ASLEEP), TRACEWRIGHT_NO_ANSWER);
    expect("full", with(FULL), TRACEWRIGHT_IS_ON);
    expect("good", with(NONE), TRACEWRIGHT_OK);
    expect("init", tracewright_init(&unit, BASE), TRACEWRIGHT_OK);
    expect("start without a number", tracewright_start(&unit, 0), TRACEWRIGHT_NO_TRACE_ID);
    expect("source 0", tracewright_set_trace_id(&unit, 0), TRACEWRIGHT_BAD_TRACE_ID);
    expect("source 112", tracewright_set_trace_id(&unit, 112), TRACEWRIGHT_BAD_TRACE_ID);
    expect("source 1", tracewright_set_trace_id(&unit, 1), TRACEWRIGHT_OK);
    expect("start", tracewright_start(&unit, 0), TRACEWRIGHT_OK);
    expect("on", bridge, 0x103);
    expect("start while on", tracewright_start(&unit, 0), TRACEWRIGHT_IS_ON);
    expect("number while on", tracewright_set_trace_id(&unit, 2), TRACEWRIGHT_IS_ON);
    fault = FULL;
    expect("stop", tracewright_stop(&unit), TRACEWRIGHT_NOT_EMPTY);
    fault = NONE;
    expect("stop again", tracewright_stop(&unit), TRACEWRIGHT_OK);
    expect("off", bridge, 0x101);
    puts(wrong ? "wrong" : "right");
    return wrong;
}
