"""Programs, and what they did."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable

from . import _native
from ._records import Machine
from ._table import Table

if TYPE_CHECKING:
    from ._trace import Trace

_PathLike = str | os.PathLike[str]


class Program:
    """The files of a program: an ELF file, and shared libraries at their addresses.

    ``address`` is the load address of a file that is independent of its position. ``images`` are further files, each
    with its address.

    :raises ProgramError: if a file cannot be read, or does not match the others
    """

    def __init__(
        self, path: _PathLike, address: int = 0, *, images: Iterable[tuple[_PathLike, int]] = ()
    ) -> None:
        files = [(os.fspath(path), address), *((os.fspath(file), at) for file, at in images)]
        self._native = _native.Program(files)

    @classmethod
    def of_list(cls, path: _PathLike) -> Program:
        """The program of a list that ``tracewright capture --images`` wrote."""
        made = cls.__new__(cls)
        made._native = _native.Program.of_list(os.fspath(path))
        return made

    @property
    def machine(self) -> Machine:
        """The processor that the program is for."""
        return Machine(*self._native.machine)

    @property
    def entry(self) -> int:
        """The byte address at which it begins."""
        return self._native.entry

    @property
    def files(self) -> list[Path]:
        """The files."""
        return [Path(path) for path in self._native.files]

    @property
    def functions(self) -> Table:
        """Its functions: ``function``, ``address`` of the first instruction, ``size`` in bytes."""
        names = ("function", "address", "size")
        return Table.of_rows(dict(zip(names, row)) for row in self._native.functions())

    def __repr__(self) -> str:
        isa, _, bits = self.machine
        return f"<Program {self.files[0].name}: {isa} of {bits} bits>"


class View:
    """What a program did. All figures count instructions, not time."""

    def __init__(self, shown: dict[str, Any], flame_graph: str) -> None:
        self._shown = shown
        self.flame_graph = flame_graph
        """The flame graph, as SVG."""

    @property
    def instructions(self) -> int:
        """Retired instructions."""
        return int(self._shown["instructions"])

    @property
    def functions(self) -> Table:
        """Functions that ran, the one with the most instructions first.

        ``function``, ``address``, ``instructions`` of its own, ``total`` with those of the functions that it called,
        ``entered``: how often its first instruction ran.
        """
        return Table.of_rows(self._shown["functions"])

    @property
    def loops(self) -> Table:
        """Loops: ``function``, ``line``, ``address``, ``end``, ``entries``, ``iterations``, ``instructions``."""
        return Table.of_rows(self._shown["loops"])

    @property
    def branches(self) -> dict[str, Any]:
        """How often branches ran and were taken, by class; those of ``tracewright view --json``."""
        return dict(self._shown["branches"])

    @property
    def stacks(self) -> Table:
        """Call stacks: ``stack``, functions from the outermost with ``;`` between, and ``instructions``."""
        names = ("stack", "instructions")
        return Table.of_rows(dict(zip(names, row)) for row in self._shown["stacks"])

    def _repr_svg_(self) -> str:
        return self.flame_graph

    def __repr__(self) -> str:
        return f"<View of {self.instructions} instructions in {len(self._shown['functions'])} functions>"


def view(trace: Trace, program: Program) -> View:
    """Follows a trace through its program.

    :raises ProgramError: if the program cannot have made the trace
    """
    shown, flame_graph = _native.view(os.fspath(trace.path), program._native)
    return View(json.loads(shown), flame_graph)
