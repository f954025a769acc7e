//! What software does with the registers of a system.

use tracewright_sim::event::Item;

use super::bench::{Bench, SETTLE_CYCLES};
use crate::bus::Clocked;
use crate::debugger::{Debugger, TRACING, WRITE_POINTER};
use crate::error::Result;
use crate::unit::Place;
use crate::unit::bench::Stop;
use crate::unit::software::{wrong_byte, wrong_field};

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

    pub(super) fn read_ring(&mut self) -> Result<Vec<u8>, Stop> {
        self.at_sink();
        self.sink_off()?;
        let (pointer, _) = self.read(WRITE_POINTER)?;
        let found = self.ring()?;
        self.ring.close();
        let (expected, wrapped) = (self.ring.image(), self.ring.has_wrapped);
        let after = (4 * self.ring.write_pointer) | u32::from(wrapped);
        self.has_wrapped = wrapped;
        if pointer != after {
            let what = format!("trRamWPLow is {pointer:#x} and not {after:#x}");
            return Err(self.fails(Place::Ring, what));
        }
        match wrong_byte(&found.oldest_first, &expected) {
            Some(what) => Err(self.fails(Place::Ring, what)),
            None => Ok(expected),
        }
    }
}
