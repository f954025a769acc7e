//! The most bits that an event can take, whatever the program (docs/worst_case.md has the proof).

use crate::event::{Event, Kind};

/// Bits at most of one event, for each kind of event: of what is sent when it retires, which can be what an event before it
/// left to send.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MostBits {
    /// Of a direct jump.
    pub direct_jump: u32,
    /// Of a direct conditional branch.
    pub conditional: u32,
    /// Of an unconditional indirect branch.
    pub indirect: u32,
    /// Of a conditional indirect branch.
    pub conditional_indirect: u32,
    /// Of an exception.
    pub exception: u32,
    /// Of the beginning of the trace, besides the event with which it begins.
    pub beginning: u32,
    /// Of each time that a counter of instructions leaves its range, besides those above.
    pub overflow: u32,
    /// Instructions, at least, from one such time to the next.
    pub overflow_instructions: u64,
}

impl MostBits {
    /// The same with so many bits before each record, of which an event sends two at most, and an overflow one.
    #[must_use]
    pub fn with_prefixes(self, bits: u32) -> Self {
        let twice = |most: u32| if most > 0 { most + 2 * bits } else { 0 };
        Self {
            direct_jump: twice(self.direct_jump),
            conditional: twice(self.conditional),
            indirect: twice(self.indirect),
            conditional_indirect: twice(self.conditional_indirect),
            exception: twice(self.exception),
            overflow: self.overflow + bits,
            ..self
        }
    }

    /// Of this event, the last of so many instructions since reset.
    pub fn of(&self, event: &Event, instructions: u64) -> u64 {
        let bits = match event.kind {
            Kind::DirectJump => self.direct_jump,
            Kind::DirectConditional => self.conditional,
            Kind::IndirectJump => self.indirect,
            Kind::IndirectConditional => self.conditional_indirect,
            Kind::Exception => self.exception,
        };
        if self.overflow == 0 {
            return bits.into();
        }
        // One for what was counted before, and one for the branch itself.
        let of_event = event.instructions / self.overflow_instructions + 2;
        let overflows = of_event.min(instructions / self.overflow_instructions);
        u64::from(bits) + overflows * u64::from(self.overflow)
    }
}
