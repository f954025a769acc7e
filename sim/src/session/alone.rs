//! A trace without packets that is switched, loses blocks and is filtered, because payloads of its scheme say where it begins
//! and ends. They may say more of events too, which are then kept until all of that is known.

use std::convert::Infallible;

use super::course::Course;
use super::{Agreement, Clock, Detail, Session, Synchronisation, Terms, Turn};
use crate::config::Protocol;
use crate::configuration::Configuration;
use crate::event::{Access, Event, ExecutionState};
use crate::field::Sink;
use crate::filter::{Filter, Settings};
use crate::golden_encoder::GoldenEncoder;
use crate::packet::header::Next;

/// What is known of an event besides what it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// In what the execution goes on, and the cause, if that was told of it.
    pub state: ExecutionState,
    /// What an exception says beside its cause.
    pub trap_value: u64,
    /// When it retired.
    pub time: u64,
}

/// What payloads say between events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    /// What is due after the last event.
    Due,
    /// The trace begins anew after the next event that may change the flow.
    Request,
    /// The trace goes on after a run that was left out: here, if the pins say where that is.
    Enter(Next),
    /// What comes next is left out.
    LeaveOff,
    /// Blocks are lost from here on.
    Loss,
    /// Nothing of what was not sent, which is forgotten.
    Nothing,
    /// In what the execution goes on, where no event says it.
    State(ExecutionState),
    /// When the last block retired, where no event says it.
    Time(u64),
}

/// A scheme's encoder whose payloads say where parts of a trace begin and end.
pub trait Payloads: GoldenEncoder<Error = Infallible> {
    /// Encodes an event of which all is known.
    fn known_event<S: Sink>(&mut self, event: &Event, known: &Known, sink: &mut S);

    /// Says something between events.
    fn say<S: Sink>(&mut self, what: Say, sink: &mut S);
}

/// The session of such a scheme without packets.
#[derive(Clone, Debug)]
pub struct Alone<E> {
    encoder: E,
    protocol: Protocol,
    /// Followed where payloads say the time, or a filter says what is traced.
    course: Option<Box<Course>>,
    /// Payloads say more of events than what they are.
    keeps: bool,
    /// The last event, if more of it may be told.
    kept: Option<(Event, Known)>,
    /// In what the execution goes on, as it was told.
    state: ExecutionState,
}

impl<E: Payloads> Alone<E> {
    /// A session as reset leaves the hardware.
    pub fn new(encoder: E, config: &impl Configuration) -> Self {
        let (protocol, alignment) = (config.protocol(), config.processor().alignment);
        let course = || Course::new(Filter::new(Settings::default(), alignment), protocol);
        let tells_time = protocol.told_time_bits() > 0;
        Self {
            encoder,
            course: tells_time.then(|| Box::new(course())),
            keeps: tells_time || protocol.switches_alone() && protocol.traces_state(),
            kept: None,
            state: protocol.reset_state(),
            protocol: protocol.clone(),
        }
    }

    /// Encodes the event that is kept, of which all is known.
    fn encode_kept<S: Sink>(&mut self, sink: &mut S) {
        if let Some((event, known)) = self.kept.take() {
            self.encoder.known_event(&event, &known, sink);
        }
    }

    /// Decides about the run that begins.
    fn decide<S: Sink>(&mut self, sink: &mut S) {
        if let Some(turn) = self.course.as_mut().and_then(|course| course.turn()) {
            self.turn(turn, sink);
        }
    }

    /// An event that may have to be left out, or kept. Apart, so that others do not pay for it.
    #[inline(never)]
    fn told_event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        self.decide(sink);
        let mut time = 0;
        if let Some(course) = &mut self.course {
            let passes = course.passes();
            course.retire(event);
            time = course.time;
            if !passes {
                return Ok(());
            }
        }
        if !self.keeps {
            return self.encoder.event(event, sink);
        }
        self.encode_kept(sink);
        let state = ExecutionState { cause: None, ..self.state };
        self.kept = Some((*event, Known { state, time, trap_value: 0 }));
        Ok(())
    }
}

impl<E: Payloads> GoldenEncoder for Alone<E> {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        match self.keeps || self.course.is_some() {
            true => self.told_event(event, sink),
            false => self.encoder.event(event, sink),
        }
    }

    #[inline]
    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), Infallible> {
        self.encoder.access(access, sink)
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        self.decide(sink);
        self.encode_kept(sink);
        self.encoder.flush(sink);
    }
}

impl<E: Payloads> Session for Alone<E> {
    fn terms(&self) -> Terms {
        Terms { protocol: self.protocol.clone(), ..Terms::default() }
    }

    /// Synchronisations that nobody makes are made in the scheme's own way, which is told of no cycles.
    fn agree(&mut self, agreement: Agreement<'_>) {
        match agreement {
            Agreement::Filter(filter) => {
                self.course = Some(Box::new(Course::new(filter.clone(), &self.protocol)));
            }
            Agreement::Cycles | Agreement::Synchronisations => {}
        }
    }

    fn detail<S: Sink>(&mut self, detail: Detail, sink: &mut S) -> Result<(), Infallible> {
        let known = self.kept.as_mut().map(|(_, known)| known);
        match (detail, known) {
            (Detail::State(state), known) => {
                self.state = state;
                match known {
                    Some(known) => known.state = state,
                    None => self.encoder.say(Say::State(state), sink),
                }
                if let Some(course) = &mut self.course {
                    course.state(&state);
                }
            }
            (Detail::TrapValue(value), Some(known)) => known.trap_value = value,
            // No payload has a place for it.
            (Detail::TrapValue(_), None) => {}
            (Detail::Time(time), known) => {
                match known {
                    Some(known) => known.time = time,
                    None => self.encoder.say(Say::Time(time), sink),
                }
                if let Some(course) = &mut self.course {
                    course.retire_at(time);
                }
            }
            (Detail::Complete, _) => {
                self.encode_kept(sink);
                self.encoder.say(Say::Due, sink);
                self.decide(sink);
            }
        }
        Ok(())
    }

    /// Payloads say times and no cycles.
    fn clock<S: Sink>(&mut self, _: Clock, _: &mut S) {}

    fn turn<S: Sink>(&mut self, turn: Turn, sink: &mut S) {
        self.encode_kept(sink);
        let what = match turn {
            Turn::End => Say::Loss,
            Turn::LeaveOff => Say::LeaveOff,
            Turn::Synchronise(Synchronisation::AfterLoss { next, .. }) => Say::Enter(next),
            Turn::Synchronise(Synchronisation::Periodic | Synchronisation::OfState) => Say::Request,
            Turn::Discard => {
                self.course.as_mut().and_then(|course| course.decide());
                Say::Nothing
            }
        };
        self.encoder.say(what, sink);
    }
}
