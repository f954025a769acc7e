//! Messages into events.

use std::collections::VecDeque;
use std::io::Read;

use tracewright_sim::decode::error::DecodeError as SimDecodeError;
use tracewright_sim::decode::replay::Replay;
use tracewright_sim::decode::summary::Summary;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::program::{Place, Program};

use super::message::Reader;
use super::path::Path;
use super::{FULL_HISTORY, HISTORY_REPEATED, codes};
use crate::{Core, DecodeError};

struct Decoder<'a> {
    replay: Replay<'a>,
    path: Path,
    outcomes: VecDeque<bool>,
    address: u64,
    /// Count, target and history of the last message of a branch.
    last: (u64, u64, u64),
}

/// Decodes what the encoder made.
///
/// # Errors
/// When the bytes or the program are not what was traced.
pub fn decode(
    _: &Core,
    program: &Program,
    bytes: &mut dyn Read,
    most_instructions: u64,
    take: &mut dyn FnMut(Event),
) -> Result<Summary, DecodeError> {
    let mut replay = Replay::new(program, 0);
    replay.limit(most_instructions);
    let (path, outcomes) = (Path::new(None), VecDeque::new());
    let mut decoder = Decoder { replay, path, outcomes, address: 0, last: (0, 0, 0) };
    let mut emit = |event| {
        take(event);
        Ok::<(), SimDecodeError>(())
    };
    let mut reader = Reader::new(bytes);
    while decoder.message(&mut reader, &mut emit)? {}
    Ok(decoder.replay.finish()?)
}

impl Decoder<'_> {
    /// Decodes one message; false if it is the last.
    fn message(
        &mut self,
        reader: &mut Reader<'_>,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<bool, DecodeError> {
        self.replay.position = 8 * reader.position;
        self.replay.summary.records += 1;
        match reader.code()? {
            codes::SYNC => {
                reader.fixed(4)?;
                reader.variable()?;
                self.start(reader.variable()? << 1, emit)?;
            }
            codes::RESOURCE_FULL => {
                let code = reader.fixed(4)?;
                let history = reader.variable()?;
                let times = if code == HISTORY_REPEATED { reader.variable()? } else { 1 };
                // An empty history that is repeated would be followed without an end.
                if history >> FULL_HISTORY != 1 {
                    return Err(reader.failed("expected a full history of branches".into()));
                }
                for _ in 0..times {
                    self.add(history);
                    self.drain(emit)?;
                }
            }
            codes::INDIRECT_BRANCH_HISTORY => {
                reader.fixed(2)?;
                let count = reader.variable()?;
                let address = reader.variable()? << 1;
                let history = reader.variable()?;
                self.address ^= address;
                self.last = (count, self.address, history);
                self.branch(emit)?;
            }
            codes::REPEAT_BRANCH => {
                for _ in 0..reader.variable()? {
                    self.branch(emit)?;
                }
            }
            codes::CORRELATION => {
                reader.fixed(6)?;
                let count = reader.variable()?;
                let history = reader.variable()?;
                self.add(history);
                while self.path.count != count || !self.outcomes.is_empty() {
                    self.step(emit)?;
                }
                return Ok(false);
            }
            other => return Err(reader.failed(format!("expected a known message, found {other}"))),
        }
        Ok(true)
    }

    fn start(
        &mut self,
        address: u64,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<(), DecodeError> {
        (self.address, self.path) = (address, Path::new(Some(address)));
        let program = self.replay.program();
        let start = program.block_at(Place::Start(0));
        if start.is_some_and(|block| program.point(block, 0).is_some()) {
            self.replay.exception(address, emit)?;
        }
        Ok(())
    }

    fn add(&mut self, history: u64) {
        let branches = 63u32.saturating_sub(history.leading_zeros());
        self.outcomes.extend((0..branches).rev().map(|place| history >> place & 1 == 1));
    }

    /// Follows all branches whose outcomes are known.
    fn drain(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<(), DecodeError> {
        while !self.outcomes.is_empty() {
            self.step(emit)?;
        }
        Ok(())
    }

    /// The indirect branch of the last message.
    fn branch(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<(), DecodeError> {
        let (count, target, history) = self.last;
        self.add(history);
        loop {
            let block = self.replay.known_block()?;
            let is_here = block.kind == Kind::IndirectJump
                && self.path.count_with(block.program_counter, block.length) == count;
            if is_here && self.outcomes.is_empty() {
                let event = self.replay.end_block(true, target, emit)?;
                self.path.event(&event);
                self.path.count = 0;
                return Ok(());
            }
            self.step(emit)?;
        }
    }

    /// Goes on to the next event, which no message tells.
    fn step(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<(), DecodeError> {
        let block = self.replay.known_block()?;
        let at = block.program_counter;
        let outcome = match block.kind {
            _ if !block.is_complete => None,
            Kind::DirectJump => Some((true, block.target)),
            Kind::Exception => Some((false, 0)),
            Kind::DirectConditional => {
                self.outcomes.pop_front().map(|taken| (taken, if taken { block.target } else { 0 }))
            }
            Kind::IndirectJump | Kind::IndirectConditional => {
                self.path.predicted().filter(|_| block.is_return).map(|target| (true, target))
            }
        };
        let Some((taken, target)) = outcome else {
            let what = format!("nothing says where the branch at {at:#x} goes");
            return Err(self.replay.impossible(what).into());
        };
        let event = self.replay.end_block(taken, target, emit)?;
        self.path.event(&event);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tracewright_sim::encode::bit_packer::BitPacker;
    use tracewright_sim::event::{Isa, Machine};
    use tracewright_sim::program::ProgramBuilder;

    use super::*;
    use crate::n_trace::fields;
    use crate::n_trace::message::Message;

    #[test]
    fn an_empty_history_is_not_repeated() {
        let machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 64 };
        let mut packer = BitPacker::new();
        Message::new(codes::RESOURCE_FULL)
            .fixed(fields::REASON, HISTORY_REPEATED, 4)
            .variable(fields::HISTORY, 1)
            .variable(fields::REPEAT, 1 << 60)
            .send(&mut packer);
        let program = ProgramBuilder::new(machine).finish().expect("a program without blocks");
        let bytes = packer.finish();
        let core = Core::of(machine, 64);
        let decoded = decode(&core, &program, &mut bytes.as_slice(), u64::MAX, &mut |_| {});
        let error = decoded.expect_err("a history without branches").to_string();
        assert!(error.contains("expected a full history of branches"), "{error}");
    }
}
