//! Expressions with other expressions in place of signals.

use super::{Expression, SignalId};
use std::rc::Rc;

impl Expression {
    /// The expression with `value_of(signal)` in place of every signal for which there is one, folded again.
    ///
    /// A value stands for a whole signal, so it has the signal's width.
    pub(crate) fn substituted(&self, value_of: &impl Fn(SignalId) -> Option<Expression>) -> Self {
        self.with_reads(&|signal, low, width| {
            value_of(signal).map(|value| value.sliced(low, width))
        })
    }

    /// The expression with `value_of(signal, low, width)` in place of every read of these bits, folded again.
    pub(crate) fn with_reads(
        &self,
        value_of: &impl Fn(SignalId, usize, usize) -> Option<Expression>,
    ) -> Self {
        let inner = |value: &Self| value.with_reads(value_of);
        match self {
            Self::Constant(_) => self.clone(),
            Self::Read { signal, low, width } => {
                value_of(*signal, *low, *width).unwrap_or_else(|| self.clone())
            }
            Self::Concatenate(parts) => Self::concatenated(parts.iter().map(inner)),
            Self::Not(value) => Self::not(inner(value)),
            Self::Binary(operation, left, right) => {
                Self::binary(*operation, inner(left), inner(right))
            }
            Self::Shift(direction, value, amount) => {
                Self::shift(*direction, inner(value), inner(amount))
            }
            Self::Compare(relation, left, right) => {
                Self::compare(*relation, inner(left), inner(right))
            }
            Self::Reduce(reduction, value) => Self::reduce(*reduction, inner(value)),
            Self::Logic(and, left, right) => Self::logic(*and, inner(left), inner(right)),
            Self::Choose(condition, value, other) => {
                Self::choose(inner(condition), inner(value), inner(other))
            }
            // A selection is of a whole signal, and its index reaches every bit of it.
            Self::Select { signal, index } => match value_of(*signal, 0, 1 << index.width()) {
                Some(value) => Self::selected(value, inner(index)),
                None => Self::Select { signal: *signal, index: Rc::new(inner(index)) },
            },
            Self::Part { value, low, width } => inner(value).sliced(*low, *width),
        }
    }

    /// How many operators and multiplexers the expression has.
    pub(crate) fn operators(&self) -> usize {
        let mut count = 0;
        self.each(&mut |part| {
            let is_operator =
                !matches!(part, Self::Constant(_) | Self::Read { .. } | Self::Concatenate(_));
            count += usize::from(is_operator);
        });
        count
    }
}
