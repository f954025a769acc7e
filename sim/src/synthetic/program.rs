//! A program as the execution needs it: its control-flow instructions in the order of addresses.

use super::dice::Dice;
use crate::event::Kind;

/// A place in the program to go to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Position {
    /// The address of the next instruction.
    pub(super) address: u64,
    /// The index of the next instruction among all of the program.
    pub(super) ordinal: u32,
    /// The index of the first control-flow instruction from there on.
    pub(super) site: u32,
}

/// Any instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) address: u64,
    pub(super) length: u8,
}

/// A control-flow instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) address: u64,
    pub(super) ordinal: u32,
    pub(super) shape: Shape,
    pub(super) destination: Destination,
}

/// What is known of a control-flow instruction before it has an address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) call: bool,
    pub(super) is_return: bool,
    pub(super) length: u8,
    pub(super) decision: Decision,
}

/// Whether a control-flow instruction is taken.
#[derive(Clone, Copy, Debug)]
pub(super) enum Decision {
    Always,
    /// All times but every `trips`-th.
    Counted {
        trips: u32,
    },
    /// As often as 32 random bits are below `threshold`.
    Chance {
        threshold: u32,
    },
    /// As the lowest `period` bits say, one after the other.
    Pattern {
        bits: u32,
        period: u32,
    },
    /// When the stack is at least `limit` deep, and by chance.
    Deep {
        limit: u32,
        threshold: u32,
    },
}

/// Where a control-flow instruction leads when taken.
#[derive(Clone, Copy, Debug)]
pub(super) enum Destination {
    Fixed(Position),
    /// One of `count` entries of the tables, the same as last time as often as 32 random bits are
    /// below `sticky`.
    Table {
        first: u32,
        count: u32,
        sticky: u32,
    },
    /// What the stack holds.
    Caller,
    /// What the stack holds, ending an exception handler.
    Interrupted,
}

/// A synthetic program.
pub(super) struct Program {
    /// Every instruction.
    pub(super) instructions: Vec<Instruction>,
    /// The control-flow instructions among them. The last of each function is always taken.
    pub(super) sites: Vec<Site>,
    /// What the tables of all sites hold.
    pub(super) tables: Vec<Position>,
    /// Where exceptions lead; empty in a program without.
    pub(super) handlers: Vec<Position>,
    /// The beginnings of all functions, the main function first.
    pub(super) functions: Vec<Position>,
    /// The begin of the main function, which never returns.
    pub(super) entry: Position,
}

impl Program {
    /// The beginning of a function that returns, if there is one.
    pub(super) fn inside(&self, dice: &mut Dice) -> Position {
        match self.functions.get(1..) {
            Some(functions @ [_, ..]) => functions[dice.below(functions.len() as u32) as usize],
            _ => self.entry,
        }
    }
}
