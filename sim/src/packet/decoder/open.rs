//! Packets in which a trace ends.
//!
//! A decoder is given only bits that are certainly of the trace, and its bits end there. An event that it makes of
//! them is the one that it makes of the whole packet, because nothing that comes later changes it.

use super::{Decoder, unreadable};
use crate::decode::error::DecodeError;
use crate::decode::field_reader::FieldError;
use crate::decode::record_decoder::PartDecoder;
use crate::encode::bit_packer::{BitUnpacker, TakeError};
use crate::event::Event;
use crate::packet::part::Recovered;
use crate::packet::reader::Content;

/// Why no more of a packet is decoded.
enum Stop<E> {
    Decode(DecodeError),
    Emit(E),
}

impl<E> From<DecodeError> for Stop<E> {
    fn from(error: DecodeError) -> Self {
        Stop::Decode(error)
    }
}

/// Decodes what there is of a packet in which the trace ends; true if its flush record is there.
///
/// # Errors
/// When the bits or the program are not what was traced, or `emit` fails.
pub(super) fn part<'a, E: From<DecodeError>>(
    decoder: &mut impl PartDecoder<'a>,
    content: &Content,
    emit: &mut impl FnMut(Event) -> Result<(), E>,
) -> Result<bool, E> {
    let (bytes, shift) = content.sent_payload().map_err(unreadable)?;
    let mut payload = BitUnpacker::new(bytes.as_slice());
    payload.take(shift).map_err(unreadable)?;
    let mut emit = |event| emit(event).map_err(Stop::Emit);
    match decoder.part(&mut payload, &mut emit, &mut |_| Ok(())) {
        Ok(()) => {}
        Err(Stop::Decode(DecodeError::Field {
            source: FieldError::Take(TakeError::Ended { .. }),
            ..
        })) => return Ok(false),
        Err(Stop::Decode(error)) => return Err(error.into()),
        Err(Stop::Emit(error)) => return Err(error),
    }
    // After a flush record there is the beginning of a marker, or nothing.
    let position = payload.position();
    for _ in position..8 * bytes.len() as u64 {
        if payload.take(1).map_err(unreadable)? == 0 {
            let what = "what follows the flush record is no marker".into();
            return Err(DecodeError::Gap { position, what }.into());
        }
    }
    Ok(true)
}

impl<D, F> Decoder<'_, '_, D, F> {
    /// Counts what was told since `before` as unverified.
    pub(super) fn count_unverified(&mut self, before: Recovered) {
        let recovered = &mut self.recovered;
        recovered.unverified_events = recovered.events - before.events;
        recovered.unverified_instructions = recovered.instructions - before.instructions;
    }
}
