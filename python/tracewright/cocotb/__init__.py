"""Trace modules in cocotb: drivers for what a core retires, sinks for ports and buses, and the golden model as
scoreboard.

A test of a module that ``tracewright generate`` wrote, with every bit compared with the golden model's::

    import cocotb, tracewright
    from tracewright.cocotb import RetireDriver, Scoreboard, TracePortSink, flush, reset, start_clock

    @cocotb.test()
    async def a_program(dut):
        start_clock(dut)
        sink = TracePortSink(dut)
        await reset(dut)
        shown = await RetireDriver(dut).send_trace(tracewright.load("run.pet.zst"))
        await flush(dut)
        Scoreboard("traptor-m4").check(shown, sink)

:func:`run` compiles a folder of ``tracewright generate`` and runs such tests in Icarus Verilog or Verilator.

Drivers set their pins at the falling edge of the clock, and everything is sampled right after that, when all outputs
have settled; so nothing depends on the order in which a simulator takes the events of the rising edge.
"""

from ._bus import ApbManager, AxiLiteManager, BusError, RamSink
from ._coverage import Coverage
from ._cycle import flush, reset, start_clock
from ._data import DataDriver
from ._retire import Block, RetireDriver, blocks
from ._run import run
from ._rvfi import RvfiDriver, RvfiInstruction, rvfi_instructions
from ._scoreboard import Mismatch, Scoreboard
from ._sinks import AxiStreamSink, PinSink, TraceBusSink, TracePortSink, sometimes
from ._tip import TipBlock, TipDriver, tip_blocks

__all__ = [
    "ApbManager",
    "AxiLiteManager",
    "AxiStreamSink",
    "Block",
    "BusError",
    "Coverage",
    "DataDriver",
    "Mismatch",
    "PinSink",
    "RamSink",
    "RetireDriver",
    "RvfiDriver",
    "RvfiInstruction",
    "Scoreboard",
    "TipBlock",
    "TipDriver",
    "TraceBusSink",
    "TracePortSink",
    "blocks",
    "flush",
    "reset",
    "run",
    "rvfi_instructions",
    "sometimes",
    "start_clock",
    "tip_blocks",
]
