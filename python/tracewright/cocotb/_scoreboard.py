"""The golden model beside a simulation."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tracewright
from tracewright import _native


DESIGN = "TRACEWRIGHT_DESIGN"
"""The variable of the environment with the folder of the design that :func:`run` runs."""


class Mismatch(AssertionError):
    """The bits of a module are not those of the golden model."""


class Scoreboard:
    """Compares what a module sent with what the golden model sends for the same execution.

    ``design`` is a :class:`tracewright.Design`, the name of a preset, a design file, or the folder that ``tracewright
    generate`` wrote. Without one, it is the design that :func:`run` runs.
    """

    def __init__(self, design: tracewright.Design | str | os.PathLike[str] | None = None) -> None:
        if not isinstance(design, tracewright.Design):
            design = tracewright.Design(os.environ[DESIGN] if design is None else design)
        self.design = design

    def expected(self, trace: tracewright.Trace) -> NDArray[np.uint8]:
        """The bits of a trace and a flush, filled up to a whole trace word: one in each element."""
        return tracewright.encode(self.design, trace).bit_array

    def check_ring(self, trace: tracewright.Trace, ring: bytes, write_pointer: int) -> int:
        """Decodes a ring, as :meth:`RamSink.read` gives it, and compares it with the end of the trace that was shown.

        The trace is the decoder's program, too. Gives the number of events that were found.

        :raises Mismatch: with the first event that differs, or if the ring cannot be decoded
        """
        with tempfile.TemporaryDirectory(prefix="tracewright-") as folder:
            memory, design, back = (
                Path(folder) / name for name in ("ring.bin", "design.toml", "back.pet")
            )
            memory.write_bytes(ring)
            design.write_text(self.design.toml())
            arguments = ["decode", "--ram-sink", hex(write_pointer), "--design", design, memory]
            arguments += ["--program", trace.path, "-o", back, "--allow-gaps"]
            status = _native.run_command(["tracewright", *map(str, arguments)])
            # After gaps there is a file for each part.
            parts = sorted(Path(folder).glob("back*.pet"), key=lambda path: (len(path.name), path.name))
            if not parts:
                raise Mismatch(f"{self.design.name}: the ring cannot be decoded (exit status {status})")
            found = tracewright.load(parts[-1]).events
        # The first event after a gap, or after reset, says where tracing begins.
        found = found[1:]
        expected = trace.events[len(trace.events) - len(found) :]
        if len(expected) < len(found):
            raise Mismatch(f"{len(found)} events in the ring, expected at most {len(expected)}")
        differences = np.nonzero(found != expected)[0]
        if len(differences):
            place = int(differences[0])
            raise Mismatch(
                f"event {place + 1} of the ring is {found[place]}, expected {expected[place]}"
            )
        return len(found)

    def check(self, trace: tracewright.Trace, sink: Any) -> int:
        """Compares all bits of a sink with those of a trace that was shown and flushed once; gives their number.

        :raises Mismatch: with the first bit that differs, its record and its event
        """
        stream = tracewright.encode(self.design, trace)
        port = int(self.design.trace_port_width)
        expected, found = stream.bit_array, sink.bits(port if sink.pads_beats else sink.width)
        # A receiver of wide beats gets zeros after the last word.
        if len(found) > len(expected) and not found[len(expected) :].any():
            found = found[: -(-len(expected) // sink.width) * sink.width]
            expected = np.pad(expected, (0, max(len(found) - len(expected), 0)))
        length = min(len(expected), len(found))
        differences = np.nonzero(expected[:length] != found[:length])[0]
        if not len(differences) and len(expected) == len(found):
            return len(found)
        place = int(differences[0]) if len(differences) else length
        records = stream.records
        assert records is not None
        number = int(np.searchsorted(records["first_bit"], place, side="right")) - 1
        where = f"bit {place}"
        if number >= 0:
            where += f", in record {number}, of event {int(records['event'][number])}"
        raise Mismatch(
            f"{self.design.name}: {len(found)} bits, expected {len(expected)}; the first difference is {where}"
        )
