//! A trace that says nothing besides its events, or its memory accesses.

use super::{Agreement, Clock, Detail, Session, Terms, Turn};
use crate::event::{Access, Event};
use crate::field::Sink;
use crate::golden_encoder::GoldenEncoder;

/// A scheme's encoder and nothing else: the trace begins at reset, ends with a flush, and goes on after it.
#[derive(Clone, Debug)]
pub struct Raw<E>(pub E);

impl<E: GoldenEncoder> GoldenEncoder for Raw<E> {
    type Error = E::Error;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), E::Error> {
        self.0.event(event, sink)
    }

    #[inline]
    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), E::Error> {
        self.0.access(access, sink)
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        self.0.flush(sink);
    }
}

impl<E: GoldenEncoder> Session for Raw<E> {
    fn terms(&self) -> Terms {
        Terms::default()
    }

    /// There is nothing to agree on.
    fn agree(&mut self, _: Agreement<'_>) {}

    /// The trace says nothing of an event besides what it is.
    #[inline]
    fn detail<S: Sink>(&mut self, _: Detail, _: &mut S) -> Result<(), E::Error> {
        Ok(())
    }

    /// The trace says nothing of cycles.
    #[inline]
    fn clock<S: Sink>(&mut self, _: Clock, _: &mut S) {}

    /// The trace cannot break off. The hardware has no pins for it.
    fn turn<S: Sink>(&mut self, _: Turn, _: &mut S) {}
}
