//! Tick: the time of every event, in the same code as the flow.
//!
//! Two tables keep, by where an event begins and how it ends, how many cycles it took beyond what its instructions take at
//! best. The [`front`] says what they expect and learns; the [`back`] makes symbols of what was expected and what was,
//! for the range coder. Every conditional branch, every taken indirect branch and every exception is an event with a time.

pub mod back;
pub mod front;
pub mod generator;

use self::back::{ADAPTIVE_BITS, Back};
use self::front::{Entry, Front};
use super::block::Addresses;
use super::config::Config;
use super::time_parameters::{Time, TimeMode};
use crate::config::{index_bits, mask};
use crate::event::{Event, Kind};

/// What a decoder knows of an event before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// Instructions since the event before, this one's included.
    pub instructions: u64,
    /// A conditional branch was taken; true for anything else.
    pub outcome: bool,
    /// Where the execution goes on, in instruction units.
    pub next: u64,
    /// Where its branch is, in instruction units.
    pub branch: u64,
}

impl Timed {
    /// Bytes by which the execution goes on after a branch that is not taken, as far as times are looked up: the length of a
    /// branch is not known to the module, nor to a trace file.
    pub const BRANCH_BYTES: u64 = 4;

    /// An event that ends so many instructions.
    pub fn new(event: &Event, instructions: u64, addresses: &Addresses) -> Self {
        let next = if event.taken {
            event.target
        } else {
            event.program_counter.wrapping_add(Self::BRANCH_BYTES)
        };
        let next = addresses.units(next);
        // An exception has no branch, and not every decoder knows the instruction before it.
        let is_exception = event.kind == Kind::Exception;
        let branch = if is_exception { next } else { addresses.units(event.program_counter) };
        Self { instructions, outcome: event.taken, next, branch }
    }
}

/// The state that an encoder and a decoder have in common.
#[derive(Clone, Debug)]
pub struct Tick {
    front: Front,
    back: Back,
    time_base: u64,
    most_cycles: u64,
    instructions: u64,
    difference_bits: u32,
}

impl Tick {
    /// As reset leaves the hardware; `None` where no time is sent.
    pub fn new(config: &Config) -> Option<Self> {
        let time = &config.time;
        (time.time_mode != TimeMode::Off).then(|| Self {
            front: Front::new(time),
            back: Back::default(),
            time_base: time.time_base.into(),
            most_cycles: mask(time.cycle_bits),
            instructions: mask(config.timed_instruction_bits()),
            difference_bits: config.time_difference_bits(),
        })
    }

    /// The most cycles between two events that can be said: more are as many.
    pub fn most_cycles(&self) -> u64 {
        self.most_cycles
    }

    /// Codes the cycles between the event before and this one, and learns them. `symbol` is told whether a symbol is not as
    /// predicted, and its confidence, and gives whether it is: for an encoder the same, for a decoder what it reads, to which
    /// `cycles` mean nothing. `None` where no encoder sends what a decoder reads.
    ///
    /// # Errors
    /// Those of `symbol`.
    pub fn event<E>(
        &mut self,
        event: &Timed,
        cycles: u64,
        symbol: &mut impl FnMut(bool, u32) -> Result<bool, E>,
    ) -> Result<Option<u64>, E> {
        // The hardware's counter of instructions gives up halves of its range, so that its top bit means nothing.
        let usual = (self.time_base * (event.instructions & self.instructions)) as i64;
        let excess = cycles.min(self.most_cycles) as i64 - usual;
        let expected = self.front.predict(event.outcome);
        let Some(excess) = self.back.excess(&expected, excess, self.difference_bits, symbol)?
        else {
            return Ok(None);
        };
        self.front.learn(&expected, excess);
        self.front.follow(event);
        let cycles = u64::try_from(excess + usual).ok();
        Ok(cycles.filter(|cycles| *cycles <= self.most_cycles))
    }
}

impl Config {
    /// True where the time of every event is sent.
    pub fn times_events(&self) -> bool {
        self.time.time_mode != TimeMode::Off
    }

    /// Bits of the instructions that an event's time is compared with: those of the counter of instructions that mean
    /// something whatever it gave up.
    pub fn timed_instruction_bits(&self) -> u32 {
        self.instruction_count_bits - 1
    }

    /// Bits of the usual cycles of an event: `time_base` for each instruction.
    pub fn usual_cycle_bits(&self) -> u32 {
        self.timed_instruction_bits() + Time::bits_of_base(self.time.time_base)
    }

    /// Bits that are stored for times: tables, adaptive bits, folded addresses, generators, the last time's mark and the
    /// counter of cycles.
    pub fn stored_time_bits(&self) -> u32 {
        if !self.times_events() {
            return 0;
        }
        let Time { time_entries, cycle_bits, .. } = self.time;
        let adaptive = ADAPTIVE_BITS * Back::BITS;
        2 * (time_entries * Entry::BITS + index_bits(time_entries) + u16::BITS)
            + adaptive
            + 1
            + cycle_bits
    }

    /// Bits of the signed difference of an event's time from what was expected.
    pub fn time_difference_bits(&self) -> u32 {
        let cycles = self.time.cycle_bits.max(self.usual_cycle_bits()).max(Entry::VALUE_BITS);
        cycles + 2
    }
}
