//! Decoding record by record: one thread's decoder, and the padding after a flush.

use std::io::Read;

use super::error::DecodeError;
use super::field_reader::FieldError;
use super::replay::Replay;
use super::summary::Summary;
use crate::encode::bit_packer::BitUnpacker;
use crate::event::Event;

/// A decoder of one thread's records.
pub trait RecordDecoder<'a>: Sized {
    /// Decodes one record and replays up to it; true if it is a flush.
    ///
    /// # Errors
    /// When the bits or the program are not what was traced, or `emit` fails.
    fn record<R: Read, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        emit: &mut impl FnMut(Event) -> Result<(), E>,
    ) -> Result<bool, E>;

    /// Where the decoder is in its program.
    fn replay(&mut self) -> &mut Replay<'a>;

    /// Bits of a trace word, to which a flush fills the trace up.
    fn word_bits(&self) -> u32;

    /// Refuses to replay more than `instructions`, so that a damaged trace ends.
    #[must_use]
    fn limit(mut self, instructions: u64) -> Self {
        self.replay().limit(instructions);
        self
    }

    /// Decodes a whole trace, which ends after a flush.
    ///
    /// # Errors
    /// When the bits or the program are not what was traced, or `emit` fails.
    fn decode<R: Read, E: From<DecodeError>>(
        &mut self,
        bits: &mut BitUnpacker<R>,
        mut emit: impl FnMut(Event) -> Result<(), E>,
    ) -> Result<Summary, E> {
        let unit = self.word_bits();
        loop {
            let flushed = self.record(bits, &mut emit)?;
            if flushed && end_of_flush(bits, unit, |source| self.replay().field(source))? {
                return Ok(self.replay().finish()?);
            }
        }
    }
}

/// Skips the padding after a flush up to a multiple of `unit` bits; true at the end of the trace.
///
/// # Errors
/// When it is not zero or cannot be read.
pub fn end_of_flush<R: Read>(
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
