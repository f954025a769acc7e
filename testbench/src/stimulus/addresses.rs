//! The addresses of sequential blocks.

use std::sync::Arc;

use tracewright_sim::event::Event;
use tracewright_sim::program::{Place, Program};

/// Follows a program along its events, for the addresses of the instructions before them.
///
/// A packet may end after a sequential block, where blocks are lost. A scheme that sends the address there, not a count, is decoded
/// only if that address is the program's.
#[derive(Clone, Debug)]
pub struct Addresses {
    program: Arc<Program>,
    /// Where the instructions of the event begin.
    begin: Place,
    /// Where those of the next one do.
    next: Place,
    instructions: u64,
}

impl Addresses {
    /// At the start of the program.
    pub fn new(program: Arc<Program>) -> Addresses {
        let start = Place::Start(0);
        Addresses { program, begin: start, next: start, instructions: 0 }
    }

    pub(crate) fn load(&mut self, event: &Event) {
        (self.begin, self.instructions) = (self.next, event.instructions);
        self.next = match event.taken {
            true => Place::At(event.target),
            false => Place::After(event.program_counter),
        };
    }

    /// The address and the length in bytes of the instruction so many before the event's own, if the program has it.
    pub(crate) fn before_end(&self, behind: u64) -> Option<(u64, u64)> {
        let block = self.program.block_at(self.begin)?;
        let count = self.instructions.checked_sub(behind)?;
        let at = self.program.point(block, count)?;
        let length = self.program.instruction_length(at);
        Some((at, length.map_or(4, u64::from)))
    }
}
