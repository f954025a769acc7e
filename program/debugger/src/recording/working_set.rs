//! Records the run of a working set.

use tracewright_sim::event::{Access, Event};
use tracewright_view::OfContext;
use tracewright_working_set::{Sink, WorkingSet, replay};

use super::{Recorder, Recording};
use crate::error::Error;

impl Sink for Recorder {
    type Error = Error;

    const DATA: bool = false;

    fn event(&mut self, event: &Event) -> Result<(), Error> {
        Recorder::event(self, event)
    }

    fn access(&mut self, _: &Access) -> Result<(), Error> {
        Ok(())
    }
}

/// Records the run of a working set of a program, and tells `progress` how many more instructions have retired.
///
/// # Errors
/// When the working set does not hold what the run needs, or is of another program.
pub fn of_working_set(
    program: &OfContext,
    working_set: &WorkingSet,
    progress: impl FnMut(u64),
) -> Result<Recording, Error> {
    let mut recorder = Recorder::new(std::slice::from_ref(program), false);
    replay(working_set, &mut recorder, progress)?;
    recorder.finish()
}
