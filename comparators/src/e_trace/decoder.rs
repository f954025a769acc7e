//! Payloads of the base into events. The optional extensions have no decoder here.

use std::collections::VecDeque;
use std::io::{self, Read};

use tracewright_sim::decode::error::DecodeError as SimDecodeError;
use tracewright_sim::decode::replay::Replay;
use tracewright_sim::decode::summary::Summary;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::program::{Place, Program};

use super::payload::Fields;
use super::{FULL_MAP, map_bits};
use crate::{Core, DecodeError};

/// A payload.
enum Payload {
    Start { taken: bool, address: u64 },
    FullMap(u64),
    Address { branches: u32, map: u64, difference: i64, updiscon: bool },
}

struct Decoder<'a> {
    replay: Replay<'a>,
    /// Outcomes of branches to come.
    outcomes: VecDeque<bool>,
    address: u64,
}

/// Decodes what the encoder made without optional extensions.
///
/// # Errors
/// When the bytes or the program are not what was traced.
pub fn decode(
    core: &Core,
    program: &Program,
    bytes: &mut dyn Read,
    most_instructions: u64,
    take: &mut dyn FnMut(Event),
) -> Result<Summary, DecodeError> {
    let mut replay = Replay::new(program, 0);
    replay.limit(most_instructions);
    let mut decoder = Decoder { replay, outcomes: VecDeque::new(), address: 0 };
    let mut emit = |event| {
        take(event);
        Ok::<(), SimDecodeError>(())
    };
    let address_bits = u32::from(core.machine.address_bits) - 1;
    let mut position = 0;
    let mut next = payload(bytes, address_bits, &mut position)?;
    while let Some(now) = next {
        decoder.replay.position = 8 * position;
        decoder.replay.summary.records += 1;
        next = payload(bytes, address_bits, &mut position)?;
        decoder.payload(&now, next.is_none(), &mut emit)?;
    }
    Ok(decoder.replay.finish()?)
}

/// Reads a payload; `None` at the end.
fn payload(
    source: &mut dyn Read,
    address_bits: u32,
    position: &mut u64,
) -> Result<Option<Payload>, DecodeError> {
    let at = *position;
    let failed = |source: io::Error| DecodeError::Packet { position: at, source };
    let mut header = [0];
    if source.read(&mut header).map_err(failed)? == 0 {
        return Ok(None);
    }
    let length = usize::from(header[0]);
    let mut bytes = [0; 31];
    if !(1..=bytes.len()).contains(&length) {
        let what = format!("expected a header with 1 to 31 bytes of payload, found {length}");
        return Err(failed(io::Error::new(io::ErrorKind::InvalidData, what)));
    }
    source.read_exact(&mut bytes[..length]).map_err(failed)?;
    *position += 1 + length as u64;
    let mut fields = Fields::new(&bytes[..length]);
    let format = fields.take(2);
    let (mut branches, mut map) = (0, 0);
    match format {
        3 if fields.take(2) == 0 => {
            let taken = fields.take(1) == 0;
            fields.take(2);
            let address = fields.take(address_bits) << 1;
            return Ok(Some(Payload::Start { taken, address }));
        }
        1 => {
            branches = fields.take(5) as u32;
            if branches == 0 {
                return Ok(Some(Payload::FullMap(fields.take(FULL_MAP))));
            }
            map = fields.take(map_bits(branches));
        }
        2 => {}
        _ => {
            let what = format!("expected a start, branches or an address, found format {format}");
            return Err(failed(io::Error::new(io::ErrorKind::InvalidData, what)));
        }
    }
    let difference = fields.signed(address_bits) << 1;
    fields.difference();
    let updiscon = fields.difference();
    Ok(Some(Payload::Address { branches, map, difference, updiscon }))
}

impl Decoder<'_> {
    fn payload(
        &mut self,
        payload: &Payload,
        is_last: bool,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<(), DecodeError> {
        match *payload {
            Payload::Start { taken, address } => {
                let is_reset = self.start(taken, address, emit)?;
                if is_last && !is_reset {
                    self.step(emit)?;
                }
                Ok(())
            }
            Payload::FullMap(map) => {
                self.add(FULL_MAP, map);
                // The last branch may be at an address that is reported next.
                while self.outcomes.len() > 1 && self.step(emit)? {}
                Ok(())
            }
            Payload::Address { branches, map, difference, updiscon } => {
                self.add(branches, map);
                self.address = self.address.wrapping_add_signed(difference);
                match is_last && !updiscon {
                    true => self.last(emit),
                    false => {
                        while self.step(emit)? {}
                        self.replay.end_block(true, self.address, emit)?;
                        Ok(())
                    }
                }
            }
        }
    }

    fn add(&mut self, branches: u32, map: u64) {
        self.outcomes.extend((0..branches).map(|place| map >> place & 1 == 0));
    }

    /// Starts at an address; true after a reset, of which the trace has an event.
    fn start(
        &mut self,
        taken: bool,
        address: u64,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<bool, DecodeError> {
        self.address = address;
        let program = self.replay.program();
        let start = program.block_at(Place::Start(0));
        let is_reset = start.is_some_and(|block| program.point(block, 0).is_some());
        if is_reset {
            self.replay.exception(address, emit)?;
        }
        // A trace without a reset starts at its first event.
        let branches = self.replay.block().is_some_and(|block| {
            block.kind == Kind::DirectConditional && (block.instructions == 1 || !is_reset)
        });
        self.outcomes.extend(branches.then_some(taken));
        Ok(is_reset)
    }

    /// Goes on to the next event; false before a jump whose target is reported.
    fn step(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<bool, DecodeError> {
        let block = self.replay.known_block()?;
        if !block.is_complete {
            let what = format!("no code is known after {}", self.replay.place());
            return Err(self.replay.impossible(what).into());
        }
        let taken = match block.kind {
            Kind::IndirectJump | Kind::IndirectConditional => return Ok(false),
            Kind::DirectJump => true,
            Kind::Exception => false,
            Kind::DirectConditional => match self.outcomes.pop_front() {
                Some(taken) => taken,
                None => {
                    let at = block.program_counter;
                    let what = format!("the outcome of the branch at {at:#x} was not sent");
                    return Err(self.replay.impossible(what).into());
                }
            },
        };
        self.replay.end_block(taken, if taken { block.target } else { 0 }, emit)?;
        Ok(true)
    }

    /// Goes on to the last event, which is at the address, there or after a jump to it.
    fn last(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<(), DecodeError> {
        loop {
            let here = self.replay.known_block()?.program_counter == self.address;
            if !self.step(emit)? {
                self.replay.end_block(true, self.address, emit)?;
                self.step(emit)?;
                return Ok(());
            }
            if here && self.outcomes.is_empty() {
                return Ok(());
            }
        }
    }
}
