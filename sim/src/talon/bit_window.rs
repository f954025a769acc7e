//! Bits of a code, highest first, of which some can be put back.

use std::io::Read;

use super::range_coder::reversed;
use crate::config::mask;
use crate::encode::bit_packer::{BitUnpacker, TakeError};

/// Takes bits from a trace, the first one as the highest of a number.
pub struct BitWindow<'a, R: ?Sized> {
    source: &'a mut BitUnpacker<R>,
    held: u64,
    held_bits: u32,
}

impl<'a, R: Read + ?Sized> BitWindow<'a, R> {
    /// The bits of `source` from here on.
    pub fn new(source: &'a mut BitUnpacker<R>) -> Self {
        Self { source, held: 0, held_bits: 0 }
    }

    /// Takes the next `count` bits, up to 32.
    ///
    /// # Errors
    /// When the source ends before that or cannot be read.
    #[inline]
    pub fn take(&mut self, count: u32) -> Result<u64, TakeError> {
        if self.held_bits < count {
            let missing = count - self.held_bits;
            let bits = self.source.take(missing)?;
            self.held = self.held << missing | reversed(bits, missing);
            self.held_bits = count;
        }
        self.held_bits -= count;
        let bits = self.held >> self.held_bits;
        self.held &= mask(self.held_bits);
        Ok(bits)
    }

    /// Puts back bits that were taken last.
    pub fn put_back(&mut self, bits: u64, count: u32) {
        self.held |= bits << self.held_bits;
        self.held_bits += count;
    }

    /// The next `count` bits, up to 64, the first one as the lowest of a number.
    ///
    /// # Errors
    /// When the source ends before that or cannot be read.
    pub fn take_lowest_first(&mut self, count: u32) -> Result<u64, TakeError> {
        let first = count.min(32);
        let low = reversed(self.take(first)?, first);
        let high = reversed(self.take(count - first)?, count - first);
        Ok(low | high.checked_shl(first).unwrap_or(0))
    }

    /// The source, from which whole words are taken while no bit is held.
    pub fn source(&mut self) -> &mut BitUnpacker<R> {
        debug_assert_eq!(self.held_bits, 0);
        self.source
    }

    /// The offset of the next bit.
    pub fn position(&self) -> u64 {
        self.source.position() - u64::from(self.held_bits)
    }
}
