//! A system in simulation: cores, units, funnel and ring, and the models beside them, cycle by cycle.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::Item;
use tracewright_sim::message_funnel::{MessageFunnel, Source};
use tracewright_sim::pins::{ingress, module, sinks};

use super::funnel::FunnelPins;
use super::{Hart, HartReport, WholeSystem};
use crate::bus::{Clocked, Master};
use crate::error::Result;
use crate::library::{InputPort, Library, OutputPort};
use crate::model::Model;
use crate::stimulus::Stimulus;
use crate::unit::adapter::Boundary;
use crate::unit::bench::Stop;
use crate::unit::follower::Follower;
use crate::unit::outlet::Receiver;
use crate::unit::port::CorePort;
use crate::unit::probe::Named;
use crate::unit::seen::{Probe, Seen};
use crate::unit::{Failure, Known, Place};

/// Cycles in which a core that rests comes to an end, and its adapter.
pub(super) const SETTLE_CYCLES: u64 = 200;

/// Cycles in which tables become clear.
const CLEARING_CYCLES: u64 = 20_000;

/// Cycles without a block or a beat after which the system hangs.
const PATIENCE: u64 = 200_000;

/// Cycles after which a hart is switched off in the funnel, at most.
const MOST_BEFORE_REST: u64 = 1_000;

/// Cycles of the shortest half of a value at pins, less one, are fewer.
const SLOWEST: u64 = 3;

/// A hart in simulation.
pub(super) struct Running<I: Iterator> {
    name: String,
    pub(super) core: CorePort<I>,
    probe: Probe,
    pub(super) boundary: Boundary,
    pub(super) follower: Follower,
    stall: Option<OutputPort>,
    lost: Option<OutputPort>,
    stall_cycles: u64,
    /// The most bytes of the trace that have waited in the trace module.
    most_bytes: u64,
    /// The highest value of the time, and what it was in the cycle before.
    most_time: u64,
    time: Option<u64>,
    /// It is shown nothing.
    pub(super) rests: bool,
    stimulus: Stimulus,
}

/// The system, and all that is around it.
pub(super) struct Bench<'a, I: Iterator> {
    pub(super) system: &'a WholeSystem,
    /// What the first hart is shown, and the bus.
    stimulus: Stimulus,
    pub(super) model: Model,
    pub(super) master: Master,
    pub(super) harts: Vec<Running<I>>,
    pub(super) funnel: MessageFunnel,
    pub(super) funnel_pins: FunnelPins,
    pub(super) receiver: Receiver,
    /// By which a trace bus asks for the end of the trace, and is told of it.
    pub(super) bus_flush: Option<(InputPort, OutputPort)>,
    /// The first and the last address of the ring in the memory of the system.
    pub(super) ring: (u64, u64),
    pub(super) random: ChaCha8Rng,
    pub(super) cycles: u64,
    idle: u64,
    pub(super) has_wrapped: bool,
    pub(super) sent_bytes: u64,
}

impl<I: Iterator<Item = Result<Item>>> Running<I> {
    fn new(
        library: &Library,
        hart: &Hart,
        (execution, stimulus): ((I, Known), Stimulus),
    ) -> Result<Self> {
        let Hart { design, prefix, .. } = hart;
        let pins = Named::new(library, prefix);
        let ingress = hart.ingress.as_ref();
        let probe = Probe::find(&pins, design.protocol(), design.processor().tells_lengths())?;
        let stall = module::STALL.name;
        Ok(Running {
            name: prefix.trim_end_matches('_').to_owned(),
            core: CorePort::new(&pins, design, ingress, &stimulus, execution)?,
            boundary: Boundary::new(design, ingress),
            follower: Follower::new(design, probe.has_stall())?,
            stall: pins.output(stall).or_else(|_| pins.output(&format!("{stall}_0"))).ok(),
            lost: pins.output(ingress::LOST.name).ok(),
            probe,
            stall_cycles: 0,
            most_bytes: 0,
            most_time: (1 << design.protocol().time_bits) - 1,
            time: None,
            rests: true,
            stimulus,
        })
    }

    /// What is wrong with the time of a cycle: the counter of all harts goes on in each.
    fn counts(&mut self, now: u64) -> Option<String> {
        let expected = self.time.replace(now)?.wrapping_add(1) & self.most_time;
        (now != expected).then(|| format!("the time is {now}, expected {expected}"))
    }

    fn stalls(&self, model: &Model) -> bool {
        self.stall.is_some_and(|pin| model.get(pin) != 0)
    }

    fn into_report(self) -> HartReport {
        let Running { core, follower, stall_cycles, most_bytes, .. } = self;
        let (events, instructions) = core.counts();
        HartReport {
            events,
            instructions,
            shown: follower.instructions,
            lost: follower.lost,
            bits: follower.comparison.expected.popped(),
            stall_cycles,
            fifo_high_water_bits: 8 * most_bytes,
            taken: follower.taken,
            taken_before_loss: follower.taken_before_loss,
            code: core.into_code().map(Arc::new),
        }
    }
}

impl<'a, I: Iterator<Item = Result<Item>>> Bench<'a, I> {
    pub(super) fn new(
        library: &Arc<Library>,
        system: &'a WholeSystem,
        stimulus: Stimulus,
        executions: Vec<((I, Known), Stimulus)>,
    ) -> Result<Self> {
        let mut model = Model::new(library, stimulus.seed)?;
        if let Ok((pin, _)) = library.input_of_any_width(sinks::HALF_PERIOD.name) {
            model.set(pin, stimulus.seed % SLOWEST);
        }
        let bus_flush = library.input(sinks::AFVALID.name, 1).ok();
        let bus_flush = bus_flush.zip(library.output(sinks::AFREADY.name, 1).ok());
        let harts = system.harts.iter().zip(executions);
        let harts = harts.map(|(hart, execution)| Running::new(library, hart, execution));
        Ok(Bench {
            system,
            master: Master::new(library, stimulus.seed)?,
            harts: harts.collect::<Result<_>>()?,
            funnel: MessageFunnel::new(system.funnel),
            funnel_pins: FunnelPins::find(library)?,
            receiver: Receiver::of_system(library, &system.sink, stimulus.ready)?,
            bus_flush,
            ring: (0, 0),
            random: ChaCha8Rng::seed_from_u64(stimulus.seed),
            stimulus,
            model,
            cycles: 0,
            idle: 0,
            has_wrapped: false,
            sent_bytes: 0,
        })
    }

    pub(super) fn into_reports(self) -> Vec<HartReport> {
        self.harts.into_iter().map(Running::into_report).collect()
    }

    pub(super) fn fails(&self, place: Place, what: impl Into<String>) -> Stop {
        Stop::Failure(Failure { place, cycle: self.cycles, what: what.into() })
    }

    /// What a hart does wrong at a place.
    pub(super) fn fails_at(&self, hart: usize, place: Place, what: impl std::fmt::Display) -> Stop {
        self.fails(place, format!("hart {}: {what}", self.harts[hart].name))
    }

    /// Accesses go to the registers of a hart from here on, as if it were alone.
    pub(super) fn at_hart(&mut self, hart: usize) {
        self.master.base = self.system.harts[hart].base;
    }

    /// What happens in a run; gives what is in the ring at the end, or was taken outside.
    pub(super) fn simulate(&mut self) -> Result<Vec<u8>, Stop> {
        self.check_registers()?;
        self.switch_sink_on()?;
        self.switch_funnel_on()?;
        self.settle()?;
        let interval = self.stimulus.flush_interval.filter(|interval| *interval > 0);
        let mut is_first = true;
        while is_first || interval.is_some() && !self.is_over() {
            self.begin_all(is_first)?;
            is_first = false;
            self.run(interval)?;
            self.end_all()?;
        }
        self.switch_funnel_off()?;
        self.check_registers()?;
        let ring = self.end_sink()?;
        for (place, hart) in self.harts.iter().enumerate() {
            if !hart.follower.comparison.expected.is_empty() {
                let what = "the model has bits that were not sent";
                return Err(self.fails_at(place, Place::Module, what));
            }
        }
        Ok(ring)
    }

    fn is_over(&self) -> bool {
        self.harts.iter().all(|hart| hart.core.is_over())
    }

    /// Lets what modules that are off send after a reset leave them.
    fn settle(&mut self) -> Result<(), Stop> {
        for _ in 0..CLEARING_CYCLES {
            if self.harts.iter().all(|hart| hart.follower.was_flushed) {
                break;
            }
            self.cycle()?;
        }
        (0..SETTLE_CYCLES).try_for_each(|_| self.cycle())
    }

    /// Lets the cores run until the first one has executed so many events more, or all have executed all.
    fn run(&mut self, events: Option<u64>) -> Result<(), Stop> {
        self.harts.iter_mut().for_each(|hart| hart.rests = false);
        let done = |bench: &Self| bench.harts[0].core.counts().0;
        let end = events.map(|events| done(self).saturating_add(events));
        let rests_at = self.cycles + self.random.random_range(0..MOST_BEFORE_REST);
        let mut has_rested = false;
        while !self.is_over() {
            if self.cycles >= rests_at && !has_rested {
                has_rested = true;
                self.rest_in_funnel()?;
            }
            if end.is_some_and(|end| done(self) >= end) && !self.harts[0].core.is_over() {
                break;
            }
            self.cycle()?;
        }
        Ok(())
    }

    /// What is at the boundaries of a hart after a cycle; gives what it offers, and whether the funnel takes it.
    fn compare_hart(&mut self, place: usize) -> Result<(Source, bool), Stop> {
        let (cycles, hart) = (self.cycles, &mut self.harts[place]);
        let seen = hart.probe.see(&self.model);
        hart.most_bytes = hart.most_bytes.max(hart.probe.buffered_words(&self.model));
        if hart.lost.is_some_and(|pin| self.model.get(pin) != 0) {
            let what = "`lost` is high though the core waits";
            return Err(self.fails_at(place, Place::Adapter, what));
        }
        if let Some(what) = hart.counts(seen.timestamp).filter(|_| hart.most_time > 0) {
            return Err(self.fails_at(place, Place::Unit, what));
        }
        let blocks = hart.follower.blocks;
        let checked = hart.boundary.cycle(&mut hart.core.expected, &seen);
        let rule = hart.follower.cycle(cycles, &seen)?;
        let mismatch = hart.follower.comparison.is_over(cycles);
        let mismatch = mismatch.then(|| hart.follower.comparison.mismatch()).flatten();
        let mismatch = mismatch.map(|at| {
            format!("trace bit {}: expected {}, found {}", at.bit, at.expected, at.actual)
        });
        let goes_on = hart.follower.blocks != blocks;
        checked.map_err(|what| self.fails_at(place, Place::Adapter, what))?;
        if let Some(rule) = rule {
            return Err(self.fails_at(place, Place::Module, rule));
        }
        if let Some(what) = mismatch {
            return Err(self.fails_at(place, Place::Module, what));
        }
        if goes_on {
            self.idle = 0;
        }
        let byte = seen.beat.map(|beat| beat as u8);
        let source = Source { byte, is_empty: seen.flushed, ..Source::default() };
        Ok((source, byte.is_some() && seen.takes))
    }

    /// What the funnel takes and sends in a cycle; gives what the sink sees of it.
    fn compare_funnel(&mut self, offered: &[(Source, bool)]) -> Result<Seen, Stop> {
        let seen = self.funnel_pins.see(&self.model);
        let sources = seen.switched(offered);
        let differs = if seen.sent != self.funnel.offered() {
            Some(format!("{:x?} is sent, not {:x?}", seen.sent, self.funnel.offered()))
        } else if seen.is_empty != self.funnel.is_empty() {
            Some(format!("trFunnelEmpty is {}, and a message not over", seen.is_empty))
        } else if seen.all_has_left != self.funnel.all_has_left(&sources) {
            Some(format!("all is said to have left: {}", seen.all_has_left))
        } else {
            None
        };
        if let Some(what) = differs {
            return Err(self.fails(Place::Funnel, what));
        }
        let expected = self.funnel.clock(&sources, seen.is_ready);
        for (place, (_, takes)) in offered.iter().enumerate() {
            if *takes != (expected == Some(place)) {
                let what = if *takes { "a byte is taken out of turn" } else { "no byte is taken" };
                return Err(self.fails_at(place, Place::Funnel, what));
            }
        }
        if let Some(byte) = seen.sent.filter(|_| seen.is_ready) {
            self.receiver.sent(byte.into());
            self.sent_bytes += 1;
            self.idle = 0;
        }
        let beat = seen.sent.map(u64::from);
        Ok(Seen { beat, flushed: seen.all_has_left, ..Seen::default() })
    }
}

impl<I: Iterator<Item = Result<Item>>> Clocked for Bench<'_, I> {
    type Error = Stop;

    fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    fn master(&mut self) -> &mut Master {
        &mut self.master
    }

    fn cycle(&mut self) -> Result<(), Stop> {
        self.model.settle()?;
        let Self { harts, model, random, receiver, .. } = self;
        receiver.drive(model, random);
        for hart in harts.iter_mut() {
            let stall = hart.stalls(model);
            hart.core.show(model, random, &hart.stimulus, (hart.rests, stall))?;
        }
        self.model.cycle()?;
        for hart in &mut self.harts {
            let stall = hart.stalls(&self.model);
            hart.core.end_cycle(stall);
            hart.stall_cycles += u64::from(stall && !hart.rests);
        }
        self.idle += 1;
        let mut offered = Vec::with_capacity(self.harts.len());
        for place in 0..self.harts.len() {
            offered.push(self.compare_hart(place)?);
        }
        let seen = self.compare_funnel(&offered)?;
        let received = self.receiver.clock(&self.model, &seen, self.ring);
        received.map_err(|what| self.fails(self.receiver.place(), what))?;
        if self.idle > PATIENCE {
            return Err(self.fails(Place::Unit, "nothing happens any more"));
        }
        self.cycles += 1;
        Ok(())
    }
}
