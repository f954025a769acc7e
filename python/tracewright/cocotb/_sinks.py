"""Receivers of a trace: the trace port, AXI4-Stream, a trace bus, the pins of a chip."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import cocotb
import numpy as np
from cocotb.triggers import Edge, FallingEdge, ReadOnly
from numpy.typing import NDArray

from ._coverage import Coverage
from ._cycle import clock_of, is_high, require

Ready = Callable[[], bool]
"""Says in each cycle whether the receiver takes a beat."""


def sometimes(share: float, seed: int = 1) -> Ready:
    """A receiver that takes a beat in this share of cycles, 0 to 1."""
    generator = random.Random(seed)
    return lambda: generator.random() < share


class _Sink:
    """Beats of the same number of bits, as they come."""

    pads_beats = False
    """True if a beat of the trace port is filled up with zeros to a whole byte."""

    def __init__(self) -> None:
        self.beats: list[int] = []
        """The beats that were taken, each with its first bit lowest."""
        self.width = 0
        """Bits of a beat."""

    def bits(self, width: int) -> NDArray[np.uint8]:
        """The lowest bits of every beat, as many as ``width``: shape ``(beats * width,)``."""
        beats = np.array(self.beats, np.uint64)
        places = np.arange(width, dtype=np.uint64)
        return ((beats[:, None] >> places) & np.uint64(1)).astype(np.uint8).ravel()

    @property
    def bit_array(self) -> NDArray[np.uint8]:
        """Every bit that was taken, the first one first: shape ``(beats * width,)``."""
        return self.bits(self.width)

    @property
    def data(self) -> bytes:
        """The same as bytes: the first bit is the lowest of the first byte."""
        return np.packbits(self.bit_array, bitorder="little").tobytes()


class _HandshakeSink(_Sink):
    """A port whose beats are taken where valid and ready are high."""

    def __init__(
        self, dut: Any, data: str, valid: str, ready: str, take: Ready | None, coverage: Coverage | None
    ) -> None:
        super().__init__()
        self.clock = clock_of(dut)
        self.pins = require(dut, data), require(dut, valid), require(dut, ready)
        self.width = len(self.pins[0])
        self.take = take
        self.coverage = coverage if coverage is not None else Coverage()
        self.pins[2].value = 0
        cocotb.start_soon(self._run())

    async def _run(self) -> None:
        data, valid, ready = self.pins
        while True:
            await FallingEdge(self.clock)
            takes = self.take is None or self.take()
            ready.value = int(takes)
            await ReadOnly()
            if not is_high(valid):
                continue
            if takes:
                self.beats.append(int(data.value))
                self._taken()
            else:
                self.coverage.waiting += 1

    def _taken(self) -> None:
        """A beat has been taken, and its other pins can be read."""


class TracePortSink(_HandshakeSink):
    """Takes beats at ``trace_data``.

    ``take`` says in each cycle whether it does; without it, it always does. :func:`sometimes` makes one.
    """

    def __init__(
        self, dut: Any, take: Ready | None = None, *, coverage: Coverage | None = None
    ) -> None:
        super().__init__(dut, "trace_data", "trace_valid", "trace_ready", take, coverage)


class AxiStreamSink(_HandshakeSink):
    """Takes beats of an AXI4-Stream manager, as ``TOP_axis`` is one."""

    pads_beats = True

    def __init__(
        self,
        dut: Any,
        take: Ready | None = None,
        *,
        prefix: str = "m_axis",
        coverage: Coverage | None = None,
    ) -> None:
        self.last_pin = require(dut, f"{prefix}_tlast")
        self.lasts: list[int] = []
        """Numbers of beats that had ``tlast``, from 0."""
        names = (f"{prefix}_{name}" for name in ("tdata", "tvalid", "tready"))
        super().__init__(dut, *names, take, coverage)

    def _taken(self) -> None:
        if is_high(self.last_pin):
            self.lasts.append(len(self.beats) - 1)


class TraceBusSink(_HandshakeSink):
    """Takes beats of an AMBA trace bus, as ``TOP_atb`` is a source on one. Set ``trace_id`` before tracing begins."""

    def __init__(
        self, dut: Any, take: Ready | None = None, *, coverage: Coverage | None = None
    ) -> None:
        self.id_pin = require(dut, "atid")
        self.ids: list[int] = []
        """The number of the source of each beat."""
        super().__init__(dut, "atdata", "atvalid", "atready", take, coverage)

    def _taken(self) -> None:
        self.ids.append(int(self.id_pin.value))


class PinSink(_Sink):
    """Reads the pins of a chip, as ``TOP_pins`` drives them: a beat at every edge of ``pin_clock``."""

    def __init__(self, dut: Any) -> None:
        super().__init__()
        self.pins = require(dut, "pin_clock"), require(dut, "pin_data"), require(dut, "pin_idle")
        self.width = len(self.pins[1])
        cocotb.start_soon(self._run())

    async def _run(self) -> None:
        clock, data, idle = self.pins
        while True:
            await Edge(clock)
            await ReadOnly()
            if not is_high(idle) and data.value.is_resolvable:
                self.beats.append(int(data.value))
