//! What software does with the registers of a system.

use tracewright_sim::event::Item;

use super::bench::{Bench, SETTLE_CYCLES};
use crate::bus::Clocked;
use crate::debugger::{Debugger, TRACING, WRITE_POINTER};
use crate::error::Result;
use crate::unit::bench::Stop;
use crate::unit::software::{memory_off, memory_on, wrong_field};
use crate::unit::{MemorySink, Place};

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
        self.master.base = system.sink_base;
        match wrong_field(self, &system.sink_registers)? {
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
        for place in 0..self.harts.len() {
            self.is_switched(place, true)?;
            // Tracing that goes off flushes the adapter, and nothing comes then.
            self.harts[place].core.flush();
            self.end()?;
            let hart = &mut self.harts[place];
            let trailing = hart.core.trailing_instructions();
            let checked = hart.boundary.is_empty(&hart.core.expected, trailing);
            checked.map_err(|what| self.fails_at(place, Place::Adapter, what))?;
        }
        Ok(())
    }

    pub(super) fn switch_sink_on(&mut self) -> Result<(), Stop> {
        // Nothing is taken before the sink is on.
        if let Some(ram) = self.receiver.ram() {
            ram.open();
        }
        self.at_sink();
        match self.system.sink {
            MemorySink::Ring(_) => self.sink_on(0)?,
            MemorySink::Memory(config) => self.ring = memory_on(self, &config)?,
        }
        Ok(())
    }

    pub(super) fn read_ring(&mut self) -> Result<Vec<u8>, Stop> {
        self.at_sink();
        let (bytes, wrapped) = match self.system.sink {
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
