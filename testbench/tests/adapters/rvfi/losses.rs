//! A core that does not wait, in front of an adapter that loses instructions before its queue is full.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_sim::event::{Event, ExecutionState, Kind};
use tracewright_sim::rvfi::{Config, Retirement, classify};
use tracewright_testbench::{InputPort, Library, Model, OutputPort};

use super::RvfiCore;
use crate::adapters::outputs::{Outputs, shown};
use crate::adapters::{Bench, Flush, Losses, Show};

/// An instruction of which the golden model knows where it led.
struct Word {
    /// It has retired, and not trapped.
    retires: bool,
    program_counter: u64,
    /// The exception before it, until that is shown.
    diversion: Option<Event>,
    /// Its event; the number of its instructions depends on what is lost.
    event: Option<Event>,
}

/// An instruction whose successor has not come.
struct Held {
    retired: Retirement,
    /// A flush has shown all of it.
    is_shown: bool,
}

impl Held {
    /// A flush can show it without the next one.
    fn leaves(&self, config: &Config) -> bool {
        let is_known = match classify(self.retired.instruction, config.xlen, config.extensions).kind
        {
            _ if config.pins.next => true,
            None | Some(Kind::DirectJump) => !self.retired.trap,
            Some(_) => false,
        };
        is_known && !self.is_shown
    }
}

fn keep(events: &mut Vec<Event>) -> impl FnMut(Event) -> Result<(), Infallible> {
    |event| {
        events.push(event);
        Ok(())
    }
}

/// The core, its adapter in hardware and in the golden model, and what is between them.
pub struct Losing<'a> {
    core: RvfiCore<'a>,
    show: Show,
    flush_pin: InputPort,
    pins: Outputs,
    model: Model,
    random: ChaCha8Rng,
    held: Option<Held>,
    /// What is neither shown nor lost.
    waiting: VecDeque<Word>,
    /// The last instruction that retired and is shown or lost.
    last_program_counter: u64,
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
        core: RvfiCore<'a>,
        pins: Outputs,
        show: Show,
    ) -> tracewright_testbench::Result<Self> {
        let mut model = Model::new(library, show.seed)?;
        model.reset(2)?;
        Ok(Losing {
            core,
            show,
            flush_pin: library.input("flush", 1)?,
            pins,
            model,
            random: ChaCha8Rng::seed_from_u64(show.seed),
            held: None,
            waiting: VecDeque::new(),
            last_program_counter: 0,
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

    /// The golden model has one more instruction, which says what the one before did.
    fn learn(&mut self, retired: Retirement) {
        let mut events = Vec::new();
        let Ok(()) = self.core.golden.retire(&retired, keep(&mut events));
        if let Some(held) = self.held.replace(Held { retired, is_shown: false })
            && !held.is_shown
        {
            self.push(&held.retired, &events);
        }
    }

    /// An instruction leaves, with the event of a diversion to it and its own. One that has trapped is a diversion alone.
    fn push(&mut self, retired: &Retirement, events: &[Event]) {
        let program_counter = self.core.golden.program_counter();
        if retired.trap {
            self.waiting.extend(events.iter().map(|&event| Word {
                retires: false,
                program_counter,
                diversion: None,
                event: Some(event),
            }));
            return;
        }
        let diversion = events.first().filter(|event| event.kind == Kind::Exception);
        self.waiting.push_back(Word {
            retires: true,
            program_counter,
            diversion: diversion.copied(),
            event: events.get(usize::from(diversion.is_some())).copied(),
        });
    }

    /// What is held leaves in a cycle of a flush in which nothing comes.
    fn release(&mut self) {
        let config = self.core.config;
        let Some(held) = self.held.take_if(|held| held.leaves(config)) else { return };
        let mut events = Vec::new();
        let Ok(()) = self.core.golden.flush_cycle(keep(&mut events));
        self.push(&held.retired, &events);
        // Of one that traps another cycle may show more.
        self.held = Some(Held { is_shown: !held.retired.trap, ..held });
    }

    /// Instructions that have retired and are neither shown nor lost.
    fn inside(&self) -> u64 {
        let leaves = |held: &&Held| held.leaves(self.core.config) && !held.retired.trap;
        let held = self.held.iter().filter(leaves);
        (self.waiting.iter().filter(|word| word.retires).count() + held.count()) as u64
    }

    /// Takes the oldest of those that wait.
    fn take(&mut self) -> Result<Word, String> {
        let word = self.waiting.pop_front().ok_or("more than there is")?;
        if word.retires {
            self.last_program_counter = word.program_counter;
        }
        Ok(word)
    }

    /// Checks instructions that are lost.
    fn lose(&mut self) -> Result<(), String> {
        let (count, waiting) = (self.get(self.pins.block_lost_count), self.waiting.len());
        if !self.was_lost && waiting < self.core.config.queue.shed_level() as usize {
            return Err(format!("a loss with {waiting} instructions inside"));
        }
        let (kind, target) = (self.get(self.pins.kind), self.get(self.pins.target));
        let mut last = None;
        let mut left = count;
        while left > 0 {
            let word = self.take().map_err(|what| format!("{count} are lost: {what}"))?;
            left -= u64::from(word.retires);
            last = word.event;
        }
        let trapped = kind == Kind::Exception.pin_code();
        while trapped
            && !last.is_some_and(|event| event.kind == Kind::Exception && event.target == target)
        {
            let word = self.take()?;
            if word.retires {
                return Err("a loss ends in a trap that is not there".into());
            }
            last = word.event;
        }
        self.pieces = 0;
        self.lost += count;
        let address = self.get(self.pins.pc);
        if address != self.last_program_counter {
            return Err(format!("a loss ends at {address:#x}"));
        }
        let taken = (self.get(self.pins.taken) != 0).then_some(target);
        let (wanted_kind, wanted) = last.map_or((0, None), |event| {
            (event.kind.pin_code(), event.taken.then_some(event.target))
        });
        if kind != wanted_kind || !trapped && taken != wanted {
            return Err(format!("a loss goes on at {target:#x}"));
        }
        Ok(())
    }

    /// Checks a block that the trace module takes.
    fn take_block(&mut self) -> Result<(), String> {
        let (count, kind) = (self.get(self.pins.count), self.get(self.pins.kind));
        self.pieces += count;
        let mut taken = 0;
        if kind == 0 {
            while taken < count {
                let word = self.take()?;
                if word.diversion.is_some() || word.event.is_some() {
                    return Err("a piece in place of an event".into());
                }
                taken += 1;
            }
            let address = self.get(self.pins.pc);
            return match count {
                0 => Err("a piece of no instructions".into()),
                _ if address != self.last_program_counter => {
                    Err(format!("a piece ends at {address:#x}"))
                }
                _ => Ok(()),
            };
        }
        let event = loop {
            let front = self.waiting.front_mut().ok_or("an event too many")?;
            if let Some(event) = front.diversion.take() {
                break event;
            }
            let word = self.take()?;
            taken += u64::from(word.retires);
            if let Some(event) = word.event {
                break event;
            }
        };
        if taken != count {
            return Err(format!("{count} instructions, not {taken}; it is {event}"));
        }
        let event = Event { instructions: self.pieces, ..event };
        self.pins.compare(&self.model, &event, &ExecutionState::default(), self.pieces)?;
        self.pieces = 0;
        Ok(())
    }

    /// Checks that `drained` comes when everything from before the flush has left, whatever the core does.
    fn check_drained(&mut self) -> Result<(), String> {
        let drained = self.get(self.pins.drained) != 0;
        let gone = self.arrived - self.inside();
        if drained && !self.flush.was_drained && self.is_still && !self.waiting.is_empty() {
            return Err(format!("`drained` before {} words", self.waiting.len()));
        }
        if drained && gone < self.before_flush {
            return Err(format!("`drained` with {} instructions inside", self.before_flush - gone));
        }
        self.flush.ends_after(3 * self.core.config.queue.depth + 2, drained)
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
        self.core.begin(&mut self.random);
        let mut arriving = Vec::new();
        for lane in 0..self.core.lanes.len() {
            let retires = !(ending || self.flush.is_on && self.is_quiet)
                && self.random.random_range(0..100) >= show.bubbles;
            let noise = self.random.random();
            arriving.extend(self.core.show_lane(&mut self.model, lane, retires, noise));
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
        if arriving.is_empty() && self.flush.is_on {
            self.release();
        }
        self.arrived += arriving.iter().filter(|one| !one.trap).count() as u64;
        arriving.into_iter().for_each(|one| self.learn(one));
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
