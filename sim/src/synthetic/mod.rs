//! Synthetic traces: a random program, executed with random decisions.
//!
//! The program is fixed: the same address always holds the same instruction, a block begins where
//! the one before it fell through or jumped to, and counts of instructions agree with addresses.
//! So a decoder that walks the program can replay the trace. It has loops (counted and
//! data-dependent), nested and recursive calls, calls and jumps through tables, switches,
//! conditional and tail calls, predicated returns, coroutines, system calls, blocks of one
//! instruction and blocks of a thousand, and on top of it exceptions at any instruction. If asked for
//! it accesses memory, which changes none of its events.
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
mod data;
mod dice;
mod draft;
mod execute;
mod options;
mod program;
pub mod script;
pub mod states;
mod turns;

use std::collections::VecDeque;
use std::iter::FusedIterator;

pub use options::{Options, OptionsError};

use crate::event::{Event, Item, Machine};
use data::{Data, Memory};
use dice::Dice;
use execute::Execution;
use program::Program;
use turns::Turns;

/// The events of a synthetic program; every instruction length is known.
pub struct Synthetic {
    options: Options,
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
            .map(|thread| Execution::new(thread, &program, &options, &mut dice))
            .collect();
        Ok(Synthetic {
            program,
            executions,
            dice,
            remaining: options.events,
            turns: Turns::new(&options),
            options,
        })
    }

    /// The processor that the program is for.
    pub fn machine(&self) -> Machine {
        self.options.machine
    }

    /// The events that are left and the memory accesses between them, as many as
    /// [`data_accesses`](Options::data_accesses) says.
    pub fn items(self) -> Items {
        let data = Data::new(&self.options, &self.program);
        let memories = vec![data.memory(); self.executions.len()];
        Items { synthetic: self, data, memories, ready: VecDeque::new() }
    }

    /// The execution that makes the next event; `None` after the last.
    #[inline]
    fn turn(&mut self) -> Option<usize> {
        self.remaining = self.remaining.checked_sub(1)?;
        Some(self.turns.next(&mut self.dice))
    }
}

impl Iterator for Synthetic {
    type Item = Event;

    #[inline]
    fn next(&mut self) -> Option<Event> {
        let thread = self.turn()?;
        Some(self.executions[thread].step(&self.program, &mut self.dice))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = usize::try_from(self.remaining);
        (remaining.unwrap_or(usize::MAX), remaining.ok())
    }
}

impl FusedIterator for Synthetic {}

/// The events and memory accesses of a synthetic program.
pub struct Items {
    synthetic: Synthetic,
    data: Data,
    /// For each thread.
    memories: Vec<Memory>,
    /// What comes next: the accesses of a run and its event.
    ready: VecDeque<Item>,
}

impl Iterator for Items {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.ready.is_empty() {
            let thread = self.synthetic.turn()?;
            let Synthetic { program, executions, dice, .. } = &mut self.synthetic;
            let ordinal = executions[thread].ordinal();
            let event = executions[thread].step(program, dice);
            let (memory, ready) = (&mut self.memories[thread], &mut self.ready);
            let access = |access| ready.push_back(Item::Access(access));
            self.data.run(ordinal, &event, program, memory, access);
            self.ready.push_back(Item::Event(event));
        }
        self.ready.pop_front()
    }
}

impl FusedIterator for Items {}
