//! An adapter in front of a core that waits while it is told to.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, ExecutionState};
use tracewright_sim::ingress::Queue;
use tracewright_testbench::{InputPort, Library, Model, OutputPort};

use super::outputs::{Outputs, shown};
use super::{Bench, Flush, Losses, Show};

/// Events that the model of an adapter has found, and the state in which each of them happened.
pub type Expected = VecDeque<(Event, ExecutionState)>;

/// A core, and the model of its adapter.
pub trait Source {
    /// True if a core that nothing disturbs never has to wait in front of a queue of which so many entries are in use then.
    fn keeps_up(&self, stall_level: u32) -> bool;

    /// An instruction that comes is held for a cycle or more, and `drained` waits for it.
    const HOLDS_LAST: bool;

    /// Also what ends in no event waits for what comes next.
    const HOLDS_PIECES: bool;

    /// A clock begins. A calm core shows no more than the adapter can pass on.
    fn begin_clock(&mut self, random: &mut ChaCha8Rng, is_calm: bool);

    /// True if the core may show something in a lane now.
    fn may_show(&self, lane: u32) -> bool;

    /// Shows the next instruction or block in a lane, to the adapter and to its model, or what is there without one.
    fn show(
        &mut self,
        model: &mut Model,
        lane: u32,
        is_valid: bool,
        random: &mut ChaCha8Rng,
        expected: &mut Expected,
    );

    /// A clock ends, of a flush or not. True if something came in it, or may come at any time in a flush.
    fn end_clock(&mut self, flush: bool, expected: &mut Expected) -> bool;

    /// What the model has does not wait for what comes next any more.
    fn flush(&mut self, expected: &mut Expected);

    /// Instructions since the last event.
    fn trailing_instructions(&self) -> u64;

    /// The address of the last of them.
    fn program_counter(&self) -> u64;

    /// Its length in bytes, where the adapter says that.
    fn length(&self) -> Option<u64>;
}

/// A core, its adapter in hardware and in the golden model, and what is between them.
pub struct Waiting<S> {
    source: S,
    queue: Queue,
    show: Show,
    flush_pin: InputPort,
    retire_stall: InputPort,
    outputs: Outputs,
    model: Model,
    random: ChaCha8Rng,
    expected: Expected,
    /// Instructions of pieces since the last event.
    pieces: u64,
    /// The last instruction's address and length.
    last: (u64, u64),
    /// What came since `stall` rose.
    came_since: u32,
    /// Something has come in this cycle.
    came: bool,
    /// Nothing may come until the flush is over.
    is_quiet: bool,
    /// The pins of a block that was not taken.
    stalled: Option<[u64; 14]>,
    flush: Flush,
}

impl<S: Source> Waiting<S> {
    pub fn new(
        library: &Arc<Library>,
        source: S,
        outputs: Outputs,
        queue: Queue,
        show: Show,
    ) -> tracewright_testbench::Result<Self> {
        let mut model = Model::new(library, show.seed)?;
        model.reset(2)?;
        Ok(Waiting {
            source,
            queue,
            show,
            flush_pin: library.input("flush", 1)?,
            retire_stall: library.input("retire_stall", 1)?,
            outputs,
            model,
            random: ChaCha8Rng::seed_from_u64(show.seed),
            expected: VecDeque::new(),
            pieces: 0,
            last: (0, 0),
            came_since: 0,
            came: false,
            is_quiet: false,
            stalled: None,
            flush: Flush::default(),
        })
    }

    fn get(&self, output: Option<OutputPort>) -> u64 {
        shown(&self.model, output)
    }

    /// Shows what the core retires.
    fn show_lanes(&mut self, ending: bool, stall: bool) {
        self.came_since = if stall { self.came_since } else { 0 };
        self.source.begin_clock(&mut self.random, self.show.is_calm());
        for lane in 0..self.queue.lanes {
            let may = !stall || self.came_since < self.queue.slack;
            let is_valid = !ending
                && may
                && !self.is_quiet
                && self.source.may_show(lane)
                && self.random.random_range(0..100) >= self.show.bubbles;
            let (model, expected) = (&mut self.model, &mut self.expected);
            self.source.show(model, lane, is_valid, &mut self.random, expected);
            self.came_since += u32::from(is_valid && stall);
        }
        self.came = self.source.end_clock(self.flush.is_on, &mut self.expected);
        // What a flush shows leaves when the queue has room: until all has drained nothing comes that could be before or after.
        self.is_quiet =
            self.flush.is_on && !self.flush.was_drained && (self.is_quiet || !self.came);
    }

    /// Tells the model where a flush has shown what waited for the next instruction.
    fn follow_flush(&mut self) {
        let shown = self.pieces + self.get(self.outputs.count);
        let is_held = self.get(self.outputs.kind) != 0 || self.is_early(shown);
        if self.flush.is_on && self.expected.is_empty() && is_held {
            self.source.flush(&mut self.expected);
        }
    }

    /// So many instructions since the last event are more than the model has let go on.
    fn is_early(&self, instructions: u64) -> bool {
        S::HOLDS_PIECES && instructions > self.source.trailing_instructions()
    }

    /// Checks that a block which is not taken stays as it is.
    fn check_stalled(&mut self, retire_stall: bool) -> Result<(), String> {
        let mut block = self.outputs.block(&self.model);
        // Where it goes says nothing of a block that does not jump.
        if self.get(self.outputs.kind) == 0 {
            block[8] = 0;
        }
        if self.stalled.is_some_and(|stalled| stalled != block) {
            return Err("a block that is stalled has changed".into());
        }
        self.stalled = (block[0] != 0 && retire_stall).then_some(block);
        Ok(())
    }

    /// Checks a block that the trace module takes.
    fn take_block(&mut self) -> Result<(), String> {
        let (count, kind) = (self.get(self.outputs.count), self.get(self.outputs.kind));
        self.pieces += count;
        self.last = (self.get(self.outputs.pc), self.get(self.outputs.length));
        if kind == 0 {
            if self.expected.is_empty() && self.is_early(self.pieces) {
                return Err("a block is shown before the next one".into());
            }
            return if count == 0 { Err("a piece of no instructions".into()) } else { Ok(()) };
        }
        let Some((event, state)) = self.expected.pop_front() else {
            return Err("an event too many".into());
        };
        self.outputs.compare(&self.model, &event, &state, self.pieces)?;
        self.pieces = 0;
        Ok(())
    }

    /// Checks that `drained` is high exactly while everything has been shown and `flush` is high.
    fn check_drained(&mut self) -> Result<(), String> {
        let drained = self.get(self.outputs.drained) != 0;
        if drained && !self.flush.was_drained {
            if !self.flush.is_on {
                return Err("`drained` without `flush`".into());
            }
            if S::HOLDS_LAST && self.came {
                return Err("`drained` as an instruction comes".into());
            }
            self.source.flush(&mut self.expected);
            let (pieces, trailing) = (self.pieces, self.source.trailing_instructions());
            if !self.expected.is_empty() || pieces != trailing {
                return Err(format!(
                    "`drained` with {} events to come and {pieces} of {trailing} instructions shown",
                    self.expected.len(),
                ));
            }
            let (address, length) = self.last;
            if pieces > 0 && address != self.source.program_counter() {
                return Err(format!("a piece at {address:#x}"));
            }
            if pieces > 0 && self.source.length().is_some_and(|wanted| wanted != length) {
                return Err(format!("a piece that ends in {length} bytes"));
            }
        } else if self.flush.was_drained && self.flush.is_on && !drained {
            return Err("`drained` fell".into());
        }
        self.flush.was_drained = drained;
        Ok(())
    }
}

impl<S: Source> Bench for Waiting<S> {
    fn clock(&mut self, ending: bool, last: bool) -> Result<(), String> {
        self.flush.step(&mut self.random, &self.show, ending, last);
        self.model.set(self.flush_pin, self.flush.is_on.into());
        self.model.settle().map_err(|error| error.to_string())?;
        let stall = self.get(self.outputs.stall) != 0;
        self.show_lanes(ending, stall);
        let retire_stall = !ending && self.random.random_range(0..100) < self.show.stalls;
        self.model.set(self.retire_stall, retire_stall.into());
        self.model.cycle().map_err(|error| error.to_string())?;

        let keeps_up = self.source.keeps_up(self.queue.stall_level());
        if stall && keeps_up && !ending && self.show.is_calm() {
            return Err("`stall` though nothing waits".into());
        }
        if self.flush.is_on && !stall {
            return Err("no `stall` with `flush`".into());
        }
        if self.get(self.outputs.lost) != 0 {
            return Err("`lost`".into());
        }
        self.check_stalled(retire_stall)?;
        if self.get(self.outputs.valid) != 0 {
            self.follow_flush();
            if !retire_stall {
                self.take_block()?;
            }
        }
        self.check_drained()
    }

    fn finish(&self) -> Result<Losses, String> {
        self.flush.has_ended()?;
        Ok(Losses::default())
    }
}
