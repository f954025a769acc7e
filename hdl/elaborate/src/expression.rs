//! Expressions whose every width is known.

mod bounds;
mod build;
mod choose;
mod slice;
mod substitute;

use crate::word::Word;
use std::rc::Rc;

/// A signal of a block, by its place in the block's table.
pub(crate) type SignalId = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    All,
    Any,
    Odd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Left,
    Right,
}

/// The expression that a pointer leads to, copied only if another tree has it too.
fn owned(shared: Rc<Expression>) -> Expression {
    Rc::unwrap_or_clone(shared)
}

/// A tree in which both operands of an [`Arithmetic`] or a [`Relation`] have one width. Trees share
/// their branches, because a kernel's values are copied into everything that reads them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Constant(Word),
    /// Some bits of a signal.
    Read {
        signal: SignalId,
        low: usize,
        width: usize,
    },
    /// The most significant part first; no part is empty.
    Concatenate(Vec<Expression>),
    Not(Rc<Expression>),
    Binary(Arithmetic, Rc<Expression>, Rc<Expression>),
    Shift(Direction, Rc<Expression>, Rc<Expression>),
    Compare(Relation, Rc<Expression>, Rc<Expression>),
    Reduce(Reduction, Rc<Expression>),
    /// `true` for and, `false` for or.
    Logic(bool, Rc<Expression>, Rc<Expression>),
    /// The second value if the first, one bit, is set; else the third.
    Choose(Rc<Expression>, Rc<Expression>, Rc<Expression>),
    /// One bit of a whole signal, picked by an index that cannot point beyond it.
    Select {
        signal: SignalId,
        index: Rc<Expression>,
    },
    /// Bits of an expression that Verilog can only take from a name.
    Part {
        value: Rc<Expression>,
        low: usize,
        width: usize,
    },
}

impl Expression {
    pub(crate) fn width(&self) -> usize {
        match self {
            Self::Constant(word) => word.bits(),
            Self::Read { width, .. } | Self::Part { width, .. } => *width,
            Self::Concatenate(parts) => parts.iter().map(Self::width).sum(),
            Self::Not(value) | Self::Binary(_, value, _) | Self::Shift(_, value, _) => {
                value.width()
            }
            Self::Choose(_, value, _) => value.width(),
            Self::Compare(..) | Self::Reduce(..) | Self::Logic(..) | Self::Select { .. } => 1,
        }
    }

    pub(crate) fn constant(&self) -> Option<&Word> {
        match self {
            Self::Constant(word) => Some(word),
            _ => None,
        }
    }

    fn is_zero(&self) -> bool {
        self.constant().is_some_and(|word| !word.any())
    }

    fn is_ones(&self) -> bool {
        self.constant().is_some_and(Word::all)
    }

    /// The operands of a sequence of one operation, the first one first.
    pub(crate) fn operands(&self, operation: Arithmetic) -> Vec<&Self> {
        match self {
            Self::Binary(found, left, right)
                if *found == operation && operation != Arithmetic::Subtract =>
            {
                let mut operands = left.operands(operation);
                operands.push(right);
                operands
            }
            other => vec![other],
        }
    }

    /// Calls `visit` with the bits of every signal that the expression reads.
    pub(crate) fn reads(&self, visit: &mut impl FnMut(SignalId, Bits)) {
        self.each(&mut |part| match part {
            Self::Read { signal, low, width } => {
                visit(*signal, Bits::Some { low: *low, width: *width })
            }
            Self::Select { signal, .. } => visit(*signal, Bits::Every),
            _ => {}
        });
    }

    /// Calls `visit` with the expression and every one in it.
    pub(crate) fn each(&self, visit: &mut impl FnMut(&Self)) {
        visit(self);
        match self {
            Self::Constant(_) | Self::Read { .. } => {}
            Self::Concatenate(parts) => parts.iter().for_each(|part| part.each(visit)),
            Self::Not(value)
            | Self::Reduce(_, value)
            | Self::Part { value, .. }
            | Self::Select { index: value, .. } => value.each(visit),
            Self::Binary(_, left, right)
            | Self::Shift(_, left, right)
            | Self::Compare(_, left, right)
            | Self::Logic(_, left, right) => {
                left.each(visit);
                right.each(visit);
            }
            Self::Choose(condition, value, other) => {
                condition.each(visit);
                value.each(visit);
                other.each(visit);
            }
        }
    }

    /// Whether Verilog can write it as one name, constant or concatenation of these.
    pub(crate) fn is_plain(&self) -> bool {
        match self {
            Self::Constant(_) | Self::Read { .. } => true,
            Self::Concatenate(parts) => parts.iter().all(Self::is_plain),
            _ => false,
        }
    }
}

/// Which bits of a signal an expression reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bits {
    Every,
    Some { low: usize, width: usize },
}

impl Bits {
    /// How many, if not all.
    pub(crate) fn width(self) -> Option<usize> {
        match self {
            Self::Every => None,
            Self::Some { width, .. } => Some(width),
        }
    }
}
