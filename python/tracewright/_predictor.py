"""Predictors without hardware: what a class of one's own has to have."""

from __future__ import annotations

import abc
import operator
from dataclasses import dataclass

from ._records import Kind


@dataclass(slots=True)
class Branch:
    """A control-flow instruction at the end of a run of instructions, as a decoder knows it from the program."""

    program_counter: int
    """Byte address."""
    instructions: int
    """Instructions of the run, this one included."""
    kind: Kind
    """What it does to the program counter; an exception is a system call that comes straight back."""
    call: bool
    """It leaves a return address."""
    is_return: bool
    """It goes back to one."""
    length: int
    """Bytes of the instruction if it is a call and the trace says so, else 0."""
    target: int | None = None
    """Byte address to which a direct branch went when it was last taken; None until then."""


def _whole(what: str, value: object, least: int | None, most: int | None) -> int:
    """The number, if it is a whole one in these bounds."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"{what}: expected a whole number, found {value!r}") from None
    if least is not None and number < least or most is not None and number > most:
        bounds = f"at least {least}" if most is None else f"a number from {least} to {most}"
        raise ValueError(f"{what}: expected {bounds}, found {number}")
    return number


class Predictor(abc.ABC):
    """A scheme without hardware: a class that says what is predicted and what is learned.

    Encoder and decoder each make an object of the class, show it the same branches, and have the same tables. What is
    predicted right costs a fraction of a bit, by the confidence of the prediction; what is wrong costs ``confidence``
    bits, and for indirect branches the target.

    Tables are declared by :meth:`table`, which counts their bits. All that a predictor remembers has to be in them.
    """

    name: str = ""
    """What results call it; the name of the class unless it is set."""

    def table(self, name: str, entries: int, bits: int, initial: int = 0) -> list[int]:
        """Declares a table of so many entries of so many bits, and gives it: ``[initial] * entries``.

        :raises ValueError: if a number is not whole, is negative, or does not fit: an entry has 1 to 64 bits
        """
        entries = _whole(f"{name}: entries", entries, 0, None)
        bits = _whole(f"{name}: bits", bits, 1, 64)
        values = [_whole(f"{name}: initial", initial, 0, (1 << bits) - 1)] * entries
        self._tables()[name] = (values, bits)
        return values

    def _tables(self) -> dict[str, tuple[list[int], int]]:
        tables: dict[str, tuple[list[int], int]] = self.__dict__.setdefault("_declared", {})
        return tables

    @property
    def storage(self) -> dict[str, int]:
        """Bits of every table by its name."""
        return {name: len(values) * bits for name, (values, bits) in self._tables().items()}

    def check(self) -> None:
        """Checks that every entry fits the bits that its table was declared with.

        :raises ValueError: if one does not
        """
        for name, (values, bits) in self._tables().items():
            for entry, value in enumerate(values):
                if not isinstance(value, int):
                    _whole(f"{name}[{entry}]", value, None, None)
                if not 0 <= value < 1 << bits:
                    raise ValueError(f"{name}[{entry}] = {value} does not fit the {bits} bits of an entry")

    @abc.abstractmethod
    def predict(self, branch: Branch) -> tuple[bool, int, int]:
        """What the next execution of a branch does: taken or not, target, confidence.

        It is asked for conditional and indirect branches. The target counts for indirect ones only. The confidence is
        ``k`` from 1 to 14, where the prediction is wrong once in ``2**k`` times.
        """

    @abc.abstractmethod
    def learn(self, branch: Branch, taken: bool, target: int) -> None:
        """What a branch did: taken or not, and the target if it was taken, else 0. It is told of every branch."""
