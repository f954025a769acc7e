//! Expressions of the syntax tree.

use super::Lowering;
use super::operand::{Operand, Pair, literal};
use crate::error::Error;
use crate::expression::{Arithmetic, Direction, Expression, Reduction, Relation};
use crate::table::Symbol;
use crate::word::{MAXIMUM_SHIFT, Word};
use rust_hdl::core::ast::{VerilogExpression, VerilogOp, VerilogOpUnary};

impl Lowering<'_> {
    pub(super) fn operand(&mut self, expression: &VerilogExpression) -> Result<Operand, Error> {
        match expression {
            VerilogExpression::Signal(name) => self.named(name),
            VerilogExpression::Literal(value) => literal(value)
                .map(Operand::from)
                .ok_or_else(|| self.unsupported("a negative number")),
            VerilogExpression::Paren(inner) => self.operand(inner),
            VerilogExpression::Cast(inner, width) => {
                Ok(Operand::Exact(match self.operand(inner)? {
                    Operand::Exact(value) | Operand::Fit(value) => value.resized(*width),
                    Operand::Literal(word) => Expression::Constant(word.fitted(*width)),
                }))
            }
            VerilogExpression::Unsigned(inner) => Ok(match self.operand(inner)? {
                Operand::Exact(value) | Operand::Fit(value) => Operand::Fit(value),
                Operand::Literal(word) => Operand::Literal(word),
            }),
            VerilogExpression::Binary(left, operator, right) => self.binary(left, operator, right),
            VerilogExpression::Unary(operator, inner) => {
                self.unary(operator, inner).map(Operand::Exact)
            }
            VerilogExpression::Index(value, index) => self.bit_of(value, index).map(Operand::Exact),
            VerilogExpression::IndexReplace(value, index, bit) => {
                let (value, index) = self.word_and_index(value, index)?;
                let bit = self.condition(bit)?;
                Ok(Operand::Exact(Expression::replaced(value, index, bit)))
            }
            VerilogExpression::Slice(..) => {
                Err(self.unsupported("`get_bits`; shift and `bits_to` do the same, which"))
            }
            VerilogExpression::Signed(_) => Err(self.unsupported("a signed number")),
        }
    }

    /// An expression of one bit.
    pub(super) fn condition(
        &mut self,
        expression: &VerilogExpression,
    ) -> Result<Expression, Error> {
        let operand = self.operand(expression)?;
        let condition = self.exact(operand)?;
        if condition.width() == 1 {
            return Ok(condition);
        }
        let (signal, text, width) =
            (self.subject.clone(), self.text(&condition), condition.width());
        Err(Error::ConditionWidth { signal, condition: text, width })
    }

    fn named(&mut self, name: &str) -> Result<Operand, Error> {
        if let Some(turn) = self.loop_index(name) {
            return Ok(Operand::Literal(turn.into()));
        }
        let key = self.key(name)?;
        match self.table.symbols.get(&key) {
            Some(Symbol::Parameter(word)) => Ok(word.clone().into()),
            Some(Symbol::Signal(signal)) => {
                let found = &self.table.signals[*signal];
                if !found.role.is_readable() {
                    return Err(Error::Unreadable { signal: self.table.signal_path(*signal) });
                }
                let known = self.known.get(signal).cloned().map(Expression::Constant);
                Ok(Operand::Exact(known.unwrap_or_else(|| Expression::read(*signal, found.width))))
            }
            Some(Symbol::Slice { signal, low, width }) => {
                let found = &self.table.signals[*signal];
                if !found.role.is_readable() {
                    return Err(Error::Unreadable { signal: self.table.path_of(&key) });
                }
                self.viewed.insert(*signal);
                let whole = Expression::read(*signal, found.width);
                Ok(Operand::Exact(whole.sliced(*low, *width)))
            }
            _ => Err(self.unknown(name)),
        }
    }

    fn binary(
        &mut self,
        left: &VerilogExpression,
        operator: &VerilogOp,
        right: &VerilogExpression,
    ) -> Result<Operand, Error> {
        match operator {
            VerilogOp::LogicalAnd | VerilogOp::LogicalOr => {
                let and = matches!(operator, VerilogOp::LogicalAnd);
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                return Ok(Operand::Exact(Expression::logic(and, left, right)));
            }
            VerilogOp::Shl => return self.shifted(Direction::Left, left, right),
            VerilogOp::Shr => return self.shifted(Direction::Right, left, right),
            _ => {}
        }
        let (left, right) = (self.operand(left)?, self.operand(right)?);
        match operator {
            VerilogOp::Add => self.arithmetic(Arithmetic::Add, left, "+", right),
            VerilogOp::Sub => self.arithmetic(Arithmetic::Subtract, left, "-", right),
            VerilogOp::BitAnd => self.arithmetic(Arithmetic::And, left, "&", right),
            VerilogOp::BitOr => self.arithmetic(Arithmetic::Or, left, "|", right),
            VerilogOp::BitXor => self.arithmetic(Arithmetic::Xor, left, "^", right),
            VerilogOp::Mul => self.product(left, right),
            VerilogOp::Eq => self.compared(Relation::Equal, left, "==", right).map(Operand::Exact),
            VerilogOp::Ne => {
                self.compared(Relation::NotEqual, left, "!=", right).map(Operand::Exact)
            }
            VerilogOp::Lt => self.compared(Relation::Less, left, "<", right).map(Operand::Exact),
            VerilogOp::Le => {
                self.compared(Relation::LessOrEqual, left, "<=", right).map(Operand::Exact)
            }
            VerilogOp::Gt => self.compared(Relation::Greater, left, ">", right).map(Operand::Exact),
            VerilogOp::Ge => {
                self.compared(Relation::GreaterOrEqual, left, ">=", right).map(Operand::Exact)
            }
            VerilogOp::Shl | VerilogOp::Shr | VerilogOp::LogicalAnd | VerilogOp::LogicalOr => {
                Err(self.unsupported("this operator"))
            }
        }
    }

    fn arithmetic(
        &self,
        operation: Arithmetic,
        left: Operand,
        operator: &'static str,
        right: Operand,
    ) -> Result<Operand, Error> {
        Ok(match self.meet(left, operator, right)? {
            Pair::Exact(left, right) => Operand::Exact(Expression::binary(operation, left, right)),
            Pair::Literals(left, right) => Operand::Literal(match operation {
                Arithmetic::Add => left + right,
                Arithmetic::Subtract => left - right,
                Arithmetic::And => left & right,
                Arithmetic::Or => left | right,
                Arithmetic::Xor => left ^ right,
            }),
        })
    }

    fn product(&self, left: Operand, right: Operand) -> Result<Operand, Error> {
        match self.meet(left, "*", right)? {
            Pair::Literals(left, right) => Ok(Operand::Literal(left * right)),
            Pair::Exact(Expression::Constant(left), Expression::Constant(right)) => {
                Ok(Operand::Exact(Expression::Constant(left * right)))
            }
            Pair::Exact(..) => Err(self.unsupported("a product of signals")),
        }
    }

    fn shifted(
        &mut self,
        direction: Direction,
        value: &VerilogExpression,
        amount: &VerilogExpression,
    ) -> Result<Operand, Error> {
        let value = self.operand(value)?;
        let amount = match self.operand(amount)? {
            Operand::Literal(word) => Expression::Constant(word),
            other => self.exact(other)?,
        };
        match (value, amount) {
            (Operand::Literal(value), Expression::Constant(amount)) => {
                Ok(Operand::Literal(match direction {
                    Direction::Left => value << amount,
                    Direction::Right => value >> amount,
                }))
            }
            // What has no width yet loses no bits: the width it gets in the end cuts it.
            (Operand::Fit(value), Expression::Constant(amount)) if direction == Direction::Left => {
                Ok(Operand::Fit(Expression::concatenated([
                    value,
                    Expression::zero(amount.index().min(MAXIMUM_SHIFT)),
                ])))
            }
            (Operand::Fit(value), amount) if direction == Direction::Right => {
                Ok(Operand::Fit(Expression::shift(direction, value, amount)))
            }
            (value, amount) => {
                Ok(Operand::Exact(Expression::shift(direction, self.exact(value)?, amount)))
            }
        }
    }

    fn unary(
        &mut self,
        operator: &VerilogOpUnary,
        inner: &VerilogExpression,
    ) -> Result<Expression, Error> {
        let operand = self.operand(inner)?;
        let value = self.exact(operand)?;
        match operator {
            VerilogOpUnary::Not => Ok(Expression::not(value)),
            VerilogOpUnary::All => Ok(Expression::reduce(Reduction::All, value)),
            VerilogOpUnary::Any => Ok(Expression::reduce(Reduction::Any, value)),
            VerilogOpUnary::Xor => Ok(Expression::reduce(Reduction::Odd, value)),
            VerilogOpUnary::Neg => Err(self.unsupported("a negative number")),
        }
    }

    fn bit_of(
        &mut self,
        value: &VerilogExpression,
        index: &VerilogExpression,
    ) -> Result<Expression, Error> {
        let (value, index) = self.word_and_index(value, index)?;
        Ok(Expression::selected(value, index))
    }

    fn word_and_index(
        &mut self,
        value: &VerilogExpression,
        index: &VerilogExpression,
    ) -> Result<(Expression, Expression), Error> {
        let value = self.operand(value)?;
        let value = self.exact(value)?;
        let index = match self.operand(index)? {
            Operand::Literal(word) => Expression::Constant(word),
            other => self.exact(other)?,
        };
        let width = value.width();
        match index.constant().map(Word::index) {
            Some(index) if width > 0 && index >= width => Err(Error::BitOutOfRange {
                signal: self.subject.clone(),
                value: self.text(&value),
                index,
                width,
            }),
            _ => Ok((value, index)),
        }
    }
}
