//! A core that does not wait, in front of an adapter that loses instructions before its queue is full.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::config::mask;
use tracewright_sim::event::Kind;
use tracewright_sim::rvfi::{Retirement, classify};
use tracewright_sim::scheme::Design;
use tracewright_testbench::{InputPort, Library, Model, OutputPort};

use super::RvfiCore;
use crate::adapters::outputs::{Outputs, shown};
use crate::adapters::waiting::{Expected, Source};
use crate::adapters::{Bench, Flush, Losses, Show};

/// The core, its adapter in hardware and in the golden model, and what is between them.
pub struct Losing<'a> {
    core: RvfiCore<'a>,
    show: Show,
    flush_pin: InputPort,
    pins: Outputs,
    model: Model,
    random: ChaCha8Rng,
    address_mask: u64,
    expected: Expected,
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
    flush: Flush,
    /// The core retires nothing during the flush.
    is_quiet: bool,
    /// Instructions that came before the flush.
    before_flush: u64,
}

impl<'a> Losing<'a> {
    pub fn new(
        library: &Arc<Library>,
        design: &Design,
        core: RvfiCore<'a>,
        pins: Outputs,
        show: Show,
    ) -> tracewright_testbench::Result<Self> {
        let processor = design.processor();
        let mut model = Model::new(library, show.seed)?;
        model.reset(2)?;
        Ok(Losing {
            core,
            show,
            flush_pin: library.input("flush", 1)?,
            pins,
            model,
            random: ChaCha8Rng::seed_from_u64(show.seed),
            address_mask: mask(processor.address_width) & !mask(processor.alignment),
            expected: VecDeque::new(),
            waiting: VecDeque::new(),
            known: 0,
            waits_for_next: false,
            pieces: 0,
            arrived: 0,
            lost: 0,
            is_still: false,
            was_lost: false,
            flush: Flush::default(),
            is_quiet: false,
            before_flush: 0,
        })
    }

    fn get(&self, output: Option<OutputPort>) -> u64 {
        shown(&self.model, output)
    }

    /// Gives the golden model one more instruction.
    fn learn(&mut self) -> Option<()> {
        let retired = self.waiting.get(self.known)?;
        self.waits_for_next = retired.trap;
        self.core.learn(retired, &mut self.expected);
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
        let target = self.get(self.pins.target);
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
        let (count, waiting) = (self.get(self.pins.block_lost_count), self.waiting.len());
        if !self.was_lost && waiting < self.core.config.queue.shed_level() as usize {
            return Err(format!("a loss with {waiting} instructions inside"));
        }
        let trapped = self.get(self.pins.kind) == Kind::Exception.pin_code();
        let lost = self.lost_with(count, trapped);
        let Some(last) = lost.and_then(|lost| self.forget(lost)) else {
            return Err(format!("{count} instructions are lost of {waiting}"));
        };
        if self.known > 0 {
            return Err(format!("{} instructions stay that were begun", self.known));
        }
        self.expected.clear();
        self.core.golden.lose();
        self.waits_for_next = false;
        self.pieces = 0;
        self.lost += count;
        let class = classify(last.instruction, self.core.config.xlen, self.core.config.extensions);
        let kind = class.kind.map_or(0, |kind| kind.pin_code());
        let kind = if last.trap { Kind::Exception.pin_code() } else { kind };
        let shown = |pin| self.get(pin);
        if shown(self.pins.pc) != self.core.golden.program_counter()
            || shown(self.pins.kind) != kind
        {
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
        let (count, kind) = (self.get(self.pins.count), self.get(self.pins.kind));
        self.pieces += count;
        // What a flush shows does not wait for the next instruction.
        let ends = self.flush.is_on && self.flush.clocks == 2 * self.core.config.queue.depth + 1;
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
                self.core.flush(&mut self.expected);
                self.waits_for_next = false;
            }
        }
        while self.expected.is_empty() {
            self.learn().ok_or("an event too many")?;
        }
        let Some((event, state)) = self.expected.pop_front() else {
            return Err("an event too many".into());
        };
        self.pins.compare(&self.model, &event, &state, self.pieces)?;
        self.pieces = 0;
        let waiting = self.position(count).ok_or("instructions too many")?;
        if waiting > 0 {
            self.forget(waiting).ok_or("instructions too many")?;
        }
        Ok(())
    }

    /// Checks that `drained` comes when everything from before the flush has left, whatever the core does.
    fn check_drained(&mut self) -> Result<(), String> {
        let drained = self.get(self.pins.drained) != 0;
        let gone = self.arrived - self.inside();
        if drained && !self.flush.was_drained && self.is_still {
            while self.learn().is_some() {}
            self.core.flush(&mut self.expected);
            if let Some((event, _)) = self.expected.front() {
                return Err(format!("`drained` before {event}"));
            }
        }
        if drained && gone < self.before_flush {
            return Err(format!("`drained` with {} instructions inside", self.before_flush - gone));
        }
        self.flush.ends_after(2 * self.core.config.queue.depth + 2, drained)
    }
}

impl Bench for Losing<'_> {
    /// During a flush that is not the last one some cores go on.
    fn clock(&mut self, ending: bool, last: bool) -> Result<(), String> {
        let show = self.show;
        if self.flush.step(&mut self.random, &show, ending, last) {
            self.before_flush = self.arrived;
            self.is_quiet = self.random.random();
            self.is_still = true;
        }
        self.model.set(self.flush_pin, self.flush.is_on.into());
        let mut arriving = Vec::new();
        for lane in 0..self.core.channels.len() {
            let retires = !(ending || self.flush.is_on && self.is_quiet)
                && self.random.random_range(0..100) >= show.bubbles;
            let retired = retires.then(|| self.core.core.retire(self.core.config, true));
            let noise = self.random.random();
            self.core.channels[lane].show(&mut self.model, retired.as_ref(), noise);
            arriving.extend(retired);
        }
        self.model.cycle().map_err(|error| error.to_string())?;
        let is_lost = self.get(self.pins.block_lost) != 0;
        if self.get(self.pins.valid) == 0 {
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

    fn finish(&self) -> Result<Losses, String> {
        self.flush.has_ended()?;
        match self.inside() {
            0 => Ok(Losses { lost: self.lost, of: self.arrived }),
            inside => Err(format!("{inside} instructions never came out")),
        }
    }

    /// A flush that began before the end is over when the last one begins.
    fn tail(&self) -> [u64; 2] {
        [800, 400]
    }
}
