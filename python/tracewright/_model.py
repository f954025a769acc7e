"""Predictors without hardware on traces: their bits, and the way back."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _range_coder
from ._native import DecodeError, EncodeError, ProgramError
from ._predictor import Branch, Predictor
from ._records import EVENT, Kind, Machine
from ._trace import Trace

NOTHING_WRONG = 15
"""The confidence that no exception comes before the next branch, and that the trace goes on."""
SAME_HANDLER = 4
"""The confidence that an exception goes where the last one went."""
MOST_CONFIDENT = 14
"""The highest confidence of a predictor."""

_COUNT_BITS = 32
_RIGHT = [0.0, *(-math.log2(1 - 2.0**-k) for k in range(1, NOTHING_WRONG + 1))]
_START = -1
_SILENT = (Kind.DIRECT_JUMP, Kind.EXCEPTION)

_COLUMNS = ("instructions", "program_counter", "kind", "call", "is_return", "length", "taken", "target")


class _Code:
    """The code of a traced program: the branch at the end of every run, and where exceptions came."""

    def __init__(self, trace: Trace) -> None:
        self.branches: dict[int, Branch] = {}
        self.points: dict[tuple[int, int], int] = {}
        if int(trace.events["thread"].max(initial=0)) > 0:
            raise EncodeError(f"{trace.name} has several threads: a predictor is for one core")
        place = _START
        for event in zip(*(trace.events[name].tolist() for name in _COLUMNS)):
            place = self._learn(place, *event)

    def _learn(
        self,
        place: int,
        instructions: int,
        counter: int,
        kind: int,
        call: bool,
        is_return: bool,
        length: int,
        taken: bool,
        target: int,
    ) -> int:
        """Learns an event of the run at a place, and gives the place after it."""
        if kind == Kind.EXCEPTION and taken:
            # After no instruction, it is the address of the event before.
            if instructions and self.points.setdefault((place, instructions), counter) != counter:
                raise ProgramError(f"the program changed at {counter:#x} while it ran")
            return 2 * target
        branch = self.branches.get(place)
        if branch is None:
            branch = Branch(counter, instructions, Kind(kind), call, is_return, length if call else 0)
            self.branches[place] = branch
        elif (branch.program_counter, branch.instructions, branch.kind) != (counter, instructions, kind):
            raise ProgramError(f"the program changed at {counter:#x} while it ran")
        if taken and kind <= Kind.DIRECT_CONDITIONAL:
            if branch.target is None:
                branch.target = target
            elif branch.target != target:
                raise ProgramError(f"the program changed at {counter:#x} while it ran")
        return 2 * target if taken else 2 * counter + 1

    def count_bits(self, place: int) -> int:
        """Bits of the number of instructions that retired in the run at a place before an exception."""
        branch = self.branches.get(place)
        return branch.instructions.bit_length() if branch else _COUNT_BITS


def _target_bits(machine: Machine) -> int:
    return machine.address_bits - machine.alignment


def _is_right(branch: Branch, prediction: tuple[bool, int, int], taken: bool, target: int) -> bool:
    """True if a prediction says what a branch did."""
    if branch.kind == Kind.DIRECT_CONDITIONAL:
        return prediction[0] == taken
    if branch.kind == Kind.INDIRECT_JUMP:
        return prediction[1] == target
    return prediction[0] == taken and (not taken or prediction[1] == target)


class ModelStream:
    """A trace as the bits of a predictor without hardware."""

    def __init__(self, model: Model, trace: Trace, data: bytes, event_bits: NDArray[np.float64]) -> None:
        self.model, self.machine = model, trace.machine
        self.data = data
        """The bytes of the stream."""
        self.bits = 8 * len(data)
        """Bits of the stream."""
        self.events, self.instructions = len(trace.events), trace.instruction_count
        self.event_bits = event_bits
        """Bits that each event costs, a fraction of one where it is predicted: shape ``(events,)``."""
        self.fields: dict[str, float] = {}
        """Bits by what they say: outcomes, targets, exceptions, and that there are none."""

    @property
    def bits_per_instruction(self) -> float:
        """``bits`` divided by ``instructions``."""
        return self.bits / self.instructions if self.instructions else 0.0

    def __repr__(self) -> str:
        return (
            f"<ModelStream of {self.model.name}: {self.bits} bits, {self.bits_per_instruction:.4f} per instruction>"
        )


class Model:
    """What a class of predictors makes of traces."""

    def __init__(self, make: Callable[[], Predictor]) -> None:
        self._make = make
        predictor = self.predictor()
        self.name = predictor.name or type(predictor).__name__
        """What results call it."""
        self.storage = {**predictor.storage, "exception_target": 64}
        """Bits of every declared table by its name, and those of the last exception's target."""

    def predictor(self) -> Predictor:
        """A predictor as it is at the beginning of a trace."""
        predictor = self._make()
        if not isinstance(predictor, Predictor):
            raise TypeError(f"expected a class of predictors, found one of {type(predictor).__name__}")
        return predictor

    @property
    def storage_bits(self) -> int:
        """Bits of all declared tables."""
        return sum(self.storage.values())

    def _predict(self, predictor: Predictor, branch: Branch) -> tuple[bool, int, int]:
        taken, target, confidence = predictor.predict(branch)
        if not 1 <= confidence <= MOST_CONFIDENT:
            raise ValueError(f"expected a confidence from 1 to {MOST_CONFIDENT}, found {confidence}")
        return bool(taken), int(target), confidence

    def encode(self, trace: Trace) -> ModelStream:
        """Encodes a trace.

        :raises EncodeError: if it has several threads
        :raises ProgramError: if its program changed while it ran
        """
        code, predictor, coder = _Code(trace), self.predictor(), _range_coder.Encoder()
        target_bits, shift = _target_bits(trace.machine), trace.machine.alignment
        fields = {"outcome": 0.0, "target": 0.0, "exception": 0.0, "no_exception": 0.0}
        costs: list[float] = []
        place, handler = _START, 0
        names = ("instructions", "program_counter", "kind", "taken", "target")
        columns = (trace.events[name].tolist() for name in names)
        for instructions, counter, kind, taken, target in zip(*columns):
            if kind == Kind.EXCEPTION and taken:
                wrong, count_bits = target != handler, code.count_bits(place)
                coder.symbol(True, NOTHING_WRONG)
                coder.number(0, 1)
                coder.number(instructions, count_bits)
                coder.symbol(wrong, SAME_HANDLER)
                if wrong:
                    coder.number(target >> shift, target_bits)
                of_target = SAME_HANDLER + target_bits if wrong else _RIGHT[SAME_HANDLER]
                costs.append(NOTHING_WRONG + 1 + count_bits + of_target)
                fields["exception"] += costs[-1]
                place, handler = 2 * target, target
                continue
            coder.symbol(False, NOTHING_WRONG)
            fields["no_exception"] += _RIGHT[NOTHING_WRONG]
            cost, raw = _RIGHT[NOTHING_WRONG], 0
            branch = code.branches[place]
            if kind not in _SILENT:
                prediction = self._predict(predictor, branch)
                wrong, confidence = not _is_right(branch, prediction, taken, target), prediction[2]
                coder.symbol(wrong, confidence)
                if wrong and kind == Kind.INDIRECT_CONDITIONAL:
                    coder.number(taken, 1)
                    raw += 1
                if wrong and taken and kind != Kind.DIRECT_CONDITIONAL:
                    coder.number(target >> shift, target_bits)
                    raw += target_bits
                of_symbol = confidence if wrong else _RIGHT[confidence]
                what = "outcome" if kind == Kind.DIRECT_CONDITIONAL else "target"
                fields[what] += of_symbol + raw
                cost += of_symbol + raw
            costs.append(cost)
            predictor.learn(branch, taken, target)
            place = 2 * target if taken else 2 * counter + 1
        coder.symbol(True, NOTHING_WRONG)
        coder.number(1, 1)
        predictor.check()
        stream = ModelStream(self, trace, coder.finish(), np.array(costs))
        stream.fields = fields
        return stream

    def decode(self, stream: ModelStream, program: Trace, name: str = "decoded") -> Trace:
        """Decodes a stream with the program of a trace.

        :raises DecodeError: if the program is another one
        """
        code, predictor = _Code(program), self.predictor()
        coder, machine = _range_coder.Decoder(stream.data), stream.machine
        target_bits, shift = _target_bits(machine), machine.alignment
        rows: list[tuple[Any, ...]] = []
        place, last, handler = _START, 0, 0
        while len(rows) <= stream.events:
            if coder.symbol(NOTHING_WRONG):
                if coder.number(1):
                    break
                instructions = coder.number(code.count_bits(place))
                wrong = coder.symbol(SAME_HANDLER)
                handler = target = coder.number(target_bits) << shift if wrong else handler
                counter = last if instructions == 0 else code.points.get((place, instructions))
                if counter is None:
                    raise DecodeError("the stream does not belong to the program")
                rows.append((counter, target, instructions, Kind.EXCEPTION, False, False, True, 0, 0))
                place, last = 2 * target, counter
                continue
            branch = code.branches.get(place)
            if branch is None:
                raise DecodeError("the stream does not belong to the program")
            taken, target = self._outcome(predictor, branch, coder, (target_bits, shift))
            predictor.learn(branch, taken, target)
            counter = branch.program_counter
            flags = (branch.call, branch.is_return, taken)
            rows.append((counter, target, branch.instructions, branch.kind, *flags, branch.length, 0))
            place, last = (2 * target if taken else 2 * counter + 1), counter
        if len(rows) != stream.events:
            raise DecodeError(f"expected {stream.events} events, decoded {len(rows)}")
        return Trace.from_arrays(machine, np.array(rows, EVENT), name=name)

    def _outcome(
        self, predictor: Predictor, branch: Branch, coder: _range_coder.Decoder, target: tuple[int, int]
    ) -> tuple[bool, int]:
        """What a branch did: taken or not, and the target."""
        kind, direct = branch.kind, branch.target or 0
        if kind in _SILENT:
            return kind == Kind.DIRECT_JUMP, direct
        taken, predicted, confidence = self._predict(predictor, branch)
        wrong = coder.symbol(confidence)
        if kind == Kind.DIRECT_CONDITIONAL:
            taken ^= wrong
            return taken, direct if taken else 0
        if wrong:
            taken = kind == Kind.INDIRECT_JUMP or bool(coder.number(1))
            predicted = coder.number(target[0]) << target[1] if taken else 0
        taken |= kind == Kind.INDIRECT_JUMP
        return taken, predicted if taken else 0


def model_row(model: Model, trace: Trace) -> dict[str, Any]:
    """The figures of a model on a trace."""
    stream = model.encode(trace)
    return {
        "name": model.name,
        "basis": "model only",
        "trace": trace.name,
        "events": stream.events,
        "accesses": len(trace.accesses),
        "instructions": stream.instructions,
        "bits": stream.bits,
        "bits_per_instruction": stream.bits_per_instruction,
        "refused": None,
        "papers_bits": model.storage_bits,
        "fields": stream.fields,
    }
