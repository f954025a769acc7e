//! Two-way multiplexers.

use super::{Arithmetic, Expression, Relation, owned};
use crate::word::Word;
use std::rc::Rc;

/// Of the numbers that an expression chooses from, the bits that are set in all and those that are set in any.
struct Numbers {
    all: Word,
    any: Word,
}

impl Numbers {
    fn of(expression: &Expression) -> Self {
        let zero = Word::zero(expression.width());
        let mut numbers = Self { all: !zero.clone(), any: zero };
        numbers.add(expression);
        numbers
    }

    fn add(&mut self, mut expression: &Expression) {
        while let Expression::Choose(_, value, other) = expression {
            self.add(value);
            expression = other;
        }
        if let Expression::Constant(word) = expression {
            self.all = self.all.clone() & word.clone();
            self.any = self.any.clone() | word.clone();
        }
    }

    /// Whether a choice between these and `others`, of which one is a single number, can differ in one place between the
    /// cuts only, or set bits only where it `may_repeat` its condition for each.
    fn may_differ_in_one_place(&self, others: &Self, cuts: &[usize], may_repeat: bool) -> bool {
        let in_all = self.all.clone() & others.all.clone();
        let differing = (self.any.clone() | others.any.clone()) & !in_all;
        let never_set = !self.all.clone() | others.any.clone();
        let (mut places, mut may_set) = (0, true);
        for window in cuts.windows(2) {
            let bits = |word: &Word| word.slice(window[0], window[1] - window[0]).any();
            if bits(&differing) {
                places += 1;
                let sets = !bits(&never_set);
                may_set &= sets;
                if !sets && window[1] - window[0] > 1 || places > 1 && !(may_set && may_repeat) {
                    return false;
                }
            }
        }
        true
    }
}

impl Expression {
    /// `condition ? value : other`, written without a multiplexer where one bit needs none.
    pub(crate) fn choose(condition: Self, value: Self, other: Self) -> Self {
        if value == other || condition.is_ones() {
            return value;
        }
        if condition.is_zero() {
            return other;
        }
        // Conditions that lead to one value are one condition.
        match (&value, &other) {
            (Self::Choose(inner, chosen, rest), _) if **rest == other => {
                let both = Self::logic(true, condition, inner.as_ref().clone());
                return Self::choose(both, chosen.as_ref().clone(), other);
            }
            (_, Self::Choose(inner, chosen, rest)) if **chosen == value => {
                let either = Self::logic(false, condition, inner.as_ref().clone());
                return Self::choose(either, value, rest.as_ref().clone());
            }
            _ => {}
        }
        // A chain goes on in its last part.
        if matches!(value, Self::Choose(..)) && !matches!(other, Self::Choose(..)) {
            return Self::choose(Self::not(condition), other, value);
        }
        if let Self::Not(inner) = condition {
            return if matches!(other, Self::Choose(..)) {
                Self::Choose(Rc::new(Self::Not(inner)), Rc::new(value), Rc::new(other))
            } else {
                Self::choose(owned(inner), other, value)
            };
        }
        if value.width() == 1
            && let Some(gate) = Self::one_bit(&condition, &value, &other)
        {
            return gate;
        }
        if let Some(joined) = Self::one_difference(&condition, &value, &other) {
            return joined;
        }
        Self::Choose(Rc::new(condition), Rc::new(value), Rc::new(other))
    }

    /// A choice between bits one of which is a constant.
    fn one_bit(condition: &Self, value: &Self, other: &Self) -> Option<Self> {
        let gate = |operation, condition: Self, operand: &Self| {
            let is_chain = matches!(operand, Self::Choose(..));
            (!is_chain).then(|| Self::binary(operation, condition, operand.clone()))
        };
        let set = || condition.clone().bitwise();
        let clear = || condition.clone().bitwise().inverse();
        if other.is_zero() {
            gate(Arithmetic::And, set(), value)
        } else if other.is_ones() {
            gate(Arithmetic::Or, clear(), value)
        } else if value.is_zero() {
            gate(Arithmetic::And, clear(), other)
        } else if value.is_ones() {
            gate(Arithmetic::Or, set(), other)
        } else {
            None
        }
    }

    /// Values that differ in single bits, which then need no multiplexer, as a concatenation.
    fn one_difference(condition: &Self, value: &Self, other: &Self) -> Option<Self> {
        if let (Some(value), Some(other)) = (value.constant(), other.constant()) {
            if value.name().is_some() || other.name().is_some() {
                return None;
            }
            // Two numbers are numbers; a set bit in a word of zeros is a flag.
            let is_flag = |word: &Word| word.limbs().map(u64::count_ones).sum::<u32>() == 1;
            let sets_a_flag = is_flag(value) && !other.any() || is_flag(other) && !value.any();
            if !sets_a_flag {
                return None;
            }
        }
        let mut cuts: Vec<usize> = [value, other]
            .into_iter()
            .flat_map(|whole| whole.boundaries().into_iter().chain(whole.constant_changes()))
            .collect();
        cuts.sort_unstable();
        cuts.dedup();
        // A flag may set several bits; a comparison is not repeated for each.
        let may_repeat = matches!(condition, Self::Read { .. });
        // Slicing a chain of choices takes long, so it is not done where numbers tell that it is for nothing. Of two
        // choices they do not tell: bits of both may be the same choice.
        let is_against_number = matches!(
            (value, other),
            (Self::Constant(_), Self::Choose(..)) | (Self::Choose(..), Self::Constant(_))
        );
        if cuts.len() > 2 && is_against_number {
            let (values, others) = (Numbers::of(value), Numbers::of(other));
            if !values.may_differ_in_one_place(&others, &cuts, may_repeat) {
                return None;
            }
        }
        let (mut differing, mut is_set) = (0, true);
        let mut parts = Vec::new();
        for window in cuts.windows(2).rev() {
            let (low, width) = (window[0], window[1] - window[0]);
            let (value, other) = (value.bits(low, width), other.bits(low, width));
            if value != other {
                differing += 1;
                is_set &= value.is_ones() && other.is_zero();
            }
            let part = if value == other {
                value
            } else if width == 1 {
                Self::one_bit(condition, &value, &other)?
            } else if value.is_ones() && other.is_zero() {
                Self::concatenated((0..width).map(|_| condition.clone()))
            } else {
                return None;
            };
            if matches!(part, Self::Part { .. }) {
                return None;
            }
            parts.push(part);
        }
        (differing == 1 || is_set && may_repeat).then(|| Self::concatenated(parts))
    }

    /// The opposite of one bit; an operand that is an inverse itself loses its operator.
    fn inverse(self) -> Self {
        let is_inverse = |operand: &Self| {
            matches!(operand, Self::Not(_))
                || matches!(operand, Self::Compare(Relation::Equal | Relation::NotEqual, ..))
        };
        match self {
            Self::Binary(operation @ (Arithmetic::And | Arithmetic::Or), left, right)
                if is_inverse(&left) || is_inverse(&right) =>
            {
                let dual =
                    if operation == Arithmetic::And { Arithmetic::Or } else { Arithmetic::And };
                Self::binary(dual, owned(left).inverse(), owned(right).inverse())
            }
            other => Self::not(other),
        }
    }

    /// A condition with `&` and `|` in place of `&&` and `||`, to be an operand of these.
    fn bitwise(self) -> Self {
        match self {
            Self::Logic(and, left, right) => {
                let operation = if and { Arithmetic::And } else { Arithmetic::Or };
                Self::binary(operation, owned(left).bitwise(), owned(right).bitwise())
            }
            other => other,
        }
    }
}
