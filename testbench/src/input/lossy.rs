//! One core that does not wait, whose trace has no packets: the golden encoder gets every block in the cycle in which it is
//! taken, and is told where blocks are lost.

use std::sync::Arc;

use tracewright_sim::event::{Event, ExecutionState, Item, Kind};
use tracewright_sim::pins::module;
use tracewright_sim::session::{Detail, Session, Synchronisation, Turn};

use super::packets::patience::{self, Cycle, Patience, Waiting};
use super::qualified::Qualified;
use super::time_base::TimeBase;
use super::{Bench, Input, NOTHING};
use crate::cosim::{AnyError, Options};
use crate::error::{Error, Result};
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;
use crate::pins::{RetirePins, StatePins, TracePins, optional_input};
use crate::stimulus::{Addresses, Block, Blocks};

/// The trace begins anew in one cycle in so many.
const SYNCHRONISATIONS: u64 = 256;

pub(crate) struct Lossy {
    pins: RetirePins,
    state_pins: StatePins,
    sync_request: Option<InputPort>,
    flushed: OutputPort,
    trace_valid: OutputPort,
    blocks: Blocks,
    /// What the blocks are of.
    index: u64,
    event: Event,
    /// In what the execution goes on after it.
    state: ExecutionState,
    /// What it says beside its cause, if it is an exception.
    trap_value: u64,
    /// The block on the pins.
    held: Option<Block>,
    /// Tracing is on in this cycle, and no flush begins in it.
    is_on: bool,
    /// Blocks were lost since the last one that was taken.
    is_losing: bool,
    patience: Patience,
    qualified: Qualified,
    /// Where payloads say the time.
    time: Option<TimeBase>,
}

impl Lossy {
    pub(crate) fn new(
        library: &Arc<Library>,
        options: &Options,
        golden: &impl Session,
    ) -> Result<Self> {
        let pins = RetirePins::find(library)?;
        let trace = TracePins::find(library)?;
        let state_pins = StatePins::find(library)?;
        let clearing = patience::clearing(library, &pins)?;
        Ok(Lossy {
            blocks: Blocks::new(&options.stimulus, pins.most_retired, pins.address_mask)
                .with_addresses(options.program.clone().map(Addresses::new)),
            pins,
            qualified: Qualified::find(library, &options.stimulus, &state_pins.reset_state())?,
            state: state_pins.reset_state(),
            state_pins,
            sync_request: optional_input(library, &module::SYNC_REQUEST)?,
            flushed: trace.flushed,
            trace_valid: trace.trace_valid,
            index: 0,
            event: NOTHING,
            held: None,
            is_on: false,
            is_losing: false,
            patience: Patience::new(clearing, trace.word_bits(), 0),
            trap_value: 0,
            time: TimeBase::alone(library, golden)?,
        })
    }

    fn show_time<G, I: Iterator>(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) {
        if let Some(time) = &mut self.time {
            time.show(&mut bench.model, bench.report.cycles, noise);
        }
    }

    fn show_none(&self, model: &mut Model, noise: u64) {
        self.pins.show_none(model, noise);
        self.state_pins.show_none(model, noise);
    }

    /// Puts the next block on the pins; false if there is none before the next flush.
    fn show_next<G, I>(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool>
    where
        G: Session<Error: Into<AnyError>>,
        I: Iterator<Item = Result<Item>>,
    {
        let block = loop {
            if let Some(block) = self.blocks.take() {
                break block;
            }
            let Some((index, event)) = bench.next_event()? else {
                self.show_none(&mut bench.model, noise);
                return Ok(false);
            };
            (self.index, self.event) = (index, event);
            self.trap_value = self.state_pins.draw_trap_value(noise);
            self.blocks.load(&event).map_err(|reason| Error::Unpresentable { index, reason })?;
            if let Some(state) = bench.next_state()? {
                self.state = self.state_pins.traced(state);
            }
        };
        self.pins.show(&mut bench.model, &block, noise);
        match block.kind {
            0 => self.state_pins.show_none(&mut bench.model, noise),
            _ => {
                self.state_pins.show(&mut bench.model, &self.state_after(&block), noise);
                self.state_pins.show_trap_value(&mut bench.model, self.trap_value);
            }
        }
        self.held = Some(block);
        Ok(true)
    }

    fn state_after(&self, block: &Block) -> ExecutionState {
        let is_exception = block.kind == Kind::Exception.pin_code();
        let cause = is_exception.then(|| self.state.cause.unwrap_or(0));
        ExecutionState { cause, ..self.state }
    }

    /// Asks for a start in this cycle, or does not.
    fn request<G, I>(&self, bench: &mut Bench<'_, G, I>, noise: u64)
    where
        G: Session<Error: Into<AnyError>>,
        I: Iterator<Item = Result<Item>>,
    {
        let asks = bench.options.stimulus.sync_requests
            && !self.is_losing
            && (noise >> 17).is_multiple_of(SYNCHRONISATIONS);
        if let Some(pin) = self.sync_request {
            bench.model.set(pin, asks.into());
            if asks {
                bench.synchronise(Synchronisation::Periodic);
            }
        }
    }
}

impl<G, I> Input<G, I> for Lossy
where
    G: Session<Error: Into<AnyError>>,
    I: Iterator<Item = Result<Item>>,
{
    fn drive(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool> {
        if let Some(pin) = self.sync_request {
            bench.model.set(pin, 0);
        }
        self.is_on = true;
        self.show_time(bench, noise);
        self.qualified.show(&mut bench.model, bench.report.cycles, noise);
        if bench.options.stimulus.is_bubble(noise) {
            self.show_none(&mut bench.model, noise);
            // The next block comes in a later cycle, so the golden encoder knows of it in time.
            self.request(bench, noise);
            return Ok(false);
        }
        if !self.show_next(bench, noise)? {
            self.is_on = false;
            return Ok(true);
        }
        // A flush in the cycle of the last block.
        self.is_on = !(bench.flush_is_due() && self.blocks.is_empty() && noise >> 63 == 1);
        Ok(!self.is_on)
    }

    /// The core retires blocks while tracing is off.
    fn rest(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<()> {
        if let Some(pin) = self.sync_request {
            bench.model.set(pin, 0);
        }
        self.is_on = false;
        self.show_time(bench, noise);
        self.qualified.end();
        if bench.model.get(self.flushed) == 0 || !self.show_next(bench, noise)? {
            self.show_none(&mut bench.model, noise);
        }
        Ok(())
    }

    fn flip(&mut self, model: &mut Model) {
        model.set(self.pins.retire_valid, self.held.is_none().into());
    }

    fn unflip(&mut self, model: &mut Model) {
        model.set(self.pins.retire_valid, self.held.is_some().into());
    }

    /// Bit 1: a block is lost.
    fn stalls(&self, model: &Model) -> u64 {
        model.get(self.pins.stall) << 1
    }

    fn is_open(&self, _stalls: u64) -> bool {
        true
    }

    fn take(&mut self, bench: &mut Bench<'_, G, I>, stalls: u64, _counts: bool) -> Result<bool> {
        let is_off = bench.model.get(self.flushed) != 0;
        let (mut takes, mut loses, passes) = (false, false, self.qualified.course.passes());
        if self.qualified.is_broken(&bench.model) {
            bench.breaks("`filtered` does not say whether a block passes the filter");
        }
        if let Some(block) = self.held.take() {
            (takes, loses) = (stalls == 0, stalls != 0 && passes);
            let part = block.part_of(&self.event);
            let state = self.state_after(&block);
            if takes {
                self.is_losing = false;
                bench.report.blocks += 1;
                if let Some(what) = self.qualified.enter() {
                    bench.synchronise(what);
                }
                bench.encode(self.index, &part)?;
                bench.detail(Detail::TrapValue(self.trap_value))?;
                if let Some(time) = &self.time {
                    bench.detail(Detail::Time(time.now()))?;
                }
            } else if !passes {
                bench.report.filtered_instructions += block.count;
            } else {
                bench.report.lost_instructions += block.count;
                if !is_off && !self.is_losing {
                    bench.turn(Turn::End);
                    self.is_losing = true;
                }
            }
            if block.kind != 0 && self.state_pins.are_there() {
                bench.detail(Detail::State(state))?;
            }
            bench.detail(Detail::Complete)?;
            if self.qualified.retire(&part, &state, takes, is_off) {
                bench.turn(Turn::LeaveOff);
            }
        }
        let late = self.patience.pass(&Cycle {
            is_on: self.is_on,
            sends: bench.model.get(self.trace_valid) != 0,
            takes,
            loses,
            may_go_on: loses,
            waiting: if self.is_losing { Waiting::ForEnd } else { Waiting::Nothing },
        });
        if let Some(rule) = late {
            bench.breaks(rule);
        }
        Ok(takes || !passes)
    }

    /// What is discarded is not told, and neither is a loss before that.
    fn discards(&mut self) {
        self.is_losing = false;
        self.qualified.end();
    }
}
