"""Tracewright in Python: traces of processors as arrays, and designs that compress them.

* :func:`load` opens a trace; its events, accesses and states are numpy structured arrays.
* :class:`Design` is a trace compressor with its parameters; :func:`designs` lists the presets.
* :class:`Unit` is a design with what stands around it, to be generated and simulated.
* :func:`encode` and :func:`decode` go from a trace to the bits of a design and back.
* :func:`measure`, :func:`compare` and :func:`explore` give figures as :class:`Table`.
* :class:`Program` is what ran, and :func:`view` what it did: functions, loops, call stacks.
* :class:`Predictor` is a scheme without hardware: a class with two methods.

Everything that Tracewright refuses is an :class:`Error` with one sentence. Long functions release the interpreter's
lock, and Ctrl-C ends them. :func:`limit_memory` has them raise MemoryError.
"""

from ._design import Design, Parameter, designs
from ._figures import Exploration, compare, comparators, explore, measure
from ._model import Model, ModelStream
from ._native import (
    DecodeError,
    DesignError,
    EncodeError,
    Error,
    ExplorationError,
    ProgramError,
    TraceError,
    limit_memory,
    used_memory,
)
from ._predictor import Branch, Predictor
from ._program import Program, View, view
from ._records import ACCESS, EVENT, INSTRUCTION, PIECE, RECORD, STATE, Kind, Machine
from ._stream import Stream, decode, encode
from ._table import Table
from ._trace import Block, Trace, import_log, load, synthetic
from ._unit import Unit

__all__ = [
    "ACCESS",
    "Block",
    "Branch",
    "DecodeError",
    "Design",
    "DesignError",
    "EVENT",
    "EncodeError",
    "Error",
    "Exploration",
    "ExplorationError",
    "INSTRUCTION",
    "Kind",
    "Machine",
    "Model",
    "ModelStream",
    "PIECE",
    "Parameter",
    "Predictor",
    "Program",
    "ProgramError",
    "RECORD",
    "STATE",
    "Stream",
    "Table",
    "Trace",
    "TraceError",
    "Unit",
    "View",
    "comparators",
    "compare",
    "decode",
    "designs",
    "encode",
    "explore",
    "import_log",
    "limit_memory",
    "load",
    "measure",
    "synthetic",
    "used_memory",
    "view",
]
