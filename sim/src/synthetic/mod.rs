//! Synthetic traces: a random program, executed with random decisions.
//!
//! The program is fixed: the same address always holds the same instruction, a block begins where
//! the one before it fell through or jumped to, and counts of instructions agree with addresses.
//! So a decoder that walks the program can replay the trace. It has loops (counted and
//! data-dependent), nested and recursive calls, calls and jumps through tables, switches,
//! conditional and tail calls, predicated returns, coroutines, system calls, blocks of one
//! instruction and blocks of a thousand, and on top of it exceptions at any instruction.
//!
//! The seed determines the trace on every platform and in every later version.
//!
//! ```
//! use tracewright_sim::synthetic::{Options, Synthetic};
//!
//! let options = Options { events: 1000, exceptions: false, ..Options::from_seed(7) };
//! let events: Vec<_> = Synthetic::new(options)?.collect();
//! assert_eq!(events.len(), 1000);
//! # Ok::<(), tracewright_sim::synthetic::OptionsError>(())
//! ```

mod build;
mod constructs;
mod dice;
mod execute;
mod options;
mod program;
mod turns;

use std::iter::FusedIterator;

pub use options::{Options, OptionsError};

use crate::event::{Event, Machine};
use dice::Dice;
use execute::Execution;
use program::Program;
use turns::Turns;

/// The events of a synthetic program; every instruction length is known.
pub struct Synthetic {
    machine: Machine,
    program: Program,
    executions: Vec<Execution>,
    dice: Dice,
    remaining: u64,
    turns: Turns,
}

impl Synthetic {
    /// Makes the program and stands before its first instruction.
    ///
    /// # Errors
    ///
    /// The first option that is out of its range.
    pub fn new(options: Options) -> Result<Synthetic, OptionsError> {
        options.validate()?;
        let mut dice = Dice::new(options.seed, 0);
        let program = build::program(&options, &mut dice);
        let executions = (0..options.threads)
            .map(|thread| Execution::new(thread, &program, options.exceptions))
            .collect();
        Ok(Synthetic {
            machine: options.machine,
            program,
            executions,
            dice,
            remaining: options.events,
            turns: Turns::new(&options),
        })
    }

    /// The processor that the program is for.
    pub fn machine(&self) -> Machine {
        self.machine
    }
}

impl Iterator for Synthetic {
    type Item = Event;

    #[inline]
    fn next(&mut self) -> Option<Event> {
        self.remaining = self.remaining.checked_sub(1)?;
        let thread = self.turns.next(&mut self.dice);
        Some(self.executions[thread].step(&self.program, &mut self.dice))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = usize::try_from(self.remaining);
        (remaining.unwrap_or(usize::MAX), remaining.ok())
    }
}

impl FusedIterator for Synthetic {}
