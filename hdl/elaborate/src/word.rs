//! A value of run-time width.

mod convert;
mod operators;

use std::fmt;

pub use convert::{bits_to, unsigned_cast_to_fit};

const LIMB: usize = u64::BITS as usize;

/// The furthest that a value without a width of its own is shifted; no signal is this wide.
pub(crate) const MAXIMUM_SHIFT: usize = 1 << 16;

/// How a word takes part in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sizing {
    /// It has a width of its own, and its partner must have the same.
    Exact,
    /// An integer of the kernel's source: it takes its partner's width and must fit in it.
    Literal,
    /// It is cut or zero-extended to its partner's width.
    Fit,
}

/// An unsigned value of any number of bits, chosen at run time.
///
/// A word made from an integer has no width of its own: it takes that of the word or signal it meets.
/// Every other word has one, and the operators of a kernel want equal widths (`elaborate` refuses the rest;
/// the operators themselves go on at the wider width, so that arithmetic never panics).
///
/// ```
/// use tracewright_elaborate::prelude::*;
/// let count = Word::new(3, 7);
/// assert_eq!(count.clone() + 1, 0, "sums wrap at the operands' width");
/// assert_eq!(bits_to(count, 200) + 1, 8);
/// assert_eq!(Word::new(0, 5), 0, "a word without bits is the value 0");
/// ```
#[derive(Clone)]
pub struct Word {
    width: u32,
    sizing: Sizing,
    // Which of its block's named constants it is; 0 for none.
    name: u16,
    // Nearly every signal of a design has 64 bits or fewer: those live here and never allocate.
    low: u64,
    high: Option<Box<[u64]>>,
}

impl Word {
    /// `value`, cut to `width` bits.
    pub fn new(width: usize, value: u64) -> Self {
        Self::build(width, Sizing::Exact, |index| if index == 0 { value } else { 0 })
    }

    /// The value 0 in `width` bits.
    pub fn zero(width: usize) -> Self {
        Self::new(width, 0)
    }

    /// The value whose 64-bit limbs are `limbs`, least significant first, cut or zero-extended to `width` bits.
    pub fn from_limbs(width: usize, limbs: &[u64]) -> Self {
        Self::build(width, Sizing::Exact, |index| limbs.get(index).copied().unwrap_or(0))
    }

    pub(crate) fn literal(limbs: &[u64]) -> Self {
        let width = limbs.len().max(1) * LIMB;
        Self::build(width, Sizing::Literal, |index| limbs.get(index).copied().unwrap_or(0))
    }

    fn build(width: usize, sizing: Sizing, mut limb: impl FnMut(usize) -> u64) -> Self {
        let low = if width == 0 { 0 } else { limb(0) & top_mask(width.min(LIMB)) };
        let high = (width > LIMB).then(|| {
            let count = width.div_ceil(LIMB);
            (1..count)
                .map(|index| {
                    let used = if index + 1 == count { width - index * LIMB } else { LIMB };
                    limb(index) & top_mask(used)
                })
                .collect()
        });
        Self { width: width as u32, sizing, name: 0, low, high }
    }

    /// The number of bits. RustHDL's macro asks a cast for its width under this name.
    pub fn bits(&self) -> usize {
        self.width as usize
    }

    /// The 64-bit limbs, least significant first; none when the width is 0.
    pub fn limbs(&self) -> impl Iterator<Item = u64> + '_ {
        let first = (self.width > 0).then_some(self.low);
        first.into_iter().chain(self.high.iter().flat_map(|high| high.iter().copied()))
    }

    fn limb(&self, index: usize) -> u64 {
        match (index, &self.high) {
            (0, _) => self.low,
            (_, Some(high)) => high.get(index - 1).copied().unwrap_or(0),
            (_, None) => 0,
        }
    }

    /// The least significant 64 bits.
    pub fn to_u64(&self) -> u64 {
        self.low
    }

    /// The value as an index, for `match` and for Rust code around a kernel; the largest `usize` if it is larger.
    pub fn index(&self) -> usize {
        if self.limbs().skip(1).any(|limb| limb != 0) { usize::MAX } else { self.low as usize }
    }

    /// Whether some bit is set; `false` without bits.
    pub fn any(&self) -> bool {
        self.low != 0 || self.limbs().skip(1).any(|limb| limb != 0)
    }

    /// Whether every bit is set; `true` without bits.
    pub fn all(&self) -> bool {
        self.count_ones() == self.bits()
    }

    /// Whether an odd number of bits is set.
    pub fn xor(&self) -> bool {
        self.count_ones() % 2 == 1
    }

    /// Bit `index`; `false` beyond the width.
    pub fn get_bit(&self, index: impl Into<Word>) -> bool {
        let index = index.into().index();
        index < self.bits() && (self.limb(index / LIMB) >> (index % LIMB)) & 1 == 1
    }

    /// The word with bit `index` replaced; unchanged when the index is beyond the width.
    pub fn replace_bit(&self, index: impl Into<Word>, value: bool) -> Word {
        let position = index.into().index();
        Self::build(self.bits(), self.sizing, |index| {
            let limb = self.limb(index);
            if position / LIMB != index {
                limb
            } else {
                let bit = 1 << (position % LIMB);
                if value { limb | bit } else { limb & !bit }
            }
        })
    }

    /// The `width` bits from bit `offset` up, zero beyond the word's own.
    pub fn slice(&self, offset: usize, width: usize) -> Word {
        bits_to(self.clone() >> offset, width)
    }

    /// The word as the named constant of this number; no result of an operation has a name.
    pub(crate) fn named(self, name: u16) -> Word {
        Word { name, ..self }
    }

    /// Which of its block's named constants it is.
    pub(crate) fn name(&self) -> Option<usize> {
        (self.name > 0).then(|| usize::from(self.name) - 1)
    }

    pub(crate) fn sizing(&self) -> Sizing {
        self.sizing
    }

    /// This word as a signal of `width` bits takes it.
    pub(crate) fn fitted(self, width: usize) -> Word {
        if self.sizing == Sizing::Exact && self.bits() == width {
            return self;
        }
        Self::build(width, Sizing::Exact, |index| self.limb(index))
    }

    /// How many bits the value needs.
    pub(crate) fn significant_bits(&self) -> usize {
        self.limbs()
            .enumerate()
            .filter(|(_, limb)| *limb != 0)
            .last()
            .map_or(0, |(index, limb)| (index + 1) * LIMB - limb.leading_zeros() as usize)
    }

    /// The positions of the bits that differ from the bit below them.
    pub(crate) fn changes(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.bits()).filter(|index| self.get_bit(*index) != self.get_bit(index - 1))
    }

    fn count_ones(&self) -> usize {
        self.limbs().map(|limb| limb.count_ones() as usize).sum()
    }
}

fn top_mask(width: usize) -> u64 {
    if width >= LIMB { u64::MAX } else { (1 << width) - 1 }
}

impl fmt::LowerHex for Word {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limbs: Vec<u64> = self.limbs().collect();
        let top = limbs.iter().rposition(|limb| *limb != 0).unwrap_or(0);
        let mut digits = format!("{:x}", limbs.get(top).copied().unwrap_or(0));
        for limb in limbs[..top.min(limbs.len())].iter().rev() {
            digits.push_str(&format!("{limb:016x}"));
        }
        formatter.pad_integral(true, "0x", &digits)
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sizing {
            Sizing::Exact => write!(formatter, "{}'h{:x}", self.width, self),
            Sizing::Literal | Sizing::Fit => write!(formatter, "'h{self:x}"),
        }
    }
}
