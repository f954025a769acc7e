//! What an escape says: an exception, the end, or an overflow of the instruction counter.

use std::io::Read;

use super::Decoder;
use crate::config::mask;
use crate::decode::error::DecodeError;
use crate::event::{Event, Kind};
use crate::talon::bit_window::BitWindow;
use crate::talon::layout::{CHUNKS_BITS, ESCAPE_KIND_BITS, Escape};

impl Decoder<'_> {
    /// Takes the ones of an escape, if they follow.
    #[cold]
    pub(super) fn is_escape<R: Read>(
        &self,
        bits: &mut BitWindow<'_, R>,
    ) -> Result<bool, DecodeError> {
        let count = self.config.escape_ones();
        let ones = self.take(bits, count)?;
        if ones != mask(count) {
            bits.put_back(ones, count);
        }
        Ok(ones == mask(count))
    }

    /// Decodes what follows the ones of an escape; true if it is a flush.
    #[cold]
    pub(super) fn escape<R: Read, E: From<DecodeError>>(
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
}
