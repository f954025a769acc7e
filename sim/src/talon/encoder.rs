//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::layout::{Escape, OTHER_CANDIDATE, OTHER_OUTCOME, Word, fields};
use super::predictors::{Prediction, Predictors};
use super::range_coder::RangeCoder;
use crate::config::mask;
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::{Event, Kind};
use crate::field::{Field, Sink};
use crate::golden_encoder::GoldenEncoder;
use crate::parameter::ParameterError;

/// Turns events into Talon's trace, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    config: Config,
    predictors: Predictors,
    coder: RangeCoder,
    records: RecordSender,
    instruction_count: u64,
}

/// What follows the symbol of a branch, or stands for it where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detour {
    /// Nothing: the branch went as predicted, or in the only other way there is.
    None,
    /// To the other candidate.
    OtherCandidate,
    /// Not taken, or to the candidate although it was predicted not to be taken.
    OtherOutcome,
    /// To another target: its difference from the reference, in instruction units.
    Address(u64),
}

impl Detour {
    /// The detour's value in the trace.
    pub fn code(&self, config: &Config) -> Option<u64> {
        match self {
            Detour::None => None,
            Detour::OtherCandidate => Some(OTHER_CANDIDATE),
            Detour::OtherOutcome => Some(OTHER_OUTCOME),
            Detour::Address(difference) => Some(config.address_chunks(*difference).into()),
        }
    }
}

/// True if a branch is not as predicted, and how it went instead; `target` is in instruction units.
#[inline]
pub fn compare(prediction: &Prediction, taken: bool, target: u64) -> (bool, Detour) {
    let Some(expected) = &prediction.target else {
        return (prediction.taken() != taken, Detour::None);
    };
    let candidate = expected.candidate.map(|(candidate, _)| candidate);
    match (prediction.taken(), taken) {
        (false, false) => (false, Detour::None),
        (true, false) if candidate.is_none() => (true, Detour::None),
        (true, false) => (true, Detour::OtherOutcome),
        (true, true) if candidate == Some(target) => (false, Detour::None),
        (false, true) if candidate == Some(target) => (true, Detour::OtherOutcome),
        (predicted, true) => {
            let is_wrong = !predicted || candidate.is_some();
            if expected.other == Some(target) {
                (is_wrong, Detour::OtherCandidate)
            } else {
                (is_wrong, Detour::Address(target ^ expected.reference))
            }
        }
    }
}

impl Encoder {
    /// An encoder as reset leaves the hardware.
    ///
    /// # Errors
    /// When the configuration breaks a constraint.
    pub fn new(config: &Config) -> Result<Self, ParameterError> {
        config.validate()?;
        Ok(Self {
            predictors: Predictors::new(config),
            coder: RangeCoder::new(config),
            records: RecordSender::new::<Word>(&config.format()),
            instruction_count: 0,
            config: config.clone(),
        })
    }

    /// Counts instructions that are not branches.
    #[inline]
    fn sequential<S: Sink>(&mut self, instructions: u64, sink: &mut S) {
        let range = 1 << self.config.instruction_count_bits;
        let mut left = instructions;
        while self.instruction_count + left >= range {
            left -= range - self.instruction_count;
            self.instruction_count = range;
            self.take_half(sink);
        }
        self.instruction_count += left;
    }

    #[cold]
    fn take_half<S: Sink>(&mut self, sink: &mut S) {
        self.instruction_count -= 1 << (self.config.instruction_count_bits - 1);
        let word = self.escape(Escape::InstructionCountOverflow, 0);
        self.records.send(&word, sink);
    }

    #[inline]
    fn branch<S: Sink>(&mut self, event: &Event, sink: &mut S) {
        let prediction =
            self.predictors.predict(event.program_counter, event.kind, event.is_return);
        let target = self.predictors.addresses().units(event.target);
        let (is_wrong, detour) = compare(&prediction, event.taken, target);
        let code = prediction
            .confidence()
            .map(|confidence| self.coder.symbol(is_wrong, confidence))
            .unwrap_or_default();
        if code.count > 0 || detour != Detour::None {
            let mut word = Word {
                sends_code: code.count > 0,
                code: reversed(code.bits, code.count),
                code_bits: code.count.into(),
                sends_carry: code.ones > 0,
                ones: mask(code.ones),
                carry_bits: code.ones.into(),
                ..Word::default()
            };
            self.detour(detour, &mut word);
            let field = match event.kind {
                Kind::DirectConditional => &fields::OUTCOME,
                _ if event.is_return => &fields::RETURN,
                _ => &fields::INDIRECT,
            };
            self.records.send(&word, &mut OfKind { field, sink });
        }
        self.predictors.learn(event, &prediction);
        self.instruction_count = 0;
    }

    #[inline]
    fn detour(&mut self, detour: Detour, word: &mut Word) {
        let Some(value) = detour.code(&self.config) else { return };
        let address = if let Detour::Address(difference) = detour { Some(difference) } else { None };
        let code = self.coder.detour(value, address.is_some());
        if let Some(difference) = address {
            self.address(difference, value as u32, word);
        }
        word.sends_detour = true;
        word.detour = reversed(code.bits, code.count);
        word.detour_bits = code.count.into();
    }

    /// Sends all bits of an address but the lowest ones, which the coder holds back.
    fn address(&mut self, difference: u64, chunks: u32, word: &mut Word) {
        let guard_bits = self.config.guard_bits;
        let bits = self.config.address_bits(chunks) - guard_bits;
        self.coder.restart(difference & mask(guard_bits));
        word.sends_address = bits > 0;
        word.address = difference >> guard_bits;
        word.address_bits = bits.into();
    }

    /// The word of an escape; an exception goes to `target`, in instruction units.
    #[cold]
    fn escape(&mut self, escape: Escape, target: u64) -> Word {
        let mut word = Word {
            flush: escape == Escape::Flush,
            sends_escape: true,
            escape: reversed(self.coder.escape(), self.config.low_bits()),
            escape_kind: escape as u64,
            ..Word::default()
        };
        self.coder.restart(0);
        if escape == Escape::InstructionCountOverflow {
            return word;
        }
        word.sends_count = true;
        word.instruction_count = self.instruction_count;
        self.instruction_count = 0;
        if escape == Escape::Exception {
            let chunks = self.config.address_chunks(target);
            word.sends_chunks = true;
            word.address_chunks = chunks.into();
            self.address(target, chunks, &mut word);
        }
        word
    }
}

impl GoldenEncoder for Encoder {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        if event.kind == Kind::Exception {
            self.sequential(event.instructions, sink);
            if event.taken {
                let target = self.predictors.addresses().units(event.target);
                let word = self.escape(Escape::Exception, target);
                self.records.send(&word, sink);
            }
            return Ok(());
        }
        self.sequential(event.instructions.saturating_sub(1), sink);
        if event.kind.is_counted() {
            self.branch(event, sink);
            return Ok(());
        }
        self.predictors.call(event);
        self.instruction_count += 1;
        if self.instruction_count >> (self.config.instruction_count_bits - 1) != 0 {
            self.take_half(sink);
        }
        Ok(())
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let word = self.escape(Escape::Flush, 0);
        self.records.send(&word, sink);
        sink.align(self.config.port.word_bits());
    }
}

/// The lowest `count` bits in reverse: what goes out first is the highest bit of a code and the lowest of a word.
#[inline]
pub fn reversed(bits: u64, count: u32) -> u64 {
    if count == 0 { 0 } else { bits.reverse_bits() >> (64 - count) }
}

/// A sink that books the bits of a symbol's code on the kind of branch that it is.
struct OfKind<'a, S> {
    field: &'static Field,
    sink: &'a mut S,
}

impl<S: Sink> Sink for OfKind<'_, S> {
    #[inline]
    fn put(&mut self, field: &Field, bits: u64, count: u32) {
        let field = if field.name == fields::OUTCOME.name { self.field } else { field };
        self.sink.put(field, bits, count);
    }

    fn end_record(&mut self) {
        self.sink.end_record();
    }

    fn align(&mut self, unit: u32) {
        self.sink.align(unit);
    }
}
