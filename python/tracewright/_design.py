"""Designs, and their parameters."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from typing import Any

from . import _native


@dataclass(frozen=True)
class Parameter:
    """A parameter of a design."""

    name: str
    value: int | bool | str | list[int]
    """Its value in the design."""
    doc: str
    """What it means, with its unit."""
    allowed: str
    """What it may be: a range or a list of words."""
    default: str
    """Its default in the scheme, as text."""


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(str, value))}]"
    return str(value)


class Design:
    """A trace compressor: a scheme, its parameters and a name. It does not change.

    ``preset`` is the name of a preset, a TOML file, or a folder that ``tracewright generate`` wrote. Keyword arguments
    change parameters, which are attributes of the design too:

    >>> design = Design("talon-m", gshare_entries=2048)
    >>> design.gshare_entries
    2048
    """

    __slots__ = ("_design", "_origin")
    _design: _native.Design
    _origin: tuple[str, str, dict[str, Any]] | None
    """``preset`` or ``scheme``, its name, and the parameters that were changed, if that is how it was made."""

    def __init__(
        self, preset: str | os.PathLike[str], /, *, name: str | None = None, **parameters: Any
    ) -> None:
        preset = os.fspath(preset)
        origin = ("preset", preset, parameters) if preset in _native.presets() else None
        self._become(_changed(_native.Design(preset), name, parameters), origin)

    def _become(
        self, design: _native.Design, origin: tuple[str, str, dict[str, Any]] | None
    ) -> None:
        object.__setattr__(self, "_design", design)
        object.__setattr__(self, "_origin", origin)

    @classmethod
    def of_scheme(cls, name: str, scheme: str, **parameters: Any) -> Design:
        """A scheme with its default parameters, some of them changed, under a name of its own."""
        design = _changed(_native.Design.of_scheme(name, scheme), None, parameters)
        return cls._of(design, ("scheme", scheme, parameters))

    @classmethod
    def _of(
        cls, design: _native.Design, origin: tuple[str, str, dict[str, Any]] | None = None
    ) -> Design:
        made = cls.__new__(cls)
        made._become(design, origin)
        return made

    def replace(self, *, name: str | None = None, **parameters: Any) -> Design:
        """The design with other values of some parameters, and another name if it is given."""
        origin = self._origin
        if origin is not None:
            origin = (*origin[:2], {**origin[2], **parameters})
        return Design._of(_changed(self._design, name, parameters), origin)

    @property
    def name(self) -> str:
        """The name of a preset, or one of your own."""
        return self._design.name

    @property
    def scheme(self) -> str:
        """The name of the scheme."""
        return self._design.scheme

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Every parameter by its name: value, meaning, range and default."""
        return {row[0]: Parameter(*row) for row in self._design.table()}

    @property
    def storage(self) -> dict[str, int]:
        """Storage in bits by structure, as the scheme's paper counts it."""
        return self._design.storage

    @property
    def storage_bits(self) -> int:
        """Storage in bits, as the scheme's paper counts it."""
        return sum(self.storage.values())

    @property
    def estimated_gates(self) -> int:
        """Gates by the papers' rule, from the storage alone."""
        return self._design.estimated_gates

    @property
    def traces_data(self) -> bool:
        """True if the design traces memory accesses instead of control flow."""
        return self._design.traces_data

    @property
    def cores(self) -> int:
        """Processor cores that the design traces."""
        return self._design.cores

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            rows = {row[0]: row[1] for row in self._design.table()}
            if name in rows:
                return rows[name]
            nearest = difflib.get_close_matches(name, rows, 1)
            hint = f"; the nearest is {nearest[0]!r}" if nearest else ""
            raise AttributeError(f"{self.name} has no parameter {name!r}{hint}")
        raise AttributeError(name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a design does not change: use design.replace({name}=...)")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(row[0] for row in self._design.table())]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Design) and self._design == other._design

    def __hash__(self) -> int:
        return hash(self._design)

    def _made(self) -> tuple[str, str, dict[str, Any]]:
        """How to make it: as it was made, or of its scheme with what differs from the defaults."""
        parameters = self.parameters
        if self._origin is not None:
            base, name, changes = self._origin
            return base, name, {key: parameters[key].value for key in changes}
        changes = {
            one.name: one.value for one in parameters.values() if _text(one.value) != one.default
        }
        return "scheme", self.scheme, changes

    def toml(self) -> str:
        """The design as a TOML file that every command takes."""
        base, name, changes = self._made()
        lines = [f'{base} = "{name}"', f'name = "{self.name}"']
        for key, value in changes.items():
            lines.append(f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {_text(value)}")
        return "\n".join(lines) + "\n"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.name, *self._made())

    def __repr__(self) -> str:
        return f"<Design {self.name}: {self.scheme}, {self.storage_bits} bits of storage>"


def _rebuilt(name: str, base: str, of: str, changes: dict[str, Any]) -> Design:
    if base == "preset":
        return Design(of, name=name, **changes)
    return Design.of_scheme(name, of, **changes)


def _changed(design: _native.Design, name: str | None, parameters: dict[str, Any]) -> _native.Design:
    if not parameters and name is None:
        return design
    return design.changed([(key, _text(value)) for key, value in parameters.items()], name)


def designs(beginning: str = "") -> list[Design]:
    """Every preset whose name begins like this.

    >>> [design.name for design in designs("traptor-b")]
    ['traptor-b0', 'traptor-b1', 'traptor-b2', 'traptor-b3', 'traptor-b4']
    """
    return [Design(name) for name in _native.presets() if name.startswith(beginning)]


def as_design(given: Design | str) -> Design:
    """A design, or that of a name."""
    return given if isinstance(given, Design) else Design(given)
