//! The input side of a co-simulation: what is shown to a model, and what the golden encoder is told.

mod one_core;
mod several_cores;

use tracewright_sim::event::Event;

use crate::compare::Comparison;
use crate::cosim::{Golden, Options};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::report::Report;

pub(crate) use one_core::OneCore;
pub(crate) use several_cores::SeveralCores;

/// What both sides of a co-simulation work on.
pub(crate) struct Bench<'a, G, I> {
    pub(crate) options: &'a Options,
    pub(crate) model: Model,
    pub(crate) golden: G,
    pub(crate) comparison: Comparison,
    pub(crate) report: Report,
    pub(crate) events_ended: bool,
    events: I,
    events_since_flush: u64,
}

impl<'a, G, I> Bench<'a, G, I>
where
    G: Golden,
    I: Iterator<Item = Result<Event>>,
{
    pub(crate) fn new(options: &'a Options, model: Model, golden: G, events: I) -> Self {
        Bench {
            options,
            model,
            golden,
            comparison: Comparison::default(),
            report: Report::default(),
            events_ended: false,
            events,
            events_since_flush: 0,
        }
    }

    /// Fetches an event and its number, unless there is none before the next flush.
    #[inline]
    fn next_event(&mut self) -> Result<Option<(u64, Event)>> {
        if self.events_ended || self.flush_is_due() {
            return Ok(None);
        }
        let Some(event) = self.events.next() else {
            self.events_ended = true;
            return Ok(None);
        };
        let event = event?;
        let index = self.report.events;
        self.report.events += 1;
        self.report.instructions += event.instructions;
        self.events_since_flush += 1;
        Ok(Some((index, event)))
    }

    /// Gives an event, or a part of it, to the golden encoder.
    #[inline]
    fn encode(&mut self, index: u64, event: &Event) -> Result<()> {
        self.golden.event(event, &mut self.comparison.expected).map_err(Error::Golden)?;
        self.comparison.end_event(Some(index));
        Ok(())
    }

    #[inline]
    fn flush_is_due(&self) -> bool {
        self.options.stimulus.flush_interval == Some(self.events_since_flush)
            && self.events_since_flush > 0
    }

    /// Ends the golden encoder's trace, or a part of it.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.golden.flush(&mut self.comparison.expected).map_err(Error::Golden)?;
        self.comparison.end_event(None);
        self.events_since_flush = 0;
        Ok(())
    }
}

/// The side of a co-simulation that shows blocks.
pub(crate) trait Input<G, I> {
    /// The trace has another order than the events.
    const HAS_OWN_ORDER: bool;

    /// Shows what retires in the coming clock; true if a flush has to begin in it.
    fn drive(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool>;

    /// Shows nothing in the coming clock.
    fn rest(&mut self, bench: &mut Bench<'_, G, I>, noise: u64);

    /// Turns every valid pin round.
    fn flip(&mut self, model: &mut Model);

    /// Puts every valid pin right again.
    fn unflip(&mut self, model: &mut Model);

    /// The stalls of the cores, the first one lowest.
    fn stalls(&self, model: &Model) -> u64;

    /// True if some core could retire.
    fn is_open(&self, stalls: u64) -> bool;

    /// The clock is over; true if a block was taken. Time goes on in it where `counts`.
    fn take(&mut self, bench: &mut Bench<'_, G, I>, stalls: u64, counts: bool) -> Result<bool>;
}
