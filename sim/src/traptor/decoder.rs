//! The decoder: trace bits and the program in, events out (paper C, Figure 4).

use std::io::Read;

use super::config::Config;
use super::layout::{Body, Extended, Head, Layout};
use super::predictors::{Prediction, Predictors};
use super::record_former::difference;
use crate::config::mask;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{Event, Kind};
use crate::field::{FieldError, Taker};
use crate::parameter::ParameterError;
use crate::program::{BlockIndex, Place, Program};

/// Why a trace could not be decoded; positions are in bits from its beginning.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The bits ended, failed, or are not what an encoder sends.
    #[error("record {record} at bit {position}: {source}")]
    Field {
        /// The record, counted from 0.
        record: u64,
        /// Where it begins.
        position: u64,
        /// What is wrong.
        source: FieldError,
    },
    /// The record is well formed but the program cannot do what it says.
    #[error("record {record} at bit {position}: {what}; is this the program that was traced?")]
    Impossible {
        /// The record, counted from 0.
        record: u64,
        /// Where it begins.
        position: u64,
        /// What the program cannot do.
        what: String,
    },
    /// The padding after a flush is not zero.
    #[error("bit {position}: the padding after a flush is not zero")]
    Padding {
        /// Where it begins.
        position: u64,
    },
}

/// What a decoder found besides the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Events.
    pub events: u64,
    /// Instructions, the trailing ones included.
    pub instructions: u64,
    /// Instructions after the last event.
    pub trailing_instructions: u64,
    /// Records.
    pub records: u64,
}

/// Replays a program along T-raptor's trace.
pub struct Decoder<'a> {
    predictors: Predictors,
    layout: Layout,
    program: &'a Program,
    config: &'a Config,
    place: Place,
    block: Option<BlockIndex>,
    /// Instructions of the current block that have retired.
    consumed: u64,
    previous_target: u64,
    /// Where an exception of 0 instructions would be.
    last_program_counter: Option<u64>,
    summary: Summary,
    position: u64,
    most_instructions: u64,
}

/// Where a replay stops.
enum Until {
    /// At this counted branch, 1 being the next, before it is decided.
    Branch(u64),
    /// After this many instructions.
    Instructions(u64),
}

impl<'a> Decoder<'a> {
    /// A decoder in the state in which reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &'a Config, program: &'a Program) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            predictors: Predictors::new(config),
            layout: Layout::new(config),
            program,
            config,
            place: Place::Start,
            block: program.block_at(Place::Start),
            consumed: 0,
            previous_target: 0,
            last_program_counter: None,
            summary: Summary::default(),
            position: 0,
            most_instructions: u64::MAX,
        })
    }

    /// Refuses to replay more than `instructions`, so that a damaged trace ends.
    pub fn limit(mut self, instructions: u64) -> Self {
        self.most_instructions = instructions;
        self
    }

    /// Decodes a whole trace, which ends after a flush.
    ///
    /// # Errors
    /// When the bits or the program are not what was traced, or `emit` fails.
    pub fn decode<R: Read, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        mut emit: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<Summary, E> {
        // Instructions that overflow records took off the counter since it was last cleared.
        let mut taken_off = 0;
        // Instructions replayed since then.
        let mut since_clear = 0;
        loop {
            self.position = bits.position();
            let mut head = Head::Exception;
            let mut body = Body::default();
            self.layout.head(&mut head, &mut Taker(bits)).map_err(|source| self.field(source))?;
            match head {
                Head::Branch(count) => {
                    self.replay(Until::Branch(count), &mut since_clear, &mut emit)?;
                    let kind = self.current_kind();
                    self.layout
                        .body(head, kind, &mut body, &mut Taker(bits))
                        .map_err(|source| self.field(source))?;
                    self.mispredicted(&body, &mut emit)?;
                }
                Head::Exception => {
                    self.layout
                        .body(head, Kind::Exception, &mut body, &mut Taker(bits))
                        .map_err(|source| self.field(source))?;
                    let until =
                        Until::Instructions(body.instruction_count.saturating_add(taken_off));
                    self.replay(until, &mut since_clear, &mut emit)?;
                    self.exception(&body, &mut emit)?;
                }
                Head::Extended(Ok(Extended::Flush)) => {
                    self.layout
                        .body(head, Kind::Exception, &mut body, &mut Taker(bits))
                        .map_err(|source| self.field(source))?;
                    let until =
                        Until::Instructions(body.instruction_count.saturating_add(taken_off));
                    self.replay(until, &mut since_clear, &mut emit)?;
                    self.finish_system_call(&mut emit)?;
                }
                Head::Extended(Ok(Extended::BranchCountOverflow)) => {
                    let count = mask(self.config.branch_count_bits);
                    self.replay(Until::Branch(count), &mut since_clear, &mut emit)?;
                    self.predicted(&mut emit)?;
                }
                Head::Extended(Ok(Extended::InstructionCountOverflow)) => {
                    taken_off = 1u64
                        .wrapping_shl(self.config.instruction_count_bits - 1)
                        .saturating_add(taken_off);
                    self.summary.records += 1;
                    continue;
                }
                Head::Extended(Err(code)) => {
                    return Err(self
                        .impossible(format!("extended record {code} is of a later version"))
                        .into());
                }
            }
            self.summary.records += 1;
            (taken_off, since_clear) = (0, 0);
            if head == Head::Extended(Ok(Extended::Flush)) && self.end_of_flush(bits)? {
                self.summary.trailing_instructions = self.consumed;
                self.retire(self.consumed)?;
                return Ok(self.summary);
            }
        }
    }

    /// Skips the padding after a flush; true at the end of the trace.
    fn end_of_flush<R: Read>(&mut self, bits: &mut BitUnpacker<R>) -> Result<bool, DecodeError> {
        let position = bits.position();
        let unit = u64::from(self.config.port.word_bits());
        let mut left = position.next_multiple_of(unit) - position;
        while left > 0 {
            let count = left.min(64);
            match bits.take(count as u32) {
                Ok(0) => {}
                Ok(_) => return Err(DecodeError::Padding { position }),
                Err(source) => return Err(self.field(source.into())),
            }
            left -= count;
        }
        bits.is_at_end().map_err(|source| self.field(source.into()))
    }

    /// Follows the program, every branch as predicted.
    #[inline]
    fn replay<E: From<DecodeError>>(
        &mut self,
        until: Until,
        since_clear: &mut u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut branches, limit, at_branch) = match until {
            Until::Branch(count) => (count, u64::MAX, true),
            Until::Instructions(count) => (u64::MAX, count, false),
        };
        if limit < *since_clear {
            return Err(self
                .impossible(format!(
                    "{limit} instructions since the last record, after {since_clear}"
                ))
                .into());
        }
        let mut without_counted = 0;
        loop {
            let left = limit - *since_clear;
            let index = match self.block {
                Some(index) => index,
                None if left == 0 => return Ok(()),
                None => {
                    return Err(self
                        .impossible(format!("no code is known at {}", self.place))
                        .into());
                }
            };
            let block = self.program.block(index);
            let rest = block.instructions - self.consumed;
            // An exception or the end may come right at a system call, which then has no event of its own yet.
            if !at_branch && (left < rest || left == rest && block.kind == Kind::Exception) {
                self.consumed += left;
                *since_clear += left;
                return Ok(());
            }
            if !block.is_complete {
                return Err(self
                    .impossible(format!("no branch is known behind {}", self.place))
                    .into());
            }
            if block.kind.is_counted() {
                without_counted = 0;
                branches -= 1;
                if branches == 0 {
                    return Ok(());
                }
            } else {
                without_counted += 1;
                if at_branch && without_counted > self.program.len() {
                    return Err(self.impossible("no counted branch is ever reached".into()).into());
                }
            }
            *since_clear += rest;
            self.predicted(emit)?;
        }
    }

    /// The kind of the instruction that ends the current block.
    fn current_kind(&self) -> Kind {
        self.block.map_or(Kind::Exception, |index| self.program.block(index).kind)
    }

    /// Ends the current block as predicted.
    #[inline]
    fn predicted<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(index) = self.block else {
            return Err(self.impossible(format!("no code is known at {}", self.place)).into());
        };
        let block = self.program.block(index);
        let prediction =
            self.predictors.predict(block.program_counter, block.kind, block.is_return);
        let taken = prediction.taken && block.kind != Kind::Exception;
        let target = match (taken, block.kind.is_indirect()) {
            (false, _) => 0,
            (true, false) => block.target,
            (true, true) => match prediction.target.target {
                Some(target) => target,
                None => {
                    let what = format!(
                        "the branch at {:#x} has no predicted target",
                        block.program_counter
                    );
                    return Err(self.impossible(what).into());
                }
            },
        };
        self.end_block(index, taken, target, &prediction, emit)
    }

    /// Ends the current block against the prediction.
    fn mispredicted<E: From<DecodeError>>(
        &mut self,
        body: &Body,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(index) = self.block else {
            return Err(self.impossible(format!("no code is known at {}", self.place)).into());
        };
        let block = self.program.block(index);
        let prediction =
            self.predictors.predict(block.program_counter, block.kind, block.is_return);
        let (taken, target) = if block.kind.is_indirect() {
            (body.taken, if body.taken { self.target(body) } else { 0 })
        } else {
            (!prediction.taken, if prediction.taken { 0 } else { block.target })
        };
        let what = match (block.kind.is_conditional(), taken, prediction.taken) {
            (false, false, _) => "an unconditional branch is said not to be taken",
            (true, false, false) => {
                "a branch predicted not taken is said to be mispredicted, and not taken"
            }
            (_, true, true) if prediction.target.target == Some(target) => {
                "a target predicted right is said to be wrong"
            }
            _ => return self.end_block(index, taken, target, &prediction, emit),
        };
        Err(self.impossible(format!("{what}, at {:#x}", block.program_counter)).into())
    }

    #[inline]
    fn end_block<E: From<DecodeError>>(
        &mut self,
        index: BlockIndex,
        taken: bool,
        target: u64,
        prediction: &Prediction,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let block = self.program.block(index);
        let event = Event {
            instructions: block.instructions,
            program_counter: block.program_counter,
            target,
            kind: block.kind,
            call: block.call,
            is_return: block.is_return,
            taken,
            length: block.length,
            thread: 0,
        };
        self.predictors.update(&event, prediction);
        self.place = if taken { Place::At(target) } else { Place::After(block.program_counter) };
        self.block = if taken && block.kind.is_indirect() {
            self.program.block_at(self.place)
        } else {
            self.program.successor(index, taken)
        };
        if taken && !block.kind.is_indirect() && self.block.is_none() {
            let what = format!("the branch at {:#x} was never seen taken", block.program_counter);
            return Err(self.impossible(what).into());
        }
        self.emit(event, emit)
    }

    fn exception<E: From<DecodeError>>(
        &mut self,
        body: &Body,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let known = self.block.and_then(|index| self.program.point(index, self.consumed));
        let last = self.last_program_counter.filter(|_| self.consumed == 0);
        let Some(program_counter) = known.or(last) else {
            let what = format!("no instruction is known {} behind {}", self.consumed, self.place);
            return Err(self.impossible(what).into());
        };
        let target = self.target(body);
        self.place = Place::At(target);
        self.block = self.program.block_at(self.place);
        let event = Event {
            instructions: self.consumed,
            program_counter,
            target,
            kind: Kind::Exception,
            call: false,
            is_return: false,
            taken: true,
            length: 0,
            thread: 0,
        };
        self.emit(event, emit)
    }

    /// A system call right before a flush has retired and came back.
    fn finish_system_call<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let at_end = self.block.is_some_and(|index| {
            let block = self.program.block(index);
            block.is_complete
                && block.kind == Kind::Exception
                && block.instructions == self.consumed
        });
        if at_end {
            self.predicted(emit)?;
            // A system call that traps is one taken exception: none can follow one that came back.
            self.last_program_counter = None;
        }
        Ok(())
    }

    #[inline]
    fn emit<E: From<DecodeError>>(
        &mut self,
        event: Event,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        self.consumed = 0;
        self.last_program_counter = Some(event.program_counter);
        self.summary.events += 1;
        self.retire(event.instructions)?;
        emit(event)
    }

    /// Counts retired instructions.
    #[inline]
    fn retire(&mut self, instructions: u64) -> Result<(), DecodeError> {
        let total = self.summary.instructions.checked_add(instructions);
        self.summary.instructions = total.unwrap_or(u64::MAX);
        if total.is_none_or(|total| total > self.most_instructions) {
            let what =
                format!("more than the {} instructions that were traced", self.most_instructions);
            return Err(self.impossible(what));
        }
        Ok(())
    }

    fn target(&mut self, body: &Body) -> u64 {
        let bits = self.config.processor.instruction_address_bits();
        let (difference, previous) = (body.difference, self.previous_target);
        let moved = if body.below {
            previous.wrapping_sub(difference)
        } else {
            previous.wrapping_add(difference)
        };
        self.previous_target = moved & mask(bits);
        debug_assert!(
            difference > mask(bits - 1)
                || self::difference(self.previous_target, previous, bits).0 == difference
        );
        self.previous_target << self.config.processor.alignment
    }

    fn field(&self, source: FieldError) -> DecodeError {
        DecodeError::Field { record: self.summary.records, position: self.position, source }
    }

    fn impossible(&self, what: String) -> DecodeError {
        DecodeError::Impossible { record: self.summary.records, position: self.position, what }
    }
}
