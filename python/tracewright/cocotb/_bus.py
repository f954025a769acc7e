"""Buses to control registers (``tracewright generate --control``), and the ring of a RAM sink."""

from __future__ import annotations

from typing import Any

from cocotb.triggers import FallingEdge, ReadOnly

from ._cycle import clock_of, is_high, require

RAM_CONTROL = 0x1000
RAM_WRITE_POINTER = 0x1020
RAM_READ_POINTER = 0x1028
RAM_LIMIT = 0x1018
RAM_DATA = 0x1040
ENCODER_CONTROL = 0x0000


class BusError(Exception):
    """The module answered with an error."""


class ApbManager:
    """Reads and writes registers by APB4."""

    def __init__(self, dut: Any) -> None:
        self.dut, self.clock = dut, clock_of(dut)
        for name in ("psel", "penable", "pwrite", "paddr", "pwdata", "pstrb", "pprot"):
            require(dut, name).value = 0

    async def write(self, address: int, value: int) -> None:
        """Writes 32 bits.

        :raises BusError: if the module has no such page
        """
        await self._access(address, value)

    async def read(self, address: int) -> int:
        """Reads 32 bits.

        :raises BusError: if the module has no such page
        """
        return await self._access(address, None)

    async def _access(self, address: int, value: int | None) -> int:
        dut = self.dut
        await FallingEdge(self.clock)
        dut.psel.value, dut.penable.value, dut.paddr.value = 1, 0, address
        dut.pwrite.value = int(value is not None)
        dut.pwdata.value, dut.pstrb.value = value or 0, 15 if value is not None else 0
        await FallingEdge(self.clock)
        dut.penable.value = 1
        await ReadOnly()
        while not is_high(dut.pready):
            await FallingEdge(self.clock)
            await ReadOnly()
        result, failed = dut.prdata.value, is_high(dut.pslverr)
        await FallingEdge(self.clock)
        dut.psel.value, dut.penable.value = 0, 0
        if failed:
            raise BusError(f"no page at {address:#x}")
        return int(result) if value is None else 0


class AxiLiteManager:
    """Reads and writes registers by AXI4-Lite. ``prefix`` stands before the names of the channels."""

    def __init__(self, dut: Any, prefix: str = "s_axi") -> None:
        self.clock, self.dut, self.prefix = clock_of(dut), dut, prefix
        for name in ("awvalid", "awaddr", "wvalid", "wdata", "wstrb", "bready", "arvalid", "araddr", "rready"):
            self._pin(name).value = 0

    def _pin(self, name: str) -> Any:
        return require(self.dut, f"{self.prefix}_{name}")

    async def write(self, address: int, value: int) -> None:
        """Writes 32 bits.

        :raises BusError: if the module has no such page
        """
        await FallingEdge(self.clock)
        self._pin("awaddr").value, self._pin("wdata").value, self._pin("wstrb").value = address, value, 15
        self._pin("awvalid").value = self._pin("wvalid").value = self._pin("bready").value = 1
        waiting = {"aw", "w", "b"}
        while waiting:
            await ReadOnly()
            response = self._pin("bresp").value
            done = {
                channel
                for channel in waiting
                if is_high(self._pin(f"{channel}valid")) and is_high(self._pin(f"{channel}ready"))
            }
            await FallingEdge(self.clock)
            for channel in done:
                self._pin(f"{channel}{'ready' if channel == 'b' else 'valid'}").value = 0
            waiting -= done
        if int(response) != 0:
            raise BusError(f"no page at {address:#x}")

    async def read(self, address: int) -> int:
        """Reads 32 bits.

        :raises BusError: if the module has no such page
        """
        await FallingEdge(self.clock)
        self._pin("araddr").value = address
        self._pin("arvalid").value = self._pin("rready").value = 1
        asked = True
        while True:
            await ReadOnly()
            accepted = asked and is_high(self._pin("arready"))
            answered = is_high(self._pin("rvalid"))
            result, response = self._pin("rdata").value, self._pin("rresp").value
            await FallingEdge(self.clock)
            if accepted:
                self._pin("arvalid").value, asked = 0, False
            if answered:
                self._pin("rready").value = 0
                break
        if int(response) != 0:
            raise BusError(f"no page at {address:#x}")
        return int(result)


class RamSink:
    """A RAM sink of this size in bytes, with registers on a bus: switches tracing on and off, and reads the ring."""

    def __init__(self, bus: ApbManager | AxiLiteManager, size: int) -> None:
        self.bus, self.words = bus, size // 4

    async def start(self, *, stop_when_full: bool = False) -> None:
        """Sets the ring up and switches tracing on."""
        await self.bus.write(RAM_CONTROL, 1)
        await self.bus.write(RAM_LIMIT, 4 * (self.words - 1))
        await self.bus.write(RAM_WRITE_POINTER, 0)
        await self.bus.write(RAM_CONTROL, 0x103 if stop_when_full else 3)
        await self.bus.write(ENCODER_CONTROL, 1)
        await self.bus.write(ENCODER_CONTROL, 0x77)

    async def takes_blocks(self) -> None:
        """Waits until the module takes blocks: hold the core in reset until then."""
        while not await self.bus.read(0x0E00) & 1:
            pass

    async def stop(self) -> None:
        """Switches tracing off, and waits until all of the trace is in the memory."""
        await self.bus.write(ENCODER_CONTROL, 0x71)
        while not await self.bus.read(ENCODER_CONTROL) & 8:
            pass
        await self.bus.write(RAM_CONTROL, 1)
        while not await self.bus.read(RAM_CONTROL) & 8:
            pass

    async def read(self) -> tuple[bytes, int]:
        """All of the ring, as ``tracewright decode --ram-sink VALUE`` takes it, and that value."""
        value = await self.bus.read(RAM_WRITE_POINTER)
        await self.bus.write(RAM_READ_POINTER, 0)
        # What was not written since reset has no value.
        count = self.words if value & 1 else (value & ~3) // 4
        words = [await self.bus.read(RAM_DATA) for _ in range(count)]
        ring = b"".join(word.to_bytes(4, "little") for word in words)
        return ring.ljust(4 * self.words, b"\0"), value
