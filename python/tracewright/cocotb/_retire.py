"""The port ``retire_*`` of a trace module."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from cocotb.triggers import FallingEdge, ReadOnly

import tracewright

from ._coverage import KINDS, Coverage
from ._cycle import clock_of, find, is_high, require

SEQUENTIAL = 0
"""``retire_kind`` of a run without a change of flow."""

CORES = 16
"""More than any design traces."""


class Block(NamedTuple):
    """A run of retired instructions, of which only the last may change the flow: the pins of a cycle."""

    count: int
    """Instructions, the last one included."""
    pc: int
    """Byte address of the last instruction."""
    length: int = 0
    """Its length in bytes; read for calls."""
    kind: int = SEQUENTIAL
    """``retire_kind``."""
    call: bool = False
    """It leaves a return address."""
    is_return: bool = False
    """It goes back to one."""
    taken: bool = False
    """The flow changed."""
    target: int = 0
    """Where to, if taken."""
    context: int = 0
    """In what the execution goes on, in designs with contexts."""
    privilege: int = 0
    """The same for privilege levels."""
    cause: int = 0
    """Why an exception was taken."""


def blocks(event: Any, most: int, instruction_bytes: int = 4) -> Iterator[Block]:
    """An event as blocks of at most ``most`` instructions.

    ``event`` is an element of :attr:`tracewright.Trace.events`. ``retire_pc`` of a sequential block counts back from
    the event with instructions of ``instruction_bytes``; only filters read it.
    """
    count, pc = int(event["instructions"]), int(event["program_counter"])
    kind = KINDS[tracewright.Kind(int(event["kind"]))]
    taken = bool(event["taken"])
    # A system call that came back is sequential.
    changes = kind != KINDS[tracewright.Kind.EXCEPTION] or taken
    while count > most:
        yield Block(most, max(pc - (count - most) * instruction_bytes, 0))
        count -= most
    if changes:
        flags = bool(event["call"]), bool(event["is_return"]), taken
        yield Block(count, pc, int(event["length"]), kind, *flags, int(event["target"]))
    elif count:
        yield Block(count, pc)


class _Port:
    """The pins of a core."""

    def __init__(self, dut: Any, end: str) -> None:
        self.valid = require(dut, f"retire_valid{end}")
        self.pins = {
            name: find(dut, f"retire_{'return' if name == 'is_return' else name}{end}")
            for name in Block._fields
        }
        self.stall = find(dut, f"stall{end}")
        self.most = 2 ** len(require(dut, f"retire_count{end}")) - 1
        self.mask = 2 ** len(require(dut, f"retire_pc{end}")) - 1
        self.valid.value = 0

    def show(self, block: Block | None) -> None:
        self.valid.value = int(block is not None)
        for name, pin in self.pins.items():
            if pin is not None and block is not None:
                value = int(getattr(block, name))
                pin.value = value & self.mask if name in ("pc", "target") else value


class RetireDriver:
    """Shows a module what its cores retire, a block in a cycle, and waits where the module stalls.

    ``idle`` is the share of cycles, 0 to 1, in which nothing retires, from ``seed``. ``coverage`` counts what is shown.
    In a module for several cores, the thread of an event is the number of its core.
    """

    def __init__(
        self, dut: Any, *, idle: float = 0.0, seed: int = 1, coverage: Coverage | None = None
    ) -> None:
        self.clock = clock_of(dut)
        if find(dut, "retire_valid") is not None:
            self.ports = [_Port(dut, "")]
        else:
            found = [core for core in range(CORES) if find(dut, f"retire_valid_{core}") is not None]
            self.ports = [_Port(dut, f"_{core}") for core in found or [0]]
        self.idle, self.random = idle, random.Random(seed)
        self.coverage = coverage if coverage is not None else Coverage()

    async def send(self, block: Block, core: int = 0) -> None:
        """Shows a block until the module has taken it."""
        while self.idle and self.random.random() < self.idle:
            await self._cycle(None, core)
            self.coverage.idle += 1
        while not await self._cycle(block, core):
            self.coverage.stalled += 1
        self.coverage.block(block.kind, block.taken)

    async def _cycle(self, block: Block | None, core: int) -> bool:
        """One cycle with a block or without; true if the module takes it at the next rising edge."""
        await FallingEdge(self.clock)
        for number, port in enumerate(self.ports):
            port.show(block if number == core else None)
        await ReadOnly()
        stall = self.ports[core].stall
        return stall is None or not is_high(stall)

    async def stop(self) -> None:
        """Retires nothing from the next cycle on."""
        await FallingEdge(self.clock)
        for port in self.ports:
            port.show(None)

    async def send_event(self, event: Any, instruction_bytes: int = 4, **states: int) -> None:
        """Shows an event of a trace; ``states`` are context, privilege and cause of its last block."""
        core = int(event["thread"]) if len(self.ports) > 1 else 0
        for part in blocks(event, self.ports[core].most, instruction_bytes):
            await self.send(part._replace(**states) if states else part, core)

    async def send_trace(self, trace: tracewright.Trace) -> tracewright.Trace:
        """Shows all events of a trace, and gives the trace."""
        states = _states(trace)
        for number, event in enumerate(trace.events):
            await self.send_event(event, 1 << trace.machine.alignment, **states(number))
        await self.stop()
        return trace


def _states(trace: tracewright.Trace) -> Callable[[int], dict[str, int]]:
    """Gives the states in which the execution goes on after an event, by its index."""
    rows = trace.states
    if not len(rows):
        return lambda _: {}
    # The row before the event that comes next is what holds after this one.
    numbers = np.arange(1, len(trace.events) + 1)
    places = np.searchsorted(rows["event"], numbers, side="right") - 1

    def after(number: int) -> dict[str, int]:
        place = places[number]
        if place < 0:
            return {}
        row = rows[place]
        fresh = bool(row["has_cause"]) and int(row["event"]) == number + 1
        return {
            "context": int(row["context"]),
            "privilege": int(row["privilege"]),
            "cause": int(row["cause"]) if fresh else 0,
        }

    return after
