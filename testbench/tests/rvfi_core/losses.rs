//! A core that does not wait, in front of an adapter that loses instructions before its queue is full.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::mask;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::rvfi::{Config, Retirement, Rvfi, classify};
use tracewright_sim::scheme::Design;
use tracewright_testbench::{Library, Model, OutputPort};

use super::core::Core;
use super::{Pins, Show, check, flush_golden, show_channel};

/// Runs the adapter of `design`, which has `loss_pins`; how many of how many instructions were lost, or the first
/// thing that is wrong.
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
    match bench.inside() {
        0 => Ok((bench.lost, bench.arrived)),
        inside => Err(format!("{inside} instructions never came out")),
    }
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
    /// Instructions that are neither shown nor lost, those that trapped in front of them included.
    waiting: VecDeque<Retirement>,
    /// Of these, those that the golden model has.
    known: usize,
    /// The last one that the golden model has trapped, and the model waits for the next one.
    waits_for_next: bool,
    /// Instructions of pieces since the last event.
    pieces: u64,
    /// Instructions that retired.
    arrived: u64,
    lost: u64,
    /// Nothing has come since the flush began.
    is_still: bool,
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
            address_mask: mask(processor.address_width) & !mask(processor.alignment),
            golden: Rvfi::new(config.xlen, processor, 0),
            expected: VecDeque::new(),
            waiting: VecDeque::new(),
            known: 0,
            waits_for_next: false,
            pieces: 0,
            arrived: 0,
            lost: 0,
            is_still: false,
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
            self.is_still = true;
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
        self.is_still &= arriving.is_empty();
        self.check_drained()?;
        self.arrived += arriving.iter().filter(|one| !one.trap).count() as u64;
        self.waiting.extend(arriving);
        Ok(())
    }

    /// Gives the golden model one more instruction.
    fn learn(&mut self) -> Option<()> {
        let retired = self.waiting.get(self.known)?;
        self.waits_for_next = retired.trap;
        let expected = &mut self.expected;
        let Ok(()) = self.golden.retire(retired, |event| {
            expected.push_back(event);
            Ok::<(), std::convert::Infallible>(())
        });
        self.known += 1;
        Some(())
    }

    /// Instructions that have retired and are neither shown nor lost.
    fn inside(&self) -> u64 {
        self.waiting.iter().filter(|one| !one.trap).count() as u64
    }

    /// How many are waiting up to the instruction of this number that retired.
    fn position(&self, count: u64) -> Option<usize> {
        let Some(before) = count.checked_sub(1) else { return Some(0) };
        let mut retired = self.waiting.iter().enumerate().filter(|(_, one)| !one.trap);
        retired.nth(usize::try_from(before).ok()?).map(|(place, _)| place + 1)
    }

    /// Forgets the oldest of those that wait, which were shown or lost; the last of them.
    fn forget(&mut self, waiting: usize) -> Option<Retirement> {
        while self.known < waiting {
            self.learn()?;
        }
        self.known -= waiting;
        self.waiting.drain(..waiting).next_back()
    }

    /// Of those that wait, how many are lost with so many instructions that retired, if the last of them trapped or
    /// not.
    fn lost_with(&self, count: u64, trapped: bool) -> Option<usize> {
        let mut waiting = self.position(count)?;
        let target = self.model.get(self.pins.target);
        if !trapped {
            return Some(waiting);
        }
        loop {
            let one = self.waiting.get(waiting).filter(|one| one.trap)?;
            waiting += 1;
            if one.next_program_counter & self.address_mask == target {
                return Some(waiting);
            }
        }
    }

    /// Checks instructions that are lost.
    fn lose(&mut self) -> Result<(), String> {
        let (count, waiting) = (self.model.get(self.retire_lost_count), self.waiting.len());
        if !self.was_lost && waiting < self.config.queue.shed_level() as usize {
            return Err(format!("a loss with {waiting} instructions inside"));
        }
        let trapped = self.model.get(self.pins.kind) == Kind::Exception.pin_code();
        let lost = self.lost_with(count, trapped);
        let Some(last) = lost.and_then(|lost| self.forget(lost)) else {
            return Err(format!("{count} instructions are lost of {waiting}"));
        };
        if self.known > 0 {
            return Err(format!("{} instructions stay that were begun", self.known));
        }
        self.expected.clear();
        self.golden.lose();
        self.waits_for_next = false;
        self.pieces = 0;
        self.lost += count;
        let class = classify(last.instruction, self.config.xlen);
        let kind = class.kind.map_or(0, |kind| kind.pin_code());
        let kind = if last.trap { Kind::Exception.pin_code() } else { kind };
        let shown = |pin| self.model.get(pin);
        if shown(self.pins.pc) != self.golden.program_counter() || shown(self.pins.kind) != kind {
            return Err(format!("a loss ends at {:#x}", shown(self.pins.pc)));
        }
        if last.trap {
            return Ok(());
        }
        let program_counter = last.program_counter & self.address_mask;
        let behind = program_counter.wrapping_add(class.length.into());
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
            let waiting = self.position(count).filter(|waiting| *waiting > 0);
            if waiting.and_then(|waiting| self.forget(waiting)).is_none() {
                return Err(format!("a piece of {count} instructions"));
            }
            return match self.expected.is_empty() {
                true => Ok(()),
                false => Err("a piece in place of an event".into()),
            };
        }
        if ends && (kind == 3 || kind == 5) {
            let waiting = self.position(count).ok_or("instructions too many")?;
            while self.known < waiting && self.learn().is_some() {}
            if self.expected.is_empty() && kind == 5 {
                while !self.waits_for_next && self.learn().is_some() {}
            }
            if self.expected.is_empty() {
                flush_golden(&mut self.golden, &mut self.expected);
                self.waits_for_next = false;
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
        let waiting = self.position(count).ok_or("instructions too many")?;
        if waiting > 0 {
            self.forget(waiting).ok_or("instructions too many")?;
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
        let gone = self.arrived - self.inside();
        if drained && !self.was_drained && self.is_still {
            while self.learn().is_some() {}
            flush_golden(&mut self.golden, &mut self.expected);
            if let Some(event) = self.expected.front() {
                return Err(format!("`drained` before {event}"));
            }
        }
        if drained && gone < self.before_flush {
            return Err(format!("`drained` with {} instructions inside", self.before_flush - gone));
        }
        self.was_drained = drained;
        self.flush_cycles = if self.flush { self.flush_cycles + 1 } else { 0 };
        Ok(())
    }
}
