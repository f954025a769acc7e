//! A session whose bits go to a second sink too.

use std::cell::RefCell;
use std::rc::Rc;

use super::{Agreement, Clock, Detail, Session, Terms, Turn};
use crate::event::{Access, Event};
use crate::field::Sink;
use crate::golden_encoder::GoldenEncoder;

/// A session that also sends everything to a second sink, which its owner shares. The copy keeps what is discarded.
#[derive(Clone, Debug)]
pub struct Copying<G, T> {
    session: G,
    copy: Rc<RefCell<T>>,
}

impl<G, T> Copying<G, T> {
    /// Encodes as `session` does, and sends to `copy` too.
    pub fn new(session: G, copy: &Rc<RefCell<T>>) -> Self {
        Self { session, copy: Rc::clone(copy) }
    }
}

impl<G: GoldenEncoder, T: Sink> GoldenEncoder for Copying<G, T> {
    type Error = G::Error;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), G::Error> {
        self.session.event(event, &mut (sink, &mut *self.copy.borrow_mut()))
    }

    #[inline]
    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), G::Error> {
        self.session.access(access, &mut (sink, &mut *self.copy.borrow_mut()))
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        self.session.flush(&mut (sink, &mut *self.copy.borrow_mut()));
    }
}

impl<G: Session, T: Sink> Session for Copying<G, T> {
    fn terms(&self) -> Terms {
        self.session.terms()
    }

    fn agree(&mut self, agreement: Agreement<'_>) {
        self.session.agree(agreement);
    }

    fn detail<S: Sink>(&mut self, detail: Detail, sink: &mut S) -> Result<(), G::Error> {
        self.session.detail(detail, &mut (sink, &mut *self.copy.borrow_mut()))
    }

    #[inline]
    fn clock<S: Sink>(&mut self, clock: Clock, sink: &mut S) {
        self.session.clock(clock, &mut (sink, &mut *self.copy.borrow_mut()));
    }

    fn turn<S: Sink>(&mut self, turn: Turn, sink: &mut S) {
        self.session.turn(turn, &mut (sink, &mut *self.copy.borrow_mut()));
    }
}
