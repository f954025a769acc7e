"""Encoded traces."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._design import Design, as_design
from ._model import Model, ModelStream
from ._predictor import Predictor
from ._program import Program
from ._records import PIECE, RECORD, Machine, array_of
from ._trace import Trace, as_trace

_PathLike = str | os.PathLike[str]


class Stream:
    """A trace as the bits that a design sends: made by :func:`encode`, or read from a file by :meth:`load`."""

    fields: dict[str, int] | None
    """Bits of each field, in the order in which they first came; None for a stream from a file."""
    records: NDArray[np.void] | None
    """Every record: shape ``(number of records,)``, type :data:`RECORD`; None for a stream from a file."""
    pieces: NDArray[np.void] | None
    """Every piece of every record, type :data:`PIECE`, if they were asked for."""

    def __init__(
        self,
        native: _native.Stream,
        fields: dict[str, int] | None = None,
        records: NDArray[np.void] | None = None,
        pieces: NDArray[np.void] | None = None,
    ) -> None:
        self._native = native
        self.fields, self.records, self.pieces = fields, records, pieces
        self.bits, self.padding_bits, self.events, self.instructions = native.totals

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Stream:
        """Reads a file that :meth:`save` or ``tracewright encode`` wrote.

        :raises DecodeError: if it is damaged
        """
        return cls(_native.read_stream(Path(path).read_bytes()))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the stream as ``tracewright encode`` does, with its design, for ``tracewright decode``.

        A file has its name only when it is complete; for a link the file that it points to is replaced.

        :raises Error: if the file cannot be written
        """
        self._native.save(os.fspath(path))

    bits: int
    """Bits of the stream, padding not counted."""
    padding_bits: int
    """Zero bits that fill up the last word."""
    events: int
    """Events that were encoded."""
    instructions: int
    """Instructions that were encoded."""

    @property
    def design(self) -> Design:
        """The design, as it was fitted to the trace."""
        return Design._of(self._native.design)

    @property
    def machine(self) -> Machine:
        """The processor that was traced."""
        return Machine(*self._native.machine)

    @property
    def bits_per_instruction(self) -> float:
        """``bits`` divided by ``instructions``."""
        return self.bits / self.instructions if self.instructions else 0.0

    @property
    def data(self) -> NDArray[np.uint8]:
        """The bytes of the stream, padding included: the first bit is the lowest of the first byte."""
        return array_of(self._native.data(), np.dtype(np.uint8))

    @property
    def bit_array(self) -> NDArray[np.uint8]:
        """The bits of the stream, padding included, one in each element: shape ``(bits + padding_bits,)``."""
        return np.unpackbits(self.data, count=self.bits + self.padding_bits, bitorder="little")

    @property
    def event_bits(self) -> NDArray[np.float64]:
        """Bits that were sent with each event: shape ``(events,)``. Those that end the stream are the last event's.

        :raises ValueError: for a stream from a file
        """
        if self.records is None:
            raise ValueError("a stream from a file has no records: encode the trace")
        places = np.minimum(self.records["event"], max(self.events - 1, 0)).astype(np.int64)
        return np.bincount(places, self.records["bits"], self.events).astype(np.float64)

    def __len__(self) -> int:
        return self.bits

    def __repr__(self) -> str:
        return (
            f"<Stream of {self.design.name}: {self.bits} bits, {self.bits_per_instruction:.4f} per instruction>"
        )


@overload
def encode(design: Design | str, trace: Trace | _PathLike, *, pieces: bool = False) -> Stream: ...


@overload
def encode(design: Callable[[], Predictor], trace: Trace | _PathLike) -> ModelStream: ...


def encode(
    design: Design | str | Callable[[], Predictor], trace: Trace | _PathLike, *, pieces: bool = False
) -> Stream | ModelStream:
    """Encodes a trace as the hardware of a design does, or with a class of predictors.

    Alignment, address width and upper bits of targets follow the trace unless the design sets them. ``pieces`` asks
    for every piece of every record, 24 bytes each.

    :raises EncodeError: if the design cannot trace an event
    """
    if callable(design):
        return Model(design).encode(as_trace(trace))
    path = os.fspath(as_trace(trace).path)
    native, fields, records, of_records = _native.encode(as_design(design)._design, path, pieces)
    found = None if of_records is None else array_of(of_records, PIECE)
    return Stream(native, dict(fields), array_of(records, RECORD), found)


def decode(
    stream: Stream | ModelStream, program: Trace | Program | _PathLike, *, name: str = "decoded"
) -> Trace:
    """Decodes a stream, given the program that was traced, to a trace that equals what was encoded.

    The program is learned from a trace, or read from its files. A design of data addresses needs the trace of the
    execution, whose addresses are not used.

    :raises DecodeError: if the stream is damaged, or the program is another one
    """
    if isinstance(stream, ModelStream):
        return stream.model.decode(stream, program, name)
    if isinstance(program, Program):
        return Trace._of_whole(name, _native.decode(stream._native, program=program._native))
    trace = as_trace(program)
    return Trace._of_whole(name, _native.decode(stream._native, trace=os.fspath(trace.path)))
