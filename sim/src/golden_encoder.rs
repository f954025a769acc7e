//! What every golden encoder does.

use crate::event::{Access, Event};
use crate::field::Sink;

/// The golden encoder of a scheme.
pub trait GoldenEncoder {
    /// Encodes one event that fits the design; a call must have its length.
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S);
    /// Encodes one memory access that fits the design; who traces control flow does not see it.
    fn access<S: Sink>(&mut self, _access: &Access, _sink: &mut S) {}
    /// Ends the trace, or a part of it.
    fn flush<S: Sink>(&mut self, sink: &mut S);
    /// True where the trace says when its records were made.
    fn is_timed(&self) -> bool {
        false
    }
    /// From now on the clocks are those of [`end_of_clock`](Self::end_of_clock) and not made up.
    fn follow_clocks(&mut self) {}
    /// A clock is over for a core, after its events and before those of the next core in that clock.
    /// A core is `stalled` where it could not have retired anything.
    fn end_of_clock<S: Sink>(&mut self, _core: u8, _stalled: bool, _sink: &mut S) {}
}
