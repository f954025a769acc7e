//! The operators of kernels.

use super::{LIMB, MAXIMUM_SHIFT, Sizing, Word};
use std::cmp::Ordering;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

impl Word {
    /// The sizing and width of an operation on two words.
    fn meet(&self, other: &Word) -> (Sizing, usize) {
        match (self.sizing, other.sizing) {
            (Sizing::Exact, Sizing::Exact) => (Sizing::Exact, self.bits().max(other.bits())),
            (Sizing::Exact, _) => (Sizing::Exact, self.bits()),
            (_, Sizing::Exact) => (Sizing::Exact, other.bits()),
            (sizing, _) => (sizing, self.bits().max(other.bits())),
        }
    }

    fn limbwise(&self, other: &Word, operation: impl Fn(u64, u64) -> u64) -> Word {
        let (sizing, width) = self.meet(other);
        Word::build(width, sizing, |index| operation(self.limb(index), other.limb(index)))
    }

    fn sum(&self, other: &Word, invert: u64, mut carry: bool) -> Word {
        let (sizing, width) = self.meet(other);
        Word::build(width, sizing, |index| {
            let (partial, first) = self.limb(index).overflowing_add(other.limb(index) ^ invert);
            let (total, second) = partial.overflowing_add(carry.into());
            carry = first | second;
            total
        })
    }

    fn product(&self, other: &Word) -> Word {
        let (_, width) = self.meet(other);
        let mut total = Word::zero(width);
        for position in 0..other.significant_bits() {
            if other.get_bit(position) {
                total = total + (self.clone().fitted(width) << position);
            }
        }
        total.sizing = self.meet(other).0;
        total
    }

    /// A literal is compared by its value, a word cast to fit in the width of its partner.
    fn compare(&self, other: &Word) -> Ordering {
        let limb = |word: &Word, partner: &Word, index: usize| {
            if word.sizing == Sizing::Fit && partner.sizing == Sizing::Exact {
                let used = partner.bits().saturating_sub(index * LIMB);
                word.limb(index) & if used >= LIMB { u64::MAX } else { (1 << used) - 1 }
            } else {
                word.limb(index)
            }
        };
        let limbs = self.bits().max(other.bits()).div_ceil(LIMB).max(1);
        (0..limbs)
            .rev()
            .map(|index| limb(self, other, index).cmp(&limb(other, self, index)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    fn shifted_left(&self, amount: usize) -> Word {
        let width = match self.sizing {
            Sizing::Exact => self.bits(),
            // What has no width yet loses no bits: the width it gets in the end cuts it.
            Sizing::Literal | Sizing::Fit => self.bits() + amount.min(MAXIMUM_SHIFT),
        };
        let (limbs, bits) = (amount / LIMB, amount % LIMB);
        Word::build(width, self.sizing, |index| {
            let Some(index) = index.checked_sub(limbs) else { return 0 };
            let carried =
                if bits == 0 || index == 0 { 0 } else { self.limb(index - 1) >> (LIMB - bits) };
            (self.limb(index) << bits) | carried
        })
    }

    fn shifted_right(&self, amount: usize) -> Word {
        let (limbs, bits) = (amount / LIMB, amount % LIMB);
        Word::build(self.bits(), self.sizing, |index| {
            let index = index.saturating_add(limbs);
            let carried =
                if bits == 0 { 0 } else { self.limb(index.saturating_add(1)) << (LIMB - bits) };
            (self.limb(index) >> bits) | carried
        })
    }
}

macro_rules! binary_operators {
    ($($operator:ident :: $method:ident = $function:expr;)*) => {$(
        impl<T: Into<Word>> $operator<T> for Word {
            type Output = Word;

            fn $method(self, other: T) -> Word {
                let function: fn(&Word, &Word) -> Word = $function;
                function(&self, &other.into())
            }
        }
    )*};
}
binary_operators! {
    Add::add = |left, right| left.sum(right, 0, false);
    Sub::sub = |left, right| left.sum(right, u64::MAX, true);
    Mul::mul = |left, right| left.product(right);
    BitAnd::bitand = |left, right| left.limbwise(right, |left, right| left & right);
    BitOr::bitor = |left, right| left.limbwise(right, |left, right| left | right);
    BitXor::bitxor = |left, right| left.limbwise(right, |left, right| left ^ right);
    Shl::shl = |value, amount| value.shifted_left(amount.index());
    Shr::shr = |value, amount| value.shifted_right(amount.index());
}

impl Mul<Word> for usize {
    type Output = Word;

    fn mul(self, other: Word) -> Word {
        Word::from(self) * other
    }
}

impl Not for Word {
    type Output = Word;

    fn not(self) -> Word {
        Word::build(self.bits(), self.sizing, |index| !self.limb(index))
    }
}

impl<T: Into<Word> + Clone> PartialEq<T> for Word {
    fn eq(&self, other: &T) -> bool {
        self.compare(&other.clone().into()).is_eq()
    }
}

impl<T: Into<Word> + Clone> PartialOrd<T> for Word {
    fn partial_cmp(&self, other: &T) -> Option<Ordering> {
        Some(self.compare(&other.clone().into()))
    }
}
