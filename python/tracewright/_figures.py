"""Figures of designs on traces."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from . import _native
from ._design import Design, as_design
from ._model import Model, model_row
from ._predictor import Predictor
from ._table import Table
from ._trace import Trace, as_trace

_PathLike = str | os.PathLike[str]
Contender = Design | str | type[Predictor] | Callable[[], Predictor]
"""A design, the name of one, or what makes a predictor without hardware."""


def _several(given: Any, one: tuple[type, ...]) -> list[Any]:
    return [given] if isinstance(given, one) or callable(given) else list(given)


def _contenders(given: Any) -> list[Design | Callable[[], Predictor]]:
    several = _several(given, (Design, str))
    return [one if callable(one) else as_design(one) for one in several]


def _traces(given: Any) -> list[Trace]:
    return [as_trace(one) for one in _several(given, (Trace, str, os.PathLike))]


def _named(found: Any, traces: list[Trace]) -> Any:
    """A result in which traces have their names in place of their paths."""
    names = {os.fspath(trace.path): trace.name for trace in traces}

    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: named(part) for key, part in value.items()}
        if isinstance(value, list):
            return [named(part) for part in value]
        return names.get(value, value) if isinstance(value, str) else value

    return named(found)


def _in_order(
    contenders: list[Any], figures: list[dict[str, Any]], models: list[dict[str, Any]], traces: int
) -> list[dict[str, Any]]:
    """The rows of designs and of models, in the order of the contenders."""
    of_design, of_model = iter(figures), iter(models)
    rows: list[dict[str, Any]] = []
    for contender in contenders:
        source = of_design if isinstance(contender, Design) else of_model
        rows.extend(next(source) for _ in range(traces))
    return rows + list(of_design)


def measure(
    designs: Contender | Iterable[Contender], traces: Trace | _PathLike | Iterable[Trace | _PathLike]
) -> Table:
    """Bits per instruction of designs on traces: a row for every design on every trace, design by design.

    The columns are those of ``tracewright measure --json``; ``bits`` are without padding, and ``fields`` has the bits
    of each field by name. Predictors without hardware have the columns that do not need it.
    """
    contenders, found = _contenders(designs), _traces(traces)
    of_designs = [one._design for one in contenders if isinstance(one, Design)]
    paths = [os.fspath(trace.path) for trace in found]
    figures = _named(json.loads(_native.measure(of_designs, paths)), found) if of_designs else []
    models = _models(contenders, found)
    for row in models:
        row["design"] = row.pop("name")
    return Table.of_rows(_in_order(contenders, figures, models, len(found)))


def comparators() -> list[str]:
    """The names of the other encoders that :func:`compare` knows, such as ``e-trace`` and ``gzip``."""
    return _native.comparators()


def compare(
    designs: Contender | Iterable[Contender],
    traces: Trace | _PathLike | Iterable[Trace | _PathLike],
    others: Iterable[str] = (),
) -> Table:
    """Designs, predictors without hardware and other encoders on the same traces, encoder by encoder.

    The columns are those of ``tracewright compare --json``. ``basis`` says what the bits are: ``design``, ``real
    encoder``, ``model``, or ``model only`` for a predictor without hardware. ``refused`` says why a format cannot carry
    a trace. ``papers_bits`` is the storage in bits.
    """
    contenders, found = _contenders(designs), _traces(traces)
    of_designs = [one._design for one in contenders if isinstance(one, Design)]
    paths = [os.fspath(trace.path) for trace in found]
    compared = json.loads(_native.compare(of_designs, list(others), paths))
    figures = _named(compared, found)
    return Table.of_rows(_in_order(contenders, figures, _models(contenders, found), len(found)))


def _models(contenders: list[Any], traces: list[Trace]) -> list[dict[str, Any]]:
    models = [one for one in contenders if not isinstance(one, Design)]
    return [model_row(Model(one), trace) for one in models for trace in traces]


class Exploration:
    """The result of a search."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.found = found
        """Everything, as ``tracewright explore --json`` prints it."""

    @property
    def table(self) -> Table:
        """Every design, with the columns of ``tracewright explore --json``, such as ``gates`` and ``is_on_front``."""
        return Table.of_rows(self.found["configurations"])

    @property
    def front(self) -> Table:
        """The designs that no other beats in every objective."""
        return Table.of_rows(row for row in self.found["configurations"] if row["is_on_front"])

    def designs(self) -> list[Design]:
        """The designs of :attr:`front`, in its order, without predictors, which have no hardware."""
        on_front = (row for row in self.found["configurations"] if row["is_on_front"])
        return [_design_of(row) for row in on_front if "basis" not in row]

    def __repr__(self) -> str:
        return f"<Exploration: {self.table.height} designs, {self.front.height} on the front>"


def _design_of(row: Mapping[str, Any]) -> Design:
    base = row.get("base")
    if base is None:
        return Design(row["preset"], name=row["design"], **row["parameters"])
    return Design.of_scheme(row["design"], base["scheme"], **{**base["parameters"], **row["parameters"]})


def explore(
    search: Mapping[str, Any] | _PathLike,
    traces: Trace | _PathLike | Iterable[Trace | _PathLike],
    folder: _PathLike | None = None,
) -> Exploration:
    """Searches a space of parameters for designs of few bits and few gates.

    ``search`` is the TOML file of a search, or its content as a dictionary:

    >>> search = {"preset": "traptor-s1", "space": {"gshare_entries": [128, 512]}}

    The names of ``preset`` are presets, TOML files of designs, or predictors as ``"file.py:Class"``, whose parameters are
    searched as those of designs. Files are relative to the TOML file, or to the working directory.

    In ``folder`` every measurement is kept, so that the same call goes on where it was interrupted.

    :raises ExplorationError: if the search is not valid
    """
    of_search = _traces(traces)
    paths = [os.fspath(trace.path) for trace in of_search]
    with tempfile.TemporaryDirectory(prefix="tracewright-") as temporary:
        kept = os.fspath(folder) if folder is not None else os.path.join(temporary, "results")
        os.makedirs(kept, exist_ok=True)
        if isinstance(search, Mapping):
            file, text = "search", json.dumps(search)
        else:
            file, text = os.fspath(search), None
        return Exploration(_named(json.loads(_native.explore(file, text, paths, kept)), of_search))
