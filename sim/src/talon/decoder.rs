//! The decoder: trace bits and the program in, events out.

use std::io::Read;

use super::code_reader::{CodeError, CodeReader, Detour};
use super::config::Config;
use super::layout::{ESCAPE_KIND_BITS, Escape};
use super::predictors::Predictors;
use super::target_predictor::TargetPrediction;
use super::tick::{Tick, Timed};
use crate::config::mask;
use crate::configuration::Configuration;
use crate::decode::error::DecodeError;
use crate::decode::record_decoder::PartDecoder;
use crate::decode::replay::Replay;
use crate::decode::summary::TimeStamp;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::{Event, Kind};
use crate::parameter::ParameterError;
use crate::program::{Block, Program};

/// Replays a program along Talon's trace.
#[derive(Clone)]
pub struct Decoder<'a> {
    config: Config,
    replay: Replay<'a>,
    predictors: Predictors,
    /// Instructions replayed since the last symbol.
    since_symbol: u64,
    /// Instructions of the overflows that escapes said since then.
    taken_off: u64,
    /// The time of events, where the trace has it.
    tick: Option<Tick>,
    /// When the last event retired that has a time.
    now: TimeStamp,
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
            config: config.clone(),
            since_symbol: 0,
            taken_off: 0,
            tick: Tick::new(config),
            now: TimeStamp { core: 0, clock: 0, events: 0, at_least: false },
        })
    }

    #[inline]
    fn read<T>(&self, read: Result<T, CodeError>) -> Result<T, DecodeError> {
        read.map_err(|error| match error {
            CodeError::Take(source) => self.replay.field(source),
            CodeError::NoSymbol => self.replay.impossible(error.to_string()),
        })
    }

    /// Decodes what follows the ones of an escape; true if it is a flush.
    #[cold]
    fn escape<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        code: &mut CodeReader<'_, R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
        stamp: &mut impl FnMut(TimeStamp) -> Result<(), E>,
    ) -> Result<bool, E> {
        let mut escape = self.escape_kind(code)?;
        if escape == Escape::InstructionCountOverflow {
            if !self.overflow(code)? {
                return Ok(false);
            }
            escape = self.escape_kind(code)?;
        }
        let count = self.read(match escape {
            Escape::Flush | Escape::Exception => code.number(self.config.instruction_count_bits),
            Escape::PredictedException => code.held_back(),
            Escape::InstructionCountOverflow => {
                let what = "overflows are said twice".into();
                return Err(self.replay.impossible(what).into());
            }
        })?;
        self.follow_instructions(count.saturating_add(self.taken_off), emit)?;
        if escape == Escape::Flush {
            self.replay.finish_system_call(emit)?;
        } else {
            let target = self.exception(escape, count, code, emit)?;
            let event = Event::exception(0, 0, target);
            self.time(&event, count, code, stamp)?;
        }
        (self.since_symbol, self.taken_off) = (0, 0);
        Ok(escape == Escape::Flush)
    }

    fn escape_kind<R: Read + ?Sized>(
        &self,
        code: &mut CodeReader<'_, R>,
    ) -> Result<Escape, DecodeError> {
        Ok(Escape::from_code(self.read(code.number(ESCAPE_KIND_BITS))?))
    }

    /// Decodes how often half of the instruction counter's range was given up; true if that is said because an escape comes
    /// next, whose kind then follows.
    fn overflow<R: Read + ?Sized>(
        &mut self,
        code: &mut CodeReader<'_, R>,
    ) -> Result<bool, DecodeError> {
        let overflows = self.read(code.number(self.config.instruction_count_bits))?;
        let held_back = self.read(code.held_back())?;
        let whole = 1u64 << self.config.overflow_count_bits();
        if overflows >= whole || held_back != 0 {
            let what =
                format!("{overflows} overflows and {held_back} instead of 0 to {whole} and 0");
            return Err(self.replay.impossible(what));
        }
        let is_said = overflows > 0;
        let taken =
            (if is_said { overflows } else { whole }) << (self.config.instruction_count_bits - 1);
        self.taken_off = self.taken_off.saturating_add(taken);
        if is_said && !self.read(code.is_escape())? {
            let what = format!("{overflows} overflows are said before a symbol");
            return Err(self.replay.impossible(what));
        }
        Ok(is_said)
    }

    /// Decodes the time of an event that ends so many instructions.
    #[inline]
    fn time<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        event: &Event,
        instructions: u64,
        code: &mut CodeReader<'_, R>,
        stamp: &mut impl FnMut(TimeStamp) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(tick) = &mut self.tick else { return Ok(()) };
        let event = Timed::new(event, instructions, self.predictors.addresses());
        let most = tick.most_cycles();
        let decoded = tick.event(&event, 0, &mut |_, confidence| code.symbol(confidence));
        let Some(cycles) = self.read(decoded)? else {
            return Err(self.replay.impossible("no time is sent like this".into()).into());
        };
        let TimeStamp { core, clock, at_least, .. } = self.now;
        self.now = TimeStamp {
            core,
            clock: clock.saturating_add(cycles),
            events: self.replay.summary.events,
            at_least: at_least || cycles == most,
        };
        stamp(self.now)
    }

    /// Decodes where an exception goes, of which the trace says that it comes `count` instructions after the last symbol.
    fn exception<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        escape: Escape,
        count: u64,
        code: &mut CodeReader<'_, R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<u64, E> {
        let program_counter = self.replay.exception_program_counter()?;
        let prediction = self.predictors.predict_exception(program_counter);
        let candidate = prediction.candidate.map(|(candidate, _)| candidate);
        let is_short = escape == Escape::PredictedException;
        let target = if is_short {
            candidate
        } else {
            let (difference, chunks) = self.read(code.address())?;
            self.check_chunks(difference, chunks)?;
            Some(difference ^ prediction.reference)
        };
        // An encoder sends the short escape where it can.
        let fits = count <= mask(self.config.guard_bits);
        let Some(target) = target.filter(|target| is_short == (fits && candidate == Some(*target)))
        else {
            let what = "an exception is sent as another one is".into();
            return Err(self.replay.impossible(what).into());
        };
        self.predictors.learn_exception(program_counter, target, &prediction);
        let target = self.predictors.addresses().bytes(target);
        self.replay.exception(target, emit)?;
        Ok(target)
    }

    /// An encoder sends as many chunks as an address needs.
    fn check_chunks(&self, difference: u64, chunks: u32) -> Result<(), DecodeError> {
        let needed = self.config.address_chunks(difference);
        if chunks == needed {
            return Ok(());
        }
        let what = format!("an address of {chunks} chunks needs {needed}");
        Err(self.replay.impossible(what))
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
            self.since_symbol += block.instructions - self.replay.consumed();
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
        self.predictors.follow(&event);
        Ok(())
    }

    /// Decodes the symbols of the next branch, and replays up to it.
    #[inline]
    fn branch<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        code: &mut CodeReader<'_, R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
        stamp: &mut impl FnMut(TimeStamp) -> Result<(), E>,
    ) -> Result<(), E> {
        let block = self.follow_to_branch(emit)?;
        let instructions = self.since_symbol + block.instructions - self.replay.consumed();
        let mut taken = true;
        if block.kind.is_conditional() {
            let symbol = |predicted, confidence| Ok(predicted != code.symbol(confidence)?);
            let outcome = self.predictors.follow_outcome(block.program_counter, symbol);
            taken = self.read(outcome)?;
        }
        let event = if block.kind.is_indirect() && taken {
            self.indirect(block, code, emit)?
        } else {
            self.replay.end_block(taken, if taken { block.target } else { 0 }, emit)?
        };
        self.predictors.follow(&event);
        self.time(&event, instructions, code, stamp)?;
        (self.since_symbol, self.taken_off) = (0, 0);
        Ok(())
    }

    /// Decodes the target of an indirect branch, and ends its block.
    fn indirect<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        block: &Block,
        code: &mut CodeReader<'_, R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<Event, E> {
        let Block { program_counter, kind, is_return, .. } = *block;
        let expected = self.predictors.predict_target(program_counter, kind, is_return);
        let target = self.target(&expected, code)?;
        let target = self.predictors.addresses().bytes(target);
        let event = self.replay.end_block(true, target, emit)?;
        self.predictors.learn_target(&event, &expected);
        Ok(event)
    }

    /// Decodes the target of an indirect branch, in instruction units.
    #[inline]
    fn target<R: Read + ?Sized>(
        &mut self,
        expected: &TargetPrediction,
        code: &mut CodeReader<'_, R>,
    ) -> Result<u64, DecodeError> {
        let known =
            || self.replay.impossible("a target that is a candidate is sent as another".into());
        if let Some((candidate, confidence)) = expected.candidate {
            if !self.read(code.symbol(confidence))? {
                return Some(candidate)
                    .filter(|target| expected.is_right(*target))
                    .ok_or_else(known);
            }
        } else {
            // What follows is a record of its own; a wrong symbol always has code.
            code.records += 1;
        }
        let target = match self.read(code.detour(expected.other.is_some()))? {
            Detour::Other => expected.other,
            Detour::Address(difference, chunks) => {
                self.check_chunks(difference, chunks)?;
                Some(difference ^ expected.reference)
                    .filter(|target| expected.other != Some(*target))
            }
        };
        // An encoder has one way to say each thing: anything else is damage.
        target.filter(|target| !expected.is_right(*target)).ok_or_else(known)
    }
}

impl<'a> PartDecoder<'a> for Decoder<'a> {
    fn part<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
        stamp: &mut impl FnMut(TimeStamp) -> Result<(), E>,
    ) -> Result<(), E> {
        let before = self.replay.summary.records;
        let mut code = CodeReader::new(&self.config, bits);
        self.read(code.start())?;
        self.replay.position = code.position();
        loop {
            // The place in the trace only moves where a record ends.
            if self.replay.summary.records != before + code.records {
                self.replay.position = code.position();
                self.replay.summary.records = before + code.records;
            }
            if !self.read(code.is_escape())? {
                self.branch(&mut code, emit, stamp)?;
            } else if self.escape(&mut code, emit, stamp)? {
                self.replay.summary.records = before + code.records;
                return Ok(());
            }
        }
    }

    fn first_replay(&mut self) -> &mut Replay<'a> {
        &mut self.replay
    }

    fn word_bits(&self) -> u32 {
        self.config.port.word_bits()
    }
}
