"""What a simulation has shown a trace module."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import tracewright

KINDS = {
    tracewright.Kind.DIRECT_JUMP: 1,
    tracewright.Kind.DIRECT_CONDITIONAL: 2,
    tracewright.Kind.INDIRECT_JUMP: 3,
    tracewright.Kind.INDIRECT_CONDITIONAL: 4,
    tracewright.Kind.EXCEPTION: 5,
}
"""``retire_kind`` of an event."""

NAMES = (
    "sequential",
    "direct jump",
    "direct conditional",
    "indirect jump",
    "indirect conditional",
    "exception",
)
"""What ``retire_kind`` means, by its value."""

CONDITIONAL = (2, 4)
"""Kinds that can be taken or not."""


@dataclass
class Coverage:
    """Counts of blocks by kind and outcome, and of cycles without one."""

    kinds: Counter[tuple[int, bool]] = field(default_factory=Counter)
    """Blocks by ``retire_kind`` and ``retire_taken``."""
    stalled: int = 0
    """Cycles in which the module did not take a block."""
    idle: int = 0
    """Cycles in which the core retired nothing, because the driver was asked for it."""
    waiting: int = 0
    """Cycles in which the receiver did not take a beat of the trace."""

    def block(self, kind: int, taken: bool) -> None:
        """Counts a block."""
        self.kinds[kind, taken if kind in CONDITIONAL else False] += 1

    def trace(self, trace: tracewright.Trace) -> None:
        """Counts the last block of every event, and one more for an event of several instructions."""
        for event in trace.events:
            kind, taken = KINDS[tracewright.Kind(int(event["kind"]))], bool(event["taken"])
            exception = kind == KINDS[tracewright.Kind.EXCEPTION]
            self.block(0 if exception and not taken else kind, taken)
            if event["instructions"] > 1:
                self.block(0, False)

    def missing(self) -> list[str]:
        """What has not been shown yet: kinds, outcomes of conditional branches, and a stall."""
        wanted = [(kind, False) for kind in range(len(NAMES))]
        wanted += [(kind, True) for kind in CONDITIONAL]
        found = [_name(*what) for what in wanted if not self.kinds[what]]
        return found + ([] if self.stalled else ["a stall"])

    def __str__(self) -> str:
        rows = [f"{count:>9,} {_name(*what)}" for what, count in sorted(self.kinds.items())]
        rows += [f"{self.stalled:>9,} cycles stalled", f"{self.idle:>9,} cycles idle"]
        rows += [f"{self.waiting:>9,} cycles in which a beat waited"]
        return "\n".join(rows)


def _name(kind: int, taken: bool) -> str:
    if kind in CONDITIONAL:
        return f"{NAMES[kind]}, {'taken' if taken else 'not taken'}"
    return NAMES[kind]
