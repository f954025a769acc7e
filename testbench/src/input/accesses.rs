//! Memory accesses, one per cycle: the golden encoder runs ahead of the hardware.

use tracewright_sim::event::Item;
use tracewright_sim::session::Session;

use super::{Bench, Input};
use crate::cosim::AnyError;
use crate::error::{Error, Result};
use crate::library::Library;
use crate::model::Model;
use crate::pins::DataPins;

pub(crate) struct Accesses {
    pins: DataPins,
    /// An access is on the pins and not taken yet.
    held: bool,
}

impl Accesses {
    pub(crate) fn new(library: &Library) -> Result<Self> {
        Ok(Accesses { pins: DataPins::find(library)?, held: false })
    }
}

impl<G, I> Input<G, I> for Accesses
where
    G: Session<Error: Into<AnyError>>,
    I: Iterator<Item = Result<Item>>,
{
    #[inline]
    fn drive(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool> {
        if self.held {
            return Ok(false);
        }
        if bench.options.stimulus.is_bubble(noise) {
            self.pins.show_none(&mut bench.model, noise);
            return Ok(false);
        }
        let Some((index, access)) = bench.next_access()? else {
            self.pins.show_none(&mut bench.model, noise);
            return Ok(true);
        };
        bench.encode_access(index, &access)?;
        self.pins
            .show(&mut bench.model, &access)
            .map_err(|reason| Error::Unpresentable { index, reason })?;
        self.held = true;
        if !bench.flush_is_due() || noise >> 63 == 0 {
            return Ok(false);
        }
        // A flush in the cycle of the last access, if that is taken in this cycle.
        bench.model.settle()?;
        Ok(bench.model.get(self.pins.stall) == 0)
    }

    #[inline]
    fn rest(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<()> {
        self.pins.show_none(&mut bench.model, noise);
        Ok(())
    }

    fn flip(&mut self, model: &mut Model) {
        model.set(self.pins.data_valid, (!self.held).into());
    }

    fn unflip(&mut self, model: &mut Model) {
        model.set(self.pins.data_valid, self.held.into());
    }

    #[inline]
    fn stalls(&self, model: &Model) -> u64 {
        model.get(self.pins.stall)
    }

    #[inline]
    fn is_open(&self, stalls: u64) -> bool {
        stalls == 0
    }

    #[inline]
    fn take(&mut self, bench: &mut Bench<'_, G, I>, stalls: u64, counts: bool) -> Result<bool> {
        let stall = stalls != 0;
        let taken = self.held & !stall;
        bench.report.accesses += u64::from(taken);
        bench.report.stall_cycles += u64::from(counts & self.held & stall);
        self.held &= stall;
        Ok(taken)
    }
}
