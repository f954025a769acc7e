"""Units: designs with what stands around them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import _native
from ._design import Design, _text, as_design
from ._stream import Stream, encode
from ._table import Table
from ._trace import Trace, as_trace

SECTIONS = ("ingress", "sink", "control", "ram_sink", "reader")
"""The sections of a unit's file, in its order."""

_COMMAND = "import sys; from tracewright._command import main; sys.exit(main())"

_PathLike = str | os.PathLike[str]


def _value(given: Any) -> str:
    """A value as TOML has it."""
    if isinstance(given, str):
        return json.dumps(given)
    if isinstance(given, (list, tuple)):
        return f"[{', '.join(map(_value, given))}]"
    return _text(given)


def _options(options: Mapping[str, Any]) -> list[str]:
    """Options of the command: ``seed=3`` is ``--seed 3``, and a value of several is given several times."""
    words = []
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            words += [option] if value else []
        else:
            several = value if isinstance(value, (list, tuple)) else [value]
            words += [word for one in several for word in (option, os.fspath(one) if isinstance(one, os.PathLike) else str(one))]
    return words


def _command(*arguments: _PathLike) -> Any:
    """What the command prints as JSON, also where a check failed; Ctrl-C ends both processes."""
    words = [sys.executable, "-c", _COMMAND, *arguments, "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        raise _native.Error(done.stderr.strip().removeprefix("error: ")) from None


class Unit:
    """A design with the port of a core, sinks, control registers and what reads them. It does not change.

    The keyword arguments of a name in ``SECTIONS`` are sections of the unit's file, with the keys that ``tracewright
    generate`` writes there; all others change parameters of the design:

    >>> unit = Unit("traptor-m4", name="unit", ingress={"port": "rvfi"}, control={"bus": "apb"}, ram_sink={"bytes": 4096})
    >>> print(unit.toml())
    preset = "traptor-m4"
    name = "unit"
    [ingress]
    port = "rvfi"
    [control]
    bus = "apb"
    [ram_sink]
    bytes = 4096
    <BLANKLINE>
    """

    __slots__ = ("_asked", "_sections")
    _asked: Design
    _sections: dict[str, dict[str, Any]]

    def __init__(self, design: Design | str, /, *, name: str | None = None, **given: Any) -> None:
        sections = {key: dict(given.pop(key)) for key in SECTIONS if given.get(key) is not None}
        asked = as_design(design)
        if name is not None or given:
            asked = asked.replace(name=name, **given)
        object.__setattr__(self, "_asked", asked)
        object.__setattr__(self, "_sections", sections)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a unit does not change: make another one with {name}=...")

    @property
    def name(self) -> str:
        """The name of the design."""
        return self._asked.name

    @property
    def sections(self) -> dict[str, dict[str, Any]]:
        """What stands around the design, by section."""
        return {name: dict(keys) for name, keys in self._sections.items()}

    @property
    def design(self) -> Design:
        """The design, with what its sections set: registers need packets and a switch.

        >>> Unit("traptor-m4", control={"bus": "apb"}).design.enable_pin
        True
        """
        with tempfile.TemporaryDirectory() as folder:
            return Design(self._file(folder))

    def toml(self) -> str:
        """The unit as a TOML file that every command takes."""
        lines = [self._asked.toml()]
        for name, keys in self._sections.items():
            lines.append(f"[{name}]\n")
            lines += [f"{key} = {_value(value)}\n" for key, value in keys.items()]
        return "".join(lines)

    def _file(self, folder: _PathLike) -> Path:
        path = Path(folder, f"{self.name}.toml")
        path.write_text(self.toml())
        return path

    def generate(self, folder: _PathLike, **options: Any) -> Path:
        """Writes the Verilog and the documents of the unit into a folder of its name in ``folder``, which is given back.

        Options are those of ``tracewright generate``, such as ``split=True``.
        """
        with tempfile.TemporaryDirectory() as own:
            words = _options({"output": folder, **options})
            [written] = _command("generate", self._file(own), *words)
        return Path(written["folder"])

    def cosim(
        self, traces: Trace | _PathLike | Iterable[Trace | _PathLike], **options: Any
    ) -> Table:
        """Simulates the whole unit on traces, and compares every word, register and byte with the model.

        A row for each trace has ``failure``, which is None where all is equal. Options are those of ``tracewright cosim``,
        such as ``program="run.elf"``, ``seed=3`` or ``stall="random"``. Verilator must be installed.
        """
        several = [traces] if isinstance(traces, (Trace, str, os.PathLike)) else list(traces)
        paths = [as_trace(one).path for one in several]
        with tempfile.TemporaryDirectory() as own:
            return Table.of_rows(_command("cosim", self._file(own), *paths, *_options(options)))

    def model(self, trace: Trace | _PathLike, **options: Any) -> Stream:
        """What the trace module of the unit sends for a trace, as the model of it says; :func:`decode` takes it.

        Options are those of :func:`encode`.
        """
        return encode(self.design, trace, **options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unit) and self.toml() == other.toml()

    def __hash__(self) -> int:
        return hash(self.toml())

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self._asked, self._sections)

    def __repr__(self) -> str:
        around = ", ".join(self._sections) or "nothing around it"
        return f"<Unit {self.name}: {self._asked.scheme}, {around}>"


def _rebuilt(design: Design, sections: dict[str, dict[str, Any]]) -> Unit:
    return Unit(design, **sections)
