//! The decoder: trace bits and the program in, events out.

use std::io::Read;

use super::config::Config;
use super::jump_target_cache::JumpTargetCache;
use super::payload::{BEHIND_JUMP, Ending, FULL_MAP};
use super::record_reader::{Payload, RecordReader};
use super::return_stack::ReturnStack;
use crate::config::mask;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::field_reader::FieldReader;
use crate::decode::record_decoder::RecordDecoder;
use crate::decode::replay::Replay;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::Event;
use crate::parameter::ParameterError;
use crate::program::Program;

mod outcomes;
mod path;

use outcomes::Outcomes;

/// An address that was reported; only the payload after it says whether it is a jump's target.
#[derive(Clone, Copy, Debug)]
struct Report {
    address: u64,
    /// Direct jumps before it.
    passes: u64,
    /// It is a jump's target, where the trace ends or one instruction has retired before an exception.
    updiscon: bool,
    /// Return addresses on the stack at a return that was not inferred.
    depth: Option<u64>,
}

/// Where the replay is in relation to the last payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Nothing has been decoded since reset.
    Reset,
    /// The trace was ended.
    End,
    /// At an address that was sent, where nothing is known to have retired.
    Address,
    /// Somewhere after it.
    Later,
    /// At a jump that has retired, whose target is not known.
    Jump,
    /// At the target of a jump where an exception came, whose handler is not known.
    Exception,
}

/// Replays a program along a trace of E-Trace.
#[derive(Clone)]
pub struct Decoder<'a> {
    replay: Replay<'a>,
    records: RecordReader,
    alignment: u32,
    address_mask: u64,
    word_bits: u32,
    /// Outcomes of branches to come.
    outcomes: Outcomes,
    /// An indirect branch at hand is taken.
    is_taken: bool,
    report: Option<Report>,
    address: u64,
    at: At,
    /// Direct jumps and inferred returns since the last branch or address.
    passes: u64,
    most_passes: u64,
    /// Blocks without a jump or a branch, one after the other.
    straight_blocks: usize,
    /// The largest number of the idle byte before a trap.
    most_marks: u64,
    stack: ReturnStack,
    targets: JumpTargetCache,
    most_count: u64,
    /// The trace is switched off and on, and has starts in the middle.
    begins_anywhere: bool,
    /// The time of the last payload.
    time: Option<u64>,
}

impl<'a> Decoder<'a> {
    /// A decoder in the state in which reset leaves the hardware, for one thread of the program.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config, program: &'a Program, thread: u8) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            replay: Replay::new(program, thread),
            records: RecordReader::new(config),
            alignment: config.processor.alignment,
            address_mask: mask(config.processor.address_width),
            word_bits: config.port.word_bits(),
            outcomes: Outcomes::new(config),
            is_taken: false,
            report: None,
            address: 0,
            at: At::Reset,
            passes: 0,
            straight_blocks: 0,
            most_passes: config.most_passes(),
            most_marks: if config.infers_returns() { BEHIND_JUMP } else { 1 },
            stack: ReturnStack::new(config.return_stack_entries),
            targets: JumpTargetCache::new(config.jump_target_cache_entries),
            most_count: config.most_count(),
            begins_anywhere: config.protocol.switches_alone(),
            time: None,
        })
    }

    fn impossible(&self, what: &str) -> DecodeError {
        self.replay.impossible(what.into())
    }

    /// What the decoder of the standard forgets with a start or a trap.
    fn forget(&mut self) {
        self.stack.clear();
        self.targets.clear();
        self.outcomes.forget();
    }

    fn trap<E: From<DecodeError>>(
        &mut self,
        address: u64,
        handler: bool,
        taken: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        match (self.at, handler) {
            (At::Reset, _) | (At::Jump | At::Exception, true) => {
                return Err(self.impossible("an exception has no place").into());
            }
            (At::Jump, false) => {
                self.lead_to(address, emit)?;
                self.at = At::Exception;
            }
            (_, false) => {
                self.except(address, emit)?;
                self.at = At::Later;
            }
            (_, true) => self.start_at(address, taken, emit)?,
        }
        self.forget();
        Ok(())
    }

    /// A start in the middle of the trace says where it is, for decoders that begin there.
    fn goes_on_at_start(&self) -> bool {
        self.begins_anywhere && !matches!(self.at, At::Reset | At::End | At::Exception)
    }

    /// Decides what the last address was, now that what follows it is known.
    fn settle<E: From<DecodeError>>(
        &mut self,
        idle: u64,
        payload: &Payload,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let goes_on = self.goes_on_at_start();
        let is_end = match payload {
            Payload::Trap { .. } => matches!(idle, 0 | BEHIND_JUMP),
            Payload::Start { .. } => goes_on && idle == 0,
            Payload::Support { alone } => !alone,
            Payload::Lost => idle == 0,
            _ => false,
        };
        let ends = is_end || matches!(payload, Payload::Support { .. } | Payload::Lost);
        if let Some(report) = self.report.take() {
            let may_follow = match payload {
                Payload::Trap { .. } => idle == 1,
                Payload::Start { .. } => goes_on && idle == 1,
                // Where a start was due, the trace may end after the one instruction instead.
                Payload::Support { alone } => !alone || self.begins_anywhere,
                Payload::Lost => true,
                _ => false,
            };
            if report.updiscon && !may_follow {
                return Err(self.impossible("a trace that ends goes on").into());
            }
            if is_end && !report.updiscon {
                self.last(report, idle == BEHIND_JUMP, emit)?;
            } else {
                self.jump(report, emit)?;
            }
        }
        let is_marked = match payload {
            Payload::Trap { .. } => matches!(idle, 1 | 2),
            Payload::Start { .. } => goes_on && idle == 1,
            Payload::Support { alone } => *alone,
            Payload::Lost => idle == 1,
            _ => false,
        };
        if self.at == At::Address && is_marked {
            self.retire_one(idle == 2, emit)?;
        } else if self.at == At::Address && ends {
            // Nothing has retired there.
            self.outcomes.clear();
        }
        if (ends || is_marked) && !self.outcomes.is_empty() {
            return Err(self.impossible("more branches were sent than have retired").into());
        }
        Ok(())
    }
}

impl<'a> RecordDecoder<'a> for Decoder<'a> {
    fn record<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.replay.position = bits.position();
        let read = self.records.payload(&mut FieldReader(bits));
        let Some((idle, payload)) = read.map_err(|source| self.replay.field(source))? else {
            return Err(self.impossible("a payload that no encoder sends").into());
        };
        let goes_on = self.goes_on_at_start();
        self.settle(idle, &payload, emit)?;
        let is_first = matches!(self.at, At::Reset | At::End);
        let allowed = match payload {
            Payload::Start { .. } if goes_on => idle <= 1,
            Payload::Start { .. } => {
                let marks = u64::from(self.at == At::Reset || is_first && self.begins_anywhere);
                (is_first || self.at == At::Exception) && idle <= marks
            }
            Payload::Trap { .. } => idle <= if is_first { 0 } else { self.most_marks },
            Payload::Address { ending, depth, .. } => {
                let counts = ending == Ending::Plain || depth.is_some();
                !is_first && idle <= if counts { self.most_passes } else { 0 }
            }
            Payload::Counted { ending, depth, .. } => {
                let counts = ending == Ending::Plain || depth.is_some();
                !is_first && idle <= if counts { self.most_passes } else { 0 }
            }
            Payload::Full(_) | Payload::Count(_) | Payload::Index { .. } => !is_first && idle == 0,
            Payload::Support { .. } => idle == 0,
            Payload::Lost => idle <= 1,
        };
        if !allowed {
            return Err(self.impossible("a payload that cannot follow the one before").into());
        }
        self.replay.summary.records += 1;
        self.time = payload.time();
        self.follow(idle, payload, emit)
    }

    fn take_time(&mut self) -> Option<u64> {
        self.time.take()
    }

    fn replay(&mut self) -> &mut Replay<'a> {
        &mut self.replay
    }

    fn word_bits(&self) -> u32 {
        self.word_bits
    }
}

impl Decoder<'_> {
    /// Follows the program along a payload; true if it is the end of the trace.
    fn follow<E: From<DecodeError>>(
        &mut self,
        idle: u64,
        payload: Payload,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        match payload {
            Payload::Start { taken, address, .. } => {
                self.address = address << self.alignment;
                self.start(idle, taken, emit)?;
            }
            Payload::Trap { taken, handler, address, .. } => {
                self.address = address << self.alignment;
                self.trap(self.address, handler, taken, emit)?;
            }
            Payload::Full(map) => {
                self.outcomes.add_map(FULL_MAP, map);
                self.end_at_branch(emit)?;
            }
            Payload::Count(count) => {
                self.outcomes.add_predicted(u64::from(FULL_MAP) + count, true);
                self.end_at_branch(emit)?;
            }
            Payload::Address { branches, map, difference, ending, depth } => {
                self.outcomes.add_map(branches, map);
                self.report(idle, difference, ending, depth);
                if ending == Ending::Notified {
                    self.notified(emit)?;
                }
            }
            Payload::Counted { count, fails, difference, ending, depth } => {
                self.outcomes.add_predicted(u64::from(FULL_MAP) + count, fails);
                self.report(idle, difference, ending, depth);
                // A full counter ends at its last branch, another one at a direct jump.
                if ending == Ending::Notified && count == self.most_count {
                    self.end_at_branch(emit)?;
                    let last = self.replay.last_program_counter();
                    if !self.is_taken && last != Some(self.address) {
                        return Err(self
                            .impossible("the last branch is at another address")
                            .into());
                    }
                } else if ending == Ending::Notified {
                    self.notified(emit)?;
                }
            }
            Payload::Index { branches, map, index } => {
                self.outcomes.add_map(branches, map);
                self.kept(index)?;
            }
            Payload::Support { alone } => {
                // After another payload it is of the same record.
                self.replay.summary.records -= u64::from(!alone);
                self.replay.finish_system_call(emit)?;
                if matches!(self.at, At::Jump | At::Exception) {
                    return Err(self.impossible("the target of a jump was not sent").into());
                }
                (self.at, self.passes) = (At::End, 0);
                self.forget();
                return Ok(true);
            }
            Payload::Lost => {
                self.replay.finish_system_call(emit)?;
                let (position, what) = (self.replay.position, "blocks were lost".into());
                return Err(DecodeError::Gap { position, what }.into());
            }
        }
        Ok(false)
    }

    /// A start at the address at hand, with the number of the idle byte before it.
    fn start<E: From<DecodeError>>(
        &mut self,
        idle: u64,
        taken: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let is_first = match self.begins_anywhere {
            true => matches!(self.at, At::Reset | At::End) && idle == 1,
            false => self.at == At::Reset && idle == 0,
        };
        if self.at == At::Jump {
            self.lead_to(self.address, emit)?;
            Ok(self.stand_at(taken)?)
        } else if self.at == At::Exception || is_first {
            self.start_at(self.address, taken, emit)
        } else {
            self.start_after(self.address, taken, emit)
        }
    }

    /// An address by its difference from the last one, with the number of the idle byte before it.
    fn report(&mut self, passes: u64, difference: u64, ending: Ending, depth: Option<u64>) {
        let address = self.address.wrapping_add(difference << self.alignment);
        let address = address & self.address_mask;
        self.address = address;
        if ending != Ending::Notified {
            self.targets.keep(address >> self.alignment);
            let updiscon = ending == Ending::Unfollowed;
            self.report = Some(Report { address, passes, updiscon, depth });
        }
    }

    /// The target of a jump by its place in the cache.
    fn kept(&mut self, index: u64) -> Result<(), DecodeError> {
        let Some(target) = self.targets.target(index) else {
            return Err(self.impossible("no target of a jump was kept there"));
        };
        self.address = target << self.alignment;
        let address = self.address;
        self.report = Some(Report { address, passes: 0, updiscon: false, depth: None });
        Ok(())
    }

    /// The payload ends at the last branch whose outcome is known.
    fn end_at_branch<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.decide(emit)?;
        if self.is_taken {
            self.at = At::Jump;
        }
        Ok(())
    }
}
