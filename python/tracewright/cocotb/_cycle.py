"""Clock, reset and flush of a trace module."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

CLOCKS = ("clock", "aclk", "atclk")
"""What the clock of a module or of its wrapper is called."""

RESETS = (("reset", 1), ("reset_n", 0), ("aresetn", 0), ("atresetn", 0))
"""What the reset is called, and its level while it is active."""

FLUSH_CYCLES = 1_000_000
"""Cycles in which a module answers a flush, as long as something takes its trace."""


def find(dut: Any, name: str) -> Any | None:
    """The pin with this name, or None where the module has none."""
    try:
        return getattr(dut, name)
    except AttributeError:
        return None


def require(dut: Any, name: str) -> Any:
    """The pin with this name.

    :raises ValueError: where the module has none
    """
    pin = find(dut, name)
    if pin is None:
        raise ValueError(f"{dut._name} has no pin {name}")
    return pin


def clock_of(dut: Any) -> Any:
    """The clock of a module."""
    for name in CLOCKS:
        pin = find(dut, name)
        if pin is not None:
            return pin
    raise ValueError(f"{dut._name} has no clock: expected one of {', '.join(CLOCKS)}")


def is_high(pin: Any) -> bool:
    """True if a pin of one bit is 1; an unknown one is not."""
    value = pin.value
    return bool(value.is_resolvable) and int(value) == 1


def start_clock(dut: Any, period: int = 10, unit: str = "ns") -> None:
    """Starts the clock of a module, low, with this period. Call :func:`reset` before time goes on."""
    cocotb.start_soon(Clock(clock_of(dut), period, unit).start(start_high=False))


async def settled(clock: Any) -> None:
    """Waits for the end of a cycle: after the falling edge, when the pins that were set then have their effect."""
    await FallingEdge(clock)
    await ReadOnly()


async def reset(dut: Any, cycles: int = 4, *, ready: bool = True) -> None:
    """Holds a module in reset for so many cycles, with all its inputs 0, and then waits until it takes blocks.

    With ``ready=False`` it does not wait: the module then clears its tables, with ``stall`` high.
    """
    clock = clock_of(dut)
    found = [(find(dut, name), level) for name, level in RESETS]
    pins = [(pin, level) for pin, level in found if pin is not None]
    if not pins:
        names = ", ".join(name for name, _ in RESETS)
        raise ValueError(f"{dut._name} has no reset: expected one of {names}")
    for name in ("flush", "enable", "discard", "sync_request", "afvalid"):
        pin = find(dut, name)
        if pin is not None:
            pin.value = int(name == "enable")
    for name in ("clock_enable", "aclken", "atclken"):
        pin = find(dut, name)
        if pin is not None:
            pin.value = 1
    for pin, level in pins:
        pin.value = level
    for _ in range(max(cycles, 1)):
        await FallingEdge(clock)
    for pin, level in pins:
        pin.value = 1 - level
    while ready:
        await settled(clock)
        if not any(is_high(pin) for pin in stalls(dut)):
            return


def stalls(dut: Any) -> list[Any]:
    """The pins by which a module makes its cores wait: none, one, or one for each core."""
    pin = find(dut, "stall")
    if pin is not None:
        return [pin]
    numbered = [find(dut, f"stall_{core}") for core in range(16)]
    return [pin for pin in numbered if pin is not None]


async def flush(dut: Any) -> None:
    """Ends the trace at this point, and waits until all of it has left the module.

    :raises TimeoutError: if it has not after a million cycles, because nothing takes the trace
    """
    clock, pin, flushed = clock_of(dut), require(dut, "flush"), require(dut, "flushed")
    await FallingEdge(clock)
    pin.value = 1
    for _ in range(FLUSH_CYCLES):
        await settled(clock)
        if is_high(flushed):
            break
    else:
        raise TimeoutError(f"{dut._name} did not answer flush in {FLUSH_CYCLES:,} cycles")
    await FallingEdge(clock)
    pin.value = 0
    while True:
        await settled(clock)
        if not is_high(flushed):
            return
