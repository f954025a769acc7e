//! The statements of one process, shorter: what a loop over a list of signals or chunks repeats is said once.

use super::cases::{Arm, chain_as_case, is_full, is_one_of, sequences_as_cases};
use super::reads;
use super::slice::{conditional, each_expression, written};
use super::value::without_choice;
use crate::expression::{Expression, SignalId};
use crate::lower::Statement;
use crate::word::Word;

/// Statements that do the same.
pub(super) fn simplify(statements: Vec<Statement>) -> Vec<Statement> {
    let simple = joined_neighbours(statements.into_iter().flat_map(simple));
    let mut statements: Vec<Statement> =
        sequences_as_cases(simple).into_iter().flat_map(simple_case).collect();
    let mut position = 1;
    while position < statements.len() {
        let before: Vec<Statement> = statements.drain(..position).collect();
        let statement = statements.remove(0);
        let kept = with_default(before, statement);
        position = kept.len();
        statements.splice(0..0, kept);
    }
    as_gates(statements, None)
}

/// The statements as one assignment, if they need no multiplexer and few operators; `before` is the value that
/// their target has.
fn as_gates(statements: Vec<Statement>, before: Option<&Expression>) -> Vec<Statement> {
    if matches!(statements.as_slice(), [Statement::Assign { .. }]) {
        return statements;
    }
    match written(&statements).as_slice() {
        [target] => match without_choice(&statements, *target, before) {
            Some(value) => vec![Statement::Assign { target: *target, value }],
            None => statements,
        },
        _ => statements,
    }
}

/// The statements with neighbouring `if`s of one condition, or of one body, as one `if`.
fn joined_neighbours(statements: impl Iterator<Item = Statement>) -> Vec<Statement> {
    let mut out: Vec<Statement> = Vec::new();
    for statement in statements {
        match out.last_mut().and_then(|last| joined(last, &statement)) {
            Some(joined) => {
                out.pop();
                out.push(joined);
            }
            None => out.push(statement),
        }
    }
    out
}

fn joined(first: &Statement, second: &Statement) -> Option<Statement> {
    let ((condition, body), (other, next)) = (alone(first)?, alone(second)?);
    let disturbed = written(body).into_iter().any(|target| reads(other, target));
    if disturbed {
        return None;
    }
    let (condition, body) = if condition == other {
        (condition.clone(), simplify([body.as_slice(), next].concat()))
    } else if body == next && may_repeat(body) {
        (Expression::logic(false, condition.clone(), other.clone()), body.clone())
    } else {
        return None;
    };
    Some(Statement::If { arms: vec![(condition, body)], otherwise: Vec::new() })
}

/// The condition and the body of an `if` without `else`.
fn alone(statement: &Statement) -> Option<(&Expression, &Vec<Statement>)> {
    match statement {
        Statement::If { arms, otherwise } if otherwise.is_empty() => match arms.as_slice() {
            [(condition, body)] => Some((condition, body)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the body run twice does what it does once.
fn may_repeat(body: &[Statement]) -> bool {
    let targets = written(body);
    body.iter().all(|statement| match statement {
        Statement::Assign { target, value } => {
            let new = value.replaces_part_of(*target).map(|(_, part)| part);
            let new = new.as_ref().unwrap_or(value);
            targets.iter().all(|own| !reads(new, *own))
        }
        _ => false,
    })
}

fn simple(statement: Statement) -> Vec<Statement> {
    match statement {
        // An optional part of a sum that the configuration leaves out.
        Statement::Assign { target, value: Expression::Read { signal, .. } }
            if signal == target =>
        {
            Vec::new()
        }
        Statement::Assign { .. } => vec![statement],
        Statement::If { arms, otherwise } => simple_if(arms, otherwise),
        Statement::Case { subject, arms, otherwise } => {
            let arms = arms.into_iter().map(|(labels, body)| (labels, simplify(body))).collect();
            simple_case(Statement::Case { subject, arms, otherwise: simplify(otherwise) })
        }
    }
}

fn simple_if(arms: Vec<(Expression, Vec<Statement>)>, otherwise: Vec<Statement>) -> Vec<Statement> {
    let mut kept: Vec<(Expression, Vec<Statement>)> = Vec::new();
    let mut rest = None;
    for (condition, body) in arms {
        match condition.constant().map(Word::any) {
            Some(false) => {}
            Some(true) => {
                rest = Some(simplify(body));
                break;
            }
            None => {
                let body = simplify(body);
                match kept.last_mut() {
                    Some((earlier, same)) if *same == body => {
                        *earlier = Expression::logic(false, earlier.clone(), condition);
                    }
                    _ => kept.push((condition, body)),
                }
            }
        }
    }
    let rest = rest.unwrap_or_else(|| simplify(otherwise));
    while kept.last().is_some_and(|(_, body)| *body == rest) {
        kept.pop();
    }
    if kept.is_empty() {
        return rest;
    }
    match conditional(kept, rest) {
        Some(Statement::If { arms, otherwise }) => simple_case(chain_as_case(arms, otherwise)),
        other => other.into_iter().collect(),
    }
}

/// A `case` without arms that do the same; an `if` where two arms are left.
fn simple_case(statement: Statement) -> Vec<Statement> {
    let Statement::Case { subject, arms, mut otherwise } = statement else {
        return vec![statement];
    };
    if let Some(value) = subject.constant() {
        let chosen = arms.into_iter().find(|(labels, _)| labels.contains(value));
        return chosen.map_or(otherwise, |(_, body)| body);
    }
    let is_full = is_full(&subject, &arms);
    if is_full {
        otherwise.clear();
    }
    let mut kept: Vec<Arm> = Vec::new();
    for (labels, body) in arms {
        match kept.iter_mut().find(|(_, known)| *known == body) {
            Some((known, _)) => known.extend(labels),
            None if !is_full && body == otherwise => {}
            None => kept.push((labels, body)),
        }
    }
    match kept.as_slice() {
        [] => otherwise,
        [_] if is_full => kept.remove(0).1,
        [(labels, _)] if labels.len() < 3 => as_if(&subject, kept, otherwise),
        [(one, _), (other, _)] if !is_full && one.len() + other.len() < 3 => {
            as_if(&subject, kept, otherwise)
        }
        _ => vec![Statement::Case { subject, arms: kept, otherwise }],
    }
}

fn as_if(subject: &Expression, arms: Vec<Arm>, otherwise: Vec<Statement>) -> Vec<Statement> {
    let arms = arms.into_iter().map(|(labels, body)| (is_one_of(subject, &labels), body)).collect();
    conditional(arms, otherwise).into_iter().collect()
}

/// `before` and `statement`: without the arms that only repeat what comes before, and with what comes before as
/// the default of a `case` that overrules all of it.
fn with_default(before: Vec<Statement>, statement: Statement) -> Vec<Statement> {
    let targets = written(&before);
    let overrules = |body: &[Statement]| targets.iter().all(|target| defines(body, *target));
    let repeats = |body: &Vec<Statement>| *body == before && overrules(body);
    match statement {
        Statement::If { mut arms, otherwise } if otherwise.is_empty() => {
            arms.iter_mut().filter(|(_, body)| repeats(body)).for_each(|(_, body)| body.clear());
            before.into_iter().chain(conditional(arms, otherwise)).collect()
        }
        Statement::Case { subject, mut arms, otherwise } if otherwise.is_empty() => {
            arms.retain(|(_, body)| !repeats(body));
            if arms.is_empty() {
                return before;
            }
            let free = !targets.iter().any(|target| reads(&subject, *target));
            if let [Statement::Assign { value, .. }] = before.as_slice()
                && free
            {
                let started = arms.iter().map(|(labels, body)| {
                    let complete = if overrules(body) {
                        body.clone()
                    } else {
                        as_gates(body.clone(), Some(value))
                    };
                    (labels.clone(), complete)
                });
                let started: Vec<Arm> = started.collect();
                if started.iter().all(|(_, body)| overrules(body)) {
                    arms = started;
                }
            }
            if free && arms.iter().all(|(_, body)| overrules(body)) {
                let otherwise = if is_full(&subject, &arms) { Vec::new() } else { before };
                return simple_case(Statement::Case { subject, arms, otherwise });
            }
            let case = simple_case(Statement::Case { subject, arms, otherwise });
            before.into_iter().chain(case).collect()
        }
        statement => before.into_iter().chain([statement]).collect(),
    }
}

/// Whether the statements write the target on every path, and do not read it before.
fn defines(statements: &[Statement], target: SignalId) -> bool {
    for statement in statements {
        let mut read = false;
        match statement {
            Statement::Assign { target: other, value } => {
                if reads(value, target) {
                    return false;
                }
                if *other == target {
                    return true;
                }
                continue;
            }
            Statement::If { arms, otherwise } => {
                arms.iter().for_each(|(condition, _)| read |= reads(condition, target));
                let mut bodies = arms.iter().map(|(_, body)| body).chain([otherwise]);
                if !read && bodies.all(|body| defines(body, target)) {
                    return true;
                }
            }
            Statement::Case { subject, arms, otherwise } => {
                read = reads(subject, target);
                let mut bodies = arms.iter().map(|(_, body)| body).chain([otherwise]);
                if !read && bodies.all(|body| defines(body, target)) {
                    return true;
                }
            }
        }
        each_expression(std::slice::from_ref(statement), &mut |value| read |= reads(value, target));
        if read {
            return false;
        }
    }
    false
}
