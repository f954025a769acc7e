//! Faults in expressions.

use super::{FaultKind, Sites};
use crate::expression::{Arithmetic, Expression, Relation, SignalId};
use crate::word::Word;
use std::rc::Rc;

/// Whether an operator of one bit is "and" or "or".
fn gate(expression: &Expression) -> Option<bool> {
    match expression {
        Expression::Logic(and, ..) => Some(*and),
        Expression::Binary(Arithmetic::And, left, _) if left.width() == 1 => Some(true),
        Expression::Binary(Arithmetic::Or, left, _) if left.width() == 1 => Some(false),
        _ => None,
    }
}

/// Whether somebody chose how many bits the value has: a sum, a difference, something shifted, a part of another signal.
fn has_chosen_width(value: &Expression) -> bool {
    match value {
        Expression::Binary(Arithmetic::Add | Arithmetic::Subtract, ..)
        | Expression::Shift(..)
        | Expression::Read { .. }
        | Expression::Part { .. } => true,
        Expression::Choose(_, value, other) => has_chosen_width(value) || has_chosen_width(other),
        _ => false,
    }
}

impl Sites<'_> {
    /// A value whose highest bit is the opposite.
    fn with_bit_inverted(&mut self, target: SignalId, value: &Expression) -> Expression {
        let inverted = self.when(Relation::Equal, target, FaultKind::BitInverted);
        let inverted = Expression::concatenated([inverted, Expression::zero(value.width() - 1)]);
        Expression::Binary(Arithmetic::Xor, Rc::new(value.clone()), Rc::new(inverted))
    }

    /// A value of `target` with every fault that it can have.
    pub(super) fn value(&mut self, target: SignalId, value: &Expression) -> Expression {
        let width = value.width();
        if width == 0 || self.is_hold(target, value) {
            return value.clone();
        }
        if self.is_relay(value) {
            return if self.is_join(value) {
                self.with_bit_inverted(target, value)
            } else {
                value.clone()
            };
        }
        let is_constant = value.constant().is_some();
        if width == 1 && !is_constant {
            let enables = |memory: &crate::table::MemoryBlock| memory.write_enable == target;
            let is_enable = self.table.memories.iter().any(enables);
            let stuck = if is_enable { FaultKind::MissingEnable } else { FaultKind::StuckAtOne };
            return self.condition(target, value, stuck);
        }
        let inside = self.inside(target, value);
        let inverted = self.when(Relation::Equal, target, FaultKind::BitInverted);
        if width == 1 {
            return Expression::Binary(Arithmetic::Xor, Rc::new(inside), Rc::new(inverted));
        }
        let one = self.when(Relation::Equal, target, FaultKind::OffByOne);
        let zeros = || Expression::zero(width - 1);
        let one = Expression::Concatenate(vec![zeros(), one]);
        let inverted = Expression::Concatenate(vec![inverted, zeros()]);
        let sum = Expression::Binary(Arithmetic::Add, Rc::new(inside), Rc::new(one));
        let faulty = Expression::Binary(Arithmetic::Xor, Rc::new(sum), Rc::new(inverted));
        if !has_chosen_width(value) {
            return faulty;
        }
        let is_wide = self.when(Relation::NotEqual, target, FaultKind::TooNarrow);
        let ones = Expression::Constant(!Word::zero(width - 1));
        let kept = Expression::Concatenate(vec![is_wide, ones]);
        Expression::Binary(Arithmetic::And, Rc::new(faulty), Rc::new(kept))
    }

    /// A condition of one bit that decides about `target`. `stuck_at_one` is what it is called when it always holds.
    pub(super) fn condition(
        &mut self,
        target: SignalId,
        condition: &Expression,
        stuck_at_one: FaultKind,
    ) -> Expression {
        let inside = self.inside(target, condition);
        if condition.constant().is_some() {
            return inside;
        }
        let inverted = self.inverted(target, inside);
        let zero = self.when(Relation::NotEqual, target, FaultKind::StuckAtZero);
        let one = self.when(Relation::Equal, target, stuck_at_one);
        let gated = Expression::Logic(true, Rc::new(inverted), Rc::new(zero));
        Expression::Logic(false, Rc::new(gated), Rc::new(one))
    }

    fn inverted(&mut self, target: SignalId, value: Expression) -> Expression {
        let inverted = self.when(Relation::Equal, target, FaultKind::Inverted);
        Expression::Compare(Relation::NotEqual, Rc::new(value), Rc::new(inverted))
    }

    /// An operand of "and" or of "or": it may be the opposite, or missing.
    fn operand(&mut self, target: SignalId, operand: &Expression, and: bool) -> Rc<Expression> {
        let inside = self.inside(target, operand);
        if gate(operand) == Some(and) || operand.constant().is_some() {
            return Rc::new(inside);
        }
        let inverted = Rc::new(self.inverted(target, inside));
        let (relation, kind) = match and {
            true => (Relation::Equal, FaultKind::StuckAtOne),
            false => (Relation::NotEqual, FaultKind::StuckAtZero),
        };
        let stuck = self.when(relation, target, kind);
        Rc::new(Expression::Logic(!and, inverted, Rc::new(stuck)))
    }

    /// The expression with faults in the conditions in it.
    pub(super) fn inside(&mut self, target: SignalId, expression: &Expression) -> Expression {
        let inside = |sites: &mut Self, value: &Expression| Rc::new(sites.inside(target, value));
        match expression {
            Expression::Choose(condition, value, other) => {
                let condition = self.condition(target, condition, FaultKind::StuckAtOne);
                let value = inside(self, value);
                Expression::Choose(Rc::new(condition), value, inside(self, other))
            }
            Expression::Logic(and, left, right) => {
                let left = self.operand(target, left, *and);
                Expression::Logic(*and, left, self.operand(target, right, *and))
            }
            Expression::Binary(operation, left, right) => match gate(expression) {
                Some(and) => {
                    let left = self.operand(target, left, and);
                    Expression::Binary(*operation, left, self.operand(target, right, and))
                }
                None => {
                    let left = inside(self, left);
                    Expression::Binary(*operation, left, inside(self, right))
                }
            },
            Expression::Compare(relation, left, right) => {
                let left = inside(self, left);
                Expression::Compare(*relation, left, inside(self, right))
            }
            Expression::Not(value) => Expression::Not(inside(self, value)),
            Expression::Reduce(reduction, value) => {
                Expression::Reduce(*reduction, inside(self, value))
            }
            Expression::Concatenate(parts) => Expression::Concatenate(
                parts.iter().map(|part| self.inside(target, part)).collect(),
            ),
            // What has a name of its own, or is without conditions.
            Expression::Constant(_)
            | Expression::Read { .. }
            | Expression::Select { .. }
            | Expression::Shift(..)
            | Expression::Part { .. } => expression.clone(),
        }
    }
}
