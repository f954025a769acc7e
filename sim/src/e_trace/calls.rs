//! Calls and returns: which returns are inferred, and what tells one call from another where an address is.

use super::config::Config;
use super::payload::Depth;
use super::return_stack::ReturnStack;
use crate::event::{Event, Kind};

/// Follows calls and returns.
#[derive(Clone, Debug)]
pub struct Calls {
    stack: ReturnStack,
    depth_bits: u32,
    /// The jump that is pending is a return to another address than that on the stack.
    is_failed: bool,
    /// The last instruction is a return that was inferred.
    has_just_returned: bool,
    /// A return was inferred since the last call, branch or address.
    has_returned: bool,
    /// The depth that a report of the last instruction has, so that a decoder stops in the right call.
    last_depth: Option<u64>,
}

impl Calls {
    /// No calls.
    pub fn new(config: &Config) -> Self {
        Self {
            stack: ReturnStack::new(config.return_stack_entries),
            depth_bits: config.depth_bits(),
            is_failed: false,
            has_just_returned: false,
            has_returned: false,
            last_depth: None,
        }
    }

    /// True if there is a stack.
    pub fn has_stack(&self) -> bool {
        self.depth_bits > 0
    }

    /// Instructions retire: keeps what a report of the last one would have, before it is followed.
    pub fn retire(&mut self, event: &Event) {
        let is_after = self.has_just_returned && event.instructions == 1;
        // A branch is found by its outcome, whatever call it is in.
        let may_repeat = self.has_returned && !event.kind.is_conditional();
        let depth = self.stack.depth() + u64::from(is_after);
        self.last_depth = (is_after || may_repeat).then_some(depth);
        self.has_just_returned = false;
    }

    /// True if this is a return to the address on the stack; `is_target` if a jump before it is pending still.
    pub fn infers(&mut self, event: &Event, is_target: bool) -> bool {
        let is_return = event.kind == Kind::IndirectJump && event.is_return && !event.call;
        let expected = self.stack.top().filter(|_| is_return);
        let is_inferred = expected == Some(event.target);
        self.is_failed = expected.is_some() && !is_inferred || self.is_failed && is_target;
        is_inferred
    }

    /// Keeps the stack, after the event was recorded.
    pub fn follow(&mut self, event: &Event, is_inferred: bool) {
        if is_inferred {
            self.stack.pop();
            (self.has_just_returned, self.has_returned) = (true, true);
        }
        if event.kind.is_conditional() || event.call {
            self.has_returned = false;
        }
        if event.call && event.taken {
            self.stack.push(event.program_counter.wrapping_add(event.length.into()));
        }
    }

    /// An address is sent.
    pub fn report(&mut self) {
        self.has_returned = false;
    }

    /// The trace goes on with a start or a trap.
    pub fn forget(&mut self) {
        self.stack.clear();
        (self.has_just_returned, self.has_returned, self.last_depth) = (false, false, None);
    }

    /// What a report of the last instruction says.
    pub fn last_depth(&self) -> Option<Depth> {
        self.last_depth.map(|depth| Depth { depth, bits: self.depth_bits })
    }

    /// The pending jump is followed; true if it was a return that was not inferred.
    pub fn take_failed(&mut self) -> bool {
        std::mem::take(&mut self.is_failed)
    }

    /// Return addresses on the stack.
    pub fn depth(&self) -> Depth {
        Depth { depth: self.stack.depth(), bits: self.depth_bits }
    }
}
