//! The part of a co-simulation that runs in every cycle.

mod activity;
mod discards;

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::Item;
use tracewright_sim::session::Session;

use self::discards::{DISCARD_CYCLES, Discards};
use crate::compare::Place;
use crate::cosim::{AnyError, Options};
use crate::error::Result;
use crate::input::{Bench, Input};
use crate::model::Model;
use crate::pins::TracePins;
use crate::recording::Recording;
use crate::report::{Failure, Report};
use crate::stimulus::{Ready, ReadyPattern};

/// One cycle in this many is evaluated twice, with other inputs, to check that no output depends on them.
const PROBE_INTERVAL: u64 = 1024;

/// What the input side does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Shows blocks or accesses.
    Blocks,
    /// Holds `flush` until `flushed`.
    Flush,
    /// Holds `flush` low until `flushed` falls, then continues with blocks or ends.
    Release,
}

/// The outputs of one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outputs {
    stalls: u64,
    trace_valid: bool,
    trace_data: u64,
    flushed: bool,
}

pub(crate) struct Driver<'a, G, I: Iterator, S> {
    bench: Bench<'a, G, I>,
    input: S,
    pins: TracePins,
    random: ChaCha8Rng,
    ready_pattern: ReadyPattern,
    phase: Phase,
    /// `stall` has been low since reset.
    started: bool,
    /// The module has seen `flush`: nothing is taken and time stands still until `flushed` falls.
    flushing: bool,
    discards: Discards,
    /// The beat that was offered in the last cycle and not taken.
    offered: Option<u64>,
    idle_cycles: u64,
    idle_limit: u64,
    /// Everything that was received, if it is kept.
    recording: Option<Recording>,
}

/// Where a run ends.
pub(crate) enum End {
    /// With the flush after the last item.
    Items,
    /// After so many cycles, or with the flush if that is earlier.
    Cycle(u64),
}

impl<'a, G, I, S> Driver<'a, G, I, S>
where
    G: Session<Error: Into<AnyError>>,
    I: Iterator<Item = Result<Item>>,
    S: Input<G, I>,
{
    pub(crate) fn new(
        model: Model,
        golden: G,
        items: I,
        options: &'a Options,
        input: S,
    ) -> Result<Self> {
        let stimulus = &options.stimulus;
        let patience = if let Ready::NeverFor(cycles) = stimulus.ready { cycles } else { 0 };
        let pins = TracePins::find(model.library())?;
        let mut bench = Bench::new(options, model, golden, items);
        if S::HAS_OWN_ORDER {
            bench.comparison.expected.keep_pieces();
        }
        Ok(Driver {
            bench,
            input,
            pins,
            random: ChaCha8Rng::seed_from_u64(stimulus.seed),
            ready_pattern: ReadyPattern::new(stimulus.ready),
            phase: Phase::Blocks,
            started: false,
            flushing: false,
            discards: Discards::default(),
            offered: None,
            idle_cycles: 0,
            idle_limit: options.watchdog_cycles.saturating_add(patience),
            recording: None,
        })
    }

    /// Adds what is received to a recording.
    pub(crate) fn record(&mut self, recording: Recording) {
        self.recording = Some(recording);
    }

    /// Runs from a reset to the end, or to the first failure. Gives the model and the recording back.
    pub(crate) fn run(mut self, end: &End) -> Result<(Report, Model, Option<Recording>)> {
        self.bench.model.reset(self.bench.options.stimulus.reset_clocks.max(1))?;
        self.enable_clock(true);
        self.go_on();
        let outcome = self.run_clocks(end).and_then(|()| self.idle());
        self.bench.model.close_waves()?;
        if let Some(path) = &self.bench.options.coverage {
            self.bench.model.write_coverage(path)?;
        }
        outcome?;
        let Bench { comparison, mut report, model, .. } = self.bench;
        report.bits = comparison.expected.popped();
        report.fifo_high_water_bits *= self.pins.word_bits();
        if let Some(mismatch) = comparison.mismatch() {
            report.bits = mismatch.bit;
            report.failure.get_or_insert(Failure::Mismatch(mismatch.clone()));
        }
        Ok((report, model, self.recording))
    }

    fn run_clocks(&mut self, end: &End) -> Result<()> {
        loop {
            if let Some(waves) = &self.bench.options.waves
                && waves.first_cycle == self.bench.report.cycles
            {
                self.bench.model.open_waves(&waves.path)?;
            }
            self.activity(false)?;
            let mut ended = self.clock()?;
            let Bench { comparison, report, .. } = &mut self.bench;
            report.cycles += 1;
            if let End::Cycle(cycle) = end {
                ended |= report.cycles >= *cycle;
            }
            if ended || report.failure.is_some() || comparison.is_over(report.cycles) {
                return Ok(());
            }
        }
    }

    /// Runs one cycle; returns true if it was the last.
    #[inline]
    fn clock(&mut self) -> Result<bool> {
        let is_quiet = self.bench.options.stimulus.quiet;
        let noise = if is_quiet { 0 } else { self.random.next_u64() };
        if self.phase != Phase::Blocks {
            self.input.rest(&mut self.bench, noise)?;
        } else if self.input.drive(&mut self.bench, noise)? {
            // The tables need not be clear yet.
            self.end_trace(noise >> 41);
            self.phase = Phase::Flush;
            self.discards.begin(noise >> 33);
        }
        if let Some(pin) = self.pins.discard.filter(|_| self.bench.options.stimulus.discards) {
            let is_flush = (self.phase == Phase::Flush).then_some(!self.bench.items_ended);
            self.bench.model.set(pin, self.discards.drive(is_flush, noise >> 21).into());
        }
        let ready = self.ready_pattern.next(noise >> 57);
        self.bench.model.set(self.pins.trace_ready, ready.into());
        if self.bench.report.cycles % PROBE_INTERVAL == PROBE_INTERVAL - 1 && !is_quiet {
            self.probe(ready)?;
        }
        if self.pins.clock_enable.is_some() && !is_quiet {
            self.freeze(ready)?;
        }
        self.bench.model.cycle()?;
        let outputs = self.outputs();
        let moved = self.take_blocks(&outputs)? | self.take_beat(&outputs, ready);
        self.idle_cycles = if moved { 0 } else { self.idle_cycles + 1 };
        if self.idle_cycles > self.idle_limit {
            self.hang();
        }
        Ok(self.advance(&outputs))
    }

    /// Ends the trace by `flush`, or by the pin that switches tracing off, or by both.
    fn end_trace(&mut self, noise: u64) {
        let Bench { model, .. } = &mut self.bench;
        let both = noise.is_multiple_of(4);
        let by_enable = self.pins.enable.filter(|_| both || noise.is_multiple_of(2));
        if let Some(enable) = by_enable {
            model.set(enable, 0);
        }
        if both || by_enable.is_none() {
            model.set(self.pins.flush, 1);
        }
    }

    /// Traces.
    fn go_on(&mut self) {
        self.bench.model.set(self.pins.flush, 0);
        if let Some(enable) = self.pins.enable {
            self.bench.model.set(enable, 1);
        }
    }

    fn enable_clock(&mut self, enabled: bool) {
        if let Some(pin) = self.pins.clock_enable {
            self.bench.model.set(pin, enabled.into());
        }
    }

    /// Runs some clock edges that the module must not see, with other inputs than those of the cycle that follows.
    fn freeze(&mut self, ready: bool) -> Result<()> {
        let frozen = [0, 0, 0, 1, 1, 2, 3, 9][(self.random.next_u64() >> 61) as usize];
        if frozen > 0 {
            self.enable_clock(false);
            self.input.flip(&mut self.bench.model);
            self.bench.model.set(self.pins.trace_ready, (!ready).into());
            for _ in 0..frozen {
                self.bench.model.cycle()?;
            }
            self.input.unflip(&mut self.bench.model);
            self.bench.model.set(self.pins.trace_ready, ready.into());
            self.enable_clock(true);
        }
        Ok(())
    }

    #[inline]
    fn outputs(&self) -> Outputs {
        let model = &self.bench.model;
        Outputs {
            stalls: self.input.stalls(model),
            trace_valid: model.get(self.pins.trace_valid) != 0,
            trace_data: model.get(self.pins.trace_data),
            flushed: model.get(self.pins.flushed) != 0,
        }
    }

    /// Checks that the outputs do not depend on the inputs of the same cycle.
    #[cold]
    fn probe(&mut self, ready: bool) -> Result<()> {
        self.bench.model.settle()?;
        let before = self.outputs();
        self.input.flip(&mut self.bench.model);
        self.bench.model.set(self.pins.trace_ready, (!ready).into());
        self.bench.model.settle()?;
        let after = self.outputs();
        self.input.unflip(&mut self.bench.model);
        self.bench.model.set(self.pins.trace_ready, ready.into());
        if after.stalls != before.stalls {
            self.broken("`stall` follows a valid pin or `trace_ready` of the same clock");
        } else if after.trace_valid != before.trace_valid
            || before.trace_valid && after.trace_data != before.trace_data
        {
            self.broken("the trace follows a valid pin or `trace_ready` of the same clock");
        }
        Ok(())
    }

    /// The input side's handshake; true if a block was taken.
    #[inline]
    fn take_blocks(&mut self, outputs: &Outputs) -> Result<bool> {
        if !self.started {
            self.started = self.input.is_open(outputs.stalls);
            self.bench.report.reset_cycles = self.bench.report.cycles;
        }
        if self.phase == Phase::Release && !outputs.flushed {
            self.flushing = false;
        }
        let counts = self.started && !self.flushing;
        let taken = self.input.take(&mut self.bench, outputs.stalls, counts)?;
        if counts && self.phase == Phase::Flush && self.input.ends() {
            self.bench.flush();
            self.flushing = true;
        }
        Ok(taken)
    }

    /// The output side's handshake; true if a beat was taken.
    #[inline]
    fn take_beat(&mut self, outputs: &Outputs, ready: bool) -> bool {
        let words = self.bench.model.get(self.pins.buffered_words);
        let most = &mut self.bench.report.fifo_high_water_bits;
        *most = words.max(*most);
        if let Some(data) = self.offered {
            if !outputs.trace_valid {
                self.broken("`trace_valid` fell before the beat was taken");
            } else if outputs.trace_data != data {
                self.broken("`trace_data` changed before the beat was taken");
            }
        }
        self.offered = (outputs.trace_valid & !ready).then_some(outputs.trace_data);
        let taken = outputs.trace_valid & ready;
        if taken {
            let Bench { words, beats, .. } = &mut self.bench;
            *beats += 1;
            if *beats == self.pins.word_beats() {
                (*words, *beats) = (*words + 1, 0);
            }
            let place = self.place();
            self.bench.comparison.beat(outputs.trace_data, self.pins.trace_port_width, place);
            if let Some(recording) = &mut self.recording {
                recording.beat(outputs.trace_data, self.pins.trace_port_width);
            }
        }
        taken
    }

    /// Moves on with flushing; true at the end of the run.
    #[inline]
    fn advance(&mut self, outputs: &Outputs) -> bool {
        if outputs.flushed && outputs.trace_valid {
            self.broken("`trace_valid` is high together with `flushed`");
        }
        if outputs.flushed {
            // A word whose first beats were taken may have been discarded.
            self.bench.beats = 0;
        }
        match self.phase {
            Phase::Blocks => {
                if outputs.flushed {
                    self.broken("`flushed` is high without `flush`");
                }
                false
            }
            Phase::Flush => {
                if outputs.flushed {
                    self.end_flush();
                } else if let Some(cycles) = self.discards.pass() {
                    // A beat that was not taken goes, too.
                    self.offered = None;
                    if cycles > DISCARD_CYCLES + self.input.clearing_cycles() {
                        self.broken("`discard` does not end a flush");
                    }
                }
                false
            }
            Phase::Release if outputs.flushed => false,
            Phase::Release => {
                self.phase = Phase::Blocks;
                // What is discarded is told in the trace, which then has an end.
                self.bench.items_ended && !self.discards.has_ended()
            }
        }
    }

    /// A flush has ended, because everything was sent or because it was discarded.
    fn end_flush(&mut self) {
        if self.discards.end() {
            self.bench.discard();
            self.input.discards();
            self.flushing = true;
        } else {
            let place = self.place();
            self.bench.comparison.end(place);
        }
        self.go_on();
        self.phase = Phase::Release;
    }

    #[inline]
    fn place(&self) -> Place {
        Place { cycle: self.bench.report.cycles, event: self.bench.at_input() }
    }

    #[cold]
    fn broken(&mut self, rule: &'static str) {
        self.bench.breaks(rule);
    }

    #[cold]
    fn hang(&mut self) {
        let Place { cycle, event } = self.place();
        let waiting_for = match self.phase {
            Phase::Blocks if self.started => "`stall` to fall",
            Phase::Blocks => "`stall` to fall after reset",
            Phase::Flush => "`flushed`",
            Phase::Release => "`flushed` to fall",
        };
        if self.bench.comparison.mismatch().is_none() {
            let failure = Failure::Hang { cycle, event_at_input: event, waiting_for };
            self.bench.report.failure.get_or_insert(failure);
        }
    }
}
