//! A caller's sink as one type, because machines would otherwise be compiled again for each kind of sink.

use tracewright_sim::event::{Access, Event};

use crate::error::Error;
use crate::machine::Sink;

/// Why a run ends early.
pub(crate) enum Stop {
    /// The run has failed.
    Run(Error),
    /// The caller's sink has failed.
    Sink,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Run(error)
    }
}

/// A receiver of the events and accesses of a run.
pub(crate) trait Receive {
    fn event(&mut self, event: &Event) -> Result<(), Stop>;

    fn access(&mut self, access: &Access) -> Result<(), Stop>;
}

/// A caller's sink, and the error in which it has failed.
struct Caller<'s, S: Sink> {
    sink: &'s mut S,
    error: Option<S::Error>,
}

impl<S: Sink> Caller<'_, S> {
    #[inline]
    fn keep(&mut self, result: Result<(), S::Error>) -> Result<(), Stop> {
        result.map_err(|error| {
            self.error = Some(error);
            Stop::Sink
        })
    }
}

impl<S: Sink> Receive for Caller<'_, S> {
    fn event(&mut self, event: &Event) -> Result<(), Stop> {
        let result = self.sink.event(event);
        self.keep(result)
    }

    fn access(&mut self, access: &Access) -> Result<(), Stop> {
        let result = self.sink.access(access);
        self.keep(result)
    }
}

/// Any receiver, as the sink of a machine.
pub(crate) struct Receiver<'r, const DATA: bool>(pub(crate) &'r mut dyn Receive);

impl<const DATA: bool> Sink for Receiver<'_, DATA> {
    type Error = Stop;

    const DATA: bool = DATA;

    #[inline]
    fn event(&mut self, event: &Event) -> Result<(), Stop> {
        self.0.event(event)
    }

    #[inline]
    fn access(&mut self, access: &Access) -> Result<(), Stop> {
        self.0.access(access)
    }
}

/// Makes a run that sends to a caller's sink.
///
/// # Errors
/// When the run or the sink fails.
pub(crate) fn send_to<S: Sink, T>(
    sink: &mut S,
    run: impl FnOnce(&mut dyn Receive) -> Result<T, Stop>,
) -> Result<T, S::Error> {
    let mut caller = Caller { sink, error: None };
    run(&mut caller).map_err(|stop| match (stop, caller.error) {
        (_, Some(error)) => error,
        (Stop::Run(error), None) => error.into(),
        (Stop::Sink, None) => unreachable!("a sink that failed has left its error"),
    })
}
