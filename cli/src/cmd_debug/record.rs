//! Records an execution, or its beginning.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use tracewright_debugger::Error;
use tracewright_debugger::recording::{Recorder, Recording};
use tracewright_sim::event::{Access, Event};
use tracewright_sim::packet::part::Part;
use tracewright_view::OfContext;
use tracewright_working_set::{Sink, WorkingSet, replay};

use super::{Arguments, explain};
use crate::pipeline::contexts::Contexts;
use crate::pipeline::execution::{End, Execution};
use crate::pipeline::gaps;
use crate::pipeline::progress;

/// Events between two looks at whether the recording is still wanted.
const LOOK_EVENTS: u64 = 1 << 12;

/// A recording, and what is to be said at the end.
pub type Recorded = (Recording, Option<anyhow::Error>);

/// What is recorded.
pub struct Source<'a> {
    /// The arguments of the command.
    pub arguments: &'a Arguments,
    /// The programs as decoders need them.
    pub contexts: &'a Contexts,
    /// The same programs with their images.
    pub programs: &'a [OfContext],
    /// The working set, if it is the run of one.
    pub working_set: Option<&'a WorkingSet>,
    /// True when the recording is not wanted any more.
    pub is_over: AtomicBool,
}

/// A recorder that stops where no more is wanted.
struct Limited<'a> {
    recorder: Recorder,
    most: u64,
    events: u64,
    is_over: &'a AtomicBool,
}

impl Limited<'_> {
    fn take(&mut self, part: &Part) -> Result<(), Error> {
        self.events += 1;
        let is_looked_at = self.events.is_multiple_of(LOOK_EVENTS);
        if self.events > self.most || is_looked_at && self.is_over.load(Ordering::Relaxed) {
            return Err(Error::GivenUp);
        }
        match part {
            Part::Event(event) => self.recorder.event(event),
            Part::State(state) => self.recorder.state(state),
            Part::Time(_) | Part::Unverified => Ok(()),
            Part::Gap(gap) => self.recorder.gap(gap),
        }
    }
}

impl Sink for Limited<'_> {
    type Error = Error;

    const DATA: bool = false;

    fn event(&mut self, event: &Event) -> Result<(), Error> {
        self.take(&Part::Event(*event))
    }

    fn access(&mut self, _: &Access) -> Result<(), Error> {
        Ok(())
    }
}

impl Source<'_> {
    /// Records so many events at most.
    ///
    /// # Errors
    /// When the trace or the program is bad, or they do not belong together.
    pub fn record(&self, most: u64) -> Result<Recorded> {
        let has_contexts;
        let execution = match self.working_set {
            Some(_) => {
                has_contexts = false;
                None
            }
            None => {
                let Arguments { trace, encoded, program, .. } = self.arguments;
                let execution = Execution::open(trace, encoded, self.contexts, program.path())?;
                has_contexts = execution.has_contexts();
                Some(execution)
            }
        };
        let recorder = Recorder::new(self.programs, has_contexts);
        let is_over = &self.is_over;
        let mut limited = Limited { recorder, most, events: 0, is_over };
        let explain = |error: Error| explain(self.arguments, error);
        let end = match (execution, self.working_set) {
            (Some(execution), _) => {
                execution.each_part(|part| limited.take(&part).map_err(explain))
            }
            (None, Some(working_set)) => {
                let total = if most == u64::MAX { working_set.totals.instructions } else { 0 };
                let progress = progress::bar(total, "instructions");
                let done = replay(working_set, &mut limited, |done| progress.add(done));
                done.map(|()| End::default()).map_err(explain)
            }
            (None, None) => Ok(End::default()),
        };
        // The beginning is all that was wanted.
        let end = if limited.events > most { End::default() } else { end? };
        let mut recorder = limited.recorder;
        recorder.trail(end.trailing_instructions).map_err(explain)?;
        let trace = self.arguments.trace.display().to_string();
        let allow_gaps = self.arguments.encoded.allow_gaps;
        let incomplete =
            end.packets.and_then(|packets| gaps::failure(&trace, &packets, allow_gaps));
        Ok((recorder.finish().map_err(explain)?, end.failure.or(incomplete)))
    }
}
