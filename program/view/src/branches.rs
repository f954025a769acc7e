//! Statistics of branches.

use std::collections::BTreeMap;

use serde::Serialize;
use tracewright_sim::event::Kind;

use crate::calls::Matching;
use crate::profile::{Counts, Site};

/// Branch statistics.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Branches {
    /// Number of retired instructions.
    pub instructions: u64,
    /// Classes of branches in a fixed order, without those that did not run.
    pub classes: Vec<Class>,
    /// Conditional branches by how often they are taken.
    pub bias: Vec<Bias>,
    /// Indirect jumps and calls without returns, by the number of their targets.
    pub targets: Vec<Targets>,
    /// Exceptions that were taken.
    pub exceptions: u64,
    /// How calls and returns match.
    pub calls: Matching,
}

/// Branches of one class.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Class {
    /// The class: `direct jump`, `direct call`, `conditional`...
    pub class: &'static str,
    /// How often they ran.
    pub executed: u64,
    /// How often they were taken; 0 for system calls, which are counted as exceptions if they lead to a handler.
    pub taken: u64,
    /// The number of different branches.
    pub sites: u64,
}

/// Conditional branches that are taken about equally often.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Bias {
    /// The share of runs in which they are taken: `never`, `< 10 %`, ..., `always`.
    pub taken: &'static str,
    /// The number of different branches.
    pub sites: u64,
    /// How often they ran.
    pub executed: u64,
}

/// Indirect branches with about equally many targets.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Targets {
    /// The number of targets: `1`, `2`, `3 to 4`...
    pub targets: &'static str,
    /// The number of branches with that many targets.
    pub sites: u64,
    /// How often they ran.
    pub executed: u64,
}

const CLASSES: [&str; 10] = [
    "direct jump",
    "direct call",
    "conditional",
    "indirect jump",
    "indirect call",
    "return",
    "conditional indirect jump",
    "conditional call",
    "conditional return",
    "system call",
];

fn class(site: &Site) -> usize {
    let branch = &site.branch;
    match (branch.kind, branch.call, branch.is_return) {
        (Kind::DirectJump, false, _) => 0,
        (Kind::DirectJump, true, _) => 1,
        (Kind::DirectConditional | Kind::IndirectConditional, true, _) => 7,
        (Kind::DirectConditional, false, _) => 2,
        (Kind::IndirectJump, true, _) => 4,
        (Kind::IndirectJump, false, false) => 3,
        (Kind::IndirectJump, false, true) => 5,
        (Kind::IndirectConditional, false, false) => 6,
        (Kind::IndirectConditional, false, true) => 8,
        (Kind::Exception, ..) => 9,
    }
}

const BIASES: [&str; 8] =
    ["never", "< 10 %", "< 30 %", "< 50 %", "< 70 %", "< 90 %", "< 100 %", "always"];

fn bias(site: &Site) -> usize {
    if site.taken == 0 {
        return 0;
    }
    if site.taken == site.executed {
        return 7;
    }
    let share = site.taken as f64 / site.executed as f64;
    1 + [0.1, 0.3, 0.5, 0.7, 0.9].iter().take_while(|limit| share >= **limit).count()
}

const TARGETS: [(&str, usize); 6] =
    [("1", 1), ("2", 2), ("3 to 4", 4), ("5 to 8", 8), ("9 to 16", 16), ("more", usize::MAX)];

/// The branch statistics of an execution, from the counts of each of its programs.
pub fn branches(programs: &[Counts], matching: Matching) -> Branches {
    let mut classes: BTreeMap<usize, Class> = BTreeMap::new();
    let mut biases = BIASES.map(|taken| Bias { taken, ..Bias::default() });
    let mut targets = TARGETS.map(|(targets, _)| Targets { targets, ..Targets::default() });
    for site in programs.iter().flat_map(|counts| &counts.sites) {
        let place = class(site);
        let one = classes.entry(place).or_default();
        one.class = CLASSES[place];
        one.executed += site.executed;
        // A system call is no branch: one that leads to a handler is an exception.
        let is_branch = site.branch.kind != Kind::Exception;
        one.taken += if is_branch { site.taken } else { 0 };
        one.sites += 1;
        if site.branch.kind.is_conditional() {
            let bias = &mut biases[bias(site)];
            bias.sites += 1;
            bias.executed += site.executed;
        }
        if site.branch.kind.is_indirect() && !site.branch.is_return && site.taken > 0 {
            let place = TARGETS.iter().take_while(|(_, most)| site.targets.len() > *most).count();
            targets[place].sites += 1;
            targets[place].executed += site.executed;
        }
    }
    let first = programs.first();
    Branches {
        instructions: first.map_or(0, |counts| counts.total),
        classes: classes.into_values().collect(),
        bias: biases.to_vec(),
        targets: targets.to_vec(),
        exceptions: first.map_or(0, |counts| counts.exceptions),
        calls: matching,
    }
}
