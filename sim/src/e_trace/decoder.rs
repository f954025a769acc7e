//! The decoder: trace bits and the program in, events out.

use std::collections::VecDeque;
use std::io::Read;

use super::config::Config;
use super::payload::{Ending, FULL_MAP, MOST_PASSES};
use super::record_reader::{Payload, RecordReader};
use crate::config::mask;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::field_reader::FieldReader;
use crate::decode::record_decoder::RecordDecoder;
use crate::decode::replay::Replay;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{Event, Kind};
use crate::parameter::ParameterError;
use crate::program::Program;

/// An address that was reported; only the payload after it says whether it is a jump's target.
#[derive(Clone, Copy, Debug)]
struct Report {
    address: u64,
    /// Direct jumps before it.
    passes: u64,
    /// The trace ends with it, at a jump's target.
    updiscon: bool,
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
    outcomes: VecDeque<bool>,
    /// An indirect branch at hand is taken.
    is_taken: bool,
    report: Option<Report>,
    address: u64,
    at: At,
    /// Direct jumps since the last branch or address.
    passes: u64,
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
            outcomes: VecDeque::new(),
            is_taken: false,
            report: None,
            address: 0,
            at: At::Reset,
            passes: 0,
        })
    }

    fn impossible(&self, what: &str) -> DecodeError {
        self.replay.impossible(what.into())
    }

    /// Ends the block at hand as the outcomes say; false, and nothing is done, at a jump whose target is not known.
    fn step<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        let block = self.replay.known_block()?;
        if !block.is_complete {
            let what = format!("no code is known after {}", self.replay.place());
            return Err(self.replay.impossible(what).into());
        }
        let taken = match block.kind {
            Kind::IndirectJump => return Ok(false),
            Kind::IndirectConditional if self.is_taken => return Ok(false),
            Kind::DirectJump if self.passes == MOST_PASSES => {
                let what = "more direct jumps than an encoder leaves out";
                return Err(self.impossible(what).into());
            }
            Kind::DirectJump => true,
            Kind::Exception => false,
            Kind::DirectConditional | Kind::IndirectConditional => {
                let Some(taken) = self.outcomes.pop_front() else {
                    let at = block.program_counter;
                    let what = format!("the outcome of the branch at {at:#x} was not sent");
                    return Err(self.replay.impossible(what).into());
                };
                taken
            }
        };
        match block.kind {
            Kind::DirectJump => self.passes += 1,
            Kind::Exception => {}
            _ => self.passes = 0,
        }
        if taken && block.kind == Kind::IndirectConditional {
            self.is_taken = true;
            return Ok(false);
        }
        self.at = At::Later;
        self.replay.end_block(taken, if taken { block.target } else { 0 }, emit)?;
        Ok(true)
    }

    /// Follows the program until all outcomes have been used, to a jump if the last one is its.
    fn decide<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        while !self.outcomes.is_empty() {
            let left = self.outcomes.len();
            if !self.step(emit)? && self.outcomes.len() == left {
                return Err(self.impossible("the target of a jump was not sent").into());
            }
        }
        Ok(())
    }

    /// Follows the program to the next jump, which leads to the address.
    fn jump<E: From<DecodeError>>(
        &mut self,
        report: Report,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        if report.passes > 0 {
            return Err(self.impossible("direct jumps are counted before one of another kind").into());
        }
        let mut blocks = 0;
        while self.step(emit)? {
            blocks += 1;
            if blocks > self.replay.program().most_blocks() + FULL_MAP as usize {
                return Err(self.impossible("no jump is ever reached").into());
            }
        }
        self.lead_to(report.address, emit)?;
        (self.at, self.passes) = (At::Address, 0);
        Ok(())
    }

    /// The jump at hand leads to an address.
    fn lead_to<E: From<DecodeError>>(
        &mut self,
        address: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.is_taken = false;
        self.replay.end_block(true, address, emit)?;
        Ok(())
    }

    /// Follows the program to the last instruction before an exception or the end of the trace.
    fn last<E: From<DecodeError>>(
        &mut self,
        report: Report,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.decide(emit)?;
        while self.passes < report.passes {
            if !self.step(emit)? {
                return Err(self.impossible("a jump comes before an address that is reported").into());
            }
        }
        let is_branch = self.at == At::Later
            && self.replay.consumed() == 0
            && self.replay.last_program_counter() == Some(report.address);
        if !is_branch || self.is_taken {
            self.reach(report.address, emit)?;
        }
        self.passes = 0;
        Ok(())
    }

    /// Follows a straight run to an instruction.
    fn reach<E: From<DecodeError>>(
        &mut self,
        address: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.at = At::Later;
        while !self.replay.reach(address) {
            let block = self.replay.known_block()?;
            if block.kind != Kind::Exception || !block.is_complete {
                let what = format!("{address:#x} is not reached from {}", self.replay.place());
                return Err(self.replay.impossible(what).into());
            }
            self.replay.end_block(false, 0, emit)?;
        }
        if self.replay.is_at_end() && self.replay.known_block()?.kind.is_indirect() {
            self.at = At::Jump;
        }
        Ok(())
    }

    /// One instruction has retired at the address at hand.
    fn retire_one<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.at = At::Later;
        let block = self.replay.known_block()?;
        self.replay.consume(1);
        if self.replay.is_at_end() && block.kind != Kind::Exception && !self.step(emit)? {
            self.at = At::Jump;
        }
        Ok(())
    }

    /// An exception leads to an address, where an instruction retires.
    fn start_at<E: From<DecodeError>>(
        &mut self,
        address: u64,
        taken: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.replay.exception(address, emit)?;
        (self.at, self.passes) = (At::Address, 0);
        let is_branch = self
            .replay
            .block()
            .is_some_and(|block| block.kind.is_conditional() && block.instructions == 1);
        match (is_branch, taken) {
            (true, _) => self.outcomes.push_back(taken),
            (false, false) => {}
            (false, true) => return Err(self.impossible("no branch is where one is taken").into()),
        }
        Ok(())
    }

    /// The trace begins, or goes on, in the middle of a run that ends at an address.
    fn start_after<E: From<DecodeError>>(
        &mut self,
        address: u64,
        taken: bool,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.reach(address, emit)?;
        self.passes = 0;
        let block = self.replay.known_block()?;
        let ends = self.replay.is_at_end() && block.kind != Kind::Exception;
        match (ends && block.kind.is_conditional(), taken) {
            (true, _) => self.outcomes.push_back(taken),
            (false, false) => {}
            (false, true) => return Err(self.impossible("no branch is where one is taken").into()),
        }
        if ends && !self.step(emit)? {
            self.at = At::Jump;
        }
        Ok(())
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
                Err(self.impossible("an exception has no place").into())
            }
            (At::Jump, false) => {
                self.lead_to(address, emit)?;
                self.at = At::Exception;
                Ok(())
            }
            (_, false) => {
                self.replay.exception(address, emit)?;
                self.at = At::Later;
                Ok(())
            }
            (_, true) => self.start_at(address, taken, emit),
        }
    }

    /// Decides what the last address was, now that what follows it is known.
    fn settle<E: From<DecodeError>>(
        &mut self,
        idle: u64,
        payload: &Payload,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let is_end = match payload {
            Payload::Trap { .. } => idle == 0,
            Payload::Support { alone } => !alone,
            _ => false,
        };
        let ends = is_end || matches!(payload, Payload::Support { .. });
        if let Some(report) = self.report.take() {
            if report.updiscon && !matches!(payload, Payload::Support { alone: false }) {
                return Err(self.impossible("a trace that ends goes on").into());
            }
            if is_end && !report.updiscon {
                self.last(report, emit)?;
            } else {
                self.jump(report, emit)?;
            }
        }
        let is_marked = match payload {
            Payload::Trap { .. } => idle == 1,
            Payload::Support { alone } => *alone,
            _ => false,
        };
        if self.at == At::Address && is_marked {
            self.retire_one(emit)?;
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
    fn record<R: Read, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.replay.position = bits.position();
        let read = self.records.payload(&mut FieldReader(bits));
        let Some((idle, payload)) = read.map_err(|source| self.replay.field(source))? else {
            return Err(self.impossible("a payload that no encoder sends").into());
        };
        self.settle(idle, &payload, emit)?;
        let is_first = matches!(self.at, At::Reset | At::End);
        let allowed = match payload {
            Payload::Start { .. } => {
                (is_first || self.at == At::Exception) && idle <= u64::from(self.at == At::Reset)
            }
            Payload::Trap { .. } => idle <= u64::from(!is_first),
            Payload::Address { ending, .. } => {
                !is_first && idle <= if ending == Ending::Plain { MOST_PASSES } else { 0 }
            }
            Payload::Full(_) => !is_first && idle == 0,
            Payload::Support { .. } => idle == 0,
        };
        if !allowed {
            return Err(self.impossible("a payload that cannot follow the one before").into());
        }
        self.replay.summary.records += 1;
        self.follow(idle, payload, emit)
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
            Payload::Start { taken, address } => {
                self.address = address << self.alignment;
                if self.at == At::Exception || self.at == At::Reset && idle == 0 {
                    self.start_at(self.address, taken, emit)?;
                } else {
                    self.start_after(self.address, taken, emit)?;
                }
            }
            Payload::Trap { taken, handler, address } => {
                self.address = address << self.alignment;
                self.trap(self.address, handler, taken, emit)?;
            }
            Payload::Full(map) => {
                self.add(FULL_MAP, map);
                self.decide(emit)?;
                if self.is_taken {
                    self.at = At::Jump;
                }
            }
            Payload::Address { branches, map, difference, ending } => {
                self.add(branches, map);
                let address = self.address.wrapping_add(difference << self.alignment);
                self.address = address & self.address_mask;
                let updiscon = ending == Ending::Unfollowed;
                if ending == Ending::Notified {
                    self.notified(emit)?;
                } else {
                    self.report = Some(Report { address: self.address, passes: idle, updiscon });
                }
            }
            Payload::Support { alone } => {
                // Behind another payload it is of the same record.
                self.replay.summary.records -= u64::from(!alone);
                self.replay.finish_system_call(emit)?;
                if matches!(self.at, At::Jump | At::Exception) {
                    return Err(self.impossible("the target of a jump was not sent").into());
                }
                (self.at, self.passes) = (At::End, 0);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn add(&mut self, branches: u32, map: u64) {
        self.outcomes.extend((0..branches).map(|place| map >> place & 1 == 0));
    }

    /// The direct jump at the address is one more than are left out.
    fn notified<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.decide(emit)?;
        while self.passes < MOST_PASSES {
            if !self.step(emit)? {
                return Err(self.impossible("a jump comes before an address that is reported").into());
            }
        }
        self.reach(self.address, emit)?;
        let block = self.replay.known_block()?;
        if !self.replay.is_at_end() || block.kind != Kind::DirectJump {
            return Err(self.impossible("no direct jump is where one is reported").into());
        }
        self.passes = 0;
        self.replay.end_block(true, block.target, emit)?;
        Ok(())
    }
}
