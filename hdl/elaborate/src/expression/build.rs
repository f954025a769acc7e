//! Building expressions, with the folding that parameters, widths of 0 and linters ask for.

use super::{Arithmetic, Direction, Expression, Reduction, Relation, SignalId, owned};
use crate::word::{Word, bits_to};
use std::rc::Rc;

impl Expression {
    pub(crate) fn zero(width: usize) -> Self {
        Self::Constant(Word::zero(width))
    }

    pub(crate) fn bit(value: bool) -> Self {
        Self::Constant(value.into())
    }

    pub(crate) fn read(signal: SignalId, width: usize) -> Self {
        if width == 0 { Self::zero(0) } else { Self::Read { signal, low: 0, width } }
    }

    pub(crate) fn not(value: Self) -> Self {
        match value {
            Self::Constant(word) => Self::Constant(!word),
            Self::Not(inner) => owned(inner),
            Self::Compare(Relation::Equal, left, right) => {
                Self::Compare(Relation::NotEqual, left, right)
            }
            Self::Compare(Relation::NotEqual, left, right) => {
                Self::Compare(Relation::Equal, left, right)
            }
            other => Self::Not(Rc::new(other)),
        }
    }

    pub(crate) fn binary(operation: Arithmetic, left: Self, right: Self) -> Self {
        if let (Some(left), Some(right)) = (left.constant(), right.constant()) {
            let (left, right) = (left.clone(), right.clone());
            return Self::Constant(match operation {
                Arithmetic::Add => left + right,
                Arithmetic::Subtract => left - right,
                Arithmetic::And => left & right,
                Arithmetic::Or => left | right,
                Arithmetic::Xor => left ^ right,
            });
        }
        match operation {
            Arithmetic::And if left.is_zero() || right.is_ones() => return left,
            Arithmetic::And if right.is_zero() || left.is_ones() => return right,
            Arithmetic::Or | Arithmetic::Xor | Arithmetic::Add if left.is_zero() => return right,
            Arithmetic::Or if left.is_ones() => return left,
            Arithmetic::Or if right.is_ones() => return right,
            _ if right.is_zero() => return left,
            Arithmetic::Or | Arithmetic::Xor | Arithmetic::Add => {
                if let Some(joined) = Self::interleaved(&left, &right) {
                    return joined;
                }
            }
            _ => {}
        }
        Self::Binary(operation, Rc::new(left), Rc::new(right))
    }

    pub(crate) fn shift(direction: Direction, value: Self, amount: Self) -> Self {
        let width = value.width();
        let Some(distance) = amount.constant().map(Word::index) else {
            return if value.is_zero() {
                value
            } else {
                Self::Shift(direction, Rc::new(value), Rc::new(amount))
            };
        };
        if distance == 0 {
            return value;
        }
        if distance >= width {
            return Self::zero(width);
        }
        match direction {
            Direction::Left => {
                Self::concatenated([value.sliced(0, width - distance), Self::zero(distance)])
            }
            Direction::Right => match value.bits(distance, width - distance) {
                // The shift itself needs no name for its operand.
                Self::Part { .. } => Self::Shift(direction, Rc::new(value), Rc::new(amount)),
                kept => Self::concatenated([Self::zero(distance), kept]),
            },
        }
    }

    pub(crate) fn compare(relation: Relation, left: Self, right: Self) -> Self {
        if let (Some(left), Some(right)) = (left.constant(), right.constant()) {
            return Self::bit(match relation {
                Relation::Equal => left == right,
                Relation::NotEqual => left != right,
                Relation::Less => left < right,
                Relation::LessOrEqual => left <= right,
                Relation::Greater => left > right,
                Relation::GreaterOrEqual => left >= right,
            });
        }
        // Verilator warns about comparisons that their operands' widths decide, and it is right.
        if let Some(result) = Self::decided(relation, &left, &right) {
            return Self::bit(result);
        }
        let (left, right) = Self::without_common_top(left, right);
        match relation {
            Relation::Equal | Relation::NotEqual
                if left.width() == 1 && right.constant().is_some() =>
            {
                return if right.is_ones() == (relation == Relation::Equal) {
                    left
                } else {
                    Self::not(left)
                };
            }
            _ => {}
        }
        Self::Compare(relation, Rc::new(left), Rc::new(right))
    }

    pub(crate) fn reduce(reduction: Reduction, value: Self) -> Self {
        let decides_nothing = |part: &Self| match reduction {
            Reduction::All => part.is_ones(),
            Reduction::Any | Reduction::Odd => part.is_zero(),
        };
        let value = match value {
            Self::Concatenate(parts) => {
                Self::concatenated(parts.into_iter().filter(|part| !decides_nothing(part)))
            }
            other => other,
        };
        if let Some(word) = value.constant() {
            return Self::bit(match reduction {
                Reduction::All => word.all(),
                Reduction::Any => word.any(),
                Reduction::Odd => word.xor(),
            });
        }
        if value.width() == 1 { value } else { Self::Reduce(reduction, Rc::new(value)) }
    }

    /// `left && right`, or `left || right`.
    pub(crate) fn logic(and: bool, left: Self, right: Self) -> Self {
        // The operand that decides the result, and the one that leaves it to the other.
        let decides = |operand: &Self| if and { operand.is_zero() } else { operand.is_ones() };
        let yields = |operand: &Self| if and { operand.is_ones() } else { operand.is_zero() };
        if decides(&left) || yields(&right) {
            left
        } else if decides(&right) || yields(&left) {
            right
        } else {
            Self::Logic(and, Rc::new(left), Rc::new(right))
        }
    }

    /// Bit `index` of `value`; 0 beyond the width.
    pub(crate) fn selected(value: Self, index: Self) -> Self {
        let width = value.width();
        if let Some(position) = index.constant().map(Word::index) {
            return if position < width { value.sliced(position, 1) } else { Self::bit(false) };
        }
        match value {
            Self::Read { signal, low: 0, width }
                if width > 1 && 1usize.checked_shl(index.width() as u32) == Some(width) =>
            {
                Self::Select { signal, index: Rc::new(index) }
            }
            value => {
                let shifted = Self::shift(Direction::Right, value, index);
                let bottom = Self::Constant(Word::new(width, 1));
                Self::reduce(Reduction::Any, Self::binary(Arithmetic::And, shifted, bottom))
            }
        }
    }

    /// `value` with bit `index` replaced by the one bit `bit`; unchanged when the index is beyond the width.
    pub(crate) fn replaced(value: Self, index: Self, bit: Self) -> Self {
        let width = value.width();
        if width == 0 {
            return value;
        }
        if let Some(position) = index.constant().map(Word::index) {
            if position >= width {
                return value;
            }
            let above = value.bits(position + 1, width - position - 1);
            let below = value.sliced(0, position);
            return Self::concatenated([above, bit, below]);
        }
        let place = |bit: Self| {
            Self::Shift(Direction::Left, Rc::new(bit.resized(width)), Rc::new(index.clone()))
        };
        let one = Self::Constant(bits_to(1, width));
        let cleared = Self::binary(Arithmetic::And, value, Self::not(place(one)));
        Self::binary(Arithmetic::Or, cleared, place(bit))
    }
}
