"""The records of traces and streams as numpy types, field for field those of ``python/src/records.rs``."""

from __future__ import annotations

import enum
from typing import Any, Mapping, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _native


class Kind(enum.IntEnum):
    """What a control-flow instruction does to the program counter: the field ``kind`` of an event."""

    DIRECT_JUMP = 0
    """Always taken, the target is in the instruction."""
    DIRECT_CONDITIONAL = 1
    """Taken or not, the target is in the instruction."""
    INDIRECT_JUMP = 2
    """Always taken, the target is in a register or in memory."""
    INDIRECT_CONDITIONAL = 3
    """Taken or not, the target is in a register or in memory."""
    EXCEPTION = 4
    """An exception, interrupt or signal if taken; if not, the flow goes straight on, as after a system call."""


class Machine(NamedTuple):
    """The processor that a trace is of."""

    isa: str
    """``arm``, ``riscv`` or ``x86``."""
    alignment: int
    """Instructions begin at multiples of ``2**alignment`` bytes: 0 to 2."""
    address_bits: int
    """Bits of an address: 32 or 64."""


class Extensions(NamedTuple):
    """What a trace file has beyond the events of four threads."""

    lengths: bool = False
    """Calls have their lengths."""
    data: bool = False
    """There are memory accesses."""
    threads: bool = False
    """Threads are 0 to 7 instead of 0 to 3."""
    states: bool = False
    """There are states."""


def _type(size: int, fields: Mapping[str, tuple[str, int]]) -> np.dtype[np.void]:
    formats, offsets = zip(*fields.values())
    return np.dtype(
        {"names": list(fields), "formats": formats, "offsets": offsets, "itemsize": size}
    )


EVENT = _type(
    32,
    {
        "program_counter": ("<u8", 0),
        "target": ("<u8", 8),
        "instructions": ("<u4", 16),
        "kind": ("u1", 20),
        "call": ("?", 21),
        "is_return": ("?", 22),
        "taken": ("?", 23),
        "length": ("u1", 24),
        "thread": ("u1", 25),
    },
)
"""An event: a retired control-flow instruction, or an exception. 32 bytes.

``program_counter``
    byte address of the instruction; of the last retired one for a taken exception
``target``
    byte address of the next instruction if ``taken``, else 0
``instructions``
    retired since the event before of the same thread, this one included
``kind``
    a :class:`Kind`
``call``, ``is_return``
    it leaves a return address, or goes back to one
``taken``
    the program counter went to ``target``
``length``
    bytes of the instruction, 0 where the trace does not say
``thread``
    0 to 7
"""

ACCESS = _type(
    32,
    {
        "program_counter": ("<u8", 0),
        "address": ("<u8", 8),
        "event": ("<u8", 16),
        "instructions": ("<u4", 24),
        "store": ("?", 28),
        "thread": ("u1", 29),
    },
)
"""A memory access. 32 bytes.

``program_counter``
    byte address of the accessing instruction
``address``
    byte address that it reads or writes
``event``
    index of the event that comes next in the trace; in one thread, the event that ends the run of the access
``instructions``
    retired since the event before of the same thread, the accessing one included
``store``
    it writes
``thread``
    0 to 7
"""

STATE = _type(
    32,
    {
        "context": ("<u8", 0),
        "cause": ("<u8", 8),
        "event": ("<u8", 16),
        "privilege": ("u1", 24),
        "has_cause": ("?", 25),
    },
)
"""In what the execution goes on. 32 bytes.

``context``
    process or thread
``cause``
    why the event before, an exception, was taken, if ``has_cause``
``event``
    index of the event that comes next in the trace
``privilege``
    privilege level, 0 to 7
"""

INSTRUCTION = _type(16, {"program_counter": ("<u8", 0), "event": ("<u8", 8)})
"""A retired instruction. 16 bytes.

``program_counter``
    its byte address
``event``
    index of the event that ends its run
"""

RECORD = _type(24, {"first_bit": ("<u8", 0), "event": ("<u8", 8), "bits": ("<u8", 16)})
"""A record of a stream. 24 bytes.

``first_bit``
    offset of its first bit in the stream
``event``
    index of the event with which it was sent; the number of events for the records that end the stream
``bits``
    its number of bits
"""

PIECE = _type(
    24,
    {"value": ("<u8", 0), "record": ("<u8", 8), "bits": ("<u4", 16), "field": ("<u4", 20)},
)
"""A piece of a record: a field, or a chunk of one. 24 bytes.

``value``
    its bits, the first one lowest
``record``
    index of its record
``bits``
    its number of bits
``field``
    index of its field in ``list(stream.fields)``
"""


def array_of(buffer: _native.Buffer, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The records in a buffer, which are read in place and cannot be written."""
    if len(buffer) == 0:
        return np.empty(0, dtype)
    return np.frombuffer(buffer, dtype)  # type: ignore[call-overload, no-any-return]


def records_of(given: Any, dtype: np.dtype[np.void]) -> NDArray[np.void]:
    """Records of a structured array, or of a mapping of columns; fields that are missing are 0."""
    if given is None:
        return np.zeros(0, dtype)
    if isinstance(given, Mapping):
        columns = {name: np.asarray(column) for name, column in given.items()}
        length = max((len(column) for column in columns.values()), default=0)
    else:
        given = np.asarray(given)
        if given.ndim != 1:
            raise ValueError(f"expected an array of one dimension, found one of {given.ndim}")
        if given.dtype == dtype:
            return np.ascontiguousarray(given)
        if given.dtype.names is None:
            raise ValueError(f"expected an array with fields, found one of {given.dtype}")
        columns = {name: given[name] for name in given.dtype.names or ()}
        length = len(given)
    unknown = sorted(set(columns) - set(dtype.names or ()))
    if unknown:
        expected = ", ".join(dtype.names or ())
        raise ValueError(f"no field is called {unknown[0]}; expected {expected}")
    records = np.zeros(length, dtype)
    for name, column in columns.items():
        records[name] = _fitting(name, column, records.dtype[name])
    return records


def _fitting(name: str, column: NDArray[Any], field: np.dtype[Any]) -> NDArray[Any]:
    """The column, if every number of it fits the field: a conversion would make another number of it."""
    if column.size == 0 or column.dtype == field:
        return column
    if column.dtype.kind == "O":
        # A column of Python's numbers, of which numpy would make whole ones.
        wrong = [value for value in column.ravel() if not hasattr(value, "__index__")]
        if wrong:
            raise ValueError(f"{name}: expected whole numbers, found {wrong[0]}")
    elif column.dtype.kind == "f":
        wrong = column[~(np.isfinite(column) & (column == np.floor(column)))]
        if wrong.size > 0:
            raise ValueError(f"{name}: expected whole numbers, found {wrong.ravel()[0]}")
    elif column.dtype.kind not in "biu":
        raise ValueError(f"{name}: expected whole numbers, found a column of {column.dtype}")
    limits = (0, 1) if field.kind == "b" else (int(np.iinfo(field).min), int(np.iinfo(field).max))
    least, most = int(column.min()), int(column.max())
    if least < limits[0] or most > limits[1]:
        found = least if least < limits[0] else most
        raise ValueError(f"{name}: expected numbers from {limits[0]} to {limits[1]}, found {found}")
    return column
