//! The clock by clock part of a co-simulation.

use std::sync::Arc;

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::Event;

use crate::compare::{Comparison, Place};
use crate::cosim::{Golden, Options};
use crate::error::{Error, Result};
use crate::library::Library;
use crate::model::Model;
use crate::pins::Pins;
use crate::report::{Failure, Report};
use crate::stimulus::{Blocks, Ready, ReadyPattern};

/// Clocks with the reset active.
const RESET_CLOCKS: u32 = 4;

/// One clock in so many is settled twice, with other inputs, to see that no output follows them.
const PROBE_INTERVAL: u64 = 1024;

/// What the input side does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Shows blocks.
    Blocks,
    /// Holds `flush` until `flushed`.
    Flush,
    /// Holds `flush` low until `flushed` falls, then goes on with blocks or ends.
    Release,
}

/// The outputs of one clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outputs {
    stall: bool,
    trace_valid: bool,
    trace_data: u64,
    flushed: bool,
}

pub(crate) struct Driver<'a, G, I> {
    options: &'a Options,
    model: Model,
    pins: Pins,
    golden: G,
    events: I,
    random: ChaCha8Rng,
    blocks: Blocks,
    ready_pattern: ReadyPattern,
    comparison: Comparison,
    report: Report,
    phase: Phase,
    /// A block is on the pins and not taken yet.
    held: bool,
    events_ended: bool,
    events_since_flush: u64,
    /// `stall` has been low since reset.
    started: bool,
    /// The beat that was offered in the last clock and not taken.
    offered: Option<u64>,
    idle_cycles: u64,
    idle_limit: u64,
}

impl<'a, G, I> Driver<'a, G, I>
where
    G: Golden,
    I: Iterator<Item = Result<Event>>,
{
    pub(crate) fn new(
        library: &Arc<Library>,
        golden: G,
        events: I,
        options: &'a Options,
    ) -> Result<Self> {
        let pins = Pins::find(library)?;
        let stimulus = &options.stimulus;
        let blocks = Blocks::new(stimulus, pins.most_retired, pins.address_mask);
        let patience = if let Ready::NeverFor(cycles) = stimulus.ready { cycles } else { 0 };
        Ok(Driver {
            options,
            model: Model::new(library, stimulus.seed)?,
            pins,
            golden,
            events,
            random: ChaCha8Rng::seed_from_u64(stimulus.seed),
            blocks,
            ready_pattern: ReadyPattern::new(stimulus.ready),
            comparison: Comparison::default(),
            report: Report::default(),
            phase: Phase::Blocks,
            held: false,
            events_ended: false,
            events_since_flush: 0,
            started: false,
            offered: None,
            idle_cycles: 0,
            idle_limit: options.watchdog_cycles.saturating_add(patience),
        })
    }

    /// Runs to the end of the events, or to the first failure.
    pub(crate) fn run(mut self) -> Result<Report> {
        self.model.reset(RESET_CLOCKS)?;
        let outcome = self.run_clocks();
        self.model.close_waves()?;
        outcome?;
        self.report.bits = self.comparison.expected.popped();
        self.report.fifo_high_water_bits *= self.pins.word_bits();
        if let Some(mismatch) = self.comparison.mismatch() {
            self.report.bits = mismatch.bit;
            let mismatch = Failure::Mismatch(mismatch.clone());
            self.report.failure.get_or_insert(mismatch);
        }
        Ok(self.report)
    }

    fn run_clocks(&mut self) -> Result<()> {
        loop {
            if let Some(waves) = &self.options.waves
                && waves.first_cycle == self.report.cycles
            {
                self.model.open_waves(&waves.path)?;
            }
            let ended = self.clock()?;
            self.report.cycles += 1;
            let failed = self.report.failure.is_some();
            if ended || failed || self.comparison.is_over(self.report.cycles) {
                return Ok(());
            }
        }
    }

    /// One clock; true if it was the last.
    #[inline]
    fn clock(&mut self) -> Result<bool> {
        let noise = self.random.next_u64();
        self.drive(noise)?;
        let ready = self.ready_pattern.next(noise >> 57);
        self.model.set(self.pins.trace_ready, ready.into());
        if self.report.cycles % PROBE_INTERVAL == PROBE_INTERVAL - 1 {
            self.probe(ready)?;
        }
        self.model.cycle()?;
        let outputs = self.outputs();
        let moved = self.take_block(&outputs) | self.take_beat(&outputs, ready);
        self.idle_cycles = if moved { 0 } else { self.idle_cycles + 1 };
        if self.idle_cycles > self.idle_limit {
            self.hang();
        }
        Ok(self.advance(&outputs))
    }

    /// Shows a block, or none.
    #[inline]
    fn drive(&mut self, noise: u64) -> Result<()> {
        if self.held {
            return Ok(());
        }
        let chance = ((noise >> 40) & 0xffff) * 100 / 0x1_0000;
        if self.phase == Phase::Blocks && chance >= u64::from(self.options.stimulus.bubble_percent)
        {
            loop {
                if let Some(block) = self.blocks.take() {
                    self.pins.show(&mut self.model, &block, noise);
                    self.held = true;
                    if self.flush_is_due() && self.blocks.is_empty() && noise >> 63 != 0 {
                        return self.flush_with_block();
                    }
                    return Ok(());
                }
                if self.events_ended || self.flush_is_due() {
                    self.begin_flush()?;
                    break;
                }
                self.next_event()?;
            }
        }
        self.pins.show_none(&mut self.model, noise);
        Ok(())
    }

    /// Fetches an event, for the golden encoder first.
    #[inline]
    fn next_event(&mut self) -> Result<()> {
        let Some(event) = self.events.next() else {
            self.events_ended = true;
            return Ok(());
        };
        let event = event?;
        let index = self.report.events;
        self.golden.event(&event, &mut self.comparison.expected).map_err(Error::Golden)?;
        self.comparison.end_event(Some(index));
        self.blocks.load(&event).map_err(|reason| Error::Unpresentable { index, reason })?;
        self.report.events += 1;
        self.report.instructions += event.instructions;
        self.events_since_flush += 1;
        Ok(())
    }

    #[inline]
    fn flush_is_due(&self) -> bool {
        self.options.stimulus.flush_interval == Some(self.events_since_flush)
            && self.events_since_flush > 0
    }

    /// Raises `flush`; the tables need not be clear yet.
    fn begin_flush(&mut self) -> Result<()> {
        self.golden.flush(&mut self.comparison.expected).map_err(Error::Golden)?;
        self.comparison.end_event(None);
        self.events_since_flush = 0;
        self.model.set(self.pins.flush, 1);
        self.phase = Phase::Flush;
        Ok(())
    }

    /// Raises `flush` in the clock of the block on the pins, if that is taken in this clock.
    fn flush_with_block(&mut self) -> Result<()> {
        self.model.settle()?;
        if self.outputs().stall { Ok(()) } else { self.begin_flush() }
    }

    #[inline]
    fn outputs(&self) -> Outputs {
        Outputs {
            stall: self.model.get(self.pins.stall) != 0,
            trace_valid: self.model.get(self.pins.trace_valid) != 0,
            trace_data: self.model.get(self.pins.trace_data),
            flushed: self.model.get(self.pins.flushed) != 0,
        }
    }

    /// Checks that the outputs do not follow the inputs of the same clock.
    #[cold]
    fn probe(&mut self, ready: bool) -> Result<()> {
        self.model.settle()?;
        let before = self.outputs();
        self.model.set(self.pins.retire_valid, (!self.held).into());
        self.model.set(self.pins.trace_ready, (!ready).into());
        self.model.settle()?;
        let after = self.outputs();
        self.model.set(self.pins.retire_valid, self.held.into());
        self.model.set(self.pins.trace_ready, ready.into());
        if after.stall != before.stall {
            self.broken("`stall` follows `retire_valid` or `trace_ready` of the same clock");
        } else if after.trace_valid != before.trace_valid
            || before.trace_valid && after.trace_data != before.trace_data
        {
            self.broken("the trace follows `retire_valid` or `trace_ready` of the same clock");
        }
        Ok(())
    }

    /// The input side's handshake; true if a block was taken.
    #[inline]
    fn take_block(&mut self, outputs: &Outputs) -> bool {
        if !self.started {
            self.started = !outputs.stall;
            self.report.reset_cycles = self.report.cycles;
        }
        let taken = self.held & !outputs.stall;
        self.report.blocks += u64::from(taken);
        self.report.stall_cycles += u64::from(self.started & self.held & outputs.stall);
        self.held &= outputs.stall;
        taken
    }

    /// The output side's handshake; true if a beat was taken.
    #[inline]
    fn take_beat(&mut self, outputs: &Outputs, ready: bool) -> bool {
        let words = self.model.get(self.pins.buffered_words);
        self.report.fifo_high_water_bits = self.report.fifo_high_water_bits.max(words);
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
            let place = self.place();
            self.comparison.beat(outputs.trace_data, self.pins.trace_port_width, place);
        }
        taken
    }

    /// Moves on with flushing; true at the end of the run.
    #[inline]
    fn advance(&mut self, outputs: &Outputs) -> bool {
        if outputs.flushed && outputs.trace_valid {
            self.broken("`trace_valid` is high together with `flushed`");
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
                    let place = self.place();
                    self.comparison.end(place);
                    self.model.set(self.pins.flush, 0);
                    self.phase = Phase::Release;
                }
                false
            }
            Phase::Release if outputs.flushed => false,
            Phase::Release => {
                self.phase = Phase::Blocks;
                self.events_ended
            }
        }
    }

    #[inline]
    fn place(&self) -> Place {
        Place { cycle: self.report.cycles, event: self.report.events.saturating_sub(1) }
    }

    /// A rule of the pins is broken; the first counts, and a wrong bit before it more.
    #[cold]
    fn broken(&mut self, rule: &'static str) {
        let Place { cycle, event } = self.place();
        self.fail(Failure::Protocol { cycle, event_at_input: event, rule });
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
        self.fail(Failure::Hang { cycle, event_at_input: event, waiting_for });
    }

    fn fail(&mut self, failure: Failure) {
        if self.comparison.mismatch().is_none() {
            self.report.failure.get_or_insert(failure);
        }
    }
}
