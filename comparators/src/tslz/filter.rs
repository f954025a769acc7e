//! The first two stages: which addresses are kept, and their differences in slices of a symbol.

use std::io::Read;

use tracewright_sim::config::mask;
use tracewright_sim::decode::error::DecodeError as SimDecodeError;
use tracewright_sim::decode::replay::Replay;
use tracewright_sim::decode::summary::Summary;
use tracewright_sim::event::{Event, Kind};
use tracewright_sim::program::Program;

use super::lempel_ziv::{Expander, SYMBOL_BITS};
use crate::{Core, DecodeError, EncodeError};

/// Bits of a difference in one symbol; the highest bit of a symbol says that another one follows.
const SLICE_BITS: u32 = SYMBOL_BITS - 1;

/// Addresses in units of instructions.
#[derive(Clone, Copy)]
struct Units {
    alignment: u32,
    bits: u32,
}

impl Units {
    fn of(core: &Core) -> Self {
        let processor = core.processor();
        Self { alignment: processor.alignment, bits: processor.instruction_address_bits() }
    }

    /// How far `to` lies after `from`, modulo the address space.
    fn distance(self, from: u64, to: u64) -> u64 {
        to.wrapping_sub(from) >> self.alignment & mask(self.bits)
    }

    /// The distance as a number with a sign.
    fn signed(self, distance: u64) -> i64 {
        let unused = 64 - self.bits;
        (distance << unused) as i64 >> unused
    }

    /// The address at a distance.
    fn after(self, from: u64, distance: u64) -> u64 {
        let width = self.bits + self.alignment;
        from.wrapping_add(distance << self.alignment) & mask(width)
    }
}

/// Sends a number in as few slices as have all its bits and its sign.
fn slices(mut number: i64, mut symbol: impl FnMut(u16)) {
    loop {
        let slice = number as u16 & mask(SLICE_BITS) as u16;
        number >>= SLICE_BITS - 1;
        let more = number != 0 && number != -1;
        number >>= 1;
        symbol(slice | u16::from(more) << SLICE_BITS);
        if !more {
            return;
        }
    }
}

/// Keeps taken branches and their targets.
pub struct Filter {
    units: Units,
    /// The target of the last taken branch.
    target: u64,
    /// The address of an event after it.
    untaken: Option<u64>,
    events: u64,
}

impl Filter {
    /// At the start of a trace.
    pub fn new(core: &Core) -> Self {
        Self { units: Units::of(core), target: 0, untaken: None, events: 0 }
    }

    /// Gives the symbols of an event.
    ///
    /// # Errors
    /// When it is an exception.
    pub fn event(&mut self, event: &Event, mut symbol: impl FnMut(u16)) -> Result<(), EncodeError> {
        let Event { program_counter, target, .. } = *event;
        if !event.taken {
            self.untaken = Some(program_counter);
        } else if event.kind == Kind::Exception {
            return Err(EncodeError::Exception { event: self.events });
        } else {
            self.branch(program_counter, &mut symbol);
            let distance = self.units.distance(program_counter, target);
            slices(self.units.signed(distance), &mut symbol);
            self.target = target;
            self.untaken = None;
        }
        self.events += 1;
        Ok(())
    }

    fn branch(&self, program_counter: u64, symbol: impl FnMut(u16)) {
        let distance = self.units.distance(self.target, program_counter);
        slices(self.units.signed(distance), symbol);
    }

    /// Gives the symbols of the last event, if it was not a taken branch.
    pub fn finish(&mut self, symbol: impl FnMut(u16)) {
        if let Some(program_counter) = self.untaken.take() {
            self.branch(program_counter, symbol);
        }
    }
}

/// A program that is replayed along the addresses.
pub struct Replayed<'a> {
    replay: Replay<'a>,
    units: Units,
    target: u64,
}

impl<'a> Replayed<'a> {
    /// At the start of a program.
    pub fn new(core: &Core, program: &'a Program, most_instructions: u64) -> Self {
        let mut replay = Replay::new(program, 0);
        replay.limit(most_instructions);
        Self { replay, units: Units::of(core), target: 0 }
    }

    /// Replays all of a trace.
    ///
    /// # Errors
    /// When the bits or the program are not what was traced.
    pub fn all<R: Read>(
        mut self,
        symbols: &mut Expander<R>,
        take: &mut dyn FnMut(Event),
    ) -> Result<Summary, DecodeError> {
        let mut emit = |event| {
            take(event);
            Ok::<(), SimDecodeError>(())
        };
        loop {
            self.replay.position = symbols.position();
            let Some(distance) = self.number(symbols)? else { break };
            let branch = self.units.after(self.target, distance as u64);
            self.straight_to(branch, &mut emit)?;
            match self.number(symbols)? {
                Some(distance) => {
                    self.target = self.units.after(branch, distance as u64);
                    self.branch(&mut emit)?;
                }
                None => {
                    self.replay.end_block(false, 0, &mut emit)?;
                }
            }
        }
        self.replay.summary.records = symbols.records;
        Ok(self.replay.finish()?)
    }

    /// A number, `None` at the end of the trace.
    fn number<R: Read>(&self, symbols: &mut Expander<R>) -> Result<Option<i64>, DecodeError> {
        let (mut number, mut place) = (0i64, 0);
        loop {
            let symbol = match symbols.next()? {
                Some(symbol) => symbol,
                None if place == 0 => return Ok(None),
                None => return Err(self.impossible("the trace ends in a number".into())),
            };
            if place >= 64 {
                return Err(self.impossible("a number has more than 64 bits".into()));
            }
            let slice = u64::from(symbol) & mask(SLICE_BITS);
            number |= (slice as i64) << place;
            place += SLICE_BITS;
            if symbol >> SLICE_BITS == 0 {
                let unused = 64u32.saturating_sub(place);
                return Ok(Some(number << unused >> unused));
            }
        }
    }

    /// Follows the program, with no branch taken, to the branch at this address.
    fn straight_to(
        &mut self,
        branch: u64,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<(), DecodeError> {
        loop {
            let block = self.replay.known_block()?;
            let goes_on = !matches!(block.kind, Kind::DirectJump | Kind::IndirectJump);
            if block.is_complete && block.program_counter == branch {
                return Ok(());
            }
            if !block.is_complete || !goes_on {
                let what =
                    format!("no instruction after {} is at {branch:#x}", self.replay.place());
                return Err(self.impossible(what));
            }
            self.replay.end_block(false, 0, emit)?;
        }
    }

    /// Takes the branch at hand.
    fn branch(
        &mut self,
        emit: &mut impl FnMut(Event) -> Result<(), SimDecodeError>,
    ) -> Result<(), DecodeError> {
        let block = self.replay.known_block()?;
        let direct = matches!(block.kind, Kind::DirectJump | Kind::DirectConditional);
        if block.kind == Kind::Exception || direct && block.target != self.target {
            let (at, to) = (block.program_counter, self.target);
            return Err(self.impossible(format!("the branch at {at:#x} does not go to {to:#x}")));
        }
        self.replay.end_block(true, self.target, emit)?;
        Ok(())
    }

    fn impossible(&self, what: String) -> DecodeError {
        self.replay.impossible(what).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_as_few_slices_as_their_sign_allows() {
        let of = |number| {
            let mut symbols = Vec::new();
            slices(number, |symbol| symbols.push(symbol));
            symbols
        };
        assert_eq!(of(0), [0]);
        assert_eq!(of(-1), [0x7ff]);
        assert_eq!(of(1023), [1023]);
        assert_eq!(of(1024), [0xc00, 0]);
        assert_eq!(of(-1024), [0x400]);
        assert_eq!(of(-1025), [0xbff, 0x7ff]);
        assert_eq!(of(i64::MIN).len(), 6);
    }
}
