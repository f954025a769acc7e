//! Operands, and how those without a width of their own get one.

use super::Lowering;
use crate::error::Error;
use crate::expression::{Expression, Relation};
use crate::word::{Sizing, Word};
use rust_hdl::core::ast::VerilogLiteral;

/// An expression before it has met its partner.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Exact(Expression),
    /// An integer, which takes its partner's width and must fit.
    Literal(Word),
    /// A value cut or zero-extended to its partner's width.
    Fit(Expression),
}

/// Two operands that have met.
pub(super) enum Pair {
    Exact(Expression, Expression),
    Literals(Word, Word),
}

impl From<Word> for Operand {
    fn from(word: Word) -> Self {
        match word.sizing() {
            Sizing::Exact => Self::Exact(Expression::Constant(word)),
            Sizing::Literal | Sizing::Fit => Self::Literal(word),
        }
    }
}

/// The value of a literal; none if it is negative.
pub(super) fn literal(literal: &VerilogLiteral) -> Option<Word> {
    // The value is private to RustHDL, its hexadecimal form is not.
    let text = format!("{literal:x}");
    let (width, digits) = text.split_once("'h")?;
    let mut limbs = Vec::new();
    let mut end = digits.len();
    while end > 0 {
        let start = end.saturating_sub(16);
        limbs.push(u64::from_str_radix(digits.get(start..end)?, 16).ok()?);
        end = start;
    }
    // The only one-bit literals are `true` and `false`.
    Some(if width == "1" { Word::from_limbs(1, &limbs) } else { Word::literal(&limbs) })
}

impl Lowering<'_> {
    /// The operand in a place of `width` bits. One of another width of its own is the caller's to refuse.
    pub(super) fn take(&self, operand: Operand, width: usize) -> Result<Expression, Error> {
        match operand {
            Operand::Exact(expression) => Ok(expression),
            Operand::Fit(expression) => Ok(expression.resized(width)),
            // A signal without bits holds no number, whichever is put into it.
            Operand::Literal(word) if width > 0 && word.significant_bits() > width => {
                Err(Error::NumberTooWide {
                    signal: self.subject.clone(),
                    value: format!("{word:#x}"),
                    width,
                })
            }
            Operand::Literal(word) => Ok(Expression::Constant(word.fitted(width))),
        }
    }

    /// Both operands in the one width they must share.
    pub(super) fn meet(
        &self,
        left: Operand,
        operator: &'static str,
        right: Operand,
    ) -> Result<Pair, Error> {
        match (left, right) {
            (Operand::Literal(left), Operand::Literal(right)) => Ok(Pair::Literals(left, right)),
            (Operand::Exact(left), Operand::Exact(right)) if left.width() != right.width() => {
                Err(Error::WidthMismatch {
                    signal: self.subject.clone(),
                    operator,
                    left_width: left.width(),
                    left: self.text(&left),
                    right_width: right.width(),
                    right: self.text(&right),
                })
            }
            (Operand::Exact(left), right) => {
                let right = self.take(right, left.width())?;
                Ok(Pair::Exact(left, right))
            }
            (left, Operand::Exact(right)) => {
                let left = self.take(left, right.width())?;
                Ok(Pair::Exact(left, right))
            }
            (Operand::Fit(value), _) | (_, Operand::Fit(value)) => Err(self.no_width(&value)),
        }
    }

    /// A comparison. A signal without bits is the number 0, so numbers of any size compare with it.
    pub(super) fn compared(
        &self,
        relation: Relation,
        left: Operand,
        operator: &'static str,
        right: Operand,
    ) -> Result<Expression, Error> {
        let value = |operand: &Operand| match operand {
            Operand::Exact(Expression::Constant(word)) if word.bits() == 0 => Some(Word::from(0)),
            Operand::Literal(word) => Some(word.clone()),
            _ => None,
        };
        if let (Some(left), Some(right)) = (value(&left), value(&right)) {
            return Ok(Expression::compare(
                relation,
                Expression::Constant(left),
                Expression::Constant(right),
            ));
        }
        match self.meet(left, operator, right)? {
            Pair::Exact(left, right) => Ok(Expression::compare(relation, left, right)),
            Pair::Literals(left, right) => Ok(Expression::compare(
                relation,
                Expression::Constant(left),
                Expression::Constant(right),
            )),
        }
    }

    /// An operand that must have a width of its own.
    pub(super) fn exact(&self, operand: Operand) -> Result<Expression, Error> {
        match operand {
            Operand::Exact(expression) => Ok(expression),
            Operand::Fit(value) => Err(self.no_width(&value)),
            Operand::Literal(word) => {
                Err(Error::NoWidth { signal: self.subject.clone(), value: format!("{word:?}") })
            }
        }
    }

    fn no_width(&self, value: &Expression) -> Error {
        Error::NoWidth { signal: self.subject.clone(), value: self.text(value) }
    }
}
