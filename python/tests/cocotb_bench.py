"""A test that finds out what ports a module has, shows it a trace there, and compares what it sends."""

import os

import cocotb
import numpy as np

import tracewright
from tracewright.cocotb import (
    AxiLiteManager,
    AxiStreamSink,
    Coverage,
    DataDriver,
    PinSink,
    RamSink,
    RetireDriver,
    RvfiDriver,
    Scoreboard,
    TipDriver,
    TraceBusSink,
    TracePortSink,
    flush,
    reset,
    sometimes,
    start_clock,
)


def trace(dut):
    """A synthetic program that the driver of the module can show."""
    alignment = int(os.environ.get("ALIGNMENT", "2"))
    made = tracewright.synthetic(300, seed=3, machine=("riscv", alignment, 32), data_accesses=10, code_span=4096)
    if hasattr(dut, "retire_valid_0"):
        # The threads take turns at random; each begins where it is.
        events = made.events.copy()
        events["thread"] = np.random.default_rng(1).integers(0, 4, len(events))
        return tracewright.Trace.from_arrays(made.machine, events)
    if hasattr(dut, "retire_context"):
        places = np.arange(20, 300, 20)
        states = {"event": places, "context": places % 16, "privilege": places % 4}
        return tracewright.Trace.from_arrays(made.machine, made.events, states=states)
    return made


def sink_of(dut, coverage):
    """The receiver of the module's trace; none for a ring that registers read."""
    take = sometimes(0.6)
    if "RING" in os.environ:
        return None
    if hasattr(dut, "m_axis_tdata"):
        return AxiStreamSink(dut, take, coverage=coverage)
    if hasattr(dut, "atdata"):
        dut.trace_id.value = 5
        return TraceBusSink(dut, take, coverage=coverage)
    if hasattr(dut, "pin_data"):
        return PinSink(dut)
    return TracePortSink(dut, take, coverage=coverage)


def driver_of(dut, coverage):
    """The driver of what the module traces."""
    if hasattr(dut, "rvfi_valid"):
        return RvfiDriver(dut, coverage=coverage)
    if hasattr(dut, "tip_itype"):
        return TipDriver(dut, coverage=coverage)
    if hasattr(dut, "data_valid"):
        return DataDriver(dut)
    return RetireDriver(dut, idle=0.2, coverage=coverage)


@cocotb.test()
async def whole_trace(dut):
    coverage = Coverage()
    sink, driver = sink_of(dut, coverage), driver_of(dut, coverage)
    bus = AxiLiteManager(dut) if sink is None else None
    start_clock(dut)
    await reset(dut, ready=sink is not None)
    if sink is None:
        ring = RamSink(bus, 4096)
        await ring.start()
        await ring.takes_blocks()
    shown = await driver.send_trace(trace(dut))
    if sink is None:
        await ring.stop()
        assert Scoreboard().check_ring(shown, *await ring.read()) >= 290
        return
    await flush(dut)
    if "WRONG" in os.environ:
        sink.beats[len(sink.beats) // 2] ^= 1
    assert Scoreboard().check(shown, sink) > 400
    if isinstance(sink, TraceBusSink):
        assert set(sink.ids) == {5}
    if isinstance(sink, AxiStreamSink):
        assert sink.lasts == [len(sink.beats) - 1]
    if not isinstance(driver, DataDriver):
        assert set(coverage.missing()) <= {
            "indirect conditional, not taken",
            "indirect conditional, taken",
            "exception",
            "sequential",
            "a stall",
        }
