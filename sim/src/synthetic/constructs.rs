//! The grammar of functions: what code is made of.

mod calls;

use super::draft::{Draft, Goal, Label};
use super::program::Decision;
use crate::event::{Isa, Kind};

/// Constructs inside one another, at most.
const NESTING_MAX: u32 = 4;

/// A function only calls functions of higher tiers, but for guarded recursion, so that the main
/// function gets on.
const TIERS: usize = 4;

/// What a function is for, so how it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Runs for ever.
    Main,
    /// Returns, or ends in a tail call.
    Function,
    /// Goes back to where the exception came from.
    Handler,
}

#[derive(Clone, Copy)]
enum Construct {
    Plain,
    If,
    IfElse,
    Skip,
    CountedLoop,
    WhileLoop,
    Switch,
    Call,
    TableCall,
    SelfCall,
    BackCall,
    EarlyReturn,
    Coroutine,
    SystemCall,
}

/// The function being written.
struct Writer<'w, 'a> {
    draft: &'w mut Draft<'a>,
    role: Role,
    label: Label,
    /// The functions that it may call freely.
    callees: &'w [Label],
    /// The functions, itself included, that it may call only under a guard.
    ancestors: &'w [Label],
    /// Constructs that the one being written may still contain.
    budget: u32,
    /// Loops around what is being written.
    loops: u32,
    recursive: bool,
    /// Other halves of its coroutines, to be written after it.
    coroutines: Vec<Label>,
}

/// Writes the `index`-th of these functions, or a handler if it is none of them, at this label.
pub(super) fn function(
    draft: &mut Draft<'_>,
    label: Label,
    role: Role,
    index: usize,
    functions: &[Label],
) {
    let tier =
        |index: usize| if index == 0 { 0 } else { 1 + (index - 1) * TIERS / functions.len() };
    let first_callee = match role {
        Role::Main => 1,
        Role::Function => (index..functions.len())
            .find(|&other| tier(other) > tier(index))
            .unwrap_or(functions.len()),
        // Handlers call what comes last, the leaves.
        Role::Handler => functions.len() - functions.len() / TIERS,
    };
    let ancestors = if role == Role::Function { &functions[1..=index] } else { &[] };
    let mut writer = Writer {
        draft,
        role,
        label,
        callees: &functions[first_callee.max(1).min(functions.len())..],
        ancestors,
        budget: 0,
        loops: 0,
        recursive: false,
        coroutines: Vec::new(),
    };
    writer.draft.begin(label);
    writer.top();
    writer.end();
    for other in std::mem::take(&mut writer.coroutines) {
        writer.coroutine_half(other);
    }
}

impl Writer<'_, '_> {
    /// The constructs of the function, each with a budget of its own for what is inside.
    fn top(&mut self) {
        let (least, most, inner) = match self.role {
            Role::Main => (4, 12, 4),
            Role::Function => (1, 8, 4),
            Role::Handler => (0, 2, 2),
        };
        for _ in 0..self.draft.dice.between(least, most) {
            self.budget = self.draft.dice.between(0, inner);
            self.construct(0);
            if self.role == Role::Main && !self.callees.is_empty() {
                self.call();
            }
        }
    }

    /// A sequence of constructs inside another, at least one as long as the budget lasts.
    fn body(&mut self, nesting: u32) {
        self.plain();
        while self.budget > 0 {
            self.budget -= 1;
            self.construct(nesting);
            if self.draft.dice.percent(50) {
                return;
            }
        }
    }

    fn construct(&mut self, nesting: u32) {
        let inner = u32::from(nesting < NESTING_MAX);
        let function = u32::from(self.role == Role::Function);
        let callees = u32::from(!self.callees.is_empty());
        let often = if self.loops == 0 { 3 } else { 1 };
        let self_call = u32::from(nesting == 0 && !self.recursive) * function;
        let riscv = u32::from(self.draft.options.machine.isa == Isa::RiscV);
        let exceptions = u32::from(self.draft.options.exceptions);
        let construct = self.draft.dice.pick_weighted(&[
            (6, Construct::Plain),
            (8 * inner, Construct::If),
            (5 * inner, Construct::IfElse),
            (2, Construct::Skip),
            (5 * inner, Construct::CountedLoop),
            (4 * inner, Construct::WhileLoop),
            (4 * inner, Construct::Switch),
            (3 * often * callees, Construct::Call),
            (often * callees, Construct::TableCall),
            (4 * self_call, Construct::SelfCall),
            (function, Construct::BackCall),
            (2 * function, Construct::EarlyReturn),
            (riscv, Construct::Coroutine),
            (exceptions, Construct::SystemCall),
        ]);
        match construct {
            Construct::Plain => self.plain(),
            Construct::If => self.branch_over(nesting, false),
            Construct::IfElse => self.branch_over(nesting, true),
            Construct::Skip => self.skip(),
            Construct::CountedLoop => self.counted_loop(nesting),
            Construct::WhileLoop => self.while_loop(nesting),
            Construct::Switch => self.switch(nesting),
            Construct::Call => self.call(),
            Construct::TableCall => self.table_call(),
            Construct::SelfCall => {
                self.recursive = true;
                let skipped = self.draft.dice.between(5, 30);
                self.guarded_call(self.label, skipped);
            }
            Construct::BackCall => {
                let callee = self.draft.dice.pick(self.ancestors);
                // Rare enough that the tree of calls dies out.
                self.guarded_call(callee, 85);
            }
            Construct::EarlyReturn => self.early_return(nesting),
            Construct::Coroutine => self.coroutine(),
            Construct::SystemCall => {
                self.plain();
                let decision = Decision::Chance { threshold: threshold(2) };
                self.draft.branch(Kind::Exception, decision, Goal::Handlers);
            }
        }
    }

    /// A run of plain instructions: often none, sometimes more than a stream length can count.
    fn plain(&mut self) {
        let dice = &mut *self.draft.dice;
        let (least, most) = dice.pick_weighted(&[
            (30, (0, 0)),
            (55, (1, 8)),
            (12, (9, 40)),
            (2, (41, 300)),
            (1, (256, 1100)),
        ]);
        let count = dice.between(least, most);
        self.draft.plain(count);
    }

    fn branch_over(&mut self, nesting: u32, with_else: bool) {
        self.plain();
        let (other, end) = (self.draft.label(), self.draft.label());
        let decision = self.decision();
        self.draft.branch(Kind::DirectConditional, decision, Goal::Label(other));
        self.body(nesting + 1);
        if with_else {
            self.draft.branch(Kind::DirectJump, Decision::Always, Goal::Label(end));
        }
        self.draft.place(other);
        if with_else {
            self.body(nesting + 1);
        }
        self.draft.place(end);
    }

    /// A jump over instructions that never run, or to the next one.
    fn skip(&mut self) {
        self.plain();
        let end = self.draft.label();
        self.draft.branch(Kind::DirectJump, Decision::Always, Goal::Label(end));
        let dead = self.draft.dice.below(4);
        self.draft.plain(dead);
        self.draft.place(end);
    }

    fn counted_loop(&mut self, nesting: u32) {
        self.plain();
        let head = self.draft.here();
        let trips = if self.loops > 0 {
            self.plain();
            self.draft.dice.between(2, 6)
        } else if self.draft.dice.percent(50) {
            self.plain();
            let most = self.draft.dice.pick_weighted(&[(60, 8), (36, 24), (3, 100), (1, 400)]);
            self.draft.dice.between(2, most)
        } else {
            self.loop_body(nesting);
            self.draft.dice.between(2, 4)
        };
        self.draft.branch(Kind::DirectConditional, Decision::Counted { trips }, Goal::Label(head));
    }

    /// A loop that data ends, with the test at the top.
    fn while_loop(&mut self, nesting: u32) {
        let end = self.draft.label();
        let head = self.draft.here();
        self.plain();
        let leaves = self.draft.dice.between(30, 60);
        let decision = Decision::Chance { threshold: threshold(leaves) };
        self.draft.branch(Kind::DirectConditional, decision, Goal::Label(end));
        if self.loops > 0 {
            self.plain();
        } else {
            self.loop_body(nesting);
        }
        self.draft.branch(Kind::DirectJump, Decision::Always, Goal::Label(head));
        self.draft.place(end);
    }

    /// Constructs inside a loop; loops in there have none, so that the program gets around.
    fn loop_body(&mut self, nesting: u32) {
        self.loops += 1;
        self.body(nesting + 1);
        self.loops -= 1;
    }

    fn switch(&mut self, nesting: u32) {
        self.plain();
        let count = self.draft.dice.between(2, 12);
        let labels: Vec<Label> = (0..count).map(|_| self.draft.label()).collect();
        let end = self.draft.label();
        let goal = Goal::Table { labels: labels.clone(), sticky: self.sticky() };
        self.indirect(false, goal);
        for label in labels {
            self.draft.place(label);
            if self.budget > 0 && self.draft.dice.percent(30) {
                self.body(nesting + 1);
            } else {
                self.plain();
            }
            // Otherwise it falls through into the next case.
            if self.draft.dice.percent(80) {
                self.draft.branch(Kind::DirectJump, Decision::Always, Goal::Label(end));
            }
        }
        self.draft.place(end);
    }

    /// The last instruction of the function.
    fn end(&mut self) {
        self.plain();
        match self.role {
            Role::Main => {
                let goal = Goal::Label(self.label);
                self.draft.branch(Kind::DirectJump, Decision::Always, goal);
            }
            Role::Handler => {
                let kind = self.draft.dice.pick(&[Kind::Exception, Kind::IndirectJump]);
                self.draft.branch(kind, Decision::Always, Goal::Interrupted);
            }
            Role::Function if !self.callees.is_empty() && self.draft.dice.percent(20) => {
                let (kind, goal) = if self.draft.dice.percent(70) {
                    let callee = self.draft.dice.pick(self.callees);
                    (Kind::DirectJump, Goal::Label(callee))
                } else {
                    (Kind::IndirectJump, self.table_of_callees())
                };
                self.draft.branch(kind, Decision::Always, goal);
            }
            Role::Function => {
                self.draft.linked(Kind::IndirectJump, false, true, Decision::Always, Goal::Caller);
            }
        }
    }

    /// An indirect jump or call, with a condition where the machine has such.
    fn indirect(&mut self, call: bool, goal: Goal) {
        if self.draft.options.predicated && self.draft.dice.percent(40) {
            let decision = self.decision();
            self.draft.linked(Kind::IndirectConditional, call, false, decision, goal);
        } else {
            self.draft.linked(Kind::IndirectJump, call, false, Decision::Always, goal);
        }
    }

    fn table_of_callees(&mut self) -> Goal {
        let count = self.draft.dice.between(1, 8);
        let labels = (0..count).map(|_| self.draft.dice.pick(self.callees)).collect();
        Goal::Table { labels, sticky: self.sticky() }
    }

    /// A decision as regular as the options ask for.
    fn decision(&mut self) -> Decision {
        let predictability = u32::from(self.draft.options.predictability);
        let dice = &mut *self.draft.dice;
        if !dice.percent(predictability) {
            return Decision::Chance { threshold: threshold(dice.between(20, 80)) };
        }
        if dice.percent(30) {
            let period = dice.between(2, 16);
            return Decision::Pattern { bits: dice.bits(), period };
        }
        let rare = threshold(1) / 100 * dice.between(5, 300);
        Decision::Chance { threshold: if dice.percent(50) { rare } else { u32::MAX - rare } }
    }

    /// How often a table leads where it led last time.
    fn sticky(&mut self) -> u32 {
        let predictability = u32::from(self.draft.options.predictability);
        threshold(self.draft.dice.between(predictability / 2, predictability))
    }
}

/// The threshold that 32 random bits are below this many times of a hundred.
fn threshold(percent: u32) -> u32 {
    (u64::from(u32::MAX) * u64::from(percent) / 100) as u32
}
