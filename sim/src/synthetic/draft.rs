//! A program that is being made up: instructions in their order, and labels instead of addresses.

use super::dice::Dice;
use super::options::Options;
use super::program::{Decision, Shape};
use crate::event::{Isa, Kind};

/// Long runs have about this many instructions, or two or three times as many.
const LONG_RUN: u32 = 1024;

/// One run of so many is long, where there are long ones.
const LONG_RUN_INTERVAL: u32 = 12;

/// A position in the program that may not be known yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label(pub(super) usize);

/// Where a draft of a control-flow instruction leads.
pub(super) enum Goal {
    Label(Label),
    Table { labels: Vec<Label>, sticky: u32 },
    Handlers,
    Caller,
    Interrupted,
}

/// A program without addresses, being written from the first instruction on.
pub(super) struct Draft<'a> {
    pub(super) options: &'a Options,
    pub(super) dice: &'a mut Dice,
    /// The length of every instruction.
    pub(super) lengths: Vec<u8>,
    pub(super) sites: Vec<(u32, Shape, Goal)>,
    /// The instruction each label stands before.
    pub(super) labels: Vec<u32>,
    /// The first instruction of every function.
    pub(super) starts: Vec<u32>,
}

impl<'a> Draft<'a> {
    /// A program of no instructions.
    pub(super) fn new(options: &'a Options, dice: &'a mut Dice) -> Self {
        Self {
            options,
            dice,
            lengths: Vec::new(),
            sites: Vec::new(),
            labels: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// A label to be placed later.
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(0);
        Label(self.labels.len() - 1)
    }

    /// Places a label before the next instruction.
    pub(super) fn place(&mut self, label: Label) {
        self.labels[label.0] = self.lengths.len() as u32;
    }

    /// A label before the next instruction.
    pub(super) fn here(&mut self) -> Label {
        let label = self.label();
        self.place(label);
        label
    }

    /// Begins a function at this label.
    pub(super) fn begin(&mut self, label: Label) {
        self.starts.push(self.lengths.len() as u32);
        self.place(label);
    }

    /// Adds plain instructions, if the options have them at all.
    pub(super) fn plain(&mut self, count: u32) {
        if !self.options.branch_every_instruction {
            let count = if self.options.long_runs { self.long_run(count) } else { count };
            for _ in 0..count {
                let length = self.length();
                self.lengths.push(length);
            }
        }
    }

    /// Makes some runs about 1,024, 2,048 or 3,072 instructions long, a few less or more.
    fn long_run(&mut self, count: u32) -> u32 {
        match self.dice.below(LONG_RUN_INTERVAL) {
            0 => count % LONG_RUN + LONG_RUN * self.dice.between(1, 3) - LONG_RUN / 64,
            _ => count,
        }
    }

    /// Adds a control-flow instruction.
    pub(super) fn branch(&mut self, kind: Kind, decision: Decision, goal: Goal) {
        self.linked(kind, false, false, decision, goal);
    }

    /// Adds a control-flow instruction that may be a call, a return or both.
    pub(super) fn linked(
        &mut self,
        kind: Kind,
        call: bool,
        is_return: bool,
        decision: Decision,
        goal: Goal,
    ) {
        // As on RV64: no compressed form of direct calls, system calls and exception returns.
        let wide = kind == Kind::Exception || (call && !kind.is_indirect());
        let length = match self.options.machine.isa {
            Isa::RiscV if wide => 4,
            _ => self.length(),
        };
        let shape = Shape { kind, call, is_return, length, decision };
        self.sites.push((self.lengths.len() as u32, shape, goal));
        self.lengths.push(length);
    }

    fn length(&mut self) -> u8 {
        match (self.options.machine.isa, self.options.machine.alignment) {
            (Isa::Arm | Isa::RiscV, 2) => 4,
            (Isa::Arm | Isa::RiscV, _) => self.dice.pick(&[2, 4]),
            (Isa::X86, _) => self.dice.pick_weighted(&[
                (5, 1),
                (20, 2),
                (25, 3),
                (15, 4),
                (12, 5),
                (8, 6),
                (8, 7),
                (3, 8),
                (1, 9),
                (1, 10),
                (1, 11),
                (1, 15),
            ]),
        }
    }
}
