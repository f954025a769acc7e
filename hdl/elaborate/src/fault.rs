//! Faults that an input of the design switches on, one at a time.
//!
//! They are put into the plan of a module, where every process is as its text will be: a fault is one comparison of the
//! module's number of a fault with that of the place, and every other number leaves the module what it is. No fault
//! makes a signal depend on another one that it did not depend on before, and none makes a latch.

mod expression;
mod statement;

use crate::expression::{Expression, Relation, SignalId};
use crate::process::Plan;
use crate::table::{Role, Signal, Table};
use crate::word::Word;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

/// The input that every module with faults has.
pub const FAULT_SELECT: &str = "fault_select";
/// Its number of bits.
pub(crate) const FAULT_BITS: usize = 20;

/// Stands in a module's text for the number before that of its first fault.
pub(crate) const BEFORE_FIRST: &str = "\u{1}before_first_fault\u{1}";

/// What a fault does where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// A condition, or an operand of one, is the opposite.
    Inverted,
    /// A condition never holds; of an operand of an "or": it is missing.
    StuckAtZero,
    /// A condition always holds; of an operand of an "and": it is missing.
    StuckAtOne,
    /// A register or a memory is written whatever its enable says.
    MissingEnable,
    /// A signal keeps what it was given before.
    Dropped,
    /// A value is one more.
    OffByOne,
    /// The highest bit of a value is the opposite.
    BitInverted,
    /// A value is one bit too narrow: its highest bit is 0.
    TooNarrow,
    /// Two neighbouring branches have changed places.
    SwappedArms,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inverted => "inverted",
            Self::StuckAtZero => "stuck-at-0",
            Self::StuckAtOne => "stuck-at-1",
            Self::MissingEnable => "missing-enable",
            Self::Dropped => "dropped",
            Self::OffByOne => "off-by-one",
            Self::BitInverted => "bit-inverted",
            Self::TooNarrow => "too-narrow",
            Self::SwappedArms => "swapped-arms",
        })
    }
}

/// One fault. Its number, the value of the input that switches it on, is its place in the list, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The module, all of whose instances have it.
    pub module: String,
    /// The signal whose value goes wrong; where several do, the first one that is written.
    pub signal: String,
    /// What is wrong.
    pub kind: FaultKind,
    /// Its number among those of one kind in one signal.
    pub ordinal: usize,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.module, self.signal, self.kind, self.ordinal)
    }
}

/// A fault of a module whose name is still open.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    signal: String,
    kind: FaultKind,
    ordinal: usize,
}

impl Site {
    /// One more of a kind in a signal than there are `before` it.
    pub fn new(signal: &str, kind: FaultKind, before: &[Site]) -> Self {
        let like = before.iter().filter(|site| site.signal == signal && site.kind == kind);
        Self { signal: signal.to_owned(), kind, ordinal: 1 + like.count() }
    }

    pub fn named(&self, module: &str) -> Fault {
        let Self { signal, kind, ordinal } = self.clone();
        Fault { module: module.to_owned(), signal, kind, ordinal }
    }
}

/// The faults of a module, and the signal that has their number.
pub(crate) struct Faults {
    pub number: SignalId,
    pub sites: Vec<Site>,
}

/// Puts every fault into the plan of a module. What is joined to the port of an instance has none if it is another signal, as
/// that has its own; with `joins` it has one, but for the signals in the set: clocks and resets.
pub(crate) fn put_in(
    plan: &mut Plan,
    table: &mut Table,
    joins: Option<&BTreeSet<SignalId>>,
) -> Faults {
    let number = table.signals.len();
    let name = table.fresh("fault");
    table.signals.push(Signal {
        key: name.clone(),
        name,
        width: FAULT_BITS,
        role: Role::Part,
        description: String::new(),
    });
    let mut sites = Sites { table, number, joins, sites: Vec::new(), counts: BTreeMap::new() };
    for (target, value) in &mut plan.inline {
        *value = sites.value(*target, value);
    }
    for process in &mut plan.processes {
        process.statements = sites.combinational(&process.statements);
    }
    plan.clocked = sites.clocked(&plan.clocked);
    plan.clocked_without_reset = sites.clocked(&plan.clocked_without_reset);
    Faults { number, sites: sites.sites }
}

/// The places for faults that were found so far.
struct Sites<'a> {
    table: &'a Table,
    number: SignalId,
    joins: Option<&'a BTreeSet<SignalId>>,
    sites: Vec<Site>,
    counts: BTreeMap<(SignalId, FaultKind), usize>,
}

impl Sites<'_> {
    /// A new fault: the condition that it is switched on, or, with `NotEqual`, that it is not.
    fn when(&mut self, relation: Relation, target: SignalId, kind: FaultKind) -> Expression {
        let count = self.counts.entry((target, kind)).or_default();
        *count += 1;
        let signal = self.shown_name(target);
        let ordinal = self.counts[&(target, kind)];
        self.sites.push(Site { signal, kind, ordinal });
        let number = Expression::read(self.number, FAULT_BITS);
        let own = Expression::Constant(Word::new(FAULT_BITS, self.sites.len() as u64));
        Expression::Compare(relation, Rc::new(number), Rc::new(own))
    }

    /// The name that a reader knows: that of the register rather than that of its next value.
    fn shown_name(&self, target: SignalId) -> String {
        let register = self.table.registers.iter().find(|register| register.next == target);
        let shown = register.map_or(target, |register| register.now);
        self.table.signals[shown].name.clone()
    }

    /// Whether the value is another signal's, whose own faults are the same.
    fn is_relay(&self, value: &Expression) -> bool {
        matches!(value, Expression::Read { signal, width, .. } if *width == self.table.signals[*signal].width)
    }

    /// Whether a relay is one of a join that can be wrong.
    fn is_join(&self, value: &Expression) -> bool {
        let Expression::Read { signal, .. } = value else { return false };
        self.joins.is_some_and(|without| !without.contains(signal))
    }

    /// Whether the value is what the register holds already.
    fn is_hold(&self, target: SignalId, value: &Expression) -> bool {
        let mut registers = self.table.registers.iter();
        let held = registers.find(|register| register.next == target);
        held.is_some_and(|register| {
            *value == Expression::read(register.now, self.table.signals[target].width)
        })
    }
}
