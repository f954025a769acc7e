//! Faults in statements.

use super::{FaultKind, Sites};
use crate::expression::{Arithmetic, Expression, Relation, SignalId};
use crate::lower::Statement;
use crate::process::{is_full, written};
use crate::word::Word;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Place {
    /// Targets are registers, which keep their value where nothing is assigned.
    clocked: bool,
    /// It is all that a condition decides, so that to drop it is to have a condition that never holds.
    alone: bool,
}

impl Sites<'_> {
    pub(super) fn combinational(&mut self, statements: &[Statement]) -> Vec<Statement> {
        let place = Place { clocked: false, alone: false };
        self.statements(statements, &mut BTreeSet::new(), place)
    }

    pub(super) fn clocked(&mut self, statements: &[Statement]) -> Vec<Statement> {
        let place = Place { clocked: true, alone: false };
        self.statements(statements, &mut BTreeSet::new(), place)
    }

    /// The statements after the signals `given` have values.
    fn statements(
        &mut self,
        statements: &[Statement],
        given: &mut BTreeSet<SignalId>,
        place: Place,
    ) -> Vec<Statement> {
        statements.iter().map(|statement| self.statement(statement, given, place)).collect()
    }

    fn statement(
        &mut self,
        statement: &Statement,
        given: &mut BTreeSet<SignalId>,
        place: Place,
    ) -> Statement {
        match statement {
            Statement::Assign { target, value } => {
                let value = self.value(*target, value);
                let had_value = !given.insert(*target) || place.clocked;
                let assign = Statement::Assign { target: *target, value };
                if place.alone || !had_value {
                    return assign;
                }
                let kept = self.when(Relation::NotEqual, *target, FaultKind::Dropped);
                Statement::If { arms: vec![(kept, vec![assign])], otherwise: Vec::new() }
            }
            Statement::If { arms, otherwise } => self.chain(arms, otherwise, given, place),
            Statement::Case { subject, arms, otherwise } => {
                let target = first_target(statement);
                let mut faulty =
                    target.map_or_else(|| subject.clone(), |it| self.inside(it, subject));
                for pair in arms.windows(2) {
                    if let (Some(target), [(one, first), (other, second)]) = (target, pair)
                        && first != second
                    {
                        faulty =
                            self.with_swapped_labels(target, faulty, subject, &one[0], &other[0]);
                    }
                }
                let bodies: Vec<_> = arms.iter().map(|(_, body)| body.as_slice()).collect();
                let is_full = is_full(subject, arms);
                let (bodies, rest) = self.bodies(&bodies, otherwise, is_full, given, place);
                let labels = arms.iter().map(|(labels, _)| labels.clone());
                Statement::Case {
                    subject: faulty,
                    arms: labels.zip(bodies).collect(),
                    otherwise: rest,
                }
            }
        }
    }

    fn chain(
        &mut self,
        arms: &[(Expression, Vec<Statement>)],
        otherwise: &[Statement],
        given: &mut BTreeSet<SignalId>,
        place: Place,
    ) -> Statement {
        let is_enable = place.clocked && arms.len() == 1 && otherwise.is_empty();
        let stuck = if is_enable { FaultKind::MissingEnable } else { FaultKind::StuckAtOne };
        let targets: Vec<Option<SignalId>> = arms
            .iter()
            .map(|(_, body)| written(body).first().or(written(otherwise).first()).copied())
            .collect();
        let mut conditions: Vec<Expression> = arms
            .iter()
            .zip(&targets)
            .map(|((condition, _), target)| match target {
                Some(target) => self.condition(*target, condition, stuck),
                None => condition.clone(),
            })
            .collect();
        for first in 1..arms.len() {
            let Some(target) = targets[first - 1] else { continue };
            if arms[first - 1].1 == arms[first].1 {
                continue;
            }
            let swapped = self.when(Relation::Equal, target, FaultKind::SwappedArms);
            let (one, other) = (conditions[first - 1].clone(), conditions[first].clone());
            let later = Expression::logic(true, Expression::not(one.clone()), other.clone());
            conditions[first - 1] = chosen(swapped.clone(), later, one.clone());
            conditions[first] = chosen(swapped, one, other);
        }
        let bodies: Vec<_> = arms.iter().map(|(_, body)| body.as_slice()).collect();
        let alone = arms.len() == 1 && otherwise.is_empty() && arms[0].1.len() == 1;
        let inner = Place { alone, ..place };
        let (bodies, otherwise) = self.bodies(&bodies, otherwise, false, given, inner);
        Statement::If { arms: conditions.into_iter().zip(bodies).collect(), otherwise }
    }

    /// Branches, of which one is taken: one of `bodies`, or `otherwise` if they are not all.
    fn bodies(
        &mut self,
        bodies: &[&[Statement]],
        otherwise: &[Statement],
        is_full: bool,
        given: &mut BTreeSet<SignalId>,
        place: Place,
    ) -> (Vec<Vec<Statement>>, Vec<Statement>) {
        let before = given.clone();
        let mut after: Option<BTreeSet<SignalId>> = None;
        let mut branch = |sites: &mut Self, body: &[Statement], counts: bool| {
            let mut own = before.clone();
            let statements = sites.statements(body, &mut own, place);
            if counts {
                after = Some(match after.take() {
                    Some(known) => known.intersection(&own).copied().collect(),
                    None => own,
                });
            }
            statements
        };
        let made = bodies.iter().map(|body| branch(self, body, true)).collect();
        let rest = branch(self, otherwise, !is_full);
        given.extend(after.unwrap_or_default());
        (made, rest)
    }

    /// The subject of a case in which two labels can change places.
    fn with_swapped_labels(
        &mut self,
        target: SignalId,
        faulty: Expression,
        subject: &Expression,
        one: &Word,
        other: &Word,
    ) -> Expression {
        let is = |label: &Word| {
            let label = Rc::new(Expression::Constant(label.clone()));
            Rc::new(Expression::Compare(Relation::Equal, Rc::new(subject.clone()), label))
        };
        let either = Expression::Logic(false, is(one), is(other));
        let swapped = self.when(Relation::Equal, target, FaultKind::SwappedArms);
        let condition = Expression::Logic(true, Rc::new(swapped), Rc::new(either));
        let difference = Expression::Constant(one.clone() ^ other.clone());
        let zero = Expression::zero(one.bits());
        let mask = chosen(condition, difference, zero);
        Expression::Binary(Arithmetic::Xor, Rc::new(faulty), Rc::new(mask))
    }
}

fn chosen(condition: Expression, value: Expression, other: Expression) -> Expression {
    Expression::Choose(Rc::new(condition), Rc::new(value), Rc::new(other))
}

fn first_target(statement: &Statement) -> Option<SignalId> {
    written(std::slice::from_ref(statement)).first().copied()
}
