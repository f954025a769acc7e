//! Decoding one packet, without telling anyone what is in it.

use crate::decode::error::DecodeError;
use crate::decode::record_decoder::PartDecoder;
use crate::event::Event;
use crate::packet::framing::Framing;
use crate::packet::header::{Beginning, Header};
use crate::packet::joint::End;
use crate::packet::reader::{Content, Ending};

use super::ahead::Early;
use super::{Decoder, Found, open};

/// Events of a packet that are kept until all of it has been decoded; a longer packet is decoded twice.
const HELD_EVENTS: usize = 1 << 20;

/// The most instructions of a packet that has no checksum, so that decoding a damaged one ends.
const MOST_UNCHECKED: u64 = 1 << 28;

/// Why a packet is not decoded.
pub(super) enum Stop {
    /// It cannot be.
    Because(String),
    /// It has more events than are wanted.
    TooLong,
}

impl From<DecodeError> for Stop {
    fn from(error: DecodeError) -> Self {
        Stop::Because(error.to_string())
    }
}

/// Decodes a packet of at most so many instructions; true if its flush record is there.
///
/// # Errors
/// When its bits or the program are not what was traced, or `hold` fails.
pub(super) fn attempt<'a, D: PartDecoder<'a>>(
    framing: &Framing,
    decoder: &mut D,
    content: &Content,
    most_instructions: u64,
    hold: &mut impl FnMut(Event) -> Result<(), Stop>,
) -> Result<bool, Stop> {
    let has_checksum = framing.protocol.checksum_bits > 0 && content.ending == Ending::Whole;
    let is_unchecked = !has_checksum && framing.protocol.interval() > 0;
    let most = if is_unchecked { MOST_UNCHECKED } else { u64::MAX };
    let done = decoder.first_replay().summary.instructions;
    *decoder = decoder.clone().limit(done.saturating_add(most.min(most_instructions)));

    if content.ending == Ending::Open {
        return open::part(decoder, content, hold);
    }
    let payload = content.payload().map_err(|error| Stop::Because(error.to_string()));
    let mut payload = payload?;
    decoder.part(&mut payload, hold, &mut |_| Ok(()))?;
    if payload.position() != content.bits {
        let (flushed, end) = (payload.position(), content.bits);
        let what = format!("the flush record ends at bit {flushed} of {end} of the packet");
        return Err(Stop::Because(what));
    }
    let end = End::of(decoder);
    // With checksums it is the next packet's that is damaged, or the program is another one.
    if framing.protocol.checksum_bits == 0
        && let Some(Header::Synchronisation(Beginning { next, .. })) = content.following
        && !end.is(next.place())
    {
        let next = next.place();
        let what = format!("it ends at {end}, and the next packet begins at {next}");
        return Err(Stop::Because(what));
    }
    Ok(true)
}

impl<'a, D, F> Decoder<'_, 'a, D, F>
where
    D: PartDecoder<'a>,
{
    /// The most instructions that are left.
    pub(super) fn left(&self) -> u64 {
        self.most_instructions.saturating_sub(self.recovered.instructions)
    }

    /// Decodes a packet, and holds its events.
    pub(super) fn attempt(&mut self, start: D, content: &Content) -> Early<D> {
        let mut decoder = start.clone();
        let mut held = std::mem::take(&mut self.held);
        held.clear();
        let mut is_held = true;
        let hold = &mut |event| {
            is_held &= held.len() < HELD_EVENTS;
            if is_held {
                held.push(event);
            }
            Ok(())
        };
        let attempted = attempt(self.framing, &mut decoder, content, self.left(), hold);
        let found = match attempted {
            Ok(is_flushed) => Ok(Found { is_held, is_flushed }),
            Err(Stop::Because(what)) => Err(what),
            Err(Stop::TooLong) => Err(String::new()),
        };
        Early { start, decoder, held, found }
    }
}
