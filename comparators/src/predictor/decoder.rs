//! Symbols into events.

use std::io::{self, Read};

use tracewright_sim::decode::error::DecodeError as SimDecodeError;
use tracewright_sim::decode::replay::Replay;
use tracewright_sim::decode::summary::Summary;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::program::{Block, Program};

use super::code::{
    DirectTargets, END, NOTHING_WRONG, SAME_HANDLER, TargetBits, WIDTH_BITS, is_silent,
};
use super::encoder::check;
use super::range_coder;
use super::{Branch, Predictor, Tables};
use crate::{Core, DecodeError};

struct Decoder<'a, R> {
    replay: Replay<'a>,
    predictor: Box<dyn Predictor>,
    coder: range_coder::Decoder<R>,
    target_bits: TargetBits,
    direct: DirectTargets,
    handler: u64,
}

/// Decodes what the encoder made of a predictor that is as it was then.
///
/// # Errors
/// When the bytes or the program are not what was traced.
pub(super) fn decode(
    core: &Core,
    predictor: (Box<dyn Predictor>, Tables),
    program: &Program,
    bytes: &mut dyn Read,
    most_instructions: u64,
    take: &mut dyn FnMut(Event),
) -> Result<Summary, DecodeError> {
    let mut replay = Replay::new(program, 0);
    replay.limit(most_instructions);
    let coder = range_coder::Decoder::new(bytes).map_err(|source| damaged(0, source))?;
    let target_bits = TargetBits::of(core);
    let (direct, (predictor, _tables)) = (DirectTargets::default(), predictor);
    let mut decoder = Decoder { replay, predictor, coder, target_bits, direct, handler: 0 };
    let mut emit = |event| {
        take(event);
        Ok::<(), SimDecodeError>(())
    };
    while decoder.event(&mut emit)? {}
    decoder.predictor.check().map_err(DecodeError::Predictor)?;
    Ok(decoder.replay.finish()?)
}

fn damaged(position: u64, source: io::Error) -> DecodeError {
    DecodeError::Code { position, source }
}

impl<R: Read> Decoder<'_, R> {
    fn symbol(&mut self, confidence: u32) -> Result<bool, DecodeError> {
        self.coder.symbol(confidence).map_err(|source| damaged(self.coder.position, source))
    }

    fn number(&mut self, bits: u32) -> Result<u64, DecodeError> {
        self.coder.number(bits).map_err(|source| damaged(self.coder.position, source))
    }

    fn target(&mut self) -> Result<u64, DecodeError> {
        let TargetBits { count, shift } = self.target_bits;
        Ok(self.number(count)? << shift)
    }

    /// Decodes an event; false at the end.
    fn event(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<bool, DecodeError> {
        self.replay.position = 8 * self.coder.position;
        if self.symbol(NOTHING_WRONG)? {
            if self.number(1)? == END {
                return Ok(false);
            }
            self.exception(emit)?;
            return Ok(true);
        }
        let block = self.replay.known_block()?;
        if !block.is_complete {
            let what = format!("no branch is known after {}", self.replay.place());
            return Err(self.replay.impossible(what).into());
        }
        let Block { program_counter, instructions, kind, call, is_return, length, .. } = *block;
        let length = if call { length } else { 0 };
        let branch =
            Branch { program_counter, instructions, kind, call, is_return, length, target: None };
        let branch = self.direct.complete(branch);
        let (taken, target) = self.outcome(&branch, block.target)?;
        self.predictor.learn(&branch, taken, target);
        self.direct.learn(&branch, taken, target);
        self.replay.end_block(taken, target, emit)?;
        Ok(true)
    }

    fn exception(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<(), DecodeError> {
        let width = self.number(WIDTH_BITS)? as u32;
        let instructions = self.number(width)?;
        if self.symbol(SAME_HANDLER)? {
            self.handler = self.target()?;
        }
        let most = self.replay.block().map_or(0, |block| block.instructions);
        if instructions > most {
            let what = format!("an exception comes after {instructions} instructions of {most}");
            return Err(self.replay.impossible(what).into());
        }
        self.replay.consume(instructions);
        Ok(self.replay.exception(self.handler, emit)?)
    }

    /// What a branch did: taken or not, and the target if it was taken, else 0.
    fn outcome(&mut self, branch: &Branch, direct: u64) -> Result<(bool, u64), DecodeError> {
        if is_silent(branch.kind) {
            let taken = branch.kind == Kind::DirectJump;
            return Ok((taken, if taken { direct } else { 0 }));
        }
        let prediction = self.predictor.predict(branch);
        check(prediction).map_err(|error| DecodeError::Predictor(error.to_string()))?;
        let wrong = self.symbol(prediction.confidence)?;
        if branch.kind == Kind::DirectConditional {
            let taken = prediction.taken != wrong;
            return Ok((taken, if taken { direct } else { 0 }));
        }
        let is_jump = branch.kind == Kind::IndirectJump;
        if !wrong {
            let taken = is_jump || prediction.taken;
            return Ok((taken, if taken { prediction.target } else { 0 }));
        }
        let taken = is_jump || self.number(1)? == 1;
        let target = if taken { self.target()? } else { 0 };
        Ok((taken, target))
    }
}
