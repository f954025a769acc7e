//! The decoder: trace bits and the program in, events out (paper C, Figure 4).

use std::io::Read;

use super::config::Config;
use super::layout::{Body, Extended, Head};
use super::predictors::{Prediction, Predictors};
use super::record_reader::RecordReader;
use crate::config::mask;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::field_reader::FieldReader;
use crate::decode::record_decoder::RecordDecoder;
use crate::decode::replay::Replay;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{Event, Kind};
use crate::parameter::ParameterError;
use crate::program::{Block, Program};
use crate::target_difference::TargetDifference;

/// Replays a program along T-raptor's trace.
#[derive(Clone)]
pub struct Decoder<'a> {
    replay: Replay<'a>,
    predictors: Predictors,
    records: RecordReader,
    target_difference: TargetDifference,
    branch_count_bits: u32,
    instruction_count_bits: u32,
    word_bits: u32,
    /// Instructions replayed since the counters were cleared.
    since_clear: u64,
    /// Instructions that overflow records took off the counter since then.
    taken_off: u64,
}

/// Where a replay stops.
enum Until {
    /// At this counted branch, 1 being the next, before it is decided.
    Branch(u64),
    /// After this many instructions.
    Instructions(u64),
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
            predictors: Predictors::new(config),
            records: RecordReader::new(config),
            target_difference: TargetDifference::new(&config.processor),
            branch_count_bits: config.branch_count_bits,
            instruction_count_bits: config.instruction_count_bits,
            word_bits: config.port.word_bits(),
            since_clear: 0,
            taken_off: 0,
        })
    }

    /// Until as many instructions as a record says.
    fn until(&self, body: &Body) -> Until {
        Until::Instructions(body.instruction_count.saturating_add(self.taken_off))
    }

    /// Follows the program, every branch as predicted.
    #[inline]
    fn follow<E: From<DecodeError>>(
        &mut self,
        until: Until,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut branches, limit, at_branch) = match until {
            Until::Branch(count) => (count, u64::MAX, true),
            Until::Instructions(count) => (u64::MAX, count, false),
        };
        if limit < self.since_clear {
            let what =
                format!("{limit} instructions since the last record, after {}", self.since_clear);
            return Err(self.replay.impossible(what).into());
        }
        let mut without_counted = 0;
        loop {
            let left = limit - self.since_clear;
            if left == 0 && self.replay.block().is_none() {
                return Ok(());
            }
            let block = self.replay.known_block()?;
            let rest = block.instructions - self.replay.consumed();
            // An exception or the end may come right at a system call, which then has no event of its own yet.
            if !at_branch && (left < rest || left == rest && block.kind == Kind::Exception) {
                self.replay.consume(left);
                self.since_clear += left;
                return Ok(());
            }
            if !block.is_complete {
                let what = format!("no branch is known after {}", self.replay.place());
                return Err(self.replay.impossible(what).into());
            }
            if block.kind.is_counted() {
                without_counted = 0;
                branches -= 1;
                if branches == 0 {
                    return Ok(());
                }
            } else {
                without_counted += 1;
                if at_branch && without_counted > self.replay.program().most_blocks() {
                    let what = "no counted branch is ever reached".into();
                    return Err(self.replay.impossible(what).into());
                }
            }
            self.since_clear += rest;
            self.predicted(emit)?;
        }
    }

    /// The kind of the instruction that ends the current block.
    fn current_kind(&self) -> Kind {
        self.replay.block().map_or(Kind::Exception, |block| block.kind)
    }

    #[inline]
    fn prediction(&self, block: &Block) -> Prediction {
        self.predictors.predict(block.program_counter, block.kind, block.is_return)
    }

    /// Ends the current block as predicted.
    #[inline]
    fn predicted<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let block = self.replay.known_block()?;
        let prediction = self.prediction(block);
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
                    return Err(self.replay.impossible(what).into());
                }
            },
        };
        self.end_block(taken, target, &prediction, emit)
    }

    /// Ends the current block against the prediction.
    fn mispredicted<E: From<DecodeError>>(
        &mut self,
        body: &Body,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let block = self.replay.known_block()?;
        let prediction = self.prediction(block);
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
            _ => return self.end_block(taken, target, &prediction, emit),
        };
        Err(self.replay.impossible(format!("{what}, at {:#x}", block.program_counter)).into())
    }

    #[inline]
    fn end_block<E: From<DecodeError>>(
        &mut self,
        taken: bool,
        target: u64,
        prediction: &Prediction,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let predictors = &mut self.predictors;
        self.replay.end_block(taken, target, &mut |event| {
            predictors.update(&event, prediction);
            emit(event)
        })?;
        Ok(())
    }

    fn target(&mut self, body: &Body) -> u64 {
        self.target_difference.receive(body.difference, body.below)
    }
}

impl<'a> RecordDecoder<'a> for Decoder<'a> {
    fn record<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.replay.position = bits.position();
        let head = self.records.head(FieldReader(bits));
        let head = match head.map_err(|source| self.replay.field(source))? {
            Ok(head) => head,
            Err(code) => {
                let what = format!("extended record {code} is of a later version");
                return Err(self.replay.impossible(what).into());
            }
        };
        let mut body_of = |decoder: &Self, kind| {
            let body = decoder.records.body(head, kind, FieldReader(bits));
            body.map_err(|source| decoder.replay.field(source))
        };
        let mut flushed = false;
        match head {
            Head::Branch(count) => {
                self.follow(Until::Branch(count), emit)?;
                let body = body_of(self, self.current_kind())?;
                self.mispredicted(&body, emit)?;
            }
            Head::Exception => {
                let body = body_of(self, Kind::Exception)?;
                self.follow(self.until(&body), emit)?;
                let target = self.target(&body);
                self.replay.exception(target, emit)?;
            }
            Head::Extended(Extended::Flush) => {
                let body = body_of(self, Kind::Exception)?;
                self.follow(self.until(&body), emit)?;
                self.replay.finish_system_call(emit)?;
                flushed = true;
            }
            Head::Extended(Extended::BranchCountOverflow) => {
                self.follow(Until::Branch(mask(self.branch_count_bits)), emit)?;
                self.predicted(emit)?;
            }
            Head::Extended(Extended::InstructionCountOverflow) => {
                self.taken_off = 1u64
                    .wrapping_shl(self.instruction_count_bits - 1)
                    .saturating_add(self.taken_off);
                self.replay.summary.records += 1;
                return Ok(false);
            }
        }
        self.replay.summary.records += 1;
        (self.taken_off, self.since_clear) = (0, 0);
        Ok(flushed)
    }

    fn replay(&mut self) -> &mut Replay<'a> {
        &mut self.replay
    }

    fn word_bits(&self) -> u32 {
        self.word_bits
    }
}
