//! The golden encoder: events in, trace bits out.

use std::convert::Infallible;

use super::config::Config;
use super::config::sizes::CHUNKS_BITS;
use super::instruction_counter::InstructionCounter;
use super::layout::{Escape, OTHER_BITS, Word, fields};
use super::predictors::Predictors;
use super::range_coder::{RangeCoder, reversed};
use super::target_predictor::TargetPrediction;
use super::tick::{Tick, Timed};
use crate::config::mask;
use crate::configuration::Configuration;
use crate::encode::record_sender::RecordSender;
use crate::event::{Event, Kind};
use crate::field::{Field, Sink};
use crate::golden_encoder::{GoldenEncoder, no_accesses};
use crate::parameter::ParameterError;
use crate::session::{Agreement, Clock, Detail, Session, Terms, Turn};

/// Turns events into Talon's trace, bit for bit as the hardware does.
#[derive(Clone, Debug)]
pub struct Encoder {
    config: Config,
    predictors: Predictors,
    coder: RangeCoder,
    records: RecordSender,
    instructions: InstructionCounter,
    /// The time of events, where it is sent.
    tick: Option<Box<Tick>>,
    /// Cycles since the last event with a time.
    cycles: u64,
    /// Cycles between the event before and the next one, where they are said.
    said_cycles: Option<u64>,
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
            instructions: InstructionCounter::new(config),
            tick: Tick::new(config).map(Box::new),
            cycles: 0,
            said_cycles: None,
            config: config.clone(),
        })
    }

    #[inline]
    fn overflows<S: Sink>(&mut self, wraps: u64, sink: &mut S) {
        for _ in 0..wraps {
            self.escape(Escape::InstructionCountOverflow, 0, 0, sink);
        }
    }

    /// The instructions since the last symbol, before an exception or a flush; the overflows go first.
    fn take_instructions<S: Sink>(&mut self, sink: &mut S) -> u64 {
        if let Some(overflows) = self.instructions.overflows() {
            self.escape(Escape::InstructionCountOverflow, overflows, 0, sink);
        }
        self.instructions.take()
    }

    #[inline]
    fn branch<S: Sink>(&mut self, event: &Event, sink: &mut S) {
        if event.kind.is_conditional() {
            let Self { predictors, coder, .. } = self;
            let Ok(_) =
                predictors.follow_outcome(event.program_counter, |predicted, confidence| {
                    let code = coder.symbol(predicted != event.taken, confidence);
                    if code.count > 0 {
                        code.send(sink);
                    }
                    Ok::<_, Infallible>(event.taken)
                });
        }
        if event.kind.is_indirect() && event.taken {
            self.target(event, sink);
        }
        self.predictors.follow(event);
        let instructions = self.instructions.take() + 1;
        self.time(event, instructions, sink);
    }

    /// Codes and learns the target of an indirect branch.
    fn target<S: Sink>(&mut self, event: &Event, sink: &mut S) {
        let Event { program_counter, kind, is_return, .. } = *event;
        let expected = self.predictors.predict_target(program_counter, kind, is_return);
        let field = if is_return { &fields::RETURN } else { &fields::INDIRECT };
        let target = self.predictors.addresses().units(event.target);
        self.target_symbol(&expected, target, &mut OfKind { field, sink });
        self.predictors.learn_target(event, &expected);
    }

    /// The symbol of an indirect branch's target, and what follows it.
    #[inline]
    fn target_symbol<S: Sink>(&mut self, expected: &TargetPrediction, target: u64, sink: &mut S) {
        let mut word = Word::default();
        if let Some((_, confidence)) = expected.candidate {
            let is_right = expected.is_right(target);
            word = Word::code(self.coder.symbol(!is_right, confidence));
            if is_right {
                if word.sends_code {
                    self.records.send(&word, sink);
                }
                return;
            }
        }
        let detour = if expected.other == Some(target) {
            self.coder.detour(&[(1, OTHER_BITS)], false)
        } else {
            let difference = target ^ expected.reference;
            let chunks = self.config.address_chunks(difference);
            let other = (0, if expected.other.is_some() { OTHER_BITS } else { 0 });
            let detour = self.coder.detour(&[other, (chunks.into(), CHUNKS_BITS)], true);
            self.address(difference, chunks, &mut word);
            detour
        };
        word.sends_detour = true;
        word.detour = reversed(detour.bits, detour.count);
        word.detour_bits = detour.count.into();
        self.records.send(&word, sink);
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

    fn exception<S: Sink>(&mut self, event: &Event, sink: &mut S) {
        let prediction = self.predictors.predict_exception(event.program_counter);
        let target = self.predictors.addresses().units(event.target);
        let is_predicted = prediction.candidate.is_some_and(|(candidate, _)| candidate == target);
        let count = self.take_instructions(sink);
        let is_short = is_predicted && count <= mask(self.config.guard_bits);
        let escape = if is_short { Escape::PredictedException } else { Escape::Exception };
        self.escape(escape, count, target ^ prediction.reference, sink);
        self.predictors.learn_exception(event.program_counter, target, &prediction);
        self.time(event, count, sink);
    }

    /// Codes the time of an event that ends so many instructions, where it is sent.
    #[inline]
    fn time<S: Sink>(&mut self, event: &Event, instructions: u64, sink: &mut S) {
        if self.tick.is_some() {
            self.code_time(event, instructions, sink);
        }
    }

    /// Codes it. Apart, so that a design without times does not pay for it.
    #[inline(never)]
    fn code_time<S: Sink>(&mut self, event: &Event, instructions: u64, sink: &mut S) {
        let Self { tick: Some(tick), coder, predictors, cycles, .. } = self else { return };
        let event = Timed::new(event, instructions, predictors.addresses());
        let mut symbol = |wrong, confidence| {
            let code = coder.symbol(wrong, confidence);
            if code.count > 0 {
                code.send(&mut OfKind { field: &fields::TIME, sink: &mut *sink });
            }
            Ok::<_, Infallible>(wrong)
        };
        let Ok(_) = tick.event(&event, std::mem::take(cycles), &mut symbol);
    }

    /// Sends an escape `count` instructions after the last symbol, or `count` overflows, and the difference of an
    /// exception's target from the reference. A short escape has its count in the bits that the coder holds back.
    #[cold]
    #[inline(never)]
    fn escape<S: Sink>(&mut self, escape: Escape, count: u64, difference: u64, sink: &mut S) {
        let (low_bits, ones) = (self.config.low_bits(), self.config.escape_ones);
        let code = reversed(self.coder.escape(), low_bits) | mask(ones) << low_bits;
        let sends_count = escape != Escape::PredictedException;
        let mut word = Word {
            flush: escape == Escape::Flush,
            sends_escape: true,
            escape: code | (escape as u64) << self.config.escape_code_bits(),
            sends_count,
            count,
            ..Word::default()
        };
        self.coder.restart(if sends_count { 0 } else { count });
        if escape == Escape::Exception {
            let chunks = self.config.address_chunks(difference);
            word.sends_detour = true;
            word.detour = reversed(chunks.into(), CHUNKS_BITS);
            word.detour_bits = CHUNKS_BITS.into();
            self.address(difference, chunks, &mut word);
        }
        self.records.send(&word, sink);
    }
}

impl GoldenEncoder for Encoder {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        if self.tick.is_some() {
            let cycles = self.said_cycles.take().unwrap_or(event.instructions);
            self.cycles = self.cycles.saturating_add(cycles);
        }
        if event.kind == Kind::Exception {
            // All instructions before it are sequential.
            let wraps = self.instructions.sequential(event.instructions);
            self.overflows(wraps, sink);
            if event.taken {
                self.exception(event, sink);
            }
            return Ok(());
        }
        let sequential = event.instructions.saturating_sub(1);
        let wraps = self.instructions.sequential(sequential);
        self.overflows(wraps, sink);
        if event.kind.is_counted() {
            self.branch(event, sink);
        } else {
            self.predictors.follow(event);
            let wraps = self.instructions.jump();
            self.overflows(wraps, sink);
        }
        Ok(())
    }

    no_accesses!();

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let count = self.take_instructions(sink);
        self.escape(Escape::Flush, count, 0, sink);
        sink.align(self.config.port.word_bits());
    }
}

impl Session for Encoder {
    fn terms(&self) -> Terms {
        Terms { times_events: self.tick.is_some(), ..Terms::default() }
    }

    /// There is nothing to agree on.
    fn agree(&mut self, _: Agreement<'_>) {}

    /// The trace says nothing of an event besides what it is.
    #[inline]
    fn detail<S: Sink>(&mut self, _: Detail, _: &mut S) -> Result<(), Infallible> {
        Ok(())
    }

    fn clock<S: Sink>(&mut self, clock: Clock, _: &mut S) {
        match clock {
            Clock::Event(cycles) => self.said_cycles = Some(cycles),
            // Times are of events.
            Clock::Cycle { .. } => {}
        }
    }

    /// The trace cannot break off. The hardware has no pins for it.
    fn turn<S: Sink>(&mut self, _: Turn, _: &mut S) {}
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
