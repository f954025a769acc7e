//! A unit in simulation: core, unit, what takes the trace, and the models beside them, cycle by cycle.

use std::sync::Arc;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::Item;
use tracewright_sim::pins::{ingress, module, sinks};
use tracewright_sim::scheme::Design;

use super::adapter::Boundary;
use super::execution::Known;
use super::follower::Follower;
use super::outlet::Receiver;
use super::port::CorePort;
use super::probe::Named;
use super::seen::Probe;
use super::{Failure, Place, Whole};
use crate::bus::{BusError, Clocked, Master};
use crate::error::{Error, Result};
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;
use crate::stimulus::Stimulus;

/// Cycles in which a core that rests comes to an end, and its adapter.
const SETTLE_CYCLES: u64 = 200;

/// Cycles in which tables become clear, after which a module that cannot send has nothing to end.
const CLEARING_CYCLES: u64 = 20_000;

/// Cycles without a block or a beat after which the unit hangs: no module takes as long to clear its tables.
const PATIENCE: u64 = 200_000;

/// Why a run ends early.
pub(super) enum Stop {
    /// The tools, or the trace.
    Error(Error),
    /// The unit does something wrong.
    Failure(Failure),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

impl From<BusError> for Stop {
    fn from(error: BusError) -> Stop {
        let what = error.to_string();
        Stop::Failure(Failure { place: Place::Registers, cycle: 0, what })
    }
}

/// The unit, and all that is around it.
pub(super) struct Bench<'a, I: Iterator> {
    pub(super) whole: &'a Whole,
    stimulus: &'a Stimulus,
    pub(super) model: Model,
    master: Option<Master>,
    pub(super) core: CorePort<I>,
    probe: Probe,
    pub(super) boundary: Boundary,
    pub(super) follower: Follower,
    pub(super) receiver: Receiver,
    /// The ring in the memory of the system.
    pub(super) ring: (u64, u64),
    random: ChaCha8Rng,
    stall: Option<OutputPort>,
    lost: Option<OutputPort>,
    pub(super) flush: Option<InputPort>,
    flushed: Option<OutputPort>,
    rests: bool,
    pub(super) cycles: u64,
    pub(super) stall_cycles: u64,
    idle: u64,
    pub(super) has_wrapped: bool,
    /// The most trace words that have waited in the module.
    pub(super) most_words: u64,
}

impl<'a, I: Iterator<Item = Result<Item>>> Bench<'a, I> {
    pub(super) fn new(
        library: &Arc<Library>,
        (whole, design): (&'a Whole, &Design),
        stimulus: &'a Stimulus,
        execution: (I, Known),
    ) -> Result<Self> {
        let mut model = Model::new(library, stimulus.seed)?;
        for pin in [&module::CLOCK_ENABLE.name, &sinks::ACLKEN.name, &sinks::ATCLKEN.name] {
            if let Ok((pin, _)) = library.input_of_any_width(pin) {
                model.set(pin, 1);
            }
        }
        // Tracing is on where nothing switches it.
        if let Ok((pin, _)) = library.input_of_any_width(module::ENABLE.name) {
            model.set(pin, 1);
        }
        let pins = Named::new(library, "");
        let probe = Probe::find(&pins, design.protocol(), design.processor().tells_lengths())?;
        let output = |name: &str| Some(library.output_of_any_width(name).ok()?.0);
        let numbered = |name: &str| output(name).or_else(|| output(&format!("{name}_0")));
        let master = whole.registers.is_some();
        let port_bits = design.port().trace_port_width;
        Ok(Bench {
            whole,
            stimulus,
            master: master.then(|| Master::new(library, stimulus.seed)).transpose()?,
            core: CorePort::new(&pins, design, whole.ingress.as_ref(), stimulus, execution)?,
            boundary: Boundary::new(design, whole.ingress.as_ref()),
            follower: Follower::new(design, probe.has_stall())?,
            receiver: Receiver::new(library, whole, port_bits, stimulus.ready)?,
            ring: (0, 0),
            random: ChaCha8Rng::seed_from_u64(stimulus.seed),
            stall: numbered(module::STALL.name),
            lost: output(ingress::LOST.name),
            flush: library.input(module::FLUSH.name, 1).ok(),
            flushed: output(module::FLUSHED.name),
            rests: true,
            cycles: 0,
            stall_cycles: 0,
            idle: 0,
            has_wrapped: false,
            most_words: 0,
            probe,
            model,
        })
    }

    /// What stops the run: the unit does something wrong at a place.
    pub(super) fn fails(&self, place: Place, what: impl Into<String>) -> Stop {
        Stop::Failure(Failure { place, cycle: self.cycles, what: what.into() })
    }

    fn out(&self, pin: Option<OutputPort>) -> bool {
        pin.is_some_and(|pin| self.model.get(pin) != 0)
    }

    /// Events between two ends of the trace.
    pub(super) fn flush_interval(&self) -> Option<u64> {
        self.stimulus.flush_interval.filter(|interval| *interval > 0)
    }

    /// Lets the core run until it has executed so many events more, or all.
    pub(super) fn run(&mut self, events: Option<u64>) -> Result<(), Stop> {
        self.rests = false;
        let end = events.map(|events| self.core.counts().0.saturating_add(events));
        while !self.core.is_over() && end.is_none_or(|end| self.core.counts().0 < end) {
            self.cycle()?;
        }
        Ok(())
    }

    /// Lets the core rest until what it has shown has reached the module.
    pub(super) fn rest(&mut self) -> Result<(), Stop> {
        self.rests = true;
        while !self.core.is_at_rest() {
            self.cycle()?;
        }
        (0..SETTLE_CYCLES).try_for_each(|_| self.cycle())
    }

    /// Lets what a module that is off sends after a reset leave it, which is once its tables are clear.
    pub(super) fn settle(&mut self) -> Result<(), Stop> {
        for _ in 0..CLEARING_CYCLES {
            if self.follower.was_flushed {
                break;
            }
            self.cycle()?;
        }
        (0..SETTLE_CYCLES).try_for_each(|_| self.cycle())
    }

    /// Ends the trace by the pin `flush`, while the core rests.
    pub(super) fn end_by_flush(&mut self) -> Result<(), Stop> {
        self.rest()?;
        let Some(flush) = self.flush else { return Ok(()) };
        self.model.set(flush, 1);
        self.core.flush();
        loop {
            self.cycle()?;
            if self.out(self.flushed) {
                break;
            }
        }
        self.boundary_is_empty()?;
        self.model.set(flush, 0);
        while self.out(self.flushed) {
            self.cycle()?;
        }
        Ok(())
    }

    /// Checks that a flush of the adapter, in which nothing has come, has shown all.
    pub(super) fn boundary_is_empty(&mut self) -> Result<(), Stop> {
        let trailing = self.core.trailing_instructions();
        let checked = self.boundary.is_empty(&self.core.expected, trailing);
        checked.map_err(|what| self.fails(Place::Adapter, what))
    }

    /// Lets all that the module has sent leave the unit.
    pub(super) fn drain(&mut self) -> Result<(), Stop> {
        while !self.receiver.is_empty() {
            self.cycle()?;
        }
        match self.follower.comparison.expected.is_empty() {
            true => Ok(()),
            false => Err(self.fails(Place::Module, "the model has bits that were not sent")),
        }
    }

    /// What is at the boundaries after a cycle.
    fn compare(&mut self, stalls: bool) -> Result<(), Stop> {
        let seen = self.probe.see(&self.model);
        self.most_words = self.most_words.max(self.probe.buffered_words(&self.model));
        if self.out(self.lost) {
            return Err(self.fails(Place::Adapter, "`lost` is high though the core waits"));
        }
        let blocks = (self.core.counts().1, self.follower.blocks, self.receiver.beats);
        let checked = self.boundary.cycle(&mut self.core.expected, &seen);
        checked.map_err(|what| self.fails(Place::Adapter, what))?;
        if let Some(rule) = self.follower.cycle(self.cycles, &seen)? {
            return Err(self.fails(Place::Module, rule));
        }
        if self.follower.comparison.is_over(self.cycles)
            && let Some(mismatch) = self.follower.comparison.mismatch()
        {
            let what = format!(
                "trace bit {}: expected {}, found {}",
                mismatch.bit, mismatch.expected, mismatch.actual
            );
            return Err(self.fails(Place::Module, what));
        }
        if let Some(beat) = seen.beat.filter(|_| seen.takes) {
            self.receiver.sent(beat);
        }
        let received = self.receiver.clock(&self.model, &seen, self.ring);
        received.map_err(|what| self.fails(self.receiver.place(), what))?;
        self.stall_cycles += u64::from(stalls);
        let after = (self.core.counts().1, self.follower.blocks, self.receiver.beats);
        let goes_on = after != blocks || seen.beat.is_some() && seen.takes;
        self.idle = if goes_on { 0 } else { self.idle + 1 };
        if self.idle > PATIENCE {
            return Err(self.fails(Place::Unit, "nothing happens any more"));
        }
        Ok(())
    }
}

impl<I: Iterator<Item = Result<Item>>> Clocked for Bench<'_, I> {
    type Error = Stop;

    fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    fn master(&mut self) -> &mut Master {
        // Nothing is accessed in a unit without a bus.
        #[expect(clippy::expect_used, reason = "software runs only where there are registers")]
        self.master.as_mut().expect("a bus")
    }

    fn cycle(&mut self) -> Result<(), Stop> {
        self.receiver.drive(&mut self.model, &mut self.random);
        self.model.settle()?;
        let stall = self.out(self.stall);
        self.core.show(&mut self.model, &mut self.random, self.stimulus, (self.rests, stall))?;
        self.model.cycle()?;
        let stall = self.out(self.stall);
        self.core.end_cycle(stall);
        self.compare(stall && !self.rests)?;
        self.cycles += 1;
        Ok(())
    }
}
