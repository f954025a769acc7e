//! The sessions of all designs as one.

use std::convert::Infallible;

use super::{Design, DesignError, SchemeSession};
use crate::event::{Access, Event, Item};
use crate::field::Sink;
use crate::golden_encoder::GoldenEncoder;
use crate::session::packets::Packets;
use crate::session::{Agreement, Clock, Detail, Session, Terms, Turn};

/// Inside packets a scheme's session is its encoder.
impl GoldenEncoder for SchemeSession {
    type Error = Infallible;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Infallible> {
        with_session!(self, one => one.event(event, sink))
    }

    #[inline]
    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), Infallible> {
        with_session!(self, one => one.access(access, sink))
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        with_session!(self, one => one.flush(sink));
    }
}

/// The session of any design.
#[derive(Clone, Debug)]
pub(super) enum AnySession {
    Packets(Box<Packets<SchemeSession>>),
    Alone(SchemeSession),
}

/// Evaluates an expression for the session of any design.
macro_rules! with_any {
    ($session:expr, $one:ident => $body:expr) => {
        match $session {
            AnySession::Packets($one) => $body,
            AnySession::Alone(scheme) => with_session!(scheme, $one => $body),
        }
    };
}

/// What a session does with a sink of any kind. These functions are compiled here, because the encoders of all schemes
/// would otherwise be compiled again in each caller, for each kind of sink.
impl AnySession {
    pub(super) fn new(design: &Design) -> Result<Self, DesignError> {
        let scheme = SchemeSession::new(&design.scheme)?;
        Ok(match design.framing() {
            Some(framing) => Self::Packets(Box::new(Packets::new(scheme, &framing))),
            None => Self::Alone(scheme),
        })
    }

    pub(super) fn event(&mut self, event: &Event, mut sink: &mut dyn Sink) {
        let Ok(()) = with_any!(self, one => one.event(event, &mut sink));
    }

    pub(super) fn access(&mut self, access: &Access, mut sink: &mut dyn Sink) {
        let Ok(()) = with_any!(self, one => one.access(access, &mut sink));
    }

    /// Encodes the events among items, each of which the sink is told of. What the design is, is asked once.
    pub(super) fn events(&mut self, items: &[Item], mut sink: &mut dyn Sink) {
        with_any!(self, one => {
            for item in items {
                if let Item::Event(event) = item {
                    sink.begin(event);
                    let Ok(()) = one.event(event, &mut sink);
                }
            }
        });
    }

    pub(super) fn flush(&mut self, mut sink: &mut dyn Sink) {
        with_any!(self, one => one.flush(&mut sink));
    }

    pub(super) fn terms(&self) -> Terms {
        with_any!(self, one => one.terms())
    }

    pub(super) fn agree(&mut self, agreement: Agreement<'_>) {
        with_any!(self, one => one.agree(agreement));
    }

    pub(super) fn detail(&mut self, detail: Detail, mut sink: &mut dyn Sink) {
        let Ok(()) = with_any!(self, one => one.detail(detail, &mut sink));
    }

    pub(super) fn clock(&mut self, clock: Clock, mut sink: &mut dyn Sink) {
        with_any!(self, one => one.clock(clock, &mut sink));
    }

    pub(super) fn turn(&mut self, turn: Turn, mut sink: &mut dyn Sink) {
        with_any!(self, one => one.turn(turn, &mut sink));
    }
}
