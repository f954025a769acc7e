//! A core that does not wait, in front of an adapter that loses instructions before its queue is full.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::mask;
use tracewright_sim::event::Event;
use tracewright_sim::rvfi::{Config, Retirement, Rvfi, classify};
use tracewright_sim::scheme::Design;
use tracewright_testbench::{Library, Model, OutputPort};

use super::core::Core;
use super::{Pins, Show, check, flush_golden, show_channel};

/// Runs the adapter of `design`, which has `loss_pins`; how many of how many instructions were lost, or the first thing that
/// is wrong.
pub fn run_losses(
    library: &Arc<Library>,
    design: &Design,
    config: &Config,
    show: Show,
) -> Result<(u64, u64), String> {
    let mut bench = Bench::new(library, design, config, show).map_err(|error| error.to_string())?;
    for clock in 0..show.clocks {
        // A flush that began before the end is over when the last one begins.
        let (ending, last) = (clock + 800 > show.clocks, clock + 400 > show.clocks);
        bench.clock(ending, last).map_err(|what| format!("cycle {clock}: {what}"))?;
    }
    if !bench.was_drained {
        return Err("`drained` never came".into());
    }
    if !bench.waiting.is_empty() {
        return Err(format!("{} instructions never came out", bench.waiting.len()));
    }
    Ok((bench.lost, bench.arrived))
}

struct Bench<'a> {
    config: &'a Config,
    show: Show,
    pins: Pins,
    retire_lost: OutputPort,
    retire_lost_count: OutputPort,
    model: Model,
    random: ChaCha8Rng,
    core: Core,
    address_mask: u64,
    golden: Rvfi,
    expected: VecDeque<Event>,
    /// Instructions that are neither shown nor lost.
    waiting: VecDeque<Retirement>,
    /// Of these, those that the golden model has.
    known: usize,
    /// Instructions of pieces since the last event.
    pieces: u64,
    arrived: u64,
    lost: u64,
    was_lost: bool,
    flush: bool,
    /// The core retires nothing during the flush.
    is_quiet: bool,
    /// Cycles since the flush began, and instructions that came before it.
    flush_cycles: u32,
    before_flush: u64,
    was_drained: bool,
}

impl<'a> Bench<'a> {
    fn new(
        library: &Arc<Library>,
        design: &Design,
        config: &'a Config,
        show: Show,
    ) -> tracewright_testbench::Result<Self> {
        let processor = design.processor();
        let mut model = Model::new(library, show.seed)?;
        model.reset(2)?;
        Ok(Bench {
            config,
            show,
            pins: Pins::find(library, config.queue.lanes),
            retire_lost: library.output("retire_lost", 1)?,
            retire_lost_count: library.output_of_any_width("retire_lost_count")?.0,
            model,
            random: ChaCha8Rng::seed_from_u64(show.seed),
            core: Core::new(processor, !show.seed, show.diversions),
            address_mask: mask(processor.address_width),
            golden: Rvfi::new(config.xlen, processor.address_width, 0),
            expected: VecDeque::new(),
            waiting: VecDeque::new(),
            known: 0,
            pieces: 0,
            arrived: 0,
            lost: 0,
            was_lost: false,
            flush: false,
            is_quiet: false,
            flush_cycles: 0,
            before_flush: 0,
            was_drained: false,
        })
    }

    /// Runs a cycle, in which the core retires nothing if the run is `ending`; the `last` ones are a flush.
    /// During other flushes some cores go on.
    fn clock(&mut self, ending: bool, last: bool) -> Result<(), String> {
        let show = self.show;
        if !self.flush && (last || !ending && self.random.random_range(0..1000) < show.flushes) {
            (self.flush, self.was_drained) = (true, false);
            (self.flush_cycles, self.before_flush) = (0, self.arrived);
            self.is_quiet = self.random.random();
        } else if self.flush && self.was_drained && !last && self.random.random() {
            self.flush = false;
        }
        self.model.set(self.pins.flush, self.flush.into());
        let mut arriving = Vec::new();
        for lane in 0..self.pins.channels.len() {
            let retires = !(ending || self.flush && self.is_quiet)
                && self.random.random_range(0..100) >= show.bubbles;
            let retired = retires.then(|| self.core.retire(self.config.xlen, true));
            let noise = self.random.random();
            show_channel(&mut self.model, self.pins.channels[lane], retired.as_ref(), noise);
            arriving.extend(retired);
        }
        self.model.cycle().map_err(|error| error.to_string())?;
        let is_lost = self.model.get(self.retire_lost) != 0;
        if self.model.get(self.pins.retire_valid) == 0 {
            if is_lost {
                return Err("`retire_lost` without `retire_valid`".into());
            }
        } else if is_lost {
            self.lose()?;
        } else {
            self.take_block()?;
        }
        self.was_lost = is_lost;
        self.check_drained()?;
        self.arrived += arriving.len() as u64;
        self.waiting.extend(arriving);
        Ok(())
    }

    /// Gives the golden model one more instruction.
    fn learn(&mut self) -> Option<()> {
        let retired = self.waiting.get(self.known)?;
        let expected = &mut self.expected;
        let Ok(()) = self.golden.retire(retired, |event| {
            expected.push_back(event);
            Ok::<(), std::convert::Infallible>(())
        });
        self.known += 1;
        Some(())
    }

    /// Forgets the oldest instructions, which were shown or lost; the last of them.
    fn forget(&mut self, count: u64) -> Option<Retirement> {
        let count = usize::try_from(count).ok()?;
        while self.known < count {
            self.learn()?;
        }
        self.known -= count;
        self.waiting.drain(..count).next_back()
    }

    /// Checks instructions that are lost.
    fn lose(&mut self) -> Result<(), String> {
        let (count, waiting) = (self.model.get(self.retire_lost_count), self.waiting.len());
        if !self.was_lost && waiting < self.config.queue.shed_level() as usize {
            return Err(format!("a loss with {waiting} instructions inside"));
        }
        let Some(last) = self.forget(count) else {
            return Err(format!("{count} instructions are lost of {waiting}"));
        };
        if self.known > 0 {
            return Err(format!("{} instructions stay that were begun", self.known));
        }
        self.expected.clear();
        self.golden.lose();
        self.pieces = 0;
        self.lost += count;
        let class = classify(last.instruction, self.config.xlen);
        let kind = class.kind.filter(|_| !last.trap).map_or(0, |kind| kind.pin_code());
        let shown = |pin| self.model.get(pin);
        if shown(self.pins.pc) != self.golden.program_counter() || shown(self.pins.kind) != kind {
            return Err(format!("a loss ends at {:#x}", shown(self.pins.pc)));
        }
        let behind = last.program_counter.wrapping_add(class.length.into());
        let taken = kind != 0
            && (kind != 2 || (last.next_program_counter ^ behind) & self.address_mask != 0);
        let target = last.next_program_counter & self.address_mask;
        if (shown(self.pins.taken) != 0) != taken || taken && shown(self.pins.target) != target {
            return Err(format!("a loss goes on at {:#x}", shown(self.pins.target)));
        }
        Ok(())
    }

    /// Checks a block that the trace module takes.
    fn take_block(&mut self) -> Result<(), String> {
        let (count, kind) = (self.model.get(self.pins.count), self.model.get(self.pins.kind));
        self.pieces += count;
        // What a flush shows does not wait for the next instruction.
        let ends = self.flush && self.flush_cycles == 2 * self.config.queue.depth + 1;
        if kind == 0 {
            if count == 0 || self.forget(count).is_none() {
                return Err(format!("a piece of {count} instructions"));
            }
            return match self.expected.is_empty() {
                true => Ok(()),
                false => Err("a piece in place of an event".into()),
            };
        }
        if ends && kind == 3 {
            while (self.known as u64) < count && self.learn().is_some() {}
            if self.expected.is_empty() {
                flush_golden(&mut self.golden, &mut self.expected);
            }
        }
        while self.expected.is_empty() {
            self.learn().ok_or("an event too many")?;
        }
        let Some(event) = self.expected.pop_front() else {
            return Err("an event too many".into());
        };
        check(&self.model, &self.pins, kind, self.pieces, &event)?;
        self.pieces = 0;
        if count > 0 {
            self.forget(count).ok_or("instructions too many")?;
        }
        Ok(())
    }

    /// Checks that `drained` comes when everything from before the flush has left, whatever the core does.
    fn check_drained(&mut self) -> Result<(), String> {
        let drained = self.model.get(self.pins.drained) != 0;
        let after = 2 * self.config.queue.depth + 2;
        if drained != (self.flush && self.flush_cycles >= after) {
            return Err(format!("`drained` is {drained} after {} cycles", self.flush_cycles));
        }
        let gone = self.arrived - self.waiting.len() as u64;
        if drained && gone < self.before_flush {
            return Err(format!("`drained` with {} instructions inside", self.before_flush - gone));
        }
        self.was_drained = drained;
        self.flush_cycles = if self.flush { self.flush_cycles + 1 } else { 0 };
        Ok(())
    }
}
