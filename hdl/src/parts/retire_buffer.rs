//! Registers between an adapter and a trace module.

use tracewright_elaborate::prelude::*;

use super::ports::Stream;
use super::skid_buffer::SkidBuffer;

block! {
    /// Hands the blocks of an adapter on to a trace module, so that neither waits for what the other makes of its registers in
    /// the same cycle.
    pub RetireBuffer("retire_buffer") of (width: usize);

    /// a block of the adapter
    in shown: Stream(width);
    /// level: everything before a flush has left the adapter
    in shown_drained: 1;
    /// a block for the trace module
    out later: Stream(width);
    /// level: everything before a flush has left the buffer, too
    out drained: 1;
    block buffer: SkidBuffer(width);
    /// it had left in the cycle before
    reg was_drained: 1;
}

#[kernel]
impl Logic for RetireBuffer {
    fn update(&mut self) {
        join(shown, buffer.in_);
        join(buffer.out_, later);
        // A core that goes on during a flush does not take back that it was drained.
        drained = shown_drained & (was_drained.q | !buffer.out_.valid);
        was_drained.d = drained;
    }
}
