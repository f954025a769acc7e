//! What software does with the registers of a system.

use tracewright_sim::event::Item;

use super::SharedSink;
use super::bench::{Bench, SETTLE_CYCLES};
use crate::bus::Clocked;
use crate::debugger::{Debugger, TRACING, WRITE_POINTER};
use crate::error::Result;
use crate::unit::bench::Stop;
use crate::unit::software::{bridge_off, bridge_on, memory_off, memory_on, wrong_field};
use crate::unit::{MemorySink, Place, Sink};

/// `trTeEnable`.
const ENABLE: u32 = 1 << 1;

impl<I: Iterator<Item = Result<Item>>> Bench<'_, I> {
    pub(super) fn check_registers(&mut self) -> Result<(), Stop> {
        let system = self.system;
        for (place, hart) in system.harts.iter().enumerate() {
            self.at_hart(place);
            if let Some(what) = wrong_field(self, &hart.registers)? {
                return Err(self.fails_at(place, Place::Registers, what));
            }
        }
        self.at_shared();
        match wrong_field(self, &system.shared_registers)? {
            Some(what) => Err(self.fails(Place::Registers, what)),
            None => Ok(()),
        }
    }

    /// What was written to another hart has not switched this one.
    fn is_switched(&mut self, place: usize, on: bool) -> Result<(), Stop> {
        self.at_hart(place);
        let (value, _) = self.read(0)?;
        match (value & ENABLE != 0) == on {
            true => Ok(()),
            false => {
                let what = format!("trTeControl is {value:#x}, and another hart was switched");
                Err(self.fails_at(place, Place::Registers, what))
            }
        }
    }

    pub(super) fn begin_all(&mut self, is_first: bool) -> Result<(), Stop> {
        for place in 0..self.harts.len() {
            self.is_switched(place, false)?;
            // After a loss a part begins at a branch, for which a core that cannot wait has to run.
            match self.harts[place].follower.loses_blocks() && !is_first {
                true => self.control(TRACING)?,
                false => self.begin(0)?,
            }
        }
        Ok(())
    }

    /// Switches tracing off at each hart, which rests.
    pub(super) fn end_all(&mut self) -> Result<(), Stop> {
        self.harts.iter_mut().for_each(|hart| hart.rests = true);
        while !self.harts.iter().all(|hart| hart.core.is_at_rest()) {
            self.cycle()?;
        }
        (0..SETTLE_CYCLES).try_for_each(|_| self.cycle())?;
        self.flush_by_bus()?;
        for place in 0..self.harts.len() {
            self.is_switched(place, true)?;
            // Tracing that goes off flushes the adapter, and nothing comes then.
            self.harts[place].core.flush();
            self.end()?;
            self.adapter_is_empty(place)?;
        }
        Ok(())
    }

    fn adapter_is_empty(&mut self, place: usize) -> Result<(), Stop> {
        let hart = &mut self.harts[place];
        let trailing = hart.core.trailing_instructions();
        let checked = hart.boundary.is_empty(&hart.core.expected, trailing);
        checked.map_err(|what| self.fails_at(place, Place::Adapter, what))
    }

    /// A trace bus asks for the end of the trace while all harts trace and rest, and is told when all has left.
    fn flush_by_bus(&mut self) -> Result<(), Stop> {
        let Some((asks, has_left)) = self.bus_flush else { return Ok(()) };
        self.harts.iter_mut().for_each(|hart| hart.core.flush());
        self.model.set(asks, 1);
        loop {
            self.cycle()?;
            if self.model.get(has_left) != 0 {
                break;
            }
        }
        let is_over = self.harts.iter().all(|hart| hart.follower.was_flushed);
        if !is_over || !self.receiver.is_empty() {
            return Err(
                self.fails(Place::Sink, "the bus is told that all has left, and it has not")
            );
        }
        for place in 0..self.harts.len() {
            self.adapter_is_empty(place)?;
        }
        self.model.set(asks, 0);
        (0..SETTLE_CYCLES).try_for_each(|_| self.cycle())
    }

    pub(super) fn switch_sink_on(&mut self) -> Result<(), Stop> {
        // Nothing is taken before the sink is on.
        if let Some(ram) = self.receiver.ram() {
            ram.open();
        }
        self.at_shared();
        match self.system.sink {
            SharedSink::Memory(MemorySink::Ring(_)) => self.sink_on(0)?,
            SharedSink::Memory(MemorySink::Memory(config)) => {
                self.ring = memory_on(self, &config)?;
            }
            SharedSink::Port(Sink::Atb) => bridge_on(self)?,
            SharedSink::Port(_) => {}
        }
        Ok(())
    }

    /// Lets all that the funnel has sent leave the system; gives what was taken outside.
    fn drain(&mut self) -> Result<Vec<u8>, Stop> {
        while !self.receiver.is_empty() {
            self.cycle()?;
        }
        if self.bus_flush.is_some() {
            bridge_off(self)?;
        }
        Ok(std::mem::take(&mut self.receiver.recording).finish().bytes)
    }

    /// Ends what takes the trace; gives what is in the ring, or was taken outside.
    pub(super) fn end_sink(&mut self) -> Result<Vec<u8>, Stop> {
        self.at_shared();
        let SharedSink::Memory(sink) = self.system.sink else { return self.drain() };
        let (bytes, wrapped) = match sink {
            MemorySink::Ring(_) => {
                self.sink_off()?;
                let (pointer, _) = self.read(WRITE_POINTER)?;
                let found = self.ring()?;
                let compared = self.receiver.compare_ram(pointer, &found.oldest_first);
                compared.map_err(|what| self.fails(Place::Ring, what))?
            }
            MemorySink::Memory(config) => {
                let pointer = memory_off(self, &config)?;
                self.receiver.close(config.bus.data_bits);
                let compared = self.receiver.compare_memory(config.bus.word_bytes(), pointer);
                (compared.map_err(|what| self.fails(Place::SystemMemory, what))?, pointer.1)
            }
        };
        self.has_wrapped = wrapped;
        Ok(bytes)
    }
}
