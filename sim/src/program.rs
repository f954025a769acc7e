//! The program that a decoder replays against.
//!
//! A program is a set of *blocks*: straight runs of instructions from a starting place to the next
//! control-flow instruction. It is learned from a trace by a [`ProgramBuilder`]; a trace's every block
//! is then known, and with it everything a decoder needs. Or it is read from the program's own
//! [`Code`], block by block as the decoder gets there.

use std::sync::Arc;

use crate::code::{Branch, Code, CurrentCode};
use crate::event::{Event, Kind, Machine};

mod addresses;
mod call_lengths;
mod changing;
mod coded;
mod learned;
mod programs;

pub use call_lengths::CallLengths;
use changing::Changing;
use coded::Coded;
use learned::Learned;
pub use learned::ProgramBuilder;
pub use programs::{ContextError, Programs};

/// Where a block starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Where the trace of a thread begins.
    Start(u8),
    /// At a target address.
    At(u64),
    /// After the instruction at this address.
    After(u64),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Start(0) => f.write_str("the start of the trace"),
            Place::Start(thread) => write!(f, "the start of thread {thread}"),
            Place::At(address) => write!(f, "{address:#x}"),
            Place::After(address) => write!(f, "the instruction after {address:#x}"),
        }
    }
}

/// A straight run of instructions that ends in a control-flow instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Instructions up to and with the last one; of a block that is not complete, the most there can be.
    pub instructions: u64,
    /// Byte address of the last one.
    pub program_counter: u64,
    /// Target of a direct branch; meaningless for the other kinds and, in a learned program, before it
    /// was once taken.
    pub target: u64,
    /// What the last one is.
    pub kind: Kind,
    /// It leaves a return address.
    pub call: bool,
    /// It goes back to one.
    pub is_return: bool,
    /// Its length in bytes if it is a call; as the trace said, or 0, if it is none.
    pub length: u8,
    /// The length of the last one in bytes, whatever it is; 0 where a learned program does not know it.
    pub last_length: u8,
    /// False for a block whose end no trace has reached, or that runs into something that is no code.
    pub is_complete: bool,
    taken: u32,
    fall_through: u32,
}

/// The longest instruction, in bytes.
const LENGTH_MAX: u8 = 15;

/// No block.
const NONE: u32 = u32::MAX;

impl Block {
    /// True if the block is the run of instructions that ends in this event's.
    #[inline]
    fn ends_with(&self, event: &Event) -> bool {
        self.instructions == event.instructions
            && self.program_counter == event.program_counter
            && self.kind == event.kind
            && self.call == event.call
            && self.is_return == event.is_return
            && self.length == event.length
    }

    /// The block of code that ends in the instruction at `program_counter`, of `length` bytes, which is this branch.
    fn ending_in(branch: Branch, instructions: u64, program_counter: u64, length: u8) -> Block {
        let Branch { kind, call, is_return, target } = branch;
        let last_length = length;
        let length = if call { length } else { 0 };
        Block {
            instructions,
            program_counter,
            target,
            kind,
            call,
            is_return,
            length,
            last_length,
            is_complete: true,
            taken: NONE,
            fall_through: NONE,
        }
    }

    /// A block of which only the beginning is known.
    fn incomplete(instructions: u64) -> Block {
        Block {
            instructions,
            program_counter: 0,
            target: 0,
            kind: Kind::Exception,
            call: false,
            is_return: false,
            length: 0,
            last_length: 0,
            is_complete: false,
            taken: NONE,
            fall_through: NONE,
        }
    }
}

/// The number of a block in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockIndex(u32);

/// Blocks, and how to get from one to the next.
#[derive(Clone, Debug)]
pub struct Program {
    machine: Machine,
    blocks: Blocks,
}

#[derive(Clone, Debug)]
enum Blocks {
    Learned(Learned),
    Coded(Coded),
    Changing(Box<Changing>),
}

/// A trace that is not of one fixed program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {event}: {what}")]
pub struct ProgramError {
    /// The event, counted from 0.
    pub event: u64,
    /// What contradicts an earlier event.
    pub what: String,
}

/// Code that is too large to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program has more than {} places for instructions", NONE)]
pub struct TooMuchCode;

impl Program {
    /// The program that consists of `code`; a trace that does not say where it begins starts at `entry`.
    ///
    /// # Errors
    /// When there is too much of it.
    pub fn of_code(
        machine: Machine,
        code: Arc<dyn Code>,
        entry: Option<u64>,
    ) -> Result<Program, TooMuchCode> {
        let changes = Arc::clone(&code).changing(0).is_some();
        let blocks = match changes {
            true => Blocks::Changing(Box::new(Changing::new(code, entry))),
            false => Blocks::Coded(Coded::new(machine, code, entry)?),
        };
        Ok(Program { machine, blocks })
    }

    /// The code as a thread finds it first, if it changes while the program runs.
    pub fn changing(&self, thread: u8) -> Option<CurrentCode> {
        match &self.blocks {
            Blocks::Changing(changing) => changing.of_thread(thread),
            Blocks::Learned(_) | Blocks::Coded(_) => None,
        }
    }

    /// The address of a place in code that changes, as it is now.
    pub fn changing_address(&self, place: Place, code: &CurrentCode) -> Option<u64> {
        match &self.blocks {
            Blocks::Changing(changing) => changing.address(place, code),
            Blocks::Learned(_) | Blocks::Coded(_) => None,
        }
    }

    /// The block that starts at an address in code that changes, as it is now.
    pub fn changing_block(&self, address: u64, code: &CurrentCode) -> Option<BlockIndex> {
        match &self.blocks {
            Blocks::Changing(changing) => changing.block_at(address, code),
            Blocks::Learned(_) | Blocks::Coded(_) => None,
        }
    }

    /// The block in code that changes, as it is now, to which another one leads: that at a target, or without one that after
    /// its last instruction.
    #[inline]
    pub fn changing_successor(
        &self,
        index: BlockIndex,
        target: Option<u64>,
        code: &CurrentCode,
    ) -> Option<BlockIndex> {
        match &self.blocks {
            Blocks::Changing(changing) => changing.successor(index, target, code),
            Blocks::Learned(_) | Blocks::Coded(_) => None,
        }
    }

    /// The processor the program is for.
    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// The block that starts at `place`; none in code that changes, where it depends on when.
    #[inline]
    pub fn block_at(&self, place: Place) -> Option<BlockIndex> {
        match &self.blocks {
            Blocks::Changing(_) => None,
            Blocks::Learned(learned) => learned.block_at(place),
            Blocks::Coded(coded) => coded.block_at(place),
        }
    }

    /// The address of a place, if that is known; in code that changes, if it needs no look at the code.
    pub fn address(&self, place: Place) -> Option<u64> {
        match (place, &self.blocks) {
            (Place::At(address), _) => Some(address),
            (place, Blocks::Coded(coded)) => coded.address_of(place),
            (_, Blocks::Learned(_) | Blocks::Changing(_)) => None,
        }
    }

    /// The block with this number.
    #[inline]
    pub fn block(&self, index: BlockIndex) -> &Block {
        match &self.blocks {
            Blocks::Learned(learned) => learned.block(index),
            Blocks::Coded(coded) => coded.block(index),
            Blocks::Changing(changing) => changing.block(index),
        }
    }

    /// The block after one that ends in a direct branch, taken or not, with its number.
    #[inline(always)]
    pub fn successor(&self, block: &Block, taken: bool) -> Option<(BlockIndex, &Block)> {
        let next = if taken { block.taken } else { block.fall_through };
        if next == NONE {
            return None;
        }
        let index = BlockIndex(next);
        Some((index, self.block(index)))
    }

    /// The address of the instruction `count` instructions into a block, where an exception may be: in a
    /// learned program, where one was seen.
    pub fn point(&self, index: BlockIndex, count: u64) -> Option<u64> {
        match &self.blocks {
            Blocks::Learned(learned) => learned.point(index, count),
            Blocks::Coded(coded) => coded.point(index, count),
            Blocks::Changing(changing) => changing.point(index, count),
        }
    }

    /// How many instructions of a block there are up to that at `address`, if it is after the first `before`; in a learned
    /// program only where it is the last, or an exception was seen.
    pub fn count_to(&self, index: BlockIndex, before: u64, address: u64) -> Option<u64> {
        let block = self.block(index);
        if block.is_complete && block.program_counter == address && before < block.instructions {
            return Some(block.instructions);
        }
        match &self.blocks {
            Blocks::Coded(coded) => coded.count_where(index, before, |at, _| at == address),
            Blocks::Learned(learned) => learned.count_to(index, before, address),
            Blocks::Changing(changing) => {
                changing.count_where(index, before, |at, _| at == address)
            }
        }
    }

    /// How many instructions of a block there are up to that which ends before `address`, if it is after the first `before`;
    /// in a learned program only where it is the last, or an exception was seen, and its length.
    pub fn count_before(&self, index: BlockIndex, before: u64, address: u64) -> Option<u64> {
        let block = self.block(index);
        let ends = |at: u64, length: u8| length > 0 && at.wrapping_add(length.into()) == address;
        let is_last = block.is_complete && ends(block.program_counter, block.last_length);
        if is_last && before < block.instructions {
            return Some(block.instructions);
        }
        match &self.blocks {
            Blocks::Coded(coded) => coded.count_where(index, before, ends),
            Blocks::Learned(learned) => learned.count_before(index, before, address),
            Blocks::Changing(changing) => changing.count_where(index, before, ends),
        }
    }

    /// True for a program that is read from its code, not learned.
    pub fn is_code(&self) -> bool {
        matches!(self.blocks, Blocks::Coded(_) | Blocks::Changing(_))
    }

    /// How many blocks a learned program has; how many one that is read from code could have.
    pub fn most_blocks(&self) -> usize {
        match &self.blocks {
            Blocks::Learned(learned) => learned.most_blocks(),
            Blocks::Coded(coded) => coded.most_blocks(),
            Blocks::Changing(changing) => changing.most_blocks(),
        }
    }

    /// The length of the instruction at this address in bytes; in a learned program only of calls. `None` in code that
    /// changes, where it depends on when.
    pub fn instruction_length(&self, program_counter: u64) -> Option<u8> {
        match &self.blocks {
            Blocks::Learned(learned) => learned.call_length(program_counter),
            Blocks::Coded(coded) => coded.length(program_counter),
            Blocks::Changing(_) => None,
        }
    }

    /// The event with the length of its instruction, if the program knows it and the event does not.
    #[must_use]
    pub fn with_length(&self, event: Event) -> Event {
        let is_told = event.length != 0 || event.instructions == 0;
        let length = if is_told { None } else { self.instruction_length(event.program_counter) };
        Event { length: length.unwrap_or(event.length), ..event }
    }

    /// The length of the call at this address in bytes.
    #[inline]
    pub fn call_length(&self, program_counter: u64) -> Option<u8> {
        match &self.blocks {
            Blocks::Learned(learned) => learned.call_length(program_counter),
            Blocks::Coded(coded) => coded.call_length(program_counter),
            Blocks::Changing(changing) => changing.call_length(program_counter),
        }
    }
}
