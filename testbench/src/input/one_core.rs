//! One core: the golden encoder runs ahead, event by event, unless the trace says the time.

use tracewright_sim::event::{Event, ExecutionState, Item};
use tracewright_sim::pins::module;
use tracewright_sim::session::{Clock, Detail, Session, Synchronisation};

use super::qualified::Qualified;
use super::time_base::TimeBase;
use super::{Bench, Input, NOTHING};
use crate::cosim::AnyError;
use crate::error::{Error, Result};
use crate::library::{InputPort, Library};
use crate::model::Model;
use crate::pins::{RetirePins, StatePins, optional_input};
use crate::stimulus::{Block, Blocks, Stimulus};

pub(crate) struct OneCore {
    pins: RetirePins,
    blocks: Blocks,
    /// What the blocks are of.
    index: u64,
    event: Event,
    /// The block on the pins, which is not taken yet.
    held: Option<Block>,
    state_pins: StatePins,
    /// In what the execution goes on after the event at hand.
    state: ExecutionState,
    /// The same as the trace has it, if it says so.
    told: Option<ExecutionState>,
    /// What the event says beside its cause, if it is an exception.
    trap_value: u64,
    /// The pin by which a trace without packets begins anew.
    sync_request: Option<InputPort>,
    qualified: Qualified,
    /// Where payloads say the time: the golden encoder then gets every block in the cycle in which it is taken.
    time: Option<TimeBase>,
    /// Where the trace has the time of events, cycles since the block before, and then too.
    cycles: Option<EventCycles>,
}

/// The time of the core, which stands still while it waits for the module.
#[derive(Debug, Default)]
struct EventCycles {
    since_block: u64,
    /// The module has been open since reset.
    has_begun: bool,
}

impl EventCycles {
    /// Ends a cycle in which the module was open or not, and the core waited for it or not.
    fn pass(&mut self, is_open: bool, waits: bool) {
        self.has_begun |= is_open;
        self.since_block += u64::from(self.has_begun & !waits);
    }
}

/// The trace begins anew before one event in so many.
const SYNCHRONISATIONS: u64 = 32;

impl OneCore {
    pub(crate) fn new(
        library: &Library,
        stimulus: &Stimulus,
        golden: &impl Session,
    ) -> Result<Self> {
        let pins = RetirePins::find(library)?;
        let state_pins = StatePins::find(library)?;
        let state = state_pins.reset_state();
        Ok(OneCore {
            blocks: Blocks::new(stimulus, pins.most_retired, pins.address_mask),
            pins,
            index: 0,
            event: NOTHING,
            held: None,
            qualified: Qualified::find(library, stimulus, &state)?,
            state_pins,
            state,
            told: None,
            trap_value: 0,
            sync_request: optional_input(library, &module::SYNC_REQUEST)?,
            time: TimeBase::alone(library, golden)?,
            cycles: golden.terms().times_events.then(EventCycles::default),
        })
    }

    fn show_time<G, I: Iterator>(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) {
        if let Some(time) = &mut self.time {
            time.show(&mut bench.model, bench.report.cycles, noise);
        }
    }

    /// Fetches the next event, and the state after it; false if there is none before the next flush.
    #[inline]
    fn fetch<G, I>(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool>
    where
        G: Session<Error: Into<AnyError>>,
        I: Iterator<Item = Result<Item>>,
    {
        let Some((index, event)) = bench.next_event()? else { return Ok(false) };
        (self.index, self.event, self.told) = (index, event, None);
        if self.state_pins.are_there() {
            self.trap_value = self.state_pins.draw_trap_value(noise);
            self.state.cause = Some(0);
            if let Some(state) = bench.next_state()? {
                self.told = Some(state);
                self.state = self.state_pins.traced(state);
                self.state.cause = Some(state.cause.unwrap_or(0));
            }
        }
        Ok(true)
    }

    /// Gives an event, or its part in a block, to the golden encoder if it passes the filter.
    #[inline]
    fn encode<G, I>(&mut self, bench: &mut Bench<'_, G, I>, part: &Event) -> Result<()>
    where
        G: Session<Error: Into<AnyError>>,
        I: Iterator<Item = Result<Item>>,
    {
        if !self.qualified.course.passes() {
            bench.report.filtered_instructions += part.instructions;
            return Ok(());
        }
        bench.encode(self.index, part)?;
        bench.detail(Detail::TrapValue(self.trap_value))?;
        self.time.as_ref().map_or(Ok(()), |time| bench.detail(Detail::Time(time.now())))
    }

    /// A block was taken.
    fn taken<G, I>(&mut self, bench: &mut Bench<'_, G, I>, block: &Block) -> Result<()>
    where
        G: Session<Error: Into<AnyError>>,
        I: Iterator<Item = Result<Item>>,
    {
        self.held = None;
        bench.report.blocks += 1;
        if self.is_in_time() {
            if let Some(cycles) = &mut self.cycles {
                let since = Clock::Event(std::mem::take(&mut cycles.since_block));
                bench.golden.clock(since, &mut bench.comparison.expected);
            }
            self.encode(bench, &block.part_of(&self.event))?;
            match self.blocks.is_empty() {
                true => self.end_event(bench)?,
                false => bench.detail(Detail::Complete)?,
            }
        }
        Ok(())
    }

    /// The golden encoder gets every block in the cycle in which it is taken.
    fn is_in_time(&self) -> bool {
        self.time.is_some() || self.cycles.is_some()
    }

    /// Tells the golden encoder what comes with the event, all of which it has.
    #[inline]
    fn end_event<G, I>(&mut self, bench: &mut Bench<'_, G, I>) -> Result<()>
    where
        G: Session<Error: Into<AnyError>>,
        I: Iterator<Item = Result<Item>>,
    {
        self.qualified.course.retire(&self.event);
        if let Some(state) = self.told.take() {
            bench.detail(Detail::State(state))?;
            self.qualified.course.state(&self.state);
        }
        bench.detail(Detail::Complete)?;
        bench.qualify(&mut self.qualified.course);
        Ok(())
    }
}

impl<G, I> Input<G, I> for OneCore
where
    G: Session<Error: Into<AnyError>>,
    I: Iterator<Item = Result<Item>>,
{
    #[inline]
    fn drive(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool> {
        if let Some(pin) = self.sync_request {
            bench.model.set(pin, 0);
        }
        self.show_time(bench, noise);
        self.qualified.show(&mut bench.model, bench.report.cycles, noise);
        if self.held.is_some() {
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
                    _ => {
                        self.state_pins.show(&mut bench.model, &self.state, noise);
                        self.state_pins.show_trap_value(&mut bench.model, self.trap_value);
                    }
                }
                self.held = Some(block);
                if !bench.flush_is_due() || !self.blocks.is_empty() || noise >> 63 == 0 {
                    return Ok(false);
                }
                // A flush in the cycle of the last block, if that is taken in this cycle.
                bench.model.settle()?;
                return Ok(bench.model.get(self.pins.stall) == 0);
            }
            if !self.fetch(bench, noise)? {
                self.pins.show_none(&mut bench.model, noise);
                return Ok(true);
            }
            if !self.is_in_time() {
                let event = self.event;
                self.encode(bench, &event)?;
                self.end_event(bench)?;
            }
            // After the golden encoder, which says better what it cannot take.
            let (index, event) = (self.index, self.event);
            self.blocks.load(&event).map_err(|reason| Error::Unpresentable { index, reason })?;
        }
    }

    #[inline]
    fn rest(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<()> {
        self.show_time(bench, noise);
        self.pins.show_none(&mut bench.model, noise);
        if let Some(pin) = self.sync_request {
            bench.model.set(pin, 0);
        }
        Ok(())
    }

    fn flip(&mut self, model: &mut Model) {
        model.set(self.pins.retire_valid, self.held.is_none().into());
    }

    fn unflip(&mut self, model: &mut Model) {
        model.set(self.pins.retire_valid, self.held.is_some().into());
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
        let is_open = stalls == 0;
        let taken = self.held.filter(|_| is_open);
        bench.report.stall_cycles += u64::from(counts && self.held.is_some() && !is_open);
        if let Some(block) = taken {
            self.taken(bench, &block)?;
        }
        if let Some(cycles) = &mut self.cycles {
            cycles.pass(is_open, self.held.is_some());
        }
        Ok(taken.is_some())
    }
}
