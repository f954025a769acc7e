//! What of an execution is traced where the trace has no packets: parts of it, each between a start and an end.

use crate::config::{Protocol, mask};
use crate::event::{Event, ExecutionState, Kind};
use crate::field::Sink;
use crate::filter::Filter;
use crate::golden_encoder::{GoldenEncoder, Synchronisation};
use crate::packet::header::{LossCause, Next};

/// Leaves out the runs that do not pass a filter, and ends the trace before each of them.
#[derive(Clone, Debug)]
pub struct Qualifier {
    filter: Filter,
    protocol: Protocol,
    /// The last instruction, and where it leads, if it may change the flow and nothing is decided yet.
    last: Option<(u64, Next)>,
    /// In what the execution goes on.
    now: ExecutionState,
}

impl Qualifier {
    /// A qualifier as reset leaves the hardware.
    pub fn new(filter: Filter, protocol: &Protocol) -> Self {
        Self { filter, protocol: protocol.clone(), last: None, now: protocol.reset_state() }
    }

    /// True if the next event is traced.
    pub fn passes(&self) -> bool {
        self.filter.traces()
    }

    /// An event retires, traced or not.
    pub fn retire(&mut self, event: &Event) {
        // A system call that came back is a straight run to the hardware.
        if event.kind != Kind::Exception || event.taken {
            let next = match event.taken {
                true => Next::At(event.target),
                false => Next::After(event.program_counter),
            };
            self.last = Some((event.program_counter, next));
        }
    }

    /// In what the execution goes on after the last event.
    pub fn state(&mut self, state: &ExecutionState) {
        let Protocol { context_bits, privilege_bits, .. } = self.protocol;
        self.now = ExecutionState {
            context: state.context & mask(context_bits),
            privilege: state.privilege & mask(privilege_bits) as u8,
            cause: None,
        };
    }

    /// Decides about the run that begins, once all that comes with the last event is known, and tells the encoder of a change.
    pub fn settle<E: GoldenEncoder, S: Sink>(&mut self, encoder: &mut E, sink: &mut S) {
        let passed = self.filter.traces();
        let Some(next) = self.decide() else { return };
        match (passed, self.filter.traces()) {
            (true, false) => encoder.leave_off(sink),
            (false, true) => {
                let (cause, state) = (LossCause::Filtered, self.now);
                let what = Synchronisation::AfterLoss { instructions: 0, cause, next, state };
                encoder.synchronise(what, sink);
            }
            (true, true) | (false, false) => {}
        }
    }

    /// Decides about the run that begins; where it does, or `None` if none begins.
    pub fn decide(&mut self) -> Option<Next> {
        let (last, next) = self.last.take()?;
        self.filter.decide(last, next, &self.now);
        Some(next)
    }
}
