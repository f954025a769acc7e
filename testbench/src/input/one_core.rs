//! One core: the golden encoder runs ahead, event by event.

use tracewright_sim::event::{ExecutionState, Item};
use tracewright_sim::golden_encoder::{GoldenEncoder, Synchronisation};
use tracewright_sim::pins::module;

use super::qualified::Qualified;
use super::{Bench, Input};
use crate::cosim::AnyError;
use crate::error::{Error, Result};
use crate::library::{InputPort, Library};
use crate::model::Model;
use crate::pins::{RetirePins, StatePins, optional_input};
use crate::stimulus::{Blocks, Stimulus};

pub(crate) struct OneCore {
    pins: RetirePins,
    blocks: Blocks,
    /// A block is on the pins and not taken yet.
    held: bool,
    state_pins: StatePins,
    /// In what the execution goes on after the event at hand.
    state: ExecutionState,
    /// The pin by which a trace without packets begins anew.
    sync_request: Option<InputPort>,
    qualified: Qualified,
}

/// The trace begins anew before one event in so many.
const SYNCHRONISATIONS: u64 = 32;

impl OneCore {
    pub(crate) fn new(library: &Library, stimulus: &Stimulus) -> Result<Self> {
        let pins = RetirePins::find(library)?;
        let blocks = Blocks::new(stimulus, pins.most_retired, pins.address_mask);
        let sync_request = optional_input(library, &module::SYNC_REQUEST)?;
        let state_pins = StatePins::find(library)?;
        let state = state_pins.reset_state();
        let qualified = Qualified::find(library, stimulus, &state)?;
        Ok(OneCore { pins, blocks, held: false, state_pins, state, sync_request, qualified })
    }
}

impl<G, I> Input<G, I> for OneCore
where
    G: GoldenEncoder<Error: Into<AnyError>>,
    I: Iterator<Item = Result<Item>>,
{
    #[inline]
    fn drive(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool> {
        if let Some(pin) = self.sync_request {
            bench.model.set(pin, 0);
        }
        self.qualified.show(&mut bench.model, bench.report.cycles, noise);
        if self.held {
            return Ok(false);
        }
        if bench.options.stimulus.is_bubble(noise) {
            self.pins.show_none(&mut bench.model, noise);
            return Ok(false);
        }
        if self.blocks.is_empty()
            && let Some(pin) = self.sync_request
            && bench.options.stimulus.sync_requests
            && (noise >> 47).is_multiple_of(SYNCHRONISATIONS)
        {
            self.pins.show_none(&mut bench.model, noise);
            bench.model.set(pin, 1);
            bench.synchronise(Synchronisation::Periodic);
            return Ok(false);
        }
        loop {
            if let Some(block) = self.blocks.take() {
                self.pins.show(&mut bench.model, &block, noise);
                match block.kind {
                    0 => self.state_pins.show_none(&mut bench.model, noise),
                    _ => self.state_pins.show(&mut bench.model, &self.state, noise),
                }
                self.held = true;
                if !bench.flush_is_due() || !self.blocks.is_empty() || noise >> 63 == 0 {
                    return Ok(false);
                }
                // A flush in the cycle of the last block, if that is taken in this cycle.
                bench.model.settle()?;
                return Ok(bench.model.get(self.pins.stall) == 0);
            }
            let Some((index, event)) = bench.next_event()? else {
                self.pins.show_none(&mut bench.model, noise);
                return Ok(true);
            };
            if self.qualified.qualifier.passes() {
                bench.encode(index, &event)?;
            } else {
                bench.report.filtered_instructions += event.instructions;
            }
            self.qualified.qualifier.retire(&event);
            if self.state_pins.are_there() {
                self.state.cause = Some(0);
                if let Some(state) = bench.next_state()? {
                    bench.state(&state)?;
                    self.state = self.state_pins.traced(state);
                    self.state.cause = Some(state.cause.unwrap_or(0));
                    self.qualified.qualifier.state(&self.state);
                }
            }
            bench.settle();
            bench.qualify(&mut self.qualified.qualifier);
            self.blocks.load(&event).map_err(|reason| Error::Unpresentable { index, reason })?;
        }
    }

    #[inline]
    fn rest(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<()> {
        self.pins.show_none(&mut bench.model, noise);
        if let Some(pin) = self.sync_request {
            bench.model.set(pin, 0);
        }
        Ok(())
    }

    fn flip(&mut self, model: &mut Model) {
        model.set(self.pins.retire_valid, (!self.held).into());
    }

    fn unflip(&mut self, model: &mut Model) {
        model.set(self.pins.retire_valid, self.held.into());
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
        bench.report.blocks += u64::from(taken);
        bench.report.stall_cycles += u64::from(counts & self.held & stall);
        self.held &= stall;
        Ok(taken)
    }
}
