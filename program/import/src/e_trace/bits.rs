//! The bits of a payload, lowest first.

use tracewright_sim::config::mask;

/// A payload that is read from its lowest bit on. Above its last byte it goes on with that byte's highest bit, because
/// an encoder leaves out bytes that only repeat it.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    place: usize,
    last: u64,
}

impl<'a> Bits<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Bits { bytes, place: 0, last: 0 }
    }

    /// The highest bit of the last byte.
    fn sign(&self) -> u64 {
        self.bytes.last().map_or(0, |byte| u64::from(byte >> 7))
    }

    fn bit(&self, place: usize) -> u64 {
        self.bytes.get(place / 8).map_or(self.sign(), |byte| u64::from(byte >> (place % 8) & 1))
    }

    /// The next `count` bits, at most 64.
    pub(super) fn take(&mut self, count: u32) -> u64 {
        let mut value = 0;
        for place in 0..count {
            value |= self.bit(self.place + place as usize) << place;
        }
        self.place += count as usize;
        if count > 0 {
            self.last = value >> (count - 1);
        }
        value
    }

    /// The next bit.
    pub(super) fn flag(&mut self) -> bool {
        self.take(1) == 1
    }

    /// The next bit: true if it differs from the one before.
    pub(super) fn differs(&mut self) -> bool {
        let before = self.last;
        self.take(1) != before
    }

    /// The next `count` bits as a number with a sign.
    pub(super) fn signed(&mut self, count: u32) -> u64 {
        let value = self.take(count);
        if count > 0 && self.last == 1 { value | !mask(count) } else { value }
    }

    /// Bits that have not been read.
    pub(super) fn left(&self) -> u32 {
        (8 * self.bytes.len()).saturating_sub(self.place) as u32
    }

    /// Whole bytes that have not been read, unless all of them repeat the highest bit.
    pub(super) fn unread_bytes(&self) -> usize {
        let end = self.place.div_ceil(8);
        let repeated = if self.sign() == 1 { 0xff } else { 0 };
        let rest = self.bytes.get(end..).unwrap_or_default();
        if rest.iter().all(|byte| *byte == repeated) { 0 } else { rest.len() }
    }
}
