//! The part of a kernel that computes some of its signals.

use super::reads;
use crate::expression::{Expression, SignalId};
use crate::lower::Statement;
use std::collections::{BTreeMap, BTreeSet};

/// The signals that the statements write, in the order of their first assignments.
pub(crate) fn written(statements: &[Statement]) -> Vec<SignalId> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    each_assignment(statements, &mut |target| {
        if seen.insert(target) {
            order.push(target);
        }
    });
    order
}

fn each_assignment(statements: &[Statement], visit: &mut impl FnMut(SignalId)) {
    for statement in statements {
        match statement {
            Statement::Assign { target, .. } => visit(*target),
            Statement::If { arms, otherwise } => {
                arms.iter().for_each(|(_, body)| each_assignment(body, visit));
                each_assignment(otherwise, visit);
            }
            Statement::Case { arms, otherwise, .. } => {
                arms.iter().for_each(|(_, body)| each_assignment(body, visit));
                each_assignment(otherwise, visit);
            }
        }
    }
}

/// Calls `visit` with every value that the statements assign to `target`.
pub(crate) fn each_assigned(
    statements: &[Statement],
    target: SignalId,
    visit: &mut impl FnMut(&Expression),
) {
    for statement in statements {
        match statement {
            Statement::Assign { target: found, value } if *found == target => visit(value),
            Statement::Assign { .. } => {}
            Statement::If { arms, otherwise } => {
                arms.iter().for_each(|(_, body)| each_assigned(body, target, visit));
                each_assigned(otherwise, target, visit);
            }
            Statement::Case { arms, otherwise, .. } => {
                arms.iter().for_each(|(_, body)| each_assigned(body, target, visit));
                each_assigned(otherwise, target, visit);
            }
        }
    }
}

/// Calls `visit` with every expression of the statements.
pub(super) fn each_expression(statements: &[Statement], visit: &mut impl FnMut(&Expression)) {
    for statement in statements {
        match statement {
            Statement::Assign { value, .. } => visit(value),
            Statement::If { arms, otherwise } => {
                for (condition, body) in arms {
                    visit(condition);
                    each_expression(body, visit);
                }
                each_expression(otherwise, visit);
            }
            Statement::Case { subject, arms, otherwise } => {
                visit(subject);
                arms.iter().for_each(|(_, body)| each_expression(body, visit));
                each_expression(otherwise, visit);
            }
        }
    }
}

/// The statements with only the assignments to `targets`.
pub(super) fn slice(statements: &[Statement], targets: &BTreeSet<SignalId>) -> Vec<Statement> {
    let mut kept = Vec::new();
    for statement in statements {
        match statement {
            Statement::Assign { target, .. } => {
                if targets.contains(target) {
                    kept.push(statement.clone());
                }
            }
            Statement::If { arms, otherwise } => {
                let arms = arms
                    .iter()
                    .map(|(condition, body)| (condition.clone(), slice(body, targets)))
                    .collect();
                kept.extend(conditional(arms, slice(otherwise, targets)));
            }
            Statement::Case { subject, arms, otherwise } => {
                let mut arms: Vec<_> = arms
                    .iter()
                    .map(|(label, body)| (label.clone(), slice(body, targets)))
                    .collect();
                let otherwise = slice(otherwise, targets);
                if otherwise.is_empty() {
                    arms.retain(|(_, body)| !body.is_empty());
                }
                if !arms.is_empty() {
                    kept.push(Statement::Case { subject: subject.clone(), arms, otherwise });
                }
            }
        }
    }
    kept
}

/// The chain without empty arms, if anything is left.
pub(super) fn conditional(
    arms: Vec<(Expression, Vec<Statement>)>,
    otherwise: Vec<Statement>,
) -> Option<Statement> {
    let mut kept: Vec<(Expression, Vec<Statement>)> = Vec::new();
    let mut arms = arms.into_iter().peekable();
    while let Some((mut condition, body)) = arms.next() {
        if !body.is_empty() {
            kept.push((condition, body));
            continue;
        }
        while let Some((next, _)) = arms.next_if(|(_, body)| body.is_empty()) {
            condition = Expression::logic(false, condition, next);
        }
        let rest: Vec<_> = arms.collect();
        let rest = if rest.is_empty() {
            otherwise
        } else {
            conditional(rest, otherwise).into_iter().collect()
        };
        if !rest.is_empty() {
            kept.push((Expression::not(condition), rest));
        }
        return (!kept.is_empty()).then_some(Statement::If { arms: kept, otherwise: Vec::new() });
    }
    Some(Statement::If { arms: kept, otherwise })
}

/// Leaves out what an unconditional assignment further down makes useless.
pub(super) fn prune(mut statements: Vec<Statement>) -> Vec<Statement> {
    let mut position = statements.len();
    while position > 0 {
        position -= 1;
        let Statement::Assign { target, value } = &statements[position] else { continue };
        let target = *target;
        let before = &statements[..position];
        if !written(before).contains(&target) {
            continue;
        }
        let mut read = reads(value, target);
        each_expression_of_others(before, target, &mut |expression| {
            read |= reads(expression, target)
        });
        if !read {
            let others: BTreeSet<SignalId> =
                written(before).into_iter().filter(|other| *other != target).collect();
            let mut kept = slice(before, &others);
            let rest = statements.split_off(position);
            position = kept.len();
            kept.extend(rest);
            statements = kept;
        }
    }
    statements
}

/// Calls `visit` with the expressions that matter to signals other than `target`.
fn each_expression_of_others(
    statements: &[Statement],
    target: SignalId,
    visit: &mut impl FnMut(&Expression),
) {
    let others: BTreeSet<SignalId> =
        written(statements).into_iter().filter(|other| *other != target).collect();
    each_expression(&slice(statements, &others), visit);
}

/// Leaves out `register <= register` where it comes first: a clocked process keeps the value anyway.
pub(super) fn without_holds(
    statements: Vec<Statement>,
    holds: &BTreeMap<SignalId, SignalId>,
) -> Vec<Statement> {
    let mut seen = BTreeSet::new();
    statements
        .into_iter()
        .filter(|statement| {
            let is_hold = match statement {
                Statement::Assign { target, value: Expression::Read { signal, .. } } => {
                    holds.get(target) == Some(signal) && !seen.contains(target)
                }
                _ => false,
            };
            each_assignment(std::slice::from_ref(statement), &mut |target| {
                seen.insert(target);
            });
            !is_hold
        })
        .collect()
}
