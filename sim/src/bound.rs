//! The most bits that an event can take, whatever the program (docs/worst_case.md has the proof).

use crate::event::{Event, Kind};

/// Bits at most of one event, for each kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MostBits {
    /// Of a direct conditional branch.
    pub conditional: u32,
    /// Of an unconditional indirect branch.
    pub indirect: u32,
    /// Of a conditional indirect branch.
    pub conditional_indirect: u32,
    /// Of an exception.
    pub exception: u32,
    /// Of each time that a counter of instructions leaves its range, besides those above.
    pub overflow: u32,
    /// Instructions, at least, from one such time to the next.
    pub overflow_instructions: u64,
}

impl MostBits {
    /// Of this event, the last of so many instructions since reset.
    pub fn of(&self, event: &Event, instructions: u64) -> u64 {
        let bits = match event.kind {
            Kind::DirectJump => 0,
            Kind::DirectConditional => self.conditional,
            Kind::IndirectJump => self.indirect,
            Kind::IndirectConditional => self.conditional_indirect,
            Kind::Exception => self.exception,
        };
        // One for what was counted before, and one for the branch itself.
        let of_event = event.instructions / self.overflow_instructions + 2;
        let overflows = of_event.min(instructions / self.overflow_instructions);
        u64::from(bits) + overflows * u64::from(self.overflow)
    }
}
