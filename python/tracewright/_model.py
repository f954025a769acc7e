"""Predictors without hardware on traces: their bits, and the way back."""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._predictor import Predictor
from ._program import Program
from ._records import Machine, array_of
from ._trace import Trace, as_trace


class ModelStream:
    """A trace as the bits of a predictor without hardware."""

    def __init__(self, model: Model, trace: Trace) -> None:
        self.model, self.machine = model, trace.machine
        found = model._native.encode(os.fspath(trace.path))
        self.data: bytes = bytes(found[0])
        """The bytes of the stream."""
        self.bits = 8 * len(self.data)
        """Bits of the stream."""
        self._address_width, self.events, self.instructions = found[1:4]
        self.fields: dict[str, float] = dict(found[4])
        """Bits by what they say: outcomes, targets, exceptions, and that there are none."""
        self.event_bits: NDArray[np.float64] = array_of(found[5], np.dtype(np.float64))
        """Bits that each event costs, a fraction of one where it is predicted: shape ``(events,)``."""

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

    def __init__(self, make: Callable[..., Predictor]) -> None:
        self._make = make
        predictor = self.predictor()
        self.name = predictor.name or type(predictor).__name__
        """What results call it."""
        self.parameters = _parameters(make)
        """The arguments of the class that have whole numbers as defaults, and these numbers."""
        self._native = _native.Model(self.predictor, self.name, list(self.parameters.items()))

    def predictor(self, **parameters: int) -> Predictor:
        """A predictor as it is at the beginning of a trace."""
        predictor = self._make(**parameters)
        if not isinstance(predictor, Predictor):
            raise TypeError(f"expected a class of predictors, found one of {type(predictor).__name__}")
        return predictor

    @property
    def storage(self) -> dict[str, int]:
        """Bits of every declared table by its name, and those of the last exception's target."""
        return dict(self._native.storage)

    @property
    def storage_bits(self) -> int:
        """Bits of all declared tables."""
        return sum(self.storage.values())

    @property
    def estimated_gates(self) -> int | None:
        """Gates by the papers' rule, from the storage alone."""
        return self._native.estimated_gates

    def encode(self, trace: Trace) -> ModelStream:
        """Encodes a trace.

        :raises EncodeError: if it has several threads
        """
        return ModelStream(self, trace)

    def decode(
        self, stream: ModelStream, program: Trace | Program | str | os.PathLike[str], name: str = "decoded"
    ) -> Trace:
        """Decodes a stream with the program of a trace, or that of its files.

        :raises DecodeError: if the program is another one
        """
        known: dict[str, Any] = (
            {"program": program._native}
            if isinstance(program, Program)
            else {"trace": os.fspath(as_trace(program).path)}
        )
        counts = (stream.events, stream.instructions)
        whole = self._native.decode(stream.data, stream.machine, stream._address_width, counts, **known)
        return Trace._of_whole(name, whole)


def _parameters(make: Callable[..., Predictor]) -> dict[str, int]:
    try:
        found = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {one.name: one.default for one in found if type(one.default) is int and one.default >= 0}


def load(file: str, name: str) -> _native.Model:
    """The class of predictors of this name in a file, for the command."""
    path = Path(file)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {file}")
    found = importlib.util.spec_from_file_location(path.stem, path)
    if found is None or found.loader is None:
        raise ImportError(f"{file} cannot be imported")
    module = importlib.util.module_from_spec(found)
    # As Python does for a script: what is beside it can be imported.
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    found.loader.exec_module(module)
    if not hasattr(module, name):
        raise AttributeError(f"{file} has no class {name}")
    return Model(getattr(module, name))._native


def described(error: BaseException, raised_at: TracebackType | None) -> str:
    """An exception in one sentence, with the line that raised it."""
    frames = [one for one in traceback.extract_tb(raised_at) if one.filename != __file__]
    outside = [one for one in frames if "importlib" not in one.filename]
    place = f" ({Path(outside[-1].filename).name}, line {outside[-1].lineno})" if outside else ""
    return f"{type(error).__name__}: {error}{place}"


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
        "estimated_gates": model.estimated_gates,
        "fields": stream.fields,
    }
