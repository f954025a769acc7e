//! What a model is shown: blocks of retired instructions with gaps, and a sink that is not always ready.
//!
//! Everything random comes from one seed, so the same options show the same to every build of a
//! model.

use std::fmt;
use std::str::FromStr;

use tracewright_sim::config::CallLength;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::filter::Settings;

mod addresses;
mod block;
mod variety;

pub use addresses::Addresses;
pub use block::Block;

/// How the instructions of an event become blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// As many instructions in every block as `retire_count` can count: mostly one event per cycle.
    #[default]
    Dense,
    /// One instruction in every block: the timing of a core that retires one instruction per cycle.
    OneInstructionPerCycle,
}

/// When the sink takes a beat of the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ready {
    /// In every cycle.
    #[default]
    Always,
    /// In each cycle with a probability of one half.
    Random,
    /// In turns of 1 to 64 cycles.
    Bursts,
    /// Not in this many cycles at the beginning, then in every cycle.
    NeverFor(u64),
}

/// What a model is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stimulus {
    /// Seed of everything random, the model's initial registers and memories included.
    pub seed: u64,
    /// How events become blocks.
    pub pace: Pace,
    /// Probability of a cycle without a block, in percent, 0 to 99.
    pub bubble_percent: u8,
    /// When the sink takes a beat.
    pub ready: Ready,
    /// Flush after this many events, or accesses where those are traced, half of the time in the cycle of the last
    /// block; always at the end. 0 is as `None`.
    pub flush_interval: Option<u64>,
    /// Request a synchronisation now and then, where the trace is made of packets.
    pub sync_requests: bool,
    /// What is traced, where the module has pins for it.
    pub filter: Settings,
    /// Cycles after each of which the module and the core are reset, counted from the reset before; for
    /// [`run_with_resets`](crate::cosim::run_with_resets).
    pub resets: Vec<u64>,
    /// Clocks with the reset active, 1 and more.
    pub reset_clocks: u32,
    /// Discard what is in the module at random cycles of some flushes but the last, where it has a pin for that.
    pub discards: bool,
    /// The core retires nothing until the tables are clear after reset, where the trace is made of packets.
    pub idle_start: bool,
    /// A core that cannot wait has pauses: mostly it retires nothing while that would be lost.
    pub pauses: bool,
    /// Bytes of an instruction, from which the address of a sequential block is estimated if its program is not given:
    /// a trace has the addresses of control-flow instructions only.
    pub instruction_bytes: u64,
    /// The module reads the length of every block's last instruction, and not of calls alone.
    pub every_length: bool,
    /// How long the module takes calls to be.
    pub call_length: CallLength,
    /// Pins without a meaning are 0 in place of noise, and no cycle is evaluated twice: what changes is what has to.
    pub quiet: bool,
}

impl Default for Stimulus {
    fn default() -> Stimulus {
        Stimulus {
            seed: 0,
            pace: Pace::Dense,
            bubble_percent: 0,
            ready: Ready::Always,
            flush_interval: None,
            sync_requests: false,
            filter: Settings::default(),
            resets: Vec::new(),
            reset_clocks: 4,
            discards: false,
            idle_start: false,
            pauses: false,
            instruction_bytes: 4,
            every_length: false,
            call_length: CallLength::Exact,
            quiet: false,
        }
    }
}

impl Stimulus {
    /// True if there is no block in a cycle with this noise.
    #[inline]
    pub(crate) fn is_bubble(&self, noise: u64) -> bool {
        ((noise >> 40) & 0xffff) * 100 / 0x1_0000 < u64::from(self.bubble_percent)
    }
}

/// A name that is no [`Ready`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is none of always, random, bursts and never-for-CLOCKS")]
pub struct UnknownReady(String);

impl FromStr for Ready {
    type Err = UnknownReady;

    fn from_str(text: &str) -> Result<Ready, UnknownReady> {
        let clocks = || text.strip_prefix("never-for-")?.parse().ok();
        match text {
            "always" => Ok(Ready::Always),
            "random" => Ok(Ready::Random),
            "bursts" => Ok(Ready::Bursts),
            _ => clocks().map(Ready::NeverFor).ok_or_else(|| UnknownReady(text.into())),
        }
    }
}

impl fmt::Display for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ready::Always => f.pad("always"),
            Ready::Random => f.pad("random"),
            Ready::Bursts => f.pad("bursts"),
            Ready::NeverFor(clocks) => f.pad(&format!("never-for-{clocks}")),
        }
    }
}

/// The pattern of [`Ready`], cycle by cycle.
#[derive(Clone, Debug)]
pub(crate) struct ReadyPattern {
    ready: Ready,
    level: bool,
    clocks_left: u64,
}

impl ReadyPattern {
    pub(crate) fn new(ready: Ready) -> ReadyPattern {
        let clocks_left = if let Ready::NeverFor(clocks) = ready { clocks } else { 0 };
        ReadyPattern { ready, level: false, clocks_left }
    }

    /// True if the sink is ready in the next cycle, from at least 7 random bits.
    #[inline]
    pub(crate) fn next(&mut self, random: u64) -> bool {
        match self.ready {
            Ready::Always => true,
            Ready::Random => random & 1 != 0,
            Ready::Bursts => {
                if self.clocks_left == 0 {
                    self.level = !self.level;
                    self.clocks_left = 1 + (random & 63);
                }
                self.clocks_left -= 1;
                self.level
            }
            Ready::NeverFor(_) => {
                let over = self.clocks_left == 0;
                self.clocks_left = self.clocks_left.saturating_sub(1);
                over
            }
        }
    }
}

/// Cuts events into blocks.
#[derive(Clone, Debug)]
pub struct Blocks {
    most: u64,
    instruction_bytes: u64,
    every_length: bool,
    call_length: CallLength,
    /// Of the last instruction of the event before.
    last_length: u64,
    address_mask: u64,
    leading: u64,
    last: Option<Block>,
    addresses: Option<Addresses>,
}

impl Blocks {
    /// Blocks of at most `most_retired` instructions and addresses of `address_mask`.
    pub fn new(stimulus: &Stimulus, most_retired: u64, address_mask: u64) -> Blocks {
        Blocks {
            most: match stimulus.pace {
                Pace::Dense => most_retired.max(1),
                Pace::OneInstructionPerCycle => 1,
            },
            instruction_bytes: stimulus.instruction_bytes,
            every_length: stimulus.every_length,
            call_length: stimulus.call_length,
            last_length: 0,
            address_mask,
            leading: 0,
            last: None,
            addresses: None,
        }
    }

    /// The same with the addresses of sequential blocks from their program, not estimated.
    #[must_use]
    pub fn with_addresses(self, addresses: Option<Addresses>) -> Blocks {
        Blocks { addresses, ..self }
    }

    /// Takes the next event, once the blocks of the one before are out; else what is wrong with it.
    pub fn load(&mut self, event: &Event) -> Result<(), String> {
        let control_flow = event.kind != Kind::Exception || event.taken;
        if event.instructions == 0 && event.kind != Kind::Exception {
            return Err("no instruction retired, which only an exception may say".into());
        }
        if (event.program_counter | event.target) & !self.address_mask != 0 {
            return Err(format!("an address is beyond {:#x}", self.address_mask));
        }
        // The last block holds 1 to `most` of them, the blocks before `most` each.
        let count = match event.instructions {
            0 => 0,
            instructions => (instructions - 1) % self.most + 1,
        };
        self.leading = event.instructions - count;
        if let Some(addresses) = &mut self.addresses {
            addresses.load(event);
        }
        // An exception after no instruction has that of the instruction before.
        if event.instructions > 0 {
            let is_call = event.call;
            let length = if is_call { self.call_length.bytes(event) } else { event.length };
            self.last_length = length.into();
        }
        self.last = (control_flow || count > 0).then_some(Block {
            count,
            program_counter: event.program_counter,
            length: self.last_length,
            tells_length: self.every_length || event.call,
            kind: if control_flow { event.kind.pin_code() } else { 0 },
            call: control_flow && event.call,
            is_return: control_flow && event.is_return,
            taken: control_flow && event.taken,
            target: event.target,
        });
        Ok(())
    }

    /// The next block, `None` when the event is out.
    #[inline]
    pub fn take(&mut self) -> Option<Block> {
        if self.leading == 0 {
            return self.last.take();
        }
        self.take_leading()
    }

    /// True if [`take`](Blocks::take) has nothing to give.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    fn take_leading(&mut self) -> Option<Block> {
        let last = self.last?;
        let behind = self.leading + last.count - self.most;
        self.leading -= self.most;
        let known = self.addresses.as_ref().and_then(|addresses| addresses.before_end(behind));
        let program_counter = known.map_or_else(
            || last.program_counter.wrapping_sub(behind.wrapping_mul(self.instruction_bytes)),
            |(at, _)| at,
        );
        Some(Block {
            count: self.most,
            program_counter: program_counter & self.address_mask,
            length: known.map_or(self.instruction_bytes, |(_, length)| length),
            tells_length: self.every_length,
            kind: 0,
            call: false,
            is_return: false,
            taken: false,
            target: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(instructions: u64, kind: Kind, taken: bool) -> Event {
        Event {
            instructions,
            program_counter: 0x1000,
            target: if taken { 0x2000 } else { 0 },
            kind,
            call: false,
            is_return: false,
            taken,
            length: 4,
            thread: 0,
        }
    }

    /// Count, kind and address of every block.
    fn cut(pace: Pace, most: u64, event: Event) -> Vec<(u64, u64, u64)> {
        let mut blocks = Blocks::new(&Stimulus { pace, ..Stimulus::default() }, most, 0xffff_ffff);
        blocks.load(&event).expect("a good event");
        std::iter::from_fn(|| blocks.take()).map(|b| (b.count, b.kind, b.program_counter)).collect()
    }

    #[test]
    fn long_runs_are_cut() {
        let long = event(33, Kind::DirectConditional, true);
        let expected = [(15, 0, 0x1000 - 4 * 18), (15, 0, 0x1000 - 4 * 3), (3, 2, 0x1000)];
        assert_eq!(cut(Pace::Dense, 15, long), expected);
        assert_eq!(cut(Pace::Dense, 15, event(30, Kind::DirectJump, true)).len(), 2);
        assert_eq!(cut(Pace::Dense, 15, event(15, Kind::DirectJump, true)), [(15, 1, 0x1000)]);
    }

    #[test]
    fn one_instruction_a_clock() {
        let three = event(3, Kind::IndirectJump, true);
        let expected = [(1, 0, 0xff8), (1, 0, 0xffc), (1, 3, 0x1000)];
        assert_eq!(cut(Pace::OneInstructionPerCycle, 15, three), expected);
        assert_eq!(cut(Pace::Dense, 1, three), expected, "a single-retire port");
    }

    #[test]
    fn exceptions() {
        assert_eq!(cut(Pace::Dense, 15, event(0, Kind::Exception, true)), [(0, 5, 0x1000)]);
        assert_eq!(cut(Pace::Dense, 15, event(7, Kind::Exception, true)), [(7, 5, 0x1000)]);
        assert_eq!(cut(Pace::Dense, 15, event(7, Kind::Exception, false)), [(7, 0, 0x1000)]);
        assert_eq!(cut(Pace::Dense, 15, event(0, Kind::Exception, false)), []);
    }

    #[test]
    fn what_cannot_be_shown_is_refused() {
        let mut blocks = Blocks::new(&Stimulus::default(), 15, 0xffff_ffff);
        assert!(blocks.load(&event(0, Kind::DirectJump, true)).is_err());
        let far = Event { program_counter: 1 << 32, ..event(1, Kind::DirectJump, true) };
        assert!(blocks.load(&far).is_err());
    }

    #[test]
    fn patterns_are_what_they_say() {
        let mut bursts = ReadyPattern::new(Ready::Bursts);
        let run: Vec<bool> = (0..8).map(|_| bursts.next(3)).collect();
        assert_eq!(run, [true, true, true, true, false, false, false, false]);
        let mut never = ReadyPattern::new(Ready::NeverFor(2));
        assert_eq!([never.next(1), never.next(1), never.next(1)], [false, false, true]);
        for ready in [Ready::Always, Ready::Random, Ready::Bursts, Ready::NeverFor(12)] {
            assert_eq!(ready.to_string().parse(), Ok(ready));
        }
        assert!("never-for-ever".parse::<Ready>().is_err());
    }
}
