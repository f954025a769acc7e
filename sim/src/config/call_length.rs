//! How long a call is taken to be where its return address is predicted.

use super::Processor;
use crate::event::{Event, Kind};

/// How long a call is taken to be, by encoder and decoder alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallLength {
    /// As it is.
    #[default]
    Exact,
    /// As a word of RV32 that is expanded to 32 bits lets expect: two bytes where there is a call of two bytes that does the
    /// same, indirect or to less than 2 KiB away.
    Expanded32,
    /// The same of RV64, which has no direct call of two bytes.
    Expanded64,
}

impl CallLength {
    /// That of a processor, whose addresses are those of its registers' width.
    pub fn of(processor: &Processor) -> CallLength {
        match (processor.expanded_words, processor.address_width) {
            (false, _) => CallLength::Exact,
            (true, 32) => CallLength::Expanded32,
            (true, _) => CallLength::Expanded64,
        }
    }

    /// The bytes of an event's call.
    #[inline]
    pub fn bytes(self, call: &Event) -> u8 {
        let is_direct = call.kind == Kind::DirectJump;
        match self {
            CallLength::Exact => call.length,
            CallLength::Expanded32 if is_direct && !is_near(call) => 4,
            CallLength::Expanded64 if is_direct => 4,
            CallLength::Expanded32 | CallLength::Expanded64 => 2,
        }
    }
}

/// True if a direct call of two bytes could lead to the event's target.
fn is_near(event: &Event) -> bool {
    let distance = event.target.wrapping_sub(event.program_counter) as u32 as i32;
    (-2048..2048).contains(&distance)
}
