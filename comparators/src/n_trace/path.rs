//! What encoder and decoder both count: the length of the code, and the stack of return addresses.

use tracewright_sim::event::Event;

use super::STACK_DEPTH;

/// The code since the last message, and the calls that have not returned.
#[derive(Clone, Debug)]
pub struct Path {
    /// Where the instructions of the next event begin, as far as it is known.
    from: Option<u64>,
    /// Code since the last message, in units of 2 bytes.
    pub count: u64,
    stack: Vec<u64>,
}

impl Path {
    /// At the start of a trace.
    pub fn new(start: Option<u64>) -> Self {
        Self { from: start, count: 0, stack: Vec::with_capacity(STACK_DEPTH) }
    }

    /// The code up to and with the branch at an address, which has `length` bytes if it is a call.
    pub fn count_with(&self, program_counter: u64, length: u8) -> u64 {
        let before = program_counter.wrapping_sub(self.from.unwrap_or(program_counter)) >> 1;
        self.count.wrapping_add(before).wrapping_add(units(length))
    }

    /// Follows an event; true if it is a return that the stack predicts.
    pub fn event(&mut self, event: &Event) -> bool {
        let Event { program_counter, target, length, taken, .. } = *event;
        self.count = self.count_with(program_counter, length);
        let after = program_counter.wrapping_add(2 * units(length));
        self.from = Some(if taken { target } else { after });
        let is_predicted = event.is_return
            && !event.call
            && taken
            && self.stack.pop_if(|address| *address == target).is_some();
        if event.call && taken {
            if self.stack.len() == STACK_DEPTH {
                self.stack.remove(0);
            }
            self.stack.push(program_counter.wrapping_add(length.into()));
        }
        is_predicted
    }

    /// The address that the stack predicts.
    pub fn predicted(&self) -> Option<u64> {
        self.stack.last().copied()
    }
}

fn units(length: u8) -> u64 {
    if length == 0 { 1 } else { u64::from(length) / 2 }
}
