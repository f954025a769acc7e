//! The instructions of a program, as a disassembler sees them.
//!
//! A program that is learned from a trace ([`ProgramBuilder`](crate::program::ProgramBuilder)) has only
//! what ran. A program image has every instruction: whoever reads one implements [`Code`], and
//! [`Program::of_code`](crate::program::Program::of_code) makes a program of it that decoders follow.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

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
    /// The code as a thread finds it at its first event; `None` for code that never changes.
    fn changing(self: Arc<Self>, thread: u8) -> Option<Box<dyn ChangingCode>> {
        let _ = thread;
        None
    }
}

/// Code that changes while the program runs, as one thread finds it at one of its events.
///
/// Events of a thread are counted from 0. A change *at* an event is there for all instructions that retire with it.
pub trait ChangingCode: fmt::Debug + Send + Sync {
    /// The event at which the code changes next; `u64::MAX` if it does not.
    fn next_change(&self) -> u64;

    /// Goes on to an event.
    fn advance(&mut self, event: u64);

    /// The instruction at `address`.
    fn instruction(&self, address: u64) -> Option<Instruction>;

    /// At most `length` bytes of code from an address on, up to the first that is none.
    fn read(&self, address: u64, length: usize) -> Vec<u8>;

    /// True if these bytes are at the address.
    fn is(&self, address: u64, bytes: &[u8]) -> bool;

    /// True if the code at these addresses never changes.
    fn is_fixed(&self, range: Range<u64>) -> bool;

    /// The number of the file that the code at an address is from, if it is of one.
    fn file(&self, address: u64) -> Option<u32>;

    /// Bytes of all that replaces other code.
    fn size(&self) -> u64;

    /// A copy.
    fn boxed_clone(&self) -> Box<dyn ChangingCode>;
}

impl Clone for Box<dyn ChangingCode> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}
