//! The end of the file: what the whole trace sums up to.

use super::check;

/// Bytes of the trailer.
pub(super) const TRAILER_BYTES: usize = 48;

/// What an encoded trace sums up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Bits of the trace, padding not counted.
    pub bits: u64,
    /// Zero bits that fill up the last trace word of every flush.
    pub padding: u64,
    /// Instructions that were traced.
    pub instructions: u64,
    /// Events that were traced.
    pub events: u64,
    /// The [`Fingerprint`](super::Fingerprint) of the events.
    pub fingerprint: u64,
}

impl Totals {
    /// Bytes that bits and padding take.
    pub(super) fn payload_bytes(&self) -> u64 {
        self.bits.saturating_add(self.padding).div_ceil(8)
    }

    /// The trailer, to be written at this offset from the beginning of the file.
    pub(super) fn to_trailer(self, offset: u64) -> [u8; TRAILER_BYTES] {
        let mut trailer = [0; TRAILER_BYTES];
        let fields = [self.bits, self.padding, self.instructions, self.events, self.fingerprint];
        for (field, place) in fields.into_iter().zip(trailer[4..].chunks_exact_mut(8)) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        let sum = check(offset, 0, &trailer[4..44]);
        trailer[44..].copy_from_slice(&sum.to_le_bytes());
        trailer
    }

    /// The totals of a trailer, or the check that it should have and has.
    pub(super) fn from_trailer(
        trailer: &[u8; TRAILER_BYTES],
        offset: u64,
    ) -> Result<Totals, (u32, u32)> {
        let mut fields = [0u64; 5];
        for (field, place) in fields.iter_mut().zip(trailer[4..].chunks_exact(8)) {
            *field = place.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        }
        let found = u32::from_le_bytes([trailer[44], trailer[45], trailer[46], trailer[47]]);
        let expected = check(offset, 0, &trailer[4..44]);
        if expected != found || trailer[..4] != [0; 4] {
            return Err((expected, found));
        }
        let [bits, padding, instructions, events, fingerprint] = fields;
        Ok(Totals { bits, padding, instructions, events, fingerprint })
    }
}
