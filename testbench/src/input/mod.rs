//! The input side of a co-simulation: the inputs of the model and of the golden encoder.

mod accesses;
mod lossy;
mod one_core;
pub(crate) mod packets;
mod qualified;
mod several_cores;
mod time_base;

use std::iter::Peekable;

use tracewright_sim::event::{Access, Event, ExecutionState, Item};
use tracewright_sim::session::course::Course;
use tracewright_sim::session::{Detail, Session, Synchronisation, Turn};

use crate::compare::Comparison;
use crate::cosim::{AnyError, Options};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::report::{Failure, Report};

pub(crate) use accesses::Accesses;
pub(crate) use lossy::Lossy;
pub(crate) use one_core::OneCore;
pub(crate) use packets::Packets;
pub(crate) use several_cores::SeveralCores;

/// What both sides of a co-simulation work on.
pub(crate) struct Bench<'a, G, I: Iterator> {
    pub(crate) options: &'a Options,
    pub(crate) model: Model,
    pub(crate) golden: G,
    pub(crate) comparison: Comparison,
    pub(crate) report: Report,
    pub(crate) items_ended: bool,
    /// Whole words of the trace that the sink has taken, and beats of the next one.
    pub(crate) words: u64,
    pub(crate) beats: u64,
    items: Peekable<I>,
    /// Events, or accesses where those are traced, that the golden encoder was given.
    shown: u64,
    shown_since_flush: u64,
}

impl<'a, G, I> Bench<'a, G, I>
where
    G: Session<Error: Into<AnyError>>,
    I: Iterator<Item = Result<Item>>,
{
    pub(crate) fn new(options: &'a Options, model: Model, golden: G, items: I) -> Self {
        Bench {
            options,
            model,
            golden,
            comparison: Comparison::default(),
            report: Report::default(),
            items_ended: false,
            words: 0,
            beats: 0,
            items: items.peekable(),
            shown: 0,
            shown_since_flush: 0,
        }
    }

    /// Fetches an event and its number, unless there is none before the next flush.
    #[inline]
    fn next_event(&mut self) -> Result<Option<(u64, Event)>> {
        self.next(|item| if let Item::Event(event) = item { Some(*event) } else { None })
    }

    /// Fetches an access and its number, unless there is none before the next flush.
    #[inline]
    fn next_access(&mut self) -> Result<Option<(u64, Access)>> {
        self.next(|item| if let Item::Access(access) = item { Some(*access) } else { None })
    }

    /// Fetches the next item that is `wanted`, passing over others.
    #[inline]
    fn next<T>(&mut self, wanted: impl Fn(&Item) -> Option<T>) -> Result<Option<(u64, T)>> {
        if self.items_ended || self.flush_is_due() {
            return Ok(None);
        }
        for item in self.items.by_ref() {
            let item = item?;
            if let Item::Event(event) = &item {
                self.report.events += 1;
                self.report.instructions += event.instructions;
            }
            if let Some(wanted) = wanted(&item) {
                let index = self.shown;
                self.shown += 1;
                self.shown_since_flush += 1;
                return Ok(Some((index, wanted)));
            }
        }
        self.items_ended = true;
        Ok(None)
    }

    /// Fetches the state after the event that was fetched last, if there is one.
    fn next_state(&mut self) -> Result<Option<ExecutionState>> {
        let is_state = |item: &Result<Item>| matches!(item, Ok(Item::State(_)));
        match self.items.next_if(is_state).transpose()? {
            Some(Item::State(state)) => Ok(Some(state)),
            _ => Ok(None),
        }
    }

    /// The number of what was fetched last.
    pub(crate) fn at_input(&self) -> u64 {
        self.shown.saturating_sub(1)
    }

    /// Gives an event, or a part of it, to the golden encoder.
    #[inline]
    fn encode(&mut self, index: u64, event: &Event) -> Result<()> {
        let encoded = self.golden.event(event, &mut self.comparison.expected);
        encoded.map_err(|error| Error::Golden(error.into()))?;
        self.comparison.end_event(Some(index));
        Ok(())
    }

    /// Tells the golden encoder what is known of the last event.
    #[inline]
    fn detail(&mut self, detail: Detail) -> Result<()> {
        let told = self.golden.detail(detail, &mut self.comparison.expected);
        told.map_err(|error| Error::Golden(error.into()))
    }

    /// Gives an access to the golden encoder.
    #[inline]
    fn encode_access(&mut self, index: u64, access: &Access) -> Result<()> {
        let encoded = self.golden.access(access, &mut self.comparison.expected);
        encoded.map_err(|error| Error::Golden(error.into()))?;
        self.comparison.end_event(Some(index));
        Ok(())
    }

    /// Tells the golden encoder that the trace breaks off, or begins anew.
    fn turn(&mut self, turn: Turn) {
        self.golden.turn(turn, &mut self.comparison.expected);
        self.comparison.end_event(None);
    }

    /// Decides whether the next event passes the filter, and tells the golden encoder if the trace ends or goes on there.
    fn qualify(&mut self, course: &mut Course) {
        if let Some(turn) = course.turn() {
            self.golden.turn(turn, &mut self.comparison.expected);
        }
        self.comparison.end_event(None);
    }

    /// Tells the golden encoder that the next packet begins.
    fn synchronise(&mut self, what: Synchronisation) {
        self.report.synchronisations += 1;
        self.turn(Turn::Synchronise(what));
    }

    /// Notes that a rule of the pins is broken; the first counts, and a wrong bit before it more.
    #[cold]
    pub(crate) fn breaks(&mut self, rule: &'static str) {
        let (cycle, event_at_input) = (self.report.cycles, self.at_input());
        if self.comparison.mismatch().is_none() {
            let failure = Failure::Protocol { cycle, event_at_input, rule };
            self.report.failure.get_or_insert(failure);
        }
    }

    #[inline]
    fn flush_is_due(&self) -> bool {
        self.options.stimulus.flush_interval == Some(self.shown_since_flush)
            && self.shown_since_flush > 0
    }

    /// Forgets what the module has not sent, and tells the golden encoder.
    pub(crate) fn discard(&mut self) {
        self.report.discards += 1;
        self.golden.turn(Turn::Discard, &mut self.comparison.expected);
        self.comparison.discard();
        self.shown_since_flush = 0;
    }

    /// Ends the golden encoder's trace, or a part of it.
    pub(crate) fn flush(&mut self) {
        self.golden.flush(&mut self.comparison.expected);
        self.comparison.end_event(None);
        self.shown_since_flush = 0;
    }
}

/// The side of a co-simulation that shows blocks or accesses.
pub(crate) trait Input<G, I: Iterator> {
    /// The trace has another order than the events.
    const HAS_OWN_ORDER: bool = false;

    /// Shows what retires in the coming cycle; returns true if a flush must begin in it.
    fn drive(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<bool>;

    /// Shows nothing in the coming cycle, or what retires while tracing is off.
    fn rest(&mut self, bench: &mut Bench<'_, G, I>, noise: u64) -> Result<()>;

    /// Turns every valid pin round.
    fn flip(&mut self, model: &mut Model);

    /// Puts every valid pin right again.
    fn unflip(&mut self, model: &mut Model);

    /// The stalls of the cores, the first one lowest.
    fn stalls(&self, model: &Model) -> u64;

    /// True if some core could retire.
    fn is_open(&self, stalls: u64) -> bool;

    /// Ends the cycle; returns true if a block was taken, or did not pass a filter. Time stamps count the cycle if
    /// `counts`.
    fn take(&mut self, bench: &mut Bench<'_, G, I>, stalls: u64, counts: bool) -> Result<bool>;

    /// Cycles in which the module clears its tables after reset.
    fn clearing_cycles(&self) -> u64 {
        0
    }

    /// What is in the module was discarded.
    fn discards(&mut self) {}

    /// True if the trace ends with the flush that is asked for, and nothing has to be sent before.
    fn ends(&mut self) -> bool {
        true
    }
}

/// What a core has before its first event.
const NOTHING: Event = Event::straight_run(0, 0);
