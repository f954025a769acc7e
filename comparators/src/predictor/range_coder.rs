//! A range coder for symbols whose probabilities are powers of two, as Talon's, but with carries.

use std::io::{self, Read};
use std::ops::Range;

const TOP: u64 = 1 << 32;
const LEAST: u64 = 1 << 24;

/// Bytes that a decoder may take after the end: zeros there are not sent.
const MOST_AFTER_END: u32 = 16;

/// Makes bytes of symbols.
#[derive(Clone, Debug)]
pub struct Encoder {
    low: u64,
    range: u64,
    /// Bytes that a carry may still reach, or that are left out if nothing but zeros follows.
    held: Vec<u8>,
}

impl Encoder {
    /// An encoder before the first symbol.
    pub fn new() -> Self {
        Self { low: 0, range: TOP - 1, held: Vec::new() }
    }

    /// A symbol: as predicted, or wrong, which it is once in 2^`confidence` times.
    #[inline]
    pub fn symbol(&mut self, wrong: bool, confidence: u32, emit: &mut impl FnMut(u8)) {
        let unlikely = self.range >> confidence;
        if wrong {
            self.low += self.range - unlikely;
            self.range = unlikely;
        } else {
            self.range -= unlikely;
        }
        self.normalize(emit);
    }

    /// A number of so many bits of which nothing is known.
    pub fn number(&mut self, value: u64, mut bits: u32, emit: &mut impl FnMut(u8)) {
        while bits > 0 {
            let count = bits.min(8);
            bits -= count;
            self.range >>= count;
            self.low += (value >> bits & ((1 << count) - 1)) * self.range;
            self.normalize(emit);
        }
    }

    #[inline]
    fn normalize(&mut self, emit: &mut impl FnMut(u8)) {
        while self.range < LEAST {
            self.shift(emit);
        }
    }

    /// Takes a byte off the top.
    fn shift(&mut self, emit: &mut impl FnMut(u8)) {
        if self.low >= TOP {
            self.low -= TOP;
            self.carry();
        }
        let byte = (self.low >> 24) as u8;
        // A carry ends at a byte that is not 255, so it does not go past this one.
        if byte != 0 && byte != u8::MAX {
            self.held.drain(..).for_each(&mut *emit);
        }
        self.held.push(byte);
        self.low = (self.low & (LEAST - 1)) << 8;
        self.range <<= 8;
    }

    fn carry(&mut self) {
        for byte in self.held.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }

    /// Ends the code; zeros at its end are left out.
    pub fn finish(&mut self, emit: &mut impl FnMut(u8)) {
        // The number in the range that ends in the most zeros.
        let end = self.low + self.range - 1;
        let bits = match self.low {
            0 => 32,
            low => (end ^ (low - 1)).checked_ilog2().unwrap_or(0),
        };
        self.low = end >> bits << bits;
        self.range = TOP - 1;
        (0..4).for_each(|_| self.shift(emit));
        let zeros = self.held.iter().rev().take_while(|byte| **byte == 0).count();
        self.held.truncate(self.held.len() - zeros);
        self.held.drain(..).for_each(emit);
    }
}

/// Bytes that a decoder reads at once.
const BUFFER_BYTES: usize = 1 << 12;

/// Makes symbols of bytes.
#[derive(Debug)]
pub struct Decoder<R> {
    source: R,
    buffer: Box<[u8]>,
    /// The bytes of the buffer that are not taken yet.
    left: Range<usize>,
    code: u64,
    range: u64,
    after_end: u32,
    /// Bytes that were taken.
    pub position: u64,
}

impl<R: Read> Decoder<R> {
    /// A decoder before the first symbol.
    ///
    /// # Errors
    /// When the source fails.
    pub fn new(source: R) -> io::Result<Self> {
        let buffer = vec![0; BUFFER_BYTES].into();
        let (code, range) = (0, TOP - 1);
        let mut decoder =
            Self { source, buffer, left: 0..0, code, range, after_end: 0, position: 0 };
        for _ in 0..4 {
            decoder.code = decoder.code << 8 | decoder.byte()?;
        }
        Ok(decoder)
    }

    #[inline]
    fn byte(&mut self) -> io::Result<u64> {
        match self.left.next() {
            Some(place) => {
                self.position += 1;
                Ok(self.buffer[place].into())
            }
            None => self.first_of_more(),
        }
    }

    /// Fills the empty buffer, and takes its first byte.
    #[cold]
    fn first_of_more(&mut self) -> io::Result<u64> {
        let count = loop {
            match self.source.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        if count > 0 {
            self.left = 1..count;
            self.position += 1;
            return Ok(self.buffer[0].into());
        }
        if self.after_end == MOST_AFTER_END {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.after_end += 1;
        Ok(0)
    }

    /// True if the symbol is wrong, which it is once in 2^`confidence` times.
    ///
    /// # Errors
    /// When the source ends or fails.
    #[inline]
    pub fn symbol(&mut self, confidence: u32) -> io::Result<bool> {
        let unlikely = self.range >> confidence;
        let likely = self.range - unlikely;
        let wrong = self.code >= likely;
        if wrong {
            self.code -= likely;
            self.range = unlikely;
        } else {
            self.range = likely;
        }
        self.normalize()?;
        Ok(wrong)
    }

    /// A number of so many bits.
    ///
    /// # Errors
    /// When the source ends or fails.
    pub fn number(&mut self, mut bits: u32) -> io::Result<u64> {
        let mut value = 0;
        while bits > 0 {
            let count = bits.min(8);
            bits -= count;
            self.range >>= count;
            let digit = (self.code / self.range).min((1 << count) - 1);
            self.code -= digit * self.range;
            value = value << count | digit;
            self.normalize()?;
        }
        Ok(value)
    }

    #[inline]
    fn normalize(&mut self) -> io::Result<()> {
        while self.range < LEAST {
            self.code = (self.code << 8 | self.byte()?) & (TOP - 1);
            self.range <<= 8;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn symbols_and_numbers_come_back() {
        for seed in 0..200 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            // Symbols that are always wrong carry often, and those that never are leave zeros.
            let chance = [0.0, 0.01, 0.5, 1.0][seed as usize % 4];
            let mut symbol = |_| {
                let bits = if random.random_bool(0.1) { random.random_range(1..=64) } else { 0 };
                let value = random.random::<u64>() >> (64 - bits.max(1));
                (random.random_bool(chance), random.random_range(1..=15), bits, value)
            };
            let symbols: Vec<(bool, u32, u32, u64)> = (0..seed * 10).map(&mut symbol).collect();
            let (mut encoder, mut bytes) = (Encoder::new(), Vec::new());
            for (wrong, confidence, bits, value) in &symbols {
                encoder.symbol(*wrong, *confidence, &mut |byte| bytes.push(byte));
                encoder.number(*value, *bits, &mut |byte| bytes.push(byte));
            }
            // A trace ends in symbols that are not zeros.
            encoder.symbol(true, 15, &mut |byte| bytes.push(byte));
            encoder.finish(&mut |byte| bytes.push(byte));
            let mut decoder = Decoder::new(bytes.as_slice()).unwrap();
            for (wrong, confidence, bits, value) in symbols {
                assert_eq!(decoder.symbol(confidence).unwrap(), wrong, "seed {seed}");
                assert_eq!(
                    decoder.number(bits).unwrap(),
                    if bits == 0 { 0 } else { value },
                    "seed {seed}"
                );
            }
            assert!(decoder.symbol(15).unwrap(), "seed {seed}");
        }
    }
}
