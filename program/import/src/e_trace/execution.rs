//! What a hart does, as the items of a trace.

use std::cell::RefCell;

use tracewright_sim::event::ExecutionState;

use super::code::{Code, Known};
use super::decoder::{Gap, Options, Reason, Receiver};
use super::error::Error;
use super::hart::{Execution, Failed, Hart, Told};
use super::pass::Retired;
use super::payload::{Payload, QualStatus, State};
use super::straight::Straight;
use crate::flow::{FlowFollower, Said};

/// Where a hart's execution is missing from.
#[derive(Clone, Debug)]
pub(crate) struct Missing {
    pub offset: u64,
    pub reason: Reason,
}

/// What is known of a hart beside its place.
#[derive(Debug)]
pub(crate) struct Progress {
    pub thread: u8,
    has_begun: bool,
    pub missing: Option<Missing>,
    /// The last state that was given away.
    state: Option<ExecutionState>,
    /// A state from the next event on.
    pub held: Option<ExecutionState>,
}

impl Progress {
    /// A hart before its first payload; if `is_cut`, others may have come before that.
    pub(crate) fn of(thread: u8, is_cut: bool) -> Self {
        let missing = is_cut.then_some(Missing { offset: 0, reason: Reason::Beginning });
        Progress { thread, has_begun: false, missing, state: None, held: None }
    }

    /// Something is missing from here on.
    pub(crate) fn miss(&mut self, offset: u64, reason: Reason) {
        // An encoder of N-Trace tells the end of what it has traced before it tells a loss.
        let is_end = |missing: &Missing| missing.reason == Reason::Off;
        if reason == Reason::Lost && self.missing.as_ref().is_some_and(is_end) {
            self.missing = None;
        }
        self.missing.get_or_insert(Missing { offset, reason });
    }
}

/// A hart at one of its payloads.
pub(crate) struct Run<'a, 'r, 's> {
    pub flow: &'a mut FlowFollower<'s>,
    pub receiver: &'a RefCell<&'r mut dyn Receiver>,
    pub progress: &'a mut Progress,
    pub gaps: &'a mut u64,
    pub options: &'a Options,
    pub may_have_gaps: bool,
    /// The byte of the dump at which the payload begins.
    pub offset: u64,
    /// The encoder that it is of.
    pub source: u32,
}

impl Run<'_, '_, '_> {
    /// Takes a payload.
    pub(crate) fn take(
        &mut self,
        hart: &mut Hart<'_, impl Code>,
        payload: &Payload,
    ) -> Result<(), Failed<Error>> {
        let told = hart.take(payload, self)?;
        if let Some(time) = payload.time() {
            let taken = self.receiver.borrow_mut().time(self.progress.thread, time);
            taken.map_err(|error| Failed::Sink(error.into()))?;
        }
        let reason = match told {
            Told::Nothing => return Ok(()),
            Told::Nowhere => Reason::Beginning,
            Told::Ended(status, leads_to) => {
                if let Some(address) = leads_to {
                    self.flow.leads_to(self.progress.thread, address);
                }
                if status == QualStatus::TraceLost { Reason::Lost } else { Reason::Off }
            }
        };
        self.progress.miss(self.offset, reason);
        Ok(())
    }

    /// The execution begins where no instruction has retired yet.
    pub(crate) fn begin_before(&mut self, address: u64) -> Result<(), Error> {
        Execution::begin(self, address)?;
        Ok(self.flow.begin(self.progress.thread, address)?)
    }

    /// The execution goes on in this state from the next instruction on.
    pub(crate) fn state_of_next(&mut self, now: ExecutionState) -> Result<(), Error> {
        if !self.options.has_states || self.progress.state == Some(now) {
            return Ok(());
        }
        self.progress.state = Some(now);
        if self.flow.is_between_events(self.progress.thread) {
            return Ok(self.flow.state(now)?);
        }
        self.progress.held = Some(now);
        Ok(())
    }

    /// Instructions have retired, before which so many events had been written.
    fn retired(&mut self, written: u64) -> Result<(), Error> {
        self.check_events()?;
        if self.flow.written != written
            && let Some(state) = self.progress.held.take()
        {
            self.flow.state(state)?;
        }
        Ok(())
    }

    /// A few bytes can stand for thousands of millions of branches.
    fn check_events(&self) -> Result<(), Error> {
        let most = self.options.events_max;
        match self.flow.written > most {
            true => Err(Error::TooMany { offset: self.offset, most }),
            false => Ok(()),
        }
    }

    /// Ends what comes before a gap.
    fn gap(&mut self, missing: Missing, address: u64) -> Result<(), Error> {
        let Missing { offset, reason } = missing;
        if !self.may_have_gaps {
            let (hart, reason) = (self.source, reason.to_string());
            return Err(Error::GapOfOne { offset, hart, reason });
        }
        self.flow.forget_system_call(self.progress.thread);
        let trailing_instructions = self.flow.end(self.progress.thread)?;
        if let Some(state) = self.progress.held.take() {
            self.flow.state(state)?;
        }
        let (end, goes_on) = (self.offset, Some(address));
        let gap = Gap { offset, end, reason, goes_on, trailing_instructions };
        *self.gaps += 1;
        Ok(self.receiver.borrow_mut().gap(&gap)?)
    }
}

impl Retired for Run<'_, '_, '_> {
    type Error = Error;

    fn retire(&mut self, address: u64, known: &Known) -> Result<(), Error> {
        let said = Said { program_counter: address, ..Said::default() };
        let written = self.flow.written;
        let Known { instruction, returns_from_trap, .. } = known;
        self.flow.retire(self.progress.thread, &said, instruction, *returns_from_trap)?;
        self.retired(written)
    }

    fn retire_run(&mut self, run: &Straight) -> Result<(), Error> {
        let written = self.flow.written;
        let Straight { count, first, last, next, .. } = *run;
        self.flow.retire_run(self.progress.thread, count, (first, last, next))?;
        self.retired(written)
    }
}

impl Execution for Run<'_, '_, '_> {
    fn begin(&mut self, address: u64) -> Result<(), Error> {
        let missing = self.progress.missing.take();
        // Before the first start tracing was off, which is where every execution begins.
        let missing =
            missing.filter(|missing| self.progress.has_begun || missing.reason != Reason::Off);
        if let Some(missing) = missing {
            self.gap(missing, address)?;
        }
        self.progress.has_begun = true;
        self.progress.state = None;
        Ok(())
    }

    fn trap(&mut self, at: Option<u64>) -> Result<(), Error> {
        if let Some(at) = at {
            self.flow.divert(self.progress.thread, at)?;
        }
        self.check_events()
    }

    fn state(&mut self, state: State, cause: Option<u64>) -> Result<(), Error> {
        let State { privilege, context, .. } = state;
        let now = ExecutionState { context, privilege, cause };
        if !self.options.has_states || cause.is_none() && self.progress.state == Some(now) {
            return Ok(());
        }
        self.progress.state = Some(ExecutionState { cause: None, ..now });
        // What changes among instructions without events holds from the next event on.
        if self.flow.since(self.progress.thread) > 1 {
            self.progress.held = Some(now);
            return Ok(());
        }
        Ok(self.flow.state(now)?)
    }
}
