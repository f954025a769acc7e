//! Cutting a kernel into processes.
//!
//! A kernel is one sequence of statements over many signals; Verilog reads best, and simulates without false
//! loops, as one process a signal. A signal's process is the kernel with every other signal's assignments left
//! out. That is right as long as it reads the others' final values: where it reads one that the kernel writes
//! again later, the two share a process.

mod alias;
mod cases;
mod fields;
mod simplify;
mod slice;
mod value;

use crate::expression::{Expression, SignalId};
use crate::lower::Statement;
use crate::table::{Parts, Role, Table};
pub(crate) use cases::is_full;
use cases::with_cases;
use simplify::simplify;
pub(crate) use slice::{each_assigned, written};
use slice::{each_expression, prune, slice, without_holds};
use std::collections::{BTreeMap, BTreeSet};

/// How a block is written.
#[derive(Default)]
pub(crate) struct Plan {
    /// The values of signals that need no name: they are written where the signal is used.
    pub inline: BTreeMap<SignalId, Expression>,
    /// The names and widths of the fields of words that arrive whole, by the word.
    pub fields: BTreeMap<SignalId, Parts>,
    /// The outputs of sub-blocks that drive a signal of this block, and that signal.
    pub direct: BTreeMap<SignalId, SignalId>,
    pub processes: Vec<Process>,
    /// The body of the clocked process with a reset, for the registers whose next value needs no name.
    pub clocked: Vec<Statement>,
    /// The same for the registers that no reset changes.
    pub clocked_without_reset: Vec<Statement>,
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
    let statements = &with_cases(statements);
    let mut groups = Groups { leader: (0..table.signals.len()).collect() };
    observe(statements, &mut BTreeSet::new(), table, &mut groups);
    let processes = cut_without_cycles(statements, &mut groups);
    let mut processes: Vec<Process> =
        processes.into_iter().flat_map(|process| process.simplified(table)).collect();
    processes.iter_mut().for_each(|process| process.as_assignment(table));
    let mut plan = Plan { fields: table.slices.clone(), ..Plan::default() };
    let mut registered = BTreeSet::new();
    for process in processes {
        let single = process.targets.first().copied().filter(|_| process.targets.len() == 1);
        let role = single.map(|target| table.signals[target].role);
        if let (Some(target), Some(Role::RegisterNext)) = (single, role) {
            registered.insert(target);
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
    let clocked = |is_reset| {
        let changed = table.registers.iter().filter(|register| register.is_reset == is_reset);
        let changed = changed.map(|register| register.next).collect();
        let targets = registered.intersection(&changed).copied().collect();
        simplify(without_holds(prune(slice(statements, &targets)), &holds))
    };
    plan.clocked = clocked(true);
    plan.clocked_without_reset = clocked(false);
    plan.leave_out_copies(table);
    while plan.read_fields(table) {
        plan.leave_out_copies(table);
    }
    plan.leave_out_unread_locals(table);
    plan.inline_fields(table);
    plan
}

/// The processes of the statements, no two of which wait for each other.
fn cut_without_cycles(statements: &[Statement], groups: &mut Groups) -> Vec<Process> {
    let order = written(statements);
    let mut processes = cut(statements, &order, groups);
    while join_cycles(&processes, groups) {
        processes = cut(statements, &order, groups);
    }
    processes
}

impl Process {
    /// The process with simpler statements, or those it falls into when nothing needs a value on its way any more.
    fn simplified(self, table: &Table) -> Vec<Process> {
        let statements = simplify(self.statements);
        if self.targets.len() == 1 {
            return vec![Process { statements, ..self }];
        }
        let mut groups = Groups { leader: (0..table.signals.len()).collect() };
        observe(&statements, &mut BTreeSet::new(), table, &mut groups);
        let mut parts = cut_without_cycles(&statements, &mut groups);
        for part in &mut parts {
            part.statements = simplify(std::mem::take(&mut part.statements));
        }
        parts
    }
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
            each_expression(&self.clocked_without_reset, &mut |value| visit(value, &none));
            for process in &self.processes {
                each_expression(&process.statements, &mut |value| visit(value, &process.targets));
            }
            let before = self.processes.len();
            self.processes.retain(|process| {
                process.targets.iter().any(|target| {
                    !matches!(table.signals[*target].role, Role::Local | Role::Part)
                        || read.contains(target)
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
