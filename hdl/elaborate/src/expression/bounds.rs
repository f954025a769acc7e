//! Comparisons that constant bits of their operands decide.

use super::{Expression, Relation};
use crate::word::Word;

impl Expression {
    /// The least and the greatest value that the constant bits leave.
    fn bounds(&self) -> (Word, Word) {
        let width = self.width();
        match self {
            Self::Constant(word) => (word.clone(), word.clone()),
            Self::Concatenate(parts) => {
                let (mut least, mut greatest) = (Word::zero(width), Word::zero(width));
                for part in parts {
                    let (low, high) = part.bounds();
                    let place = part.width();
                    let append = |word: Word, bits: Word| {
                        (word << place) | crate::word::bits_to(bits, width)
                    };
                    (least, greatest) = (append(least, low), append(greatest, high));
                }
                (least, greatest)
            }
            _ => (Word::zero(width), !Word::zero(width)),
        }
    }

    /// The result, if it is the same for all values of both operands.
    pub(super) fn decided(relation: Relation, left: &Self, right: &Self) -> Option<bool> {
        let ((left_least, left_most), (right_least, right_most)) = (left.bounds(), right.bounds());
        let less = left_most < right_least;
        let less_or_equal = left_most <= right_least;
        let greater = left_least > right_most;
        let greater_or_equal = left_least >= right_most;
        let one_of = |holds: bool, fails: bool| (holds || fails).then_some(holds);
        match relation {
            Relation::Less => one_of(less, greater_or_equal),
            Relation::LessOrEqual => one_of(less_or_equal, greater),
            Relation::Greater => one_of(greater, less_or_equal),
            Relation::GreaterOrEqual => one_of(greater_or_equal, less),
            Relation::Equal => one_of(false, less || greater),
            Relation::NotEqual => one_of(less || greater, false),
        }
    }

    /// Both operands without the constant bits at the top in which they agree.
    pub(super) fn without_common_top(left: Self, right: Self) -> (Self, Self) {
        let width = left.width();
        let shared = left.constant_top().min(right.constant_top()).min(width.saturating_sub(1));
        let kept = width - shared;
        let top = |operand: &Self| operand.bits(kept, shared);
        if shared == 0 || top(&left) != top(&right) {
            return (left, right);
        }
        (left.sliced(0, kept), right.sliced(0, kept))
    }

    /// How many bits at the top are constant.
    fn constant_top(&self) -> usize {
        match self {
            Self::Constant(word) => word.bits(),
            Self::Concatenate(parts) => match parts.first() {
                Some(Self::Constant(word)) => word.bits(),
                _ => 0,
            },
            _ => 0,
        }
    }
}
