//! The course of an execution, as far as a session has to know it: where it is, in what state, when, and whether that passes
//! a filter.

use super::{Synchronisation, Turn};
use crate::config::{Protocol, mask};
use crate::event::{Event, ExecutionState, Kind};
use crate::filter::Filter;
use crate::packet::header::{LossCause, Next};

/// Follows an execution, traced or not.
#[derive(Clone, Debug)]
pub struct Course {
    filter: Filter,
    protocol: Protocol,
    /// The address of the last instruction.
    last: u64,
    /// Where the instruction after the last event is; `None` before the first event.
    pub(super) next: Option<Next>,
    /// The last event may change the flow, and nothing is decided yet about the run that begins.
    is_at_branch: bool,
    /// In what the execution goes on, and the cause of the last event, where a session keeps that.
    pub(super) now: ExecutionState,
    /// When the last instruction retired: as if there were one in each cycle, unless the caller says it.
    pub(super) time: u64,
    time_is_told: bool,
}

impl Course {
    /// The course as reset leaves the hardware.
    pub fn new(filter: Filter, protocol: &Protocol) -> Self {
        Self {
            filter,
            last: 0,
            next: None,
            is_at_branch: false,
            now: protocol.reset_state(),
            time: 0,
            time_is_told: false,
            protocol: protocol.clone(),
        }
    }

    /// The parameters that say what is traced.
    pub fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    /// Traces only what passes this filter.
    pub fn limit(&mut self, filter: &Filter) {
        self.filter = filter.clone();
    }

    /// True if the next event is traced.
    pub fn passes(&self) -> bool {
        self.filter.traces()
    }

    /// An event retires, traced or not.
    #[inline]
    pub fn retire(&mut self, event: &Event) {
        if event.taken {
            self.next = Some(Next::At(event.target));
        } else if event.instructions > 0 {
            // The hardware sees no block of an exception after no instruction that came back.
            self.next = Some(Next::After(event.program_counter));
        }
        if !self.time_is_told {
            self.time = self.time.wrapping_add(event.instructions);
        }
        // A system call that came back is a straight run to the hardware.
        self.is_at_branch = event.kind != Kind::Exception || event.taken;
        self.last = event.program_counter;
    }

    /// The execution goes on in this state.
    pub fn state(&mut self, state: &ExecutionState) {
        let traced = self.traced(state);
        let cause = self.now.cause.map(|_| traced.cause.unwrap_or(0));
        self.now = ExecutionState { cause, ..traced };
    }

    /// What is traced of a state.
    pub(super) fn traced(&self, state: &ExecutionState) -> ExecutionState {
        let Protocol { context_bits, privilege_bits, cause_bits, .. } = self.protocol;
        ExecutionState {
            context: state.context & mask(context_bits),
            privilege: state.privilege & mask(privilege_bits) as u8,
            cause: state.cause.map(|cause| cause & mask(cause_bits)),
        }
    }

    /// The last block retired at this time. From now on the caller says it.
    pub(super) fn retire_at(&mut self, time: u64) {
        (self.time, self.time_is_told) = (time, true);
    }

    /// Decides about the run that begins, once all that comes with the last event is known; where it does, or `None` if
    /// none begins.
    #[inline]
    pub fn decide(&mut self) -> Option<Next> {
        if !std::mem::take(&mut self.is_at_branch) {
            return None;
        }
        let next = self.next?;
        self.filter.decide(self.last, next, &self.now);
        Some(next)
    }

    /// The same for a trace without packets, which ends before a run that does not pass, and goes on with one that does after
    /// others that did not.
    pub fn turn(&mut self) -> Option<Turn> {
        let passed = self.passes();
        let next = self.decide()?;
        match (passed, self.passes()) {
            (true, false) => Some(Turn::LeaveOff),
            (false, true) => {
                let (cause, state) = (LossCause::Filtered, self.now);
                let what = Synchronisation::AfterLoss { instructions: 0, cause, next, state };
                Some(Turn::Synchronise(what))
            }
            (true, true) | (false, false) => None,
        }
    }

    /// What is at hand was discarded.
    pub(super) fn discard(&mut self) {
        self.is_at_branch = false;
        self.now.cause = None;
    }
}
