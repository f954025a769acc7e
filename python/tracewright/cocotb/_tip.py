"""The trace ingress port of E-Trace, for modules with its adapter (``tracewright generate --ingress tip``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from cocotb.triggers import FallingEdge

import tracewright

from ._coverage import Coverage
from ._cycle import clock_of, find, is_high, require
from ._shown import from_reset, without_last_jump


class TipBlock(NamedTuple):
    """What the port says of a block."""

    itype: int
    """How the block ends."""
    iaddr: int
    """Byte address of its first instruction."""
    iretire: int
    """Its half-words; with a pin of one bit, 1 for an instruction."""
    ilastsize: int = 1
    """The last instruction has 2^ilastsize half-words."""
    icount: int = 0
    """Its instructions."""


def tip_blocks(
    trace: tracewright.Trace, most: int = 15, *, single: bool = False
) -> Iterator[TipBlock]:
    """What a hart would show for a trace of instructions of four bytes, with blocks of at most ``most`` instructions.

    With ``single``, each instruction is a block, with an ``iretire`` of 1.

    :raises ValueError: for a processor whose instructions differ in length
    """
    if trace.machine.alignment != 2:
        raise ValueError(f"expected instructions of four bytes, found {trace.machine}")
    most, unit = (1, 1) if single else (most, 2)
    start = 0
    for number, event in enumerate(trace.events):
        pc, count = int(event["program_counter"]), int(event["instructions"])
        first = pc - 4 * (count - 1)
        while count > most:
            yield TipBlock(0, first, unit * most, icount=most)
            first, count = first + 4 * most, count - most
        itype = _itype(event)
        if count:
            yield TipBlock(itype, first, unit * count, icount=count)
        elif itype and number:
            # The exception comes before an instruction could retire where the program was. After reset, the adapter
            # shows one by itself.
            yield TipBlock(itype, start, 0)
        start = int(event["target"]) if event["taken"] else pc + 4


def _itype(event: Any) -> int:
    kind, taken = tracewright.Kind(int(event["kind"])), bool(event["taken"])
    call, is_return = bool(event["call"]), bool(event["is_return"])
    if kind == tracewright.Kind.EXCEPTION:
        return 2 if taken else 0
    if kind == tracewright.Kind.DIRECT_CONDITIONAL:
        return 5 if taken else 4
    if kind == tracewright.Kind.DIRECT_JUMP:
        return 9 if call else 15
    if call and is_return:
        return 12
    return 13 if is_return else 8 if call else 14


class TipDriver:
    """Shows a module with a TIP adapter what a hart retires, a block in a cycle, and nothing while ``stall`` is 1."""

    def __init__(self, dut: Any, *, coverage: Coverage | None = None) -> None:
        self.coverage = coverage if coverage is not None else Coverage()
        self.clock, self.stall = clock_of(dut), find(dut, "stall")
        self.pins = {name: find(dut, f"tip_{name}") for name in TipBlock._fields}
        for name in ("itype", "iaddr", "iretire"):
            require(dut, f"tip_{name}")
        bits = len(self.pins["iretire"])
        self.single = bits == 1
        self.most = (2**bits - 1) // 2
        self._show(TipBlock(0, 0, 0))

    def _show(self, block: TipBlock) -> None:
        for name, pin in self.pins.items():
            if pin is not None:
                pin.value = int(getattr(block, name))

    async def send_trace(self, trace: tracewright.Trace) -> tracewright.Trace:
        """Shows all of a trace, as :func:`tip_blocks` gives it, and gives what the module gets of it before a flush.

        The adapter adds the exception after reset, and holds a last jump, as its target is not known.
        """
        whole = from_reset(trace)
        await self.send(tip_blocks(whole, self.most, single=self.single))
        self.coverage.trace(whole)
        return without_last_jump(whole)

    async def send(self, blocks: Iterable[TipBlock]) -> None:
        """Shows these blocks, and nothing after them."""
        for block in blocks:
            await FallingEdge(self.clock)
            # It depends on registers, so it has its value of the next rising edge.
            while self.stall is not None and is_high(self.stall):
                self._show(TipBlock(0, 0, 0))
                self.coverage.stalled += 1
                await FallingEdge(self.clock)
            self._show(block)
        await FallingEdge(self.clock)
        self._show(TipBlock(0, 0, 0))
