//! The range coder: symbols with probabilities 2^-k, by shifts and additions alone, without carries.
//!
//! The code so far is a number, of which `low` holds the last bits; it may still be continued by anything from `low` to
//! below `low + range`. A symbol that is as predicted keeps the lower part of the range, one that is not the upper part,
//! which is `range >> k`. Bits leave `low` at the top when the range is small enough; it is then doubled.
//!
//! `low` has `guard_bits` more than `range`, and `low + range` never exceeds them: where it would, the coder gives up
//! the part of the range above, so that no carry ever has to reach bits that have left.

use super::config::Config;
use crate::config::mask;

/// The state that an encoder's and a decoder's coder have in common.
#[derive(Clone, Debug)]
pub struct RangeCoder {
    low: u64,
    range: u64,
    range_bits: u32,
    guard_bits: u32,
    /// A smaller range is doubled.
    half: u64,
    /// What a wrong symbol leaves to escapes up to that confidence, 1 unless there are none. It doubles from one
    /// confidence to the next above.
    reserved: u64,
    reserved_confidence: u32,
}

/// Bits that leave the coder, the first one highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The bits.
    pub bits: u64,
    /// How many.
    pub count: u32,
    /// Ones after them, by which the code stays below a carry.
    pub ones: u32,
    /// How far below the carry the low end was, where there are ones.
    pub room: u64,
}

impl RangeCoder {
    /// The coder after reset.
    pub fn new(config: &Config) -> Self {
        let (range_bits, guard_bits) = (config.range_bits, config.guard_bits);
        Self {
            low: 0,
            range: mask(range_bits),
            range_bits,
            guard_bits,
            half: 1 << (range_bits - 1),
            reserved: 1,
            reserved_confidence: config.escape_ones - 1,
        }
    }

    /// The coder without the room that is left for escapes: it cannot send an exception, nor the end of a trace.
    pub fn without_escapes(config: &Config) -> Self {
        Self { reserved: 0, ..Self::new(config) }
    }

    /// The low end of the range.
    pub fn low(&self) -> u64 {
        self.low
    }

    /// Bits of the low end.
    #[inline]
    pub fn low_bits(&self) -> u32 {
        self.range_bits + self.guard_bits
    }

    /// The part of the range, from its low end, in which a symbol is as predicted.
    #[inline]
    pub fn likely(&self, confidence: u32) -> u64 {
        self.range - (self.range >> confidence)
    }

    /// The size of the range.
    #[inline]
    pub fn range(&self) -> u64 {
        self.range
    }

    /// A symbol: as predicted with this confidence, or wrong.
    #[inline]
    pub fn symbol(&mut self, wrong: bool, confidence: u32) -> Code {
        if !wrong && self.narrow(self.likely(confidence)) {
            return Code::default();
        }
        self.shifting_symbol(wrong, confidence)
    }

    /// Most symbols only make the range smaller: a symbol that is as predicted, whose part of the range this is. False, and
    /// nothing is done, if bits leave the coder by it.
    #[inline]
    pub fn narrow(&mut self, likely: u64) -> bool {
        let is_wide = likely >= self.half;
        if is_wide {
            self.range = likely;
        }
        is_wide
    }

    /// A symbol after which bits leave the coder.
    #[inline(never)]
    fn shifting_symbol(&mut self, wrong: bool, confidence: u32) -> Code {
        let unlikely = self.range >> confidence;
        if !wrong {
            self.range = (self.range - unlikely) << 1;
            return self.shift(1);
        }
        self.low += self.range - unlikely;
        let reserved = self.reserved << confidence.saturating_sub(self.reserved_confidence);
        self.range = (unlikely << confidence) - reserved;
        let mut count = confidence;
        if self.range < self.half {
            self.range = 2 * self.range + reserved;
            count += 1;
        }
        self.shift(count)
    }

    /// Takes bits off the top, and gives up what is above a carry.
    #[inline]
    fn shift(&mut self, count: u32) -> Code {
        let bits = self.take(count);
        let limit = 1 << self.low_bits();
        if self.low + self.range <= limit {
            return Code { bits, count, ..Code::default() };
        }
        let room = limit - self.low;
        self.restart(mask(self.guard_bits));
        Code { bits, count, ones: self.range_bits - room.ilog2(), room }
    }

    #[inline]
    fn take(&mut self, count: u32) -> u64 {
        let bits = self.low >> (self.low_bits() - count);
        self.low = self.low << count & mask(self.low_bits());
        bits
    }

    /// The whole range again, after bits of which the last ones are these, still to be sent.
    pub fn restart(&mut self, guard: u64) {
        self.low = guard << self.range_bits;
        self.range = mask(self.range_bits);
    }

    /// The bits that end the code: the lowest number of so many bits in the range.
    pub fn aligned(&self) -> u64 {
        self.low.div_ceil(1 << (self.range_bits - 2))
    }

    /// Ends the code and appends numbers that are not coded, each with its bits.
    ///
    /// If an address follows, all bits are sent, and the coder restarts after it; else the last ones are held back.
    pub fn detour(&mut self, numbers: &[(u64, u32)], has_address: bool) -> Code {
        let (mut bits, mut count) = (self.aligned(), 2);
        for (number, number_bits) in numbers {
            bits = bits << number_bits | number;
            count += number_bits;
        }
        if has_address {
            return Code { bits, count: self.guard_bits + count, ..Code::default() };
        }
        self.restart(bits & mask(self.guard_bits));
        Code { bits: bits >> self.guard_bits, count, ..Code::default() }
    }

    /// The highest code that may still come, which begins an escape: with ones after it no symbol sends it.
    pub fn escape(&self) -> u64 {
        self.low + self.range - 1
    }
}

/// The lowest `count` bits in reverse: what goes out first is the highest bit of a code and the lowest of a word.
#[inline]
pub fn reversed(bits: u64, count: u32) -> u64 {
    if count == 0 { 0 } else { bits.reverse_bits() >> (64 - count) }
}
