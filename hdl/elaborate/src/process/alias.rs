//! Signals that are only another name for one.

use super::simplify::simplify;
use super::slice::each_expression;
use super::{Plan, Process, value};
use crate::expression::{Expression, SignalId};
use crate::lower::Statement;
use crate::table::{Role, Table};

impl Plan {
    /// Puts constants and other signals in place of locals that are copies of them, and connects an output of a
    /// sub-block that has a better name to that name.
    pub(super) fn leave_out_copies(&mut self, table: &Table) {
        while let Some((copy, value)) = self.copy(table) {
            let direct = match value {
                Expression::Read { signal, .. } => {
                    self.connects(copy, signal, table).then_some(signal)
                }
                _ => None,
            };
            self.processes
                .retain(|process| process.continuous().is_none_or(|(target, _)| target != copy));
            if let (None, Expression::Read { signal, .. }) = (direct, &value)
                && let Some(fields) = self.fields.remove(&copy)
            {
                self.fields.entry(*signal).or_insert(fields);
            }
            match direct {
                Some(output) => {
                    self.direct.insert(output, copy);
                    let width = table.signals[copy].width;
                    self.substitute(output, &Expression::read(copy, width), table);
                }
                None => self.substitute(copy, &value, table),
            }
        }
    }

    /// A signal that is not needed, and its value.
    fn copy(&self, table: &Table) -> Option<(SignalId, Expression)> {
        self.processes.iter().find_map(|process| {
            let (target, value) = process.continuous()?;
            let is_inside = matches!(table.signals[target].role, Role::Local | Role::Part);
            let is_copy = match value {
                Expression::Constant(_) => is_inside,
                Expression::Read { signal, width, .. }
                    if *width == table.signals[*signal].width =>
                {
                    self.connects(target, *signal, table)
                        || is_inside && !self.is_on_its_way(target, *signal)
                }
                _ => false,
            };
            is_copy.then(|| (target, value.clone()))
        })
    }

    /// Whether `copy` is to be the name at the output of a sub-block.
    fn connects(&self, copy: SignalId, source: SignalId, table: &Table) -> bool {
        let signal = &table.signals[copy];
        let is_named = signal.role == Role::Output
            || signal.role == Role::Local
                && (!signal.description.is_empty() || table.slices.contains_key(&copy));
        is_named
            && table.signals[source].role == Role::ChildOutput
            && !self.direct.contains_key(&source)
    }

    /// Whether a process that reads the copy still computes its source.
    fn is_on_its_way(&self, copy: SignalId, source: SignalId) -> bool {
        let reads = |process: &Process| {
            let mut found = false;
            each_expression(&process.statements, &mut |value| found |= super::reads(value, copy));
            found
        };
        self.processes.iter().any(|process| process.targets.contains(&source) && reads(process))
    }

    fn substitute(&mut self, signal: SignalId, value: &Expression, table: &Table) {
        let value_of = |read: SignalId, low: usize, width: usize| {
            (read == signal).then(|| value.bits(low, width))
        };
        for inlined in self.inline.values_mut() {
            *inlined = inlined.with_reads(&value_of);
        }
        let replace = |statements: &mut Vec<Statement>| {
            let mut found = false;
            each_expression(statements, &mut |value| found |= super::reads(value, signal));
            if found {
                *statements = replaced(std::mem::take(statements), &value_of);
            }
            found
        };
        replace(&mut self.clocked);
        replace(&mut self.clocked_without_reset);
        for process in &mut self.processes {
            if replace(&mut process.statements) {
                process.as_assignment(table);
            }
        }
    }
}

/// The statements with other expressions in place of some reads, simple again.
pub(super) fn replaced(
    statements: Vec<Statement>,
    value_of: &impl Fn(SignalId, usize, usize) -> Option<Expression>,
) -> Vec<Statement> {
    simplify(statements.into_iter().map(|statement| replaced_in(statement, value_of)).collect())
}

fn replaced_in(
    statement: Statement,
    value_of: &impl Fn(SignalId, usize, usize) -> Option<Expression>,
) -> Statement {
    let body = |statements: Vec<Statement>| -> Vec<Statement> {
        statements.into_iter().map(|statement| replaced_in(statement, value_of)).collect()
    };
    match statement {
        Statement::Assign { target, value } => {
            Statement::Assign { target, value: value.with_reads(value_of) }
        }
        Statement::If { arms, otherwise } => Statement::If {
            arms: arms
                .into_iter()
                .map(|(condition, inner)| (condition.with_reads(value_of), body(inner)))
                .collect(),
            otherwise: body(otherwise),
        },
        Statement::Case { subject, arms, otherwise } => Statement::Case {
            subject: subject.with_reads(value_of),
            arms: arms.into_iter().map(|(labels, inner)| (labels, body(inner))).collect(),
            otherwise: body(otherwise),
        },
    }
}

impl Process {
    /// Makes the process one assignment, if that reads well.
    pub(super) fn as_assignment(&mut self, table: &Table) {
        let Some(target) = self.targets.first().copied().filter(|_| self.targets.len() == 1) else {
            return;
        };
        if self.continuous().is_none()
            && let Some(value) = value::value(&self.statements, target, table)
        {
            self.statements = vec![Statement::Assign { target, value }];
        }
    }
}
