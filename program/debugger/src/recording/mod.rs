//! An execution that is kept so that any place in it is found in milliseconds.
//!
//! A [`Recorder`] takes the events of a trace once and makes a [`Recording`] of them: [`Edges`], which are the distinct
//! steps from one block of code to the next, and a log that has the number of an edge for each event. The log is
//! compressed in [`Chunk`]s, which begin with where each thread goes on and, as far as memory allows, with the open
//! calls. A [`Player`] goes to any instruction from the chunk before it, and finds the next or the last instruction at
//! an address in the chunks that have a block with it.

mod chunk;
mod edges;
mod log;
mod player;
mod recorder;
mod search;
mod state;

pub use chunk::Chunk;
pub use edges::Edges;
pub use player::{Here, Player};
pub use recorder::Recorder;
pub use search::{Breakpoints, Found};
pub use state::{Moment, Place};

use tracewright_view::blocks::{BlockIndex, Blocks};
use tracewright_view::calls::{Entry, Observer};
use tracewright_view::names::Names;
use tracewright_view::{OfContext, Walker};

/// A place where the execution goes on in another context, or after a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Jump {
    /// The number of the stack that goes on.
    pub to: usize,
    /// The block at which it goes on, if that is known.
    pub block: Option<BlockIndex>,
    /// The address where the stack before was left, if it is known.
    pub left: Option<u64>,
}

/// A thread, or a context that has a stack as threads have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stack {
    /// The number of its program.
    pub program: usize,
    /// The context, if the execution has contexts.
    pub context: Option<u64>,
}

/// A part of the execution that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The instructions that retired before it, over all threads.
    pub at: u64,
    /// The reason.
    pub says: String,
}

/// An execution.
#[derive(Debug)]
pub struct Recording {
    walker: Walker,
    names: Names,
    programs: Vec<OfContext>,
    edges: Edges,
    jumps: Vec<Jump>,
    stacks: Vec<Stack>,
    gaps: Vec<Gap>,
    system_calls: Vec<u64>,
    chunks: Vec<Chunk>,
    events: u64,
    instructions: u64,
}

impl Recording {
    /// The blocks of code that ran.
    pub fn blocks(&self) -> &Blocks {
        self.walker.blocks()
    }

    /// The programs, that of all contexts that have none of their own first.
    pub fn programs(&self) -> &[OfContext] {
        &self.programs
    }

    /// The threads or contexts by number.
    pub fn stacks(&self) -> &[Stack] {
        &self.stacks
    }

    /// The parts that are not known.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Where short blocks begin whose system call has led elsewhere: what a signal handler returns to is one of them.
    pub fn system_calls(&self) -> &[u64] {
        &self.system_calls
    }

    /// The names of functions.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The events of all threads.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// The instructions of all threads.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Bytes that it is kept in, without the code.
    pub fn size(&self) -> usize {
        self.chunks.iter().map(Chunk::size).sum()
    }
}

/// An observer of calls that needs none of them.
#[derive(Clone, Copy, Debug)]
struct Unseen;

impl Observer for Unseen {
    fn enter(&mut self, _: &Names, _: Entry) {}

    fn leave(&mut self, _: usize, _: u64) {}
}
