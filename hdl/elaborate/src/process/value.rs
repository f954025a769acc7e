//! The one value that a process gives its signal: `assign` in place of `always @*`.

use super::cases::{is_full, is_one_of};
use super::slice::each_expression;
use crate::expression::{Expression, SignalId};
use crate::lower::Statement;
use crate::table::Table;
use crate::write::text_in_module;

/// More conditions than this in a row read better as an `if`, unless they are flags that pick names.
const LONGEST_CHAIN: usize = 3;
const LONGEST_PLAIN_CHAIN: usize = 16;

/// More operators or parts than this are no single line.
const MOST_GATES: usize = 6;

/// A process of more expressions is not tried.
const MOST_EXPRESSIONS: usize = 64;

/// The longest line of a multiplexer.
const LONGEST_LINE: usize = 96;

/// The value of the only target of `statements`, if it reads well as one expression.
pub(super) fn value(
    statements: &[Statement],
    target: SignalId,
    table: &Table,
) -> Option<Expression> {
    let (mut operators, mut expressions) = (0, 0);
    each_expression(statements, &mut |expression| {
        operators += 1 + expression.operators();
        expressions += 1;
    });
    if expressions > MOST_EXPRESSIONS {
        return None;
    }
    let value = run(statements, target, None)?;
    (value.operators() <= operators && reads_well(&value, target, table)).then_some(value)
}

/// Whether the expression is at most a short chain of multiplexers on short lines.
fn reads_well(value: &Expression, target: SignalId, table: &Table) -> bool {
    let length = |expression: &Expression| text_in_module(expression, table).len();
    let name = table.signals[target].name.len();
    let mut rest = value;
    let mut conditions = 0;
    let mut longest = 0;
    let mut most = LONGEST_PLAIN_CHAIN;
    while let Expression::Choose(condition, chosen, other) = rest {
        if has_choice(condition) || has_choice(chosen) {
            return false;
        }
        if condition.operators() > 0 || !chosen.is_plain() {
            most = LONGEST_CHAIN;
        }
        conditions += 1;
        longest = longest.max(length(condition) + length(chosen) + " ?  :".len());
        rest = other;
    }
    let last = match rest {
        _ if conditions > 0 => length(rest) + 1,
        // These get a line for each part, or for as many operands as there is room for.
        Expression::Concatenate(parts) => parts.iter().map(length).max().unwrap_or(0),
        Expression::Binary(operation, ..) if rest.operands(*operation).len() > 2 => {
            rest.operands(*operation).into_iter().map(length).max().unwrap_or(0)
        }
        _ => length(rest) + name + "assign  = ;".len(),
    };
    !has_choice(rest) && conditions <= most && longest.max(last) <= LONGEST_LINE
}

/// The value of the only target of `statements` if it needs no multiplexer, and no more operators than these;
/// `before` is the value that they start from.
pub(super) fn without_choice(
    statements: &[Statement],
    target: SignalId,
    before: Option<&Expression>,
) -> Option<Expression> {
    let (mut operators, mut expressions) = (1, 0);
    each_expression(statements, &mut |expression| {
        operators += expression.operators();
        expressions += 1;
    });
    if expressions > MOST_EXPRESSIONS {
        return None;
    }
    let value = run(statements, target, before)?;
    let is_short = match &value {
        Expression::Concatenate(parts) => parts.len() <= MOST_GATES,
        _ => true,
    };
    let operators = operators.min(MOST_GATES);
    (is_short && value.operators() <= operators && !has_choice(&value)).then_some(value)
}

fn has_choice(expression: &Expression) -> bool {
    let mut found = false;
    expression.each(&mut |inner| found |= matches!(inner, Expression::Choose(..)));
    found
}

/// The target's value after the statements, which started from `before`; none where there is no telling.
fn run(
    statements: &[Statement],
    target: SignalId,
    before: Option<&Expression>,
) -> Option<Expression> {
    let mut current = before.cloned();
    for statement in statements {
        let next = match statement {
            Statement::Assign { value, .. } => with_target(value, target, current.as_ref())?,
            Statement::If { arms, otherwise } => {
                let mut value = run(otherwise, target, current.as_ref())?;
                for (condition, body) in arms.iter().rev() {
                    let condition = with_target(condition, target, current.as_ref())?;
                    let chosen = run(body, target, current.as_ref())?;
                    value = Expression::choose(condition, chosen, value);
                }
                value
            }
            Statement::Case { subject, arms, otherwise } => {
                let subject = with_target(subject, target, current.as_ref())?;
                if arms.iter().any(|(labels, _)| labels.len() > 2) {
                    return None;
                }
                let mut value = match (arms.split_last(), otherwise.is_empty()) {
                    // The last arm of a full case is all that is left.
                    (Some(((_, body), _)), true) if is_full(&subject, arms) => {
                        run(body, target, current.as_ref())?
                    }
                    _ => run(otherwise, target, current.as_ref())?,
                };
                for (labels, body) in arms.iter().rev() {
                    let chosen = run(body, target, current.as_ref())?;
                    value = Expression::choose(is_one_of(&subject, labels), chosen, value);
                }
                value
            }
        };
        current = Some(next);
    }
    current
}

/// The expression with the target's value so far in its place.
fn with_target(
    expression: &Expression,
    target: SignalId,
    current: Option<&Expression>,
) -> Option<Expression> {
    if !super::reads(expression, target) {
        return Some(expression.clone());
    }
    let current = current?;
    Some(expression.substituted(&|signal| (signal == target).then(|| current.clone())))
}
