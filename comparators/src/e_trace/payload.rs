//! A payload: fields, cut where the upper bits only repeat the sign, after a header of a byte.

use tracewright_sim::config::mask;
use tracewright_sim::field::{Field, Sink};

use super::fields;

/// The fields of a payload, the first in the lowest bits.
#[derive(Clone, Debug, Default)]
pub struct Payload {
    bits: u128,
    count: u32,
    pieces: Vec<(Field, u32)>,
}

impl Payload {
    /// Adds a field of `count` bits, 0 to 64.
    #[must_use]
    pub fn with(mut self, field: Field, bits: u64, count: u32) -> Self {
        if count > 0 {
            self.bits |= u128::from(bits & mask(count)) << self.count;
            self.count += count;
            self.pieces.push((field, count));
        }
        self
    }

    /// Adds a field of one bit that is sent as a difference from the bit before it.
    #[must_use]
    pub fn with_difference(self, field: Field, bit: bool) -> Self {
        let last = self.count > 0 && self.bits >> (self.count - 1) & 1 == 1;
        self.with(field, u64::from(last ^ bit), 1)
    }

    /// All bits, with the sign in those that no field has.
    fn extended(&self) -> u128 {
        let unused = 128 - self.count;
        ((self.bits << unused) as i128 >> unused) as u128
    }

    /// Bytes that are sent, without the header.
    pub fn bytes(&self) -> u32 {
        let extended = self.extended();
        let mut bytes = self.count.div_ceil(8).max(1);
        while bytes > 1 {
            // What the bytes below extend to is this byte.
            let unused = 128 - 8 * (bytes - 1);
            if (extended << unused) as i128 >> unused != extended as i128 {
                break;
            }
            bytes -= 1;
        }
        bytes
    }

    /// Sends header and payload.
    pub fn send(&self, sink: &mut dyn Sink) {
        let bytes = self.bytes();
        sink.put(&fields::HEADER, bytes.into(), 8);
        let (mut bits, mut left) = (self.extended(), 8 * bytes);
        for (field, count) in &self.pieces {
            let count = left.min(*count);
            if count > 0 {
                sink.put(field, bits as u64 & mask(count), count);
                bits >>= count;
                left -= count;
            }
        }
        if left > 0 {
            sink.put(&fields::PADDING, bits as u64 & mask(left), left);
        }
        sink.end_record();
    }
}

/// The fields of a payload that was received.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    bits: u128,
    last: bool,
}

impl Fields {
    /// The payload of these bytes, at most 16 of which are not its sign.
    pub fn new(bytes: &[u8]) -> Self {
        let negative = bytes.last().is_some_and(|last| last >> 7 == 1);
        let mut all = [if negative { 0xff } else { 0 }; 16];
        let count = bytes.len().min(16);
        all[..count].copy_from_slice(&bytes[..count]);
        Self { bits: u128::from_le_bytes(all), last: false }
    }

    /// The next field, of up to 64 bits.
    pub fn take(&mut self, count: u32) -> u64 {
        let bits = self.bits as u64 & mask(count);
        self.bits = (self.bits as i128 >> count) as u128;
        self.last = count > 0 && bits >> (count - 1) & 1 == 1;
        bits
    }

    /// The next field, with a sign.
    pub fn signed(&mut self, count: u32) -> i64 {
        let unused = 64 - count;
        (self.take(count) << unused) as i64 >> unused
    }

    /// The next field of one bit that is sent as a difference.
    pub fn difference(&mut self) -> bool {
        let last = self.last;
        (self.take(1) == 1) ^ last
    }
}
