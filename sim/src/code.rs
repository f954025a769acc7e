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

    /// Goes on to an event, or back to one.
    fn advance(&mut self, event: u64);

    /// The number of the state that the code is in, from 1 to `u32::MAX - 1`, or 0 if it has none. Of the same program, two
    /// threads or two events with the same number find the same code.
    fn state(&self) -> u32;

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

/// The state of code in which something was found in it, so that it need not be looked for again in the same state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoundIn(u32);

impl FoundIn {
    /// What was found never changes.
    pub const ALL_STATES: FoundIn = FoundIn(u32::MAX);

    /// What was found in the state with this number.
    pub fn state(number: u32) -> Self {
        Self(number)
    }

    /// The number that tells it apart.
    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// True if it is there in the state with this number, too; false if that is not known.
    #[inline]
    pub fn is_in(self, number: u32) -> bool {
        self == Self::ALL_STATES || self.0 == number && number != 0
    }
}

/// The code of a thread at one of its events, with what is asked of it at each event.
#[derive(Clone, Debug)]
pub struct CurrentCode {
    code: Box<dyn ChangingCode>,
    state: u32,
    next_change: u64,
}

impl CurrentCode {
    /// The code as it is.
    pub fn new(code: Box<dyn ChangingCode>) -> Self {
        Self { state: code.state(), next_change: code.next_change(), code }
    }

    /// Goes on to an event, or back to one.
    pub fn advance(&mut self, event: u64) {
        self.code.advance(event);
        (self.state, self.next_change) = (self.code.state(), self.code.next_change());
    }

    /// Goes on to the event after one that it has reached.
    #[inline]
    pub fn next(&mut self, event: u64) {
        if event >= self.next_change {
            self.advance(event);
        }
    }

    /// The event at which the code changes next; `u64::MAX` if it does not.
    #[inline]
    pub fn next_change(&self) -> u64 {
        self.next_change
    }

    /// The number of its state, see [`ChangingCode::state`].
    #[inline]
    pub fn state(&self) -> u32 {
        self.state
    }
}

impl std::ops::Deref for CurrentCode {
    type Target = dyn ChangingCode;

    fn deref(&self) -> &Self::Target {
        &*self.code
    }
}
