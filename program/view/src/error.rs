//! Errors of an execution and its image.

use std::fmt;

use tracewright_sim::event::{Event, Kind};

use crate::blocks::Block;

/// An event that the code cannot produce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The number of the event, from 0.
    pub index: u64,
    /// The event.
    pub event: Event,
    /// The event of the same thread before it, and its number.
    pub before: Option<(u64, Event)>,
    /// The reason.
    pub impossible: Impossible,
}

/// The reasons why the code cannot produce an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// The trace does not say where the thread begins.
    Beginning {
        /// The thread.
        thread: u8,
    },
    /// The event has no instruction and is not an exception.
    Nothing,
    /// The code has another branch, or none, there.
    Block(Block),
    /// The branch has another target.
    Target {
        /// The branch's target in the code.
        target: u64,
    },
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contradiction { index, event, before, impossible } = self;
        write!(f, "event {index} ({event}) is impossible")?;
        if let Some((index, Event { program_counter, target, taken: true, .. })) = before {
            write!(f, " after event {index}, from {program_counter:#x} to {target:#x}")?;
        } else if let Some((index, event)) = before {
            write!(f, " after event {index}, at {:#x}", event.program_counter)?;
        }
        let image = "the program image is wrong or stale";
        match impossible {
            Impossible::Beginning { thread } => {
                write!(f, ": the trace does not say where thread {thread} begins")
            }
            Impossible::Nothing => f.write_str(": it counts no instruction"),
            Impossible::Target { target } => {
                write!(f, ": the code goes to {target:#x}; {image}")
            }
            Impossible::Block(Block { start, instructions: 0, .. }) => {
                write!(f, ": there is no code at {start:#x}; {image}, or a part of it is missing")
            }
            Impossible::Block(Block {
                start, instructions, program_counter, next, branch, ..
            }) => {
                write!(f, ": from {start:#x} on the code has {} up to ", counted(*instructions))?;
                match branch {
                    Some(branch) if branch.kind == Kind::Exception => {
                        write!(f, "a system call at {program_counter:#x}")?;
                    }
                    Some(branch) => write!(f, "{} at {program_counter:#x}", branch.kind)?,
                    None => write!(f, "{next:#x}, where it ends")?,
                }
                write!(f, "; {image}")
            }
        }
    }
}

fn counted(instructions: u64) -> String {
    let ending = if instructions == 1 { "" } else { "s" };
    format!("{instructions} instruction{ending}")
}

impl std::error::Error for Contradiction {}

/// The reasons why an execution cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The trace and the image do not match.
    #[error(transparent)]
    Contradiction(#[from] Box<Contradiction>),
    /// A result cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] std::io::Error),
}
