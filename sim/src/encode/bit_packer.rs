//! Bits in and out of bytes: bit 0 of byte 0 is the first bit of the trace.

use std::io::{self, Read};

use crate::config::mask;

/// Packs pieces of up to 64 bits into bytes.
#[derive(Clone, Debug, Default)]
pub struct BitPacker {
    bytes: Vec<u8>,
    held: u128,
    held_bits: u32,
    total: u64,
}

impl BitPacker {
    /// An empty packer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the lowest `count` bits of `bits`, 0 to 64 of them.
    #[inline]
    pub fn push(&mut self, bits: u64, count: u32) {
        self.held |= u128::from(bits & mask(count)) << self.held_bits;
        self.held_bits += count;
        self.total += u64::from(count);
        if self.held_bits >= 64 {
            self.bytes.extend_from_slice(&(self.held as u64).to_le_bytes());
            self.held >>= 64;
            self.held_bits -= 64;
        }
    }

    /// Appends zeros up to the next multiple of `unit` bits and says how many.
    pub fn align(&mut self, unit: u32) -> u32 {
        let unit = u64::from(unit);
        let padding = (self.total.next_multiple_of(unit) - self.total) as u32;
        let (mut left, total) = (padding, self.total);
        while left > 0 {
            let count = left.min(64);
            self.push(0, count);
            left -= count;
        }
        debug_assert_eq!(self.total, total + u64::from(padding));
        padding
    }

    /// Bits appended so far.
    pub fn bits(&self) -> u64 {
        self.total
    }

    /// Takes out the whole bytes finished so far.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Every byte, the last one filled up with zeros.
    pub fn finish(mut self) -> Vec<u8> {
        let rest = self.held_bits.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&(self.held as u64).to_le_bytes()[..rest]);
        self.bytes
    }
}

/// Why bits could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum TakeError {
    /// The source ended first.
    #[error("the trace ends at bit {position}, {wanted} more bits were expected")]
    Ended {
        /// Bits taken before.
        position: u64,
        /// Bits asked for.
        wanted: u32,
    },
    /// The source could not be read.
    #[error("cannot read the trace: {0}")]
    Io(#[from] io::Error),
}

/// Takes bits from any byte source, in bounded memory.
#[derive(Debug)]
pub struct BitUnpacker<R: ?Sized> {
    buffer: Box<[u8]>,
    begin: usize,
    end: usize,
    held: u128,
    held_bits: u32,
    position: u64,
    // Last, so that a reference to bits of any source is one to bits of `dyn Read`, for which decoders are compiled once.
    source: R,
}

const BUFFER_BYTES: usize = 1 << 16;

impl<R: Read> BitUnpacker<R> {
    /// Bits of `source`, from its first byte.
    pub fn new(source: R) -> Self {
        let buffer = vec![0; BUFFER_BYTES].into();
        Self { source, buffer, begin: 0, end: 0, held: 0, held_bits: 0, position: 0 }
    }
}

impl<R: Read + ?Sized> BitUnpacker<R> {
    /// Takes the next `count` bits, 0 to 64.
    ///
    /// # Errors
    /// When the source ends before that or cannot be read.
    #[inline]
    pub fn take(&mut self, count: u32) -> Result<u64, TakeError> {
        if self.held_bits < count {
            self.refill()?;
            if self.held_bits < count {
                return Err(TakeError::Ended { position: self.position, wanted: count });
            }
        }
        let bits = self.held as u64 & mask(count);
        self.held >>= count;
        self.held_bits -= count;
        self.position += u64::from(count);
        Ok(bits)
    }

    /// The next `count` bits, 0 to 64, which are not taken; `None` if the source ends before that.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn peek(&mut self, count: u32) -> Result<Option<u64>, TakeError> {
        if self.held_bits < count {
            self.refill()?;
        }
        Ok((self.held_bits >= count).then_some(self.held as u64 & mask(count)))
    }

    /// Bits taken so far.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// True when less than 8 bits are left: a trace ends with a whole trace word, which has 8 or
    /// more, so that these only fill up the last byte.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn is_at_end(&mut self) -> Result<bool, TakeError> {
        if self.held_bits < 8 {
            self.refill()?;
        }
        Ok(self.held_bits < 8)
    }

    fn refill(&mut self) -> Result<(), TakeError> {
        while self.held_bits <= 64 {
            if self.begin == self.end {
                self.begin = 0;
                self.end = loop {
                    match self.source.read(&mut self.buffer) {
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        other => break other?,
                    }
                };
                if self.end == 0 {
                    return Ok(());
                }
            }
            self.held |= u128::from(self.buffer[self.begin]) << self.held_bits;
            self.begin += 1;
            self.held_bits += 8;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bit_is_bit_zero_of_byte_zero() {
        let mut packer = BitPacker::new();
        packer.push(0b1, 1);
        packer.push(0b10, 2);
        assert_eq!(packer.align(8), 5);
        packer.push(0xffff_ffff_ffff_fff7, 64);
        assert_eq!(packer.bits(), 72);
        assert_eq!(packer.finish(), [0b101, 0xf7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    }

    #[test]
    fn every_size_comes_back_and_the_end_is_seen() {
        let sizes: Vec<u32> = (0..=64).chain((0..=64).rev()).collect();
        let value = 0x9e37_79b9_7f4a_7c15u64;
        let mut packer = BitPacker::new();
        sizes.iter().for_each(|size| packer.push(value, *size));
        let total = packer.bits();
        let bytes = packer.finish();
        let mut unpacker = BitUnpacker::new(bytes.as_slice());
        for size in sizes {
            assert_eq!(unpacker.take(size).unwrap(), value & mask(size));
        }
        assert_eq!(unpacker.position(), total);
        assert!(
            matches!(unpacker.take(64), Err(TakeError::Ended { position, wanted: 64 }) if position == total)
        );
    }
}
