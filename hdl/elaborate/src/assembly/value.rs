//! What is between the modules of an assembly.

use crate::expression::{Arithmetic, Expression, Reduction, SignalId};
use crate::word::Word;
use std::ops::{BitAnd, BitOr, Not};

/// A signal of an assembly, which has one driver and any number of readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Net {
    pub(super) signal: SignalId,
    pub(super) width: usize,
}

impl Net {
    /// Its number of bits.
    pub fn width(self) -> usize {
        self.width
    }

    /// What it carries.
    pub fn value(self) -> Value {
        Value(Some(Expression::read(self.signal, self.width)))
    }
}

/// Bits of nets and constants, and what gates make of them. It has no bits to read where widths do not fit each other, which
/// the port that it is joined to reports.
#[derive(Clone, Debug)]
pub struct Value(pub(super) Option<Expression>);

impl From<Net> for Value {
    fn from(net: Net) -> Self {
        net.value()
    }
}

impl Value {
    /// A number of so many bits.
    pub fn constant(width: usize, number: u64) -> Self {
        Self(Some(Expression::Constant(Word::new(width, number))))
    }

    /// So many bits from bit `low` up.
    #[must_use]
    pub fn bits(self, low: usize, width: usize) -> Self {
        let inside = |value: &Expression| low + width <= value.width();
        Self(self.0.filter(inside).map(|value| value.sliced(low, width)))
    }

    /// Values beside each other, the first one lowest.
    pub fn beside(values: impl IntoIterator<Item = Value, IntoIter: DoubleEndedIterator>) -> Self {
        let parts: Option<Vec<_>> = values.into_iter().rev().map(|value| value.0).collect();
        Self(parts.map(Expression::concatenated))
    }

    /// 1 where every one of these values of one bit is; 1 where there is none.
    pub fn all(values: impl IntoIterator<Item = Value, IntoIter: DoubleEndedIterator>) -> Self {
        let all = Self::beside(values).0;
        Self(all.map(|all| match all.width() {
            0 => Expression::bit(true),
            _ => Expression::reduce(Reduction::All, all),
        }))
    }

    /// This value where the condition, of one bit, is 1, else the other one.
    #[must_use]
    pub fn when(self, condition: Value, other: Value) -> Self {
        let (Some(condition), Some(value), Some(other)) = (condition.0, self.0, other.0) else {
            return Self(None);
        };
        let fits = condition.width() == 1 && value.width() == other.width();
        Self(fits.then(|| Expression::choose(condition, value, other)))
    }

    /// One less.
    #[must_use]
    pub fn less_one(self) -> Self {
        let one = |value: &Expression| Expression::Constant(Word::new(value.width(), 1));
        Self(self.0.map(|value| {
            let one = one(&value);
            Expression::binary(Arithmetic::Subtract, value, one)
        }))
    }

    fn with(self, operation: Arithmetic, other: Value) -> Self {
        let (Some(left), Some(right)) = (self.0, other.0) else { return Self(None) };
        let fits = left.width() == right.width();
        Self(fits.then(|| Expression::binary(operation, left, right)))
    }
}

impl BitAnd for Value {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.with(Arithmetic::And, other)
    }
}

impl BitOr for Value {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.with(Arithmetic::Or, other)
    }
}

impl Not for Value {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0.map(Expression::not))
    }
}

/// What a port of an instance is joined to.
#[derive(Clone, Debug)]
pub enum Connection {
    /// An input reads the net, an output drives it.
    Net(Net),
    /// An input reads the value.
    Value(Value),
    /// Nothing reads what an output says.
    Open,
}

impl From<Net> for Connection {
    fn from(net: Net) -> Self {
        Self::Net(net)
    }
}

impl From<Value> for Connection {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}
