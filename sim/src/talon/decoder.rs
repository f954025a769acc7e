//! The decoder: trace bits and the program in, events out.

use std::io::Read;

use super::bit_window::BitWindow;
use super::config::Config;
use super::layout::{CHUNKS_BITS, ESCAPE_KIND_BITS, Escape, OTHER_BITS};
use super::predictors::Predictors;
use super::range_coder::{Code, RangeCoder};
use super::target_predictor::TargetPrediction;
use crate::config::mask;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::record_decoder::end_of_flush;
use crate::decode::replay::Replay;
use crate::decode::summary::Summary;
use crate::encode::bit_packer::{BitUnpacker, TakeError};
use crate::event::{Event, Kind};
use crate::parameter::ParameterError;
use crate::program::{Block, Program};

/// Replays a program along Talon's trace.
pub struct Decoder<'a> {
    config: Config,
    replay: Replay<'a>,
    predictors: Predictors,
    coder: RangeCoder,
    /// The code's distance from the low end of the coder's range.
    offset: u64,
    /// Instructions replayed since the last symbol.
    since_symbol: u64,
    /// Instructions that overflow escapes took off the counter since then.
    taken_off: u64,
}

impl<'a> Decoder<'a> {
    /// A decoder in the state in which reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config, program: &'a Program) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            replay: Replay::new(program, 0),
            predictors: Predictors::new(config),
            coder: RangeCoder::new(config),
            config: config.clone(),
            offset: 0,
            since_symbol: 0,
            taken_off: 0,
        })
    }

    /// Refuses to replay more than `instructions`, so that a damaged trace ends.
    #[must_use]
    pub fn limit(mut self, instructions: u64) -> Self {
        self.replay.limit(instructions);
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
        let mut bits = BitWindow::new(bits);
        self.start(&mut bits)?;
        loop {
            self.replay.position = bits.position();
            if self.offset + 1 == self.coder.range() && self.is_escape(&mut bits)? {
                if self.escape(&mut bits, &mut emit)? {
                    let unit = self.config.port.word_bits();
                    if end_of_flush(bits.source(), unit, |source| self.replay.field(source))? {
                        return Ok(self.replay.finish()?);
                    }
                    self.start(&mut bits)?;
                }
            } else {
                self.branch(&mut bits, &mut emit)?;
            }
        }
    }

    /// Reads the code from its beginning: the bits that the coder would hold back are zero.
    fn start<R: Read>(&mut self, bits: &mut BitWindow<'_, R>) -> Result<(), DecodeError> {
        self.coder.restart(0);
        self.offset = self.take(bits, self.config.low_bits())?;
        self.check_range()
    }

    /// Reads the code after an address, whose lowest bits the coder holds back; returns them.
    fn start_after_address<R: Read>(
        &mut self,
        bits: &mut BitWindow<'_, R>,
    ) -> Result<u64, DecodeError> {
        let held_back = self.take(bits, self.config.guard_bits)?;
        self.coder.restart(held_back);
        self.offset = self.take(bits, self.config.range_bits)?;
        self.check_range()?;
        Ok(held_back)
    }

    #[inline]
    fn take<R: Read>(&self, bits: &mut BitWindow<'_, R>, count: u32) -> Result<u64, DecodeError> {
        bits.take(count).map_err(|source| self.field(source))
    }

    #[cold]
    fn field(&self, source: TakeError) -> DecodeError {
        self.replay.field(source)
    }

    #[inline]
    fn check_range(&self) -> Result<(), DecodeError> {
        if self.offset < self.coder.range() {
            return Ok(());
        }
        Err(self.replay.impossible("this code belongs to no symbol".into()))
    }

    /// Takes the ones of an escape, if they follow.
    #[cold]
    fn is_escape<R: Read>(&self, bits: &mut BitWindow<'_, R>) -> Result<bool, DecodeError> {
        let count = self.config.escape_ones();
        let ones = self.take(bits, count)?;
        if ones != mask(count) {
            bits.put_back(ones, count);
        }
        Ok(ones == mask(count))
    }

    /// Decodes what follows the ones of an escape; true if it is a flush.
    #[cold]
    fn escape<R: Read, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitWindow<'_, R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.replay.summary.records += 1;
        let code = self.lowest_first(bits, ESCAPE_KIND_BITS)?;
        let Some(escape) = Escape::from_code(code) else {
            return Err(self
                .replay
                .impossible(format!("escape {code} is of a later version"))
                .into());
        };
        let count = self.lowest_first(bits, self.config.instruction_count_bits)?;
        if escape == Escape::InstructionCountOverflow {
            if count != 0 {
                let what = format!("an overflow says {count} instructions instead of 0");
                return Err(self.replay.impossible(what).into());
            }
            let half = 1u64 << (self.config.instruction_count_bits - 1);
            self.taken_off = self.taken_off.saturating_add(half);
            self.start(bits)?;
            return Ok(false);
        }
        self.follow_instructions(count.saturating_add(self.taken_off), emit)?;
        if escape == Escape::Flush {
            self.replay.finish_system_call(emit)?;
        } else {
            self.exception(escape, bits, emit)?;
        }
        (self.since_symbol, self.taken_off) = (0, 0);
        Ok(escape == Escape::Flush)
    }

    /// Decodes where an exception goes.
    fn exception<R: Read, E: From<DecodeError>>(
        &mut self,
        escape: Escape,
        bits: &mut BitWindow<'_, R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let program_counter = self.replay.exception_program_counter()?;
        let prediction = self.predictors.predict_exception(program_counter);
        let candidate = prediction.candidate.map(|(candidate, _)| candidate);
        let target = if escape == Escape::Exception {
            let chunks = self.take(bits, CHUNKS_BITS)?;
            Some(self.address(chunks, bits)? ^ prediction.reference)
        } else {
            self.start(bits)?;
            candidate
        };
        // An encoder sends a target that is not predicted, and no other.
        let is_predicted = escape == Escape::PredictedException;
        let Some(target) = target.filter(|target| is_predicted == (candidate == Some(*target)))
        else {
            let what = "an exception's target is said to be predicted, or wrong".into();
            return Err(self.replay.impossible(what).into());
        };
        self.predictors.learn_exception(program_counter, target, &prediction);
        self.replay.exception(self.predictors.addresses().bytes(target), emit)
    }

    fn lowest_first<R: Read>(
        &self,
        bits: &mut BitWindow<'_, R>,
        count: u32,
    ) -> Result<u64, DecodeError> {
        bits.take_lowest_first(count).map_err(|source| self.field(source))
    }

    /// Reads an address of so many chunks, and the code after it.
    fn address<R: Read>(
        &mut self,
        chunks: u64,
        bits: &mut BitWindow<'_, R>,
    ) -> Result<u64, DecodeError> {
        let guard_bits = self.config.guard_bits;
        let above = self.config.address_bits(chunks as u32) - guard_bits;
        let above = self.lowest_first(bits, above)?;
        Ok(above << guard_bits | self.start_after_address(bits)?)
    }

    /// Follows the program to the next conditional or indirect branch.
    #[inline]
    fn follow_to_branch<E: From<DecodeError>>(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<&'a Block, E> {
        let mut without_branch = 0;
        loop {
            let block = self.complete_block()?;
            if block.kind.is_counted() {
                return Ok(block);
            }
            without_branch += 1;
            if without_branch > self.replay.program().most_blocks() {
                let what = "no conditional or indirect branch is ever reached".into();
                return Err(self.replay.impossible(what).into());
            }
            self.pass(block, emit)?;
        }
    }

    fn complete_block(&self) -> Result<&'a Block, DecodeError> {
        let block = self.replay.known_block()?;
        if !block.is_complete {
            let what = format!("no branch is known after {}", self.replay.place());
            return Err(self.replay.impossible(what));
        }
        Ok(block)
    }

    /// Follows the program for so many instructions since the last symbol, none of which is a branch that has one.
    fn follow_instructions<E: From<DecodeError>>(
        &mut self,
        count: u64,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        if count < self.since_symbol {
            let what =
                format!("{count} instructions since the last symbol, after {}", self.since_symbol);
            return Err(self.replay.impossible(what).into());
        }
        loop {
            let left = count - self.since_symbol;
            if left == 0 && self.replay.block().is_none() {
                return Ok(());
            }
            let block = self.replay.known_block()?;
            let rest = block.instructions - self.replay.consumed();
            // An exception or the end may come right at a system call, which then has no event of its own yet.
            if left < rest || left == rest && block.kind == Kind::Exception {
                self.replay.consume(left);
                self.since_symbol += left;
                return Ok(());
            }
            let block = self.complete_block()?;
            if block.kind.is_counted() {
                let what = format!("the branch at {:#x} has no symbol", block.program_counter);
                return Err(self.replay.impossible(what).into());
            }
            self.since_symbol += rest;
            self.pass(block, emit)?;
        }
    }

    /// Ends a block that has no symbol: a direct jump, or a system call that comes back.
    #[inline]
    fn pass<E: From<DecodeError>>(
        &mut self,
        block: &Block,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let taken = block.kind == Kind::DirectJump;
        let event = self.replay.end_block(taken, if taken { block.target } else { 0 }, emit)?;
        self.predictors.call(&event);
        Ok(())
    }

    /// Decodes the symbol of the next branch, and replays up to it.
    #[inline]
    fn branch<R: Read, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitWindow<'_, R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<(), E> {
        let block = self.follow_to_branch(emit)?;
        let prediction =
            self.predictors.predict(block.program_counter, block.kind, block.is_return);
        let taken = match &prediction.outcome {
            Some(outcome) => outcome.taken != self.symbol(outcome.confidence, bits)?,
            None => true,
        };
        let target = match &prediction.target {
            _ if !taken => 0,
            Some(expected) => {
                let target = self.target(expected, bits)?;
                self.predictors.addresses().bytes(target)
            }
            None => block.target,
        };
        let predictors = &mut self.predictors;
        self.replay.end_block(taken, target, &mut |event| {
            predictors.learn(&event, &prediction);
            emit(event)
        })?;
        (self.since_symbol, self.taken_off) = (0, 0);
        Ok(())
    }

    /// Decodes a symbol; true if it is not as predicted.
    #[inline]
    fn symbol<R: Read>(
        &mut self,
        confidence: u32,
        bits: &mut BitWindow<'_, R>,
    ) -> Result<bool, DecodeError> {
        let likely = self.coder.likely(confidence);
        let is_wrong = self.offset >= likely;
        if is_wrong {
            self.offset -= likely;
        }
        let code = self.coder.symbol(is_wrong, confidence);
        if code.count > 0 {
            self.replay.summary.records += 1;
            let more = self.take(bits, code.count)?;
            self.offset = self.offset << code.count | more;
            if code.ones > 0 {
                self.below_carry(&code, bits)?;
            }
            self.check_range()?;
        }
        Ok(is_wrong)
    }

    /// Takes the ones by which the code stays below a carry.
    #[cold]
    fn below_carry<R: Read>(
        &mut self,
        code: &Code,
        bits: &mut BitWindow<'_, R>,
    ) -> Result<(), DecodeError> {
        let more = self.take(bits, code.ones)?;
        let whole = 1u64 << self.config.range_bits;
        let below = code.room.checked_sub(self.offset).filter(|below| *below > 0);
        let offset = below.and_then(|below| whole.checked_sub(below << code.ones));
        // Out of the range where the code is above the carry.
        self.offset = offset.map_or(whole, |offset| offset + more);
        Ok(())
    }

    /// Decodes the target of an indirect branch, in instruction units.
    #[inline]
    fn target<R: Read>(
        &mut self,
        expected: &TargetPrediction,
        bits: &mut BitWindow<'_, R>,
    ) -> Result<u64, DecodeError> {
        if let Some((candidate, confidence)) = expected.candidate
            && !self.symbol(confidence, bits)?
        {
            return Ok(candidate);
        }
        // A wrong symbol always has code of its own.
        self.replay.summary.records += u64::from(expected.candidate.is_none());
        let target = self.detour(expected, bits)?;
        // An encoder has one way to say each thing: anything else is damage.
        if expected.candidate.is_some_and(|(candidate, _)| candidate == target) {
            return Err(self
                .replay
                .impossible("a target predicted right is said to be wrong".into()));
        }
        Ok(target)
    }

    /// Reads how a branch went that did not go to its candidate.
    fn detour<R: Read>(
        &mut self,
        expected: &TargetPrediction,
        bits: &mut BitWindow<'_, R>,
    ) -> Result<u64, DecodeError> {
        let code = self.coder.low() + self.offset;
        let rest_bits = self.config.range_bits - 2;
        if code >> rest_bits != self.coder.aligned() {
            return Err(self.replay.impossible("this code belongs to no symbol".into()));
        }
        bits.put_back(code & mask(rest_bits), rest_bits);
        if let Some(other) = expected.other
            && self.take(bits, OTHER_BITS)? == 1
        {
            self.coder.detour(&[(1, OTHER_BITS)], false);
            self.offset = self.take(bits, self.config.range_bits)?;
            self.check_range()?;
            return Ok(other);
        }
        let chunks = self.take(bits, CHUNKS_BITS)?;
        let difference = self.address(chunks, bits)?;
        let canonical = self.config.address_chunks(difference);
        if chunks != u64::from(canonical) || expected.other == Some(difference ^ expected.reference)
        {
            let what = format!(
                "an address of {chunks} chunks needs {canonical}, or is the other candidate"
            );
            return Err(self.replay.impossible(what));
        }
        Ok(difference ^ expected.reference)
    }
}
