//! The instructions of a program, as a disassembler sees them.
//!
//! A program that is learned from a trace ([`ProgramBuilder`](crate::program::ProgramBuilder)) has only
//! what ran. A program image has every instruction: whoever reads one implements [`Code`], and
//! [`Program::of_code`](crate::program::Program::of_code) makes a program of it that decoders follow.

use std::fmt;
use std::ops::Range;

use crate::event::Kind;

/// What a control-flow instruction is, whenever it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// What it does to the program counter; [`Kind::Exception`] for a system call.
    pub kind: Kind,
    /// It leaves a return address.
    pub call: bool,
    /// It goes back to one.
    pub is_return: bool,
    /// Where a direct branch goes; 0 for the other kinds.
    pub target: u64,
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its length in bytes, 1 to 15.
    pub length: u8,
    /// What it does to the program counter, if it may be more than go on.
    pub branch: Option<Branch>,
}

/// Instructions by their addresses.
///
/// Addresses are those of a trace: in ARM code that has Thumb instructions, bit 0 of the address of a
/// Thumb instruction is 1, as in the architecture's own interworking addresses.
pub trait Code: fmt::Debug + Send + Sync {
    /// Where instructions may be, in ascending order, not overlapping.
    fn regions(&self) -> Vec<Range<u64>>;

    /// The instruction at `address`; `None` where there is none, or an undefined one.
    fn instruction(&self, address: u64) -> Option<Instruction>;
}
