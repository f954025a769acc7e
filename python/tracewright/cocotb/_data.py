"""The port ``data_*`` of a module that traces data addresses."""

from __future__ import annotations

from typing import Any

from cocotb.triggers import FallingEdge, ReadOnly

import tracewright

from ._cycle import clock_of, find, is_high, require


class DataDriver:
    """Shows a module memory accesses, one in a cycle, and waits where the module stalls."""

    def __init__(self, dut: Any) -> None:
        self.clock = clock_of(dut)
        self.valid = require(dut, "data_valid")
        self.pc, self.address = require(dut, "data_pc"), require(dut, "data_address")
        self.store, self.stall = require(dut, "data_store"), find(dut, "stall")
        self.valid.value = 0

    async def send(self, pc: int, address: int, store: bool) -> None:
        """Shows an access until the module has taken it."""
        taken = False
        while not taken:
            await FallingEdge(self.clock)
            self.valid.value, self.store.value = 1, int(store)
            self.pc.value, self.address.value = pc, address
            await ReadOnly()
            taken = self.stall is None or not is_high(self.stall)

    async def stop(self) -> None:
        """Shows nothing from the next cycle on."""
        await FallingEdge(self.clock)
        self.valid.value = 0

    async def send_trace(self, trace: tracewright.Trace) -> tracewright.Trace:
        """Shows all accesses of a trace, and gives the trace."""
        for access in trace.accesses:
            await self.send(
                int(access["program_counter"]), int(access["address"]), bool(access["store"])
            )
        await self.stop()
        return trace
