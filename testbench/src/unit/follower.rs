//! The model of the trace module in a unit: the golden encoder is given each block in the cycle in which the module takes it,
//! and is told what the module's pins say of losses and of where packets begin.

use std::fmt;

use tracewright_sim::config::{Protocol, TimeSource};
use tracewright_sim::event::{Event, ExecutionState, Kind};
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::packet::time::TimeCode;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::{Agreement, Detail, Session, Turn};

use super::seen::Seen;
use crate::compare::{Comparison, Place};
use crate::cosim::AnyError;
use crate::error::{Error, Result};
use crate::input::packets::state::State;
use crate::stimulus::Block;

/// An event that the module has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Instructions up to it, of all that the module was shown.
    pub at: u64,
    /// The address of its last instruction.
    pub program_counter: u64,
    /// The flow changed.
    pub taken: bool,
    /// Where to, if it did.
    pub target: u64,
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Taken { at, program_counter, taken, target } = self;
        write!(f, "instruction {at} at {program_counter:#x}, ")?;
        match taken {
            true => write!(f, "taken to {target:#x}"),
            false => f.write_str("not taken"),
        }
    }
}

/// The model of the trace module, and what was compared with it.
pub(super) struct Follower {
    golden: Encoder,
    pub(super) comparison: Comparison,
    protocol: Protocol,
    /// Where packets begin; `None` where the trace has none.
    packets: Option<State>,
    /// Blocks were lost since the last one that was taken, where the trace has no packets.
    is_losing: bool,
    /// The module waits, and can make the core wait.
    has_stall: bool,
    tells_states: bool,
    /// `stall` has been low since the reset.
    has_started: bool,
    /// The module has seen the end of the trace, and the golden encoder too.
    is_ending: bool,
    /// All of the trace had left the module in the last cycle.
    pub(super) was_flushed: bool,
    port_bits: u32,
    word_beats: u64,
    sync_words: u64,
    words: u64,
    beats: u64,
    words_before: u64,
    code: TimeCode,
    samples: [u64; 2],
    /// Instructions that the module was shown.
    pub(super) instructions: u64,
    /// Of them those that it lost.
    pub(super) lost: u64,
    pub(super) taken: Vec<Taken>,
    /// Events that were taken before the first loss.
    pub(super) taken_before_loss: Option<u64>,
    pub(super) blocks: u64,
}

impl Follower {
    pub(super) fn new(design: &Design, has_stall: bool) -> Result<Self> {
        let golden = |error: AnyError| Error::Golden(error);
        let mut encoder = Encoder::new(design).map_err(|error| golden(error.into()))?;
        encoder.agree(Agreement::Synchronisations);
        let protocol = design.protocol().clone();
        let has_packets = protocol.has_packets();
        let port_bits = design.port().trace_port_width;
        let word_beats = u64::from(8u32.div_ceil(port_bits));
        let states = protocol.context_bits + protocol.privilege_bits + protocol.cause_bits;
        let mut comparison = Comparison::default();
        comparison.expected.keep_pieces();
        Ok(Follower {
            golden: encoder,
            comparison,
            packets: has_packets.then(|| State::new(protocol.reset_state(), None)),
            is_losing: false,
            has_stall,
            tells_states: states > 0,
            has_started: false,
            is_ending: false,
            was_flushed: false,
            port_bits,
            word_beats,
            sync_words: protocol.sync_words(port_bits * word_beats as u32).into(),
            words: 0,
            beats: 0,
            words_before: 0,
            code: TimeCode::new(&protocol),
            samples: [0; 2],
            protocol,
            instructions: 0,
            lost: 0,
            taken: Vec::new(),
            taken_before_loss: None,
            blocks: 0,
        })
    }

    /// Follows a cycle; the rule that is broken, if one is.
    pub(super) fn cycle(&mut self, cycle: u64, seen: &Seen) -> Result<Option<&'static str>> {
        if let Some(state) = &mut self.packets
            && std::mem::take(&mut state.restarts_words)
        {
            self.words_before = self.words;
        }
        let time = self.time(cycle, seen);
        self.has_started |= !(self.has_stall && seen.stall);
        if !seen.ends && !seen.flushed {
            self.is_ending = false;
        }
        let mut broken = match self.packets.is_some() {
            true => self.take_in_packets(seen, time)?,
            false => self.take_alone(seen, time)?,
        };
        if self.has_started && !self.is_ending && seen.ends && self.ends() {
            self.golden.flush(&mut self.comparison.expected);
            self.comparison.end_event(None);
            self.is_ending = true;
        }
        let place = Place { cycle, event: self.taken.len() as u64 };
        if let Some(beat) = seen.beat.filter(|_| seen.takes) {
            self.beats += 1;
            if self.beats == self.word_beats {
                (self.words, self.beats) = (self.words + 1, 0);
            }
            self.comparison.beat(beat, self.port_bits, place);
        }
        if seen.flushed {
            self.beats = 0;
            if !self.was_flushed {
                self.comparison.end(place);
            }
            if seen.beat.is_some() {
                broken = broken.or(Some("`trace_valid` is high together with `flushed`"));
            }
        }
        self.was_flushed = seen.flushed;
        Ok(broken)
    }

    /// When a block of this cycle retires.
    fn time(&mut self, cycle: u64, seen: &Seen) -> u64 {
        let now = match self.protocol.time_source {
            TimeSource::Counter => cycle,
            TimeSource::Binary | TimeSource::Unit => seen.timestamp,
            TimeSource::Gray => self.samples[1],
        };
        self.samples = [self.code.decode(seen.timestamp), self.samples[0]];
        now
    }

    /// Blocks are lost that the module has no room for.
    pub(super) fn loses_blocks(&self) -> bool {
        self.protocol.drops_blocks()
    }

    /// Blocks are lost while the trace ends.
    fn loses_when_off(&self) -> bool {
        self.protocol.enable_pin || self.protocol.drops_blocks()
    }

    /// The trace ends in this cycle, and nothing has to be sent before.
    fn ends(&mut self) -> bool {
        let Some(state) = &mut self.packets else { return true };
        let is_due = state.is_due || state.loss.is_some();
        state.is_open &= is_due;
        // The header after an end says what holds at the end.
        state.told = if is_due { state.told } else { state.now };
        state.is_ending = is_due;
        !is_due
    }

    /// Counts a block that is taken or lost.
    fn count(&mut self, seen: &Seen, block: &Block, takes: bool) {
        let count = seen.lost.unwrap_or(block.count);
        self.instructions += count;
        self.blocks += u64::from(takes);
        if !takes {
            self.lost += count;
            self.taken_before_loss.get_or_insert(self.taken.len() as u64);
        } else if block.kind != 0 {
            let Block { program_counter, taken, target, .. } = *block;
            let target = if taken { target } else { 0 };
            self.taken.push(Taken { at: self.instructions, program_counter, taken, target });
        }
    }

    fn encode(&mut self, block: &Block) -> Result<()> {
        let part = part(block);
        let encoded = self.golden.event(&part, &mut self.comparison.expected);
        encoded.map_err(|error| Error::Golden(error.into()))?;
        self.comparison.end_event(Some(self.taken.len() as u64));
        Ok(())
    }

    fn detail(&mut self, detail: Detail) -> Result<()> {
        let told = self.golden.detail(detail, &mut self.comparison.expected);
        told.map_err(|error| Error::Golden(error.into()))
    }

    fn turn(&mut self, turn: Turn) {
        self.golden.turn(turn, &mut self.comparison.expected);
        self.comparison.end_event(None);
    }

    fn take_in_packets(&mut self, seen: &Seen, time: u64) -> Result<Option<&'static str>> {
        let waits = self.has_stall && seen.stall;
        let is_off = seen.flushed && self.loses_when_off();
        let words_are_over =
            self.sync_words > 0 && self.words - self.words_before >= self.sync_words;
        let mut broken = None;
        let Some(mut state) = self.packets.take() else { return Ok(None) };
        match &seen.block {
            Some((block, after)) if !waits && seen.drops => {
                let lost = Block { count: seen.lost.unwrap_or(block.count), ..*block };
                state.is_requested |= seen.sync_request;
                if state.loses(&(lost, *after), is_off) {
                    self.turn(Turn::End);
                }
                self.count(seen, block, false);
                self.detail(Detail::Time(time))?;
            }
            Some((block, after)) if !waits => {
                broken = state.takes(
                    &(*block, *after),
                    seen.sync_request,
                    words_are_over,
                    &self.protocol,
                );
                self.count(seen, block, true);
                self.encode(block)?;
                if self.tells_states {
                    self.detail(Detail::State(*after))?;
                }
                if state.is_due {
                    self.turn(Turn::End);
                }
                self.detail(Detail::Time(time))?;
            }
            _ => state.is_requested |= seen.sync_request,
        }
        if seen.synchronised {
            match state.begins() {
                Some(what) => self.turn(Turn::Synchronise(what)),
                None => broken = Some("`synchronised` is high where no packet may begin"),
            }
        }
        self.packets = Some(state);
        Ok(broken)
    }

    fn take_alone(&mut self, seen: &Seen, time: u64) -> Result<Option<&'static str>> {
        let Some((block, after)) = seen.block.as_ref().filter(|_| !(self.has_stall && seen.stall))
        else {
            return Ok(None);
        };
        self.count(seen, block, !seen.drops);
        if seen.drops {
            if !seen.flushed && !self.is_losing {
                self.turn(Turn::End);
                self.is_losing = true;
            }
        } else {
            self.is_losing = false;
            self.encode(block)?;
            self.detail(Detail::TrapValue(seen.trap_value))?;
            self.detail(Detail::Time(time))?;
        }
        if block.kind != 0 && self.tells_states {
            self.detail(Detail::State(*after))?;
        }
        self.detail(Detail::Complete)?;
        Ok(None)
    }
}

/// A block as the golden encoder takes it: a straight run is a system call that came back.
fn part(block: &Block) -> Event {
    let run = Event {
        length: block.length as u8,
        ..Event::straight_run(block.count, block.program_counter)
    };
    let Some(kind) = kind(block.kind) else { return run };
    Event {
        target: if block.taken { block.target } else { 0 },
        kind,
        call: block.call,
        is_return: block.is_return,
        taken: block.taken,
        ..run
    }
}

/// The kind that a pin says; none of a sequential block.
pub(super) fn kind(code: u64) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.pin_code() == code)
}

/// What is seen of a block's state, with a cause for exceptions alone.
pub(super) fn state_of(kind: u64, state: ExecutionState, has_cause: bool) -> ExecutionState {
    let is_exception = kind == Kind::Exception.pin_code() && has_cause;
    ExecutionState { cause: state.cause.filter(|_| is_exception), ..state }
}
