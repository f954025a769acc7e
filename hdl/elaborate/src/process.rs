//! Cutting a kernel into processes.
//!
//! A kernel is one sequence of statements over many signals; Verilog reads best, and simulates without false
//! loops, as one process a signal. A signal's process is the kernel with every other signal's assignments left
//! out. That is right as long as it reads the others' final values: where it reads one that the kernel writes
//! again later, the two share a process.

use crate::expression::{Expression, SignalId};
use crate::lower::Statement;
use crate::table::{Role, Table};
use std::collections::{BTreeMap, BTreeSet};

/// How a block is written.
pub(crate) struct Plan {
    /// The values of signals that need no name: they are written where the signal is used.
    pub inline: BTreeMap<SignalId, Expression>,
    pub processes: Vec<Process>,
    /// The body of the clocked process, for the registers whose next value needs no name.
    pub clocked: Vec<Statement>,
}

pub(crate) struct Process {
    pub targets: BTreeSet<SignalId>,
    pub statements: Vec<Statement>,
}

impl Process {
    /// The value, when the process is one unconditional assignment.
    pub fn continuous(&self) -> Option<(SignalId, &Expression)> {
        match self.statements.as_slice() {
            [Statement::Assign { target, value }] if !reads(value, *target) => {
                Some((*target, value))
            }
            _ => None,
        }
    }
}

pub(crate) fn plan(statements: &[Statement], table: &Table) -> Plan {
    let mut groups = Groups { leader: (0..table.signals.len()).collect() };
    observe(statements, &mut BTreeSet::new(), table, &mut groups);
    let order = written(statements);
    let mut processes = cut(statements, &order, &mut groups);
    while join_cycles(&processes, &mut groups) {
        processes = cut(statements, &order, &mut groups);
    }
    let mut plan = Plan { inline: BTreeMap::new(), processes: Vec::new(), clocked: Vec::new() };
    let mut registered = BTreeSet::new();
    for process in processes {
        let single = process.targets.iter().next().filter(|_| process.targets.len() == 1);
        let role = single.map(|target| table.signals[*target].role);
        if let (Some(target), Some(Role::RegisterNext)) = (single, role) {
            registered.insert(*target);
            continue;
        }
        match (process.continuous(), role) {
            (Some((target, value)), Some(Role::ChildInput | Role::MemoryInput))
                if value.is_plain() =>
            {
                plan.inline.insert(target, value.clone());
            }
            _ => plan.processes.push(process),
        }
    }
    let holds: BTreeMap<SignalId, SignalId> =
        table.registers.iter().map(|register| (register.next, register.now)).collect();
    plan.clocked = without_holds(prune(slice(statements, &registered)), &holds);
    plan.leave_out_unread_locals(table);
    plan
}

impl Plan {
    /// Folding leaves locals that only feed what has gone.
    fn leave_out_unread_locals(&mut self, table: &Table) {
        loop {
            let mut read = BTreeSet::new();
            let mut visit = |expression: &Expression, own: &BTreeSet<SignalId>| {
                expression.reads(&mut |signal, _| {
                    if !own.contains(&signal) {
                        read.insert(signal);
                    }
                });
            };
            let none = BTreeSet::new();
            self.inline.values().for_each(|value| visit(value, &none));
            each_expression(&self.clocked, &mut |value| visit(value, &none));
            for process in &self.processes {
                each_expression(&process.statements, &mut |value| visit(value, &process.targets));
            }
            let before = self.processes.len();
            self.processes.retain(|process| {
                process.targets.iter().any(|target| {
                    table.signals[*target].role != Role::Local || read.contains(target)
                })
            });
            if self.processes.len() == before {
                break;
            }
        }
    }
}

/// Sets of signals that share a process.
struct Groups {
    leader: Vec<SignalId>,
}

impl Groups {
    fn find(&mut self, signal: SignalId) -> SignalId {
        let mut root = signal;
        while self.leader[root] != root {
            root = self.leader[root];
        }
        self.leader[signal] = root;
        root
    }

    fn join(&mut self, one: SignalId, other: SignalId) {
        let (one, other) = (self.find(one), self.find(other));
        self.leader[one.max(other)] = one.min(other);
    }
}

/// Walks backwards with the signals `later` written, and joins readers of values that are not final.
fn observe(
    statements: &[Statement],
    later: &mut BTreeSet<SignalId>,
    table: &Table,
    groups: &mut Groups,
) {
    for statement in statements.iter().rev() {
        match statement {
            Statement::Assign { target, value } => {
                for source in passing(value, later) {
                    groups.join(*target, source);
                }
                later.insert(*target);
            }
            Statement::If { arms, otherwise } => {
                let conditions: Vec<&Expression> =
                    arms.iter().map(|(condition, _)| condition).collect();
                let bodies: Vec<_> = arms.iter().map(|(_, body)| body).chain([otherwise]).collect();
                observe_branches(&conditions, &bodies, later, table, groups);
            }
            Statement::Case { subject, arms, otherwise } => {
                let bodies: Vec<_> = arms.iter().map(|(_, body)| body).chain([otherwise]).collect();
                observe_branches(&[subject], &bodies, later, table, groups);
            }
        }
    }
}

fn observe_branches(
    conditions: &[&Expression],
    bodies: &[&Vec<Statement>],
    later: &mut BTreeSet<SignalId>,
    table: &Table,
    groups: &mut Groups,
) {
    let after = later.clone();
    let mut targets = BTreeSet::new();
    for body in bodies {
        let mut within = after.clone();
        observe(body, &mut within, table, groups);
        later.extend(within);
        targets.extend(written(body));
    }
    for condition in conditions {
        for source in passing(condition, later) {
            for target in &targets {
                groups.join(*target, source);
            }
        }
    }
}

/// The signals of `later` that the expression reads.
fn passing(expression: &Expression, later: &BTreeSet<SignalId>) -> Vec<SignalId> {
    let mut found = Vec::new();
    expression.reads(&mut |signal, _| {
        if later.contains(&signal) {
            found.push(signal);
        }
    });
    found
}

pub(crate) fn reads(expression: &Expression, signal: SignalId) -> bool {
    let mut found = false;
    expression.reads(&mut |read, _| found |= read == signal);
    found
}

/// The signals that the statements write, in the order of their first assignments.
fn written(statements: &[Statement]) -> Vec<SignalId> {
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

/// Calls `visit` with every expression of the statements.
pub(crate) fn each_expression(statements: &[Statement], visit: &mut impl FnMut(&Expression)) {
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

fn cut(statements: &[Statement], order: &[SignalId], groups: &mut Groups) -> Vec<Process> {
    let mut processes: Vec<(SignalId, Process)> = Vec::new();
    for target in order {
        let leader = groups.find(*target);
        match processes.iter_mut().find(|(known, _)| *known == leader) {
            Some((_, process)) => {
                process.targets.insert(*target);
            }
            None => processes.push((
                leader,
                Process { targets: BTreeSet::from([*target]), statements: Vec::new() },
            )),
        }
    }
    for (_, process) in &mut processes {
        process.statements = prune(slice(statements, &process.targets));
    }
    processes.into_iter().map(|(_, process)| process).collect()
}

/// The statements with only the assignments to `targets`.
fn slice(statements: &[Statement], targets: &BTreeSet<SignalId>) -> Vec<Statement> {
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
fn conditional(
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
fn prune(mut statements: Vec<Statement>) -> Vec<Statement> {
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
fn without_holds(
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

/// Joins processes that read each other's results around a circle; says whether there were any.
fn join_cycles(processes: &[Process], groups: &mut Groups) -> bool {
    let owner: BTreeMap<SignalId, usize> = processes
        .iter()
        .enumerate()
        .flat_map(|(index, process)| process.targets.iter().map(move |target| (*target, index)))
        .collect();
    let edges: Vec<BTreeSet<usize>> = processes
        .iter()
        .enumerate()
        .map(|(index, process)| {
            let mut read = BTreeSet::new();
            each_expression(&process.statements, &mut |expression| {
                expression.reads(&mut |signal, _| {
                    read.extend(owner.get(&signal).filter(|other| **other != index))
                });
            });
            read
        })
        .collect();
    // Processes are few and circles rare: taking away what has no sources leaves the circles.
    let mut remaining: BTreeSet<usize> = (0..processes.len()).collect();
    let mut shrinking = true;
    while shrinking {
        let before = remaining.len();
        let current = remaining.clone();
        remaining.retain(|index| edges[*index].iter().any(|source| current.contains(source)));
        let current = remaining.clone();
        remaining.retain(|index| current.iter().any(|reader| edges[*reader].contains(index)));
        shrinking = remaining.len() < before;
    }
    let mut targets = remaining.iter().filter_map(|index| processes[*index].targets.iter().next());
    let Some(first) = targets.next() else { return false };
    targets.for_each(|target| groups.join(*first, *target));
    true
}
