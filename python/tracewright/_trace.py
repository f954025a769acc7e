"""Traces as arrays."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._program import Program
from ._records import (
    ACCESS,
    EVENT,
    INSTRUCTION,
    STATE,
    Extensions,
    Machine,
    array_of,
    records_of,
)

_PathLike = str | os.PathLike[str]

FASTEST = 1
"""The level of zstd that takes the least time."""


class Block(NamedTuple):
    """A part of a trace, as :meth:`Trace.blocks` gives it."""

    events: NDArray[np.void]
    """Shape ``(n,)``, type :data:`EVENT`."""
    accesses: NDArray[np.void]
    """Shape ``(m,)``, type :data:`ACCESS`; ``event`` counts from the beginning of the trace."""
    states: NDArray[np.void]
    """Shape ``(k,)``, type :data:`STATE`; ``event`` counts from the beginning of the trace."""


class Trace:
    """An execution as the events of a trace, in a file or in arrays.

    :func:`load` opens a file, which is read when its arrays are asked for, and :meth:`from_arrays` takes arrays. The
    arrays of a trace cannot be written: change a copy.
    """

    name: str
    """What results call the trace."""
    machine: Machine
    """The processor."""
    extensions: Extensions
    """What its file has beyond the events of four threads."""

    def __init__(
        self,
        name: str,
        machine: Machine,
        extensions: Extensions,
        path: Path | None,
        arrays: Block | None,
    ) -> None:
        self.name, self.machine, self.extensions = name, machine, extensions
        self._path, self._arrays = path, arrays

    @classmethod
    def _of_whole(cls, name: str, whole: _native.Whole) -> Trace:
        machine, extensions, events, accesses, states = whole
        arrays = Block(array_of(events, EVENT), array_of(accesses, ACCESS), array_of(states, STATE))
        return cls(name, Machine(*machine), Extensions(*extensions), None, arrays)

    @classmethod
    def from_arrays(
        cls,
        machine: Machine | tuple[str, int, int],
        events: Any,
        accesses: Any = None,
        states: Any = None,
        *,
        name: str = "trace",
    ) -> Trace:
        """The trace of these events.

        ``events``, ``accesses`` and ``states`` are structured arrays with fields of :data:`EVENT`, :data:`ACCESS` and
        :data:`STATE`, or mappings of columns; fields that are missing are 0. The trace says that it has the lengths
        of calls if every call has one.

        :raises ValueError: if a field is unknown or of several dimensions, or a number does not fit its field
        :raises TraceError: when it is written, if an event breaks a rule of the format
        """
        arrays = Block(*map(records_of, (events, accesses, states), (EVENT, ACCESS, STATE)))
        for array in arrays:
            array.flags.writeable = False
        lengths = arrays.events["length"][arrays.events["call"]]
        threads = max((int(part["thread"].max(initial=0)) for part in arrays[:2]), default=0)
        extensions = Extensions(
            lengths=len(lengths) > 0 and bool(lengths.all()),
            data=len(arrays.accesses) > 0,
            threads=threads > 3,
            states=len(arrays.states) > 0,
        )
        return cls(name, Machine(*machine), extensions, None, arrays)

    def _whole(self) -> Block:
        if self._arrays is None:
            self._arrays = next(self.blocks(None))
        return self._arrays

    @property
    def events(self) -> NDArray[np.void]:
        """Every event: shape ``(number of events,)``, type :data:`EVENT`."""
        return self._whole().events

    @property
    def accesses(self) -> NDArray[np.void]:
        """Every memory access: shape ``(number of accesses,)``, type :data:`ACCESS`."""
        return self._whole().accesses

    @property
    def states(self) -> NDArray[np.void]:
        """Every state: shape ``(number of states,)``, type :data:`STATE`."""
        return self._whole().states

    @property
    def instruction_count(self) -> int:
        """Retired instructions, over all threads."""
        return int(self.events["instructions"].sum(dtype=np.uint64))

    def blocks(self, records: int | None = 1 << 20) -> Iterator[Block]:
        """The trace in parts of so many events, accesses and states together, for traces that do not fit into memory.

        The last part may have fewer. Without a number there is one part.

        :raises ValueError: if the number is below 1
        """
        if records is not None and records < 1:
            raise ValueError(f"expected at least 1 record in a part, found {records}")
        reader = _native.TraceReader(os.fspath(self.path))
        while True:
            events, accesses, states = reader.block(records)
            block = Block(
                array_of(events, EVENT), array_of(accesses, ACCESS), array_of(states, STATE)
            )
            if records is None or any(map(len, block)):
                yield block
            if records is None or sum(map(len, block)) < records:
                return

    def instructions(self, program: Program | None = None) -> NDArray[np.void]:
        """Every retired instruction: shape ``(instruction_count,)``, type :data:`INSTRUCTION`.

        The program says where instructions begin. Where all of them have four bytes, no program is needed.

        :raises ProgramError: if the program cannot have made the trace
        """
        if program is not None:
            buffer = _native.instructions(os.fspath(self.path), program._native)
            return array_of(buffer, INSTRUCTION)
        if self.machine.alignment != 2:
            raise ValueError("instructions of this processor differ in length: expected a program")
        counts = self.events["instructions"].astype(np.int64)
        ends = np.cumsum(counts)
        found = np.empty(int(counts.sum()), INSTRUCTION)
        found["event"] = np.repeat(np.arange(len(counts), dtype=np.uint64), counts)
        to_end = np.repeat(ends, counts) - 1 - np.arange(len(found))
        found["program_counter"] = np.repeat(self.events["program_counter"], counts)
        found["program_counter"] -= 4 * to_end.astype(np.uint64)
        return found

    @property
    def path(self) -> Path:
        """The file of the trace. A trace of arrays gets a temporary one, which goes when the trace goes."""
        if self._path is None:
            handle, name = tempfile.mkstemp(prefix="tracewright-", suffix=".pet")
            os.close(handle)
            weakref.finalize(self, _remove, name)
            self._write(name, FASTEST)
            self._path = Path(name)
        return self._path

    def save(self, path: _PathLike, *, level: int = 9, format: str | None = None) -> None:
        """Writes the trace as the command writes its output.

        ``format`` is ``pet.zst``, ``pet``, ``txt``, ``csv`` or ``jsonl``, and without it the name ends with one of them.
        ``level`` is that of zstd, 1 to 22. A file has its name only when it is complete; for a link the file that it
        points to is replaced, and a device or a pipe is written.

        :raises TraceError: if the file cannot be written, or an event breaks a rule of the format
        :raises ValueError: if neither the name nor ``format`` says in which form
        """
        self._write(os.fspath(path), level, format)

    def _write(self, path: str, level: int, form: str | None = None) -> None:
        events, accesses, states = (
            np.ascontiguousarray(part).view(np.uint8) for part in self._whole()
        )
        _native.write_trace(
            path, form, self.machine, self.extensions, events, accesses, states, level
        )

    def __len__(self) -> int:
        return len(self.events)

    def __repr__(self) -> str:
        isa, _, bits = self.machine
        count = "not read yet" if self._arrays is None else f"{len(self.events)} events"
        return f"<Trace {self.name}: {isa} of {bits} bits, {count}>"


def _remove(name: str) -> None:
    try:
        os.unlink(name)
    except FileNotFoundError:
        pass


def load(path: _PathLike, *, name: str | None = None) -> Trace:
    """Opens a trace file of any form: PET1, compressed or not, or text.

    :raises TraceError: if it cannot be opened or is no trace
    """
    reader = _native.TraceReader(os.fspath(path))
    name = name or Path(path).name.partition(".")[0]
    return Trace(name, Machine(*reader.machine), Extensions(*reader.extensions), Path(path), None)


def as_trace(given: Trace | _PathLike) -> Trace:
    """A trace, or that of a file."""
    return given if isinstance(given, Trace) else load(given)


def synthetic(
    events: int = 10_000,
    *,
    seed: int = 1,
    machine: Machine | tuple[str, int, int] = Machine("riscv", 1, 64),
    data_accesses: int = 0,
    code_span: int | None = None,
) -> Trace:
    """The trace of a synthetic program, the same for the same arguments.

    ``data_accesses`` is the percentage of instructions that access memory. A synthetic program has random branches, so
    it needs many more bits than real ones. ``code_span`` is the number of bytes over which its code is spread: 4096 for
    a driver whose branches have to be words of RISC-V.
    """
    whole = _native.synthetic(events, seed, Machine(*machine), data_accesses, code_span)
    return Trace._of_whole(f"synthetic-{seed}", whole)


def import_log(
    path: _PathLike,
    *,
    program: Program | None = None,
    hart: int | None = None,
    core: _PathLike | None = None,
    name: str | None = None,
) -> Trace:
    """Makes a trace of a log of Spike, Ibex, CVA6, QEMU or RVFI, of a table or a waveform, whose format is recognised.

    The program says what instructions do where the log does not. ``hart`` takes one hart of several, as thread 0.
    ``core`` is a file that says what a waveform (VCD, FST) calls the signals of the core.

    :raises TraceError: if the log or the file of the core cannot be read
    """
    native = program._native if program is not None else None
    whole, _, _ = _native.import_log(os.fspath(path), native, hart, None if core is None else os.fspath(core))
    return Trace._of_whole(name or Path(path).name.partition(".")[0], whole)
