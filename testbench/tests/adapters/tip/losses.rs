//! A hart that does not wait, in front of an adapter that loses blocks before its queue is full. It is compared in every cycle.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, ExecutionState, Kind};
use tracewright_sim::scheme::Design;
use tracewright_sim::tip::{Cycle, Retirement};
use tracewright_testbench::{InputPort, Library, Model, OutputPort};

use super::TipHart;
use crate::adapters::outputs::{Outputs, shown};
use crate::adapters::waiting::{Expected, Source};
use crate::adapters::{Bench, Flush, Losses, Show};

/// The hart, its adapter in hardware and in the golden model, and what is between them.
pub struct Losing<'a> {
    hart: TipHart<'a>,
    has_all_long: bool,
    show: Show,
    flush_pin: InputPort,
    pins: Outputs,
    model: Model,
    random: ChaCha8Rng,
    expected: Expected,
    /// Blocks in the queue.
    waiting: VecDeque<Cycle>,
    /// The golden model has the oldest of them.
    is_known: bool,
    /// Instructions of the block that is held and not shown yet.
    held: Option<u64>,
    held_lost: bool,
    is_shedding: bool,
    /// Instructions of pieces since the last event.
    pieces: u64,
    arrived: u64,
    /// Instructions of events.
    traced: u64,
    lost: u64,
    flush: Flush,
}

impl<'a> Losing<'a> {
    pub fn new(
        library: &Arc<Library>,
        design: &Design,
        hart: TipHart<'a>,
        pins: Outputs,
        show: Show,
    ) -> tracewright_testbench::Result<Self> {
        let mut model = Model::new(library, show.seed)?;
        model.reset(2)?;
        Ok(Losing {
            hart,
            has_all_long: design.processor().alignment == 2,
            show,
            flush_pin: library.input("flush", 1)?,
            pins,
            model,
            random: ChaCha8Rng::seed_from_u64(show.seed),
            expected: VecDeque::new(),
            waiting: VecDeque::new(),
            is_known: false,
            held: None,
            held_lost: false,
            is_shedding: false,
            pieces: 0,
            arrived: 0,
            traced: 0,
            lost: 0,
            flush: Flush::default(),
        })
    }

    fn get(&self, output: Option<OutputPort>) -> u64 {
        shown(&self.model, output)
    }

    /// Instructions of a block.
    fn instructions(&self, cycle: &Cycle) -> u64 {
        match self.hart.config.retirement {
            Retirement::Single => cycle.retired,
            Retirement::Block if self.has_all_long => cycle.retired / 2,
            Retirement::Block => cycle.instructions,
        }
    }

    /// Gives the golden model the oldest block, unless it has it.
    fn learn(&mut self) {
        let Some(oldest) = self.waiting.front().filter(|_| !self.is_known) else { return };
        self.hart.learn(oldest, &mut self.expected);
        self.is_known = true;
    }

    /// The oldest block leaves the queue.
    fn take(&mut self) -> u64 {
        self.learn();
        self.is_known = false;
        self.waiting.pop_front().map_or(0, |cycle| self.instructions(&cycle))
    }

    /// Checks what is shown before the oldest block, and is not lost.
    fn check_block(&mut self) -> Result<(), String> {
        self.learn();
        let count = self.held.take().unwrap_or(0);
        self.check_shown(count)?;
        // Of a branch that is not taken, and is not followed by the next instruction, the diversion comes after it.
        if self.expected.is_empty() {
            self.held = Some(self.take());
        }
        Ok(())
    }

    /// Checks what is shown, which has `count` instructions.
    fn check_shown(&mut self, count: u64) -> Result<(), String> {
        let (valid, kind) = (self.get(self.pins.valid) != 0, self.get(self.pins.kind));
        let event = self.expected.pop_front();
        if valid != (event.is_some() || count > 0) {
            return Err(format!("`retire_valid` is {valid} with {count} instructions held"));
        }
        if !valid {
            return Ok(());
        }
        if self.get(self.pins.block_lost) != 0 || self.get(self.pins.count) != count {
            return Err(format!("{} instructions, not {count}", self.get(self.pins.count)));
        }
        self.pieces += count;
        let Some((event, state)) = event else {
            return if kind == 0 { Ok(()) } else { Err("an event too many".into()) };
        };
        self.pins.compare(&self.model, &event, &state, self.pieces)?;
        self.traced += std::mem::take(&mut self.pieces);
        Ok(())
    }

    /// Checks blocks that are lost. Those that leave now are held.
    fn check_loss(&mut self, loses: bool) -> Result<(), String> {
        self.learn();
        let count = self.held.take().unwrap_or(0);
        let last = self.expected.drain(..).next_back();
        self.check_lost(count, last)?;
        let leave = if loses { self.hart.config.queue.lanes as usize } else { 1 };
        let leave = leave.min(self.waiting.len());
        let instructions = (0..leave).map(|_| self.take()).sum();
        // What is not held is lost.
        self.expected.clear();
        (self.held, self.held_lost) = (Some(instructions), loses);
        Ok(())
    }

    /// Checks that `count` instructions are lost, and where the execution goes on after them.
    fn check_lost(
        &mut self,
        count: u64,
        last: Option<(Event, ExecutionState)>,
    ) -> Result<(), String> {
        let valid = self.get(self.pins.valid) != 0;
        if valid != (last.is_some() || count > 0) {
            return Err(format!("`retire_valid` is {valid} with {count} instructions lost"));
        }
        self.hart.golden.lose();
        if !valid {
            return Ok(());
        }
        if self.get(self.pins.block_lost) == 0 || self.get(self.pins.block_lost_count) != count {
            let shown = self.get(self.pins.block_lost_count);
            return Err(format!("{shown} instructions are lost, not {count}"));
        }
        // Those in pieces before them were traced.
        self.traced += std::mem::take(&mut self.pieces);
        self.lost += count;
        let kind = self.get(self.pins.kind);
        let Some((event, state)) = last else {
            return if kind == 0 { Ok(()) } else { Err("a lost event too many".into()) };
        };
        self.pins.compare_block(&self.model, &event, &state, false)?;
        let changes = event.taken || event.kind == Kind::Exception;
        // What a short `itype` leaves open is an exception where it is lost.
        let is_kind = [event.kind, Kind::Exception].iter().any(|one| one.pin_code() == kind);
        if !is_kind || changes && self.get(self.pins.taken) == 0 {
            return Err(format!("kind {kind} is lost; it is {event}"));
        }
        Ok(())
    }

    /// Checks a cycle in which nothing says where the block that is held goes on, at the end of a flush or before it.
    fn check_end(&mut self, is_end: bool) -> Result<(), String> {
        let before = self.hart.golden.trailing_instructions();
        if !is_end {
            return match self.get(self.pins.valid) {
                0 => Ok(()),
                _ => Err("a block is shown before the next one".into()),
            };
        }
        // The golden model may have the oldest block already, whose diversion is to come.
        if self.is_known {
            return match self.get(self.pins.valid) {
                0 => Ok(()),
                _ => Err("a block is shown twice".into()),
            };
        }
        self.hart.flush(&mut self.expected);
        let has_gone_on =
            !self.expected.is_empty() || self.hart.golden.trailing_instructions() != before;
        if !has_gone_on {
            return match self.get(self.pins.valid) {
                0 => Ok(()),
                _ => Err("a jump is shown before the next block".into()),
            };
        }
        let count = self.held.take().unwrap_or(0);
        if self.held_lost {
            let last = self.expected.drain(..).next_back();
            return self.check_lost(count, last);
        }
        self.check_shown(count)
    }
}

impl Bench for Losing<'_> {
    /// The hart goes on during a flush.
    fn clock(&mut self, ending: bool, last: bool) -> Result<(), String> {
        let (show, queue) = (self.show, self.hart.config.queue);
        self.flush.step(&mut self.random, &show, ending, last);
        self.model.set(self.flush_pin, self.flush.is_on.into());
        self.hart.begin_clock(&mut self.random, false);
        let mut arriving = Vec::new();
        for lane in 0..queue.lanes {
            let is_valid = !ending && self.random.random_range(0..100) >= show.bubbles;
            let cycle = self.hart.show_block(&mut self.model, lane, is_valid);
            arriving.extend(Some(cycle).filter(Cycle::is_valid));
        }
        self.model.cycle().map_err(|error| error.to_string())?;

        let flush_ends = 2 * queue.depth + 2;
        let loses = self.is_shedding || self.waiting.len() >= queue.shed_level() as usize;
        let is_end = self.flush.is_on && self.flush.clocks + 1 == flush_ends && !loses;
        self.flush.ends_after(flush_ends, self.get(self.pins.drained) != 0)?;
        self.is_shedding = loses && self.waiting.len() > queue.lanes as usize;
        if is_end || self.waiting.is_empty() {
            self.check_end(is_end)?;
        } else if loses || self.held_lost {
            self.check_loss(loses)?;
        } else {
            self.check_block()?;
        }
        self.arrived += arriving.iter().map(|cycle| self.instructions(cycle)).sum::<u64>();
        self.waiting.extend(arriving);
        if self.waiting.len() > queue.depth as usize {
            return Err("the model of the queue has no room".into());
        }
        Ok(())
    }

    fn finish(&self) -> Result<Losses, String> {
        let inside = self.held.unwrap_or(0) + self.pieces;
        let (all, gone) = (self.arrived, self.traced + self.lost);
        match self.waiting.len() {
            0 if all == gone + inside => Ok(Losses { lost: self.lost, of: all }),
            0 => Err(format!("{gone} of {all} instructions came out, and {inside} are inside")),
            waiting => Err(format!("{waiting} blocks never came out")),
        }
    }

    /// A flush that began before the end is over when the last one begins.
    fn tail(&self) -> [u64; 2] {
        [800, 400]
    }
}
