"""The RISC-V formal interface, for modules with its adapter (``tracewright generate --ingress rvfi``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from cocotb.triggers import FallingEdge

import tracewright

from ._coverage import Coverage
from ._cycle import clock_of, find, is_high, require
from ._shown import from_reset

NOP = 0x0000_0013
JAL = 0x0000_006F
CALL = 0x0000_00EF
BRANCH = 0x0000_0063
JALR = 0x0003_0067
INDIRECT_CALL = 0x0003_00E7
RETURN = 0x0000_8067
SWAP = 0x0002_80E7
"""Instruction words without an offset; where those of a register lead is in ``pc_wdata``."""


class RvfiInstruction(NamedTuple):
    """What the interface says of an instruction."""

    pc_rdata: int
    """Its byte address."""
    pc_wdata: int
    """Where the program goes on."""
    insn: int = NOP
    """Its word."""
    trap: bool = False
    """It trapped, and did not retire."""
    intr: bool = False
    """It is the first one of a handler."""


def rvfi_instructions(trace: tracewright.Trace) -> Iterator[RvfiInstruction]:
    """What a core would show for a trace of RISC-V instructions of four bytes.

    The words are of the kinds that the events say, and lead where they do; a branch that is not taken leads eight bytes
    on. A first exception without an instruction is left out: the adapter shows one after reset.

    :raises ValueError: for a processor whose instructions differ in length, or of another architecture, and for a branch
        that leads farther than one of RISC-V can
    """
    if trace.machine.isa != "riscv" or trace.machine.alignment != 2:
        raise ValueError(f"expected instructions of four bytes of RISC-V, found {trace.machine}")
    intr, start = False, 0
    for event in trace.events:
        pc, count, target = (int(event[name]) for name in ("program_counter", "instructions", "target"))
        kind, taken = tracewright.Kind(int(event["kind"])), bool(event["taken"])
        exception = kind == tracewright.Kind.EXCEPTION
        first = pc - 4 * (count - 1)
        for address in range(first, first + 4 * count, 4):
            last = address == pc and not exception
            leads_to = target if last and taken else address + 4
            word = NOP
            if last:
                offset = target - address if taken else 8
                word = _word(kind, bool(event["call"]), bool(event["is_return"])) | _offset(kind, address, offset)
            yield RvfiInstruction(address, leads_to, word, intr=intr)
            intr = False
        if exception and taken:
            if intr:
                # The handler's first instruction traps itself.
                yield RvfiInstruction(start, target, NOP, trap=True, intr=True)
            intr, start = True, target


def _word(kind: tracewright.Kind, call: bool, is_return: bool) -> int:
    if kind == tracewright.Kind.DIRECT_JUMP:
        return CALL if call else JAL
    if kind == tracewright.Kind.DIRECT_CONDITIONAL:
        return BRANCH
    if is_return:
        return SWAP if call else RETURN
    return INDIRECT_CALL if call else JALR


def _offset(kind: tracewright.Kind, address: int, offset: int) -> int:
    """The bits of a direct jump's or branch's word that say how far it goes."""
    reach = {tracewright.Kind.DIRECT_JUMP: 1 << 20, tracewright.Kind.DIRECT_CONDITIONAL: 1 << 12}.get(kind)
    if reach is None:
        return 0
    if not -reach <= offset < reach:
        raise ValueError(f"expected a direct jump or branch at {address:#x} within {reach} bytes, found {offset}")

    def bits(low: int, count: int, place: int) -> int:
        return (offset >> low & (1 << count) - 1) << place

    if kind == tracewright.Kind.DIRECT_JUMP:
        return bits(20, 1, 31) | bits(1, 10, 21) | bits(11, 1, 20) | bits(12, 8, 12)
    return bits(12, 1, 31) | bits(5, 6, 25) | bits(1, 4, 8) | bits(11, 1, 7)


class RvfiDriver:
    """Shows a module with an RVFI adapter what a core retires, as many instructions in a cycle as it has channels.

    While ``stall`` is high nothing retires.
    """

    def __init__(self, dut: Any, *, coverage: Coverage | None = None) -> None:
        self.coverage = coverage if coverage is not None else Coverage()
        self.clock, self.stall = clock_of(dut), find(dut, "stall")
        self.valid = require(dut, "rvfi_valid")
        self.pins = {name: require(dut, f"rvfi_{name}") for name in RvfiInstruction._fields}
        self.lanes = len(self.valid)
        self.valid.value = 0

    async def send_trace(self, trace: tracewright.Trace) -> tracewright.Trace:
        """Shows all of a trace, as :func:`rvfi_instructions` gives it, and gives what the module gets of it.

        The adapter adds the exception after reset.
        """
        whole = from_reset(trace)
        await self.send(rvfi_instructions(whole))
        self.coverage.trace(whole)
        return whole

    async def send(self, instructions: Iterable[RvfiInstruction]) -> None:
        """Shows these instructions, and nothing after them."""
        waiting = iter(instructions)
        chunk = _take(waiting, self.lanes)
        while chunk:
            await FallingEdge(self.clock)
            # It depends on registers, so it has its value of the next rising edge.
            stalled = self.stall is not None and is_high(self.stall)
            self.valid.value = 0 if stalled else 2 ** len(chunk) - 1
            self.coverage.stalled += int(stalled)
            if not stalled:
                for name, pin in self.pins.items():
                    bits = len(pin) // self.lanes
                    values = (int(getattr(one, name)) << bits * lane for lane, one in enumerate(chunk))
                    pin.value = sum(values)
                chunk = _take(waiting, self.lanes)
        await FallingEdge(self.clock)
        self.valid.value = 0


def _take(instructions: Iterator[RvfiInstruction], most: int) -> list[RvfiInstruction]:
    taken = []
    for one in instructions:
        taken.append(one)
        if len(taken) == most:
            break
    return taken
