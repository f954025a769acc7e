//! Decoding record by record and part by part, and the padding after a flush.

use std::io::Read;

use super::error::DecodeError;
use super::field_reader::FieldError;
use super::replay::Replay;
use super::summary::{Summary, TimeStamp};
use crate::encode::bit_packer::BitUnpacker;
use crate::event::Event;

/// A decoder of one thread's records.
pub trait RecordDecoder<'a>: Sized {
    /// Decodes one record and replays up to it; true if it is a flush.
    ///
    /// # Errors
    /// When the bits or the program are not what was traced, or `emit` fails.
    fn record<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E>;

    /// The time that the last record says, if it says one; given once.
    fn take_time(&mut self) -> Option<u64> {
        None
    }

    /// Where the decoder is in its program.
    fn replay(&mut self) -> &mut Replay<'a>;

    /// Bits of a trace word, to which a flush fills the trace up.
    fn word_bits(&self) -> u32;
}

/// A decoder of a trace, part by part; each part ends with a flush.
pub trait PartDecoder<'a>: Clone {
    /// Decodes up to and with the next flush, without the padding after it. `emit` is given the events, and `stamp` the
    /// time stamps of a trace that has them, each after the events of its record.
    ///
    /// # Errors
    /// When the bits or the program are not what was traced, or `emit` or `stamp` fails.
    fn part<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
        stamp: &mut impl FnMut(TimeStamp) -> Result<(), E>,
    ) -> Result<(), E>;

    /// Where the decoder is in the program of its first core.
    fn first_replay(&mut self) -> &mut Replay<'a>;

    /// What was decoded so far.
    fn summary(&mut self) -> Summary {
        self.first_replay().summary
    }

    /// Bits of a trace word, to which a flush fills the trace up.
    fn word_bits(&self) -> u32;

    /// Refuses to replay more than `instructions` of any core, so that a damaged trace ends.
    #[must_use]
    fn limit(mut self, instructions: u64) -> Self {
        self.first_replay().limit(instructions);
        self
    }

    /// The end of the trace.
    ///
    /// # Errors
    /// When more instructions have retired than were traced.
    fn finish(&mut self) -> Result<Summary, DecodeError> {
        self.first_replay().finish()
    }

    /// Decodes a whole trace, which ends after a flush.
    ///
    /// # Errors
    /// When the bits or the program are not what was traced, or `emit` or `stamp` fails.
    fn decode<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        mut emit: impl FnMut(Event) -> Result<(), E>,
        mut stamp: impl FnMut(TimeStamp) -> Result<(), E>,
    ) -> Result<Summary, E> {
        let unit = self.word_bits();
        loop {
            self.part(bits, &mut emit, &mut stamp)?;
            if end_of_flush(bits, unit, |source| self.first_replay().field(source))? {
                return Ok(self.finish()?);
            }
        }
    }
}

impl<'a, D: RecordDecoder<'a> + Clone> PartDecoder<'a> for D {
    #[inline]
    fn part<R: Read + ?Sized, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
        stamp: &mut impl FnMut(TimeStamp) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut ends = false;
        while !ends {
            ends = self.record(bits, emit)?;
            if let Some(clock) = self.take_time() {
                let events = RecordDecoder::replay(self).summary.events;
                stamp(TimeStamp { core: 0, clock, events, at_least: false })?;
            }
        }
        Ok(())
    }

    fn first_replay(&mut self) -> &mut Replay<'a> {
        RecordDecoder::replay(self)
    }

    fn word_bits(&self) -> u32 {
        RecordDecoder::word_bits(self)
    }
}

/// Skips the padding after a flush up to a multiple of `unit` bits; true at the end of the trace.
///
/// # Errors
/// When it is not zero or cannot be read.
pub fn end_of_flush<R: Read + ?Sized>(
    bits: &mut BitUnpacker<R>,
    unit: u32,
    mut field: impl FnMut(FieldError) -> DecodeError,
) -> Result<bool, DecodeError> {
    let position = bits.position();
    let mut left = position.next_multiple_of(unit.into()) - position;
    while left > 0 {
        let count = left.min(64);
        match bits.take(count as u32) {
            Ok(0) => {}
            Ok(_) => return Err(DecodeError::Padding { position }),
            Err(source) => return Err(field(source.into())),
        }
        left -= count;
    }
    bits.is_at_end().map_err(|source| field(source.into()))
}
