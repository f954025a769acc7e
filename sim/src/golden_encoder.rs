//! The interface of every golden encoder.

use std::cell::RefCell;
use std::rc::Rc;

use crate::config::Protocol;
use crate::event::{Access, Event, ExecutionState, Item};
use crate::field::Sink;
use crate::packet::header::{LossCause, Next};

/// Why a packet ends and the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Synchronisation {
    /// An interval has passed, or one was requested.
    Periodic,
    /// Context or privilege level have changed, or an exception has a cause; the tables are kept.
    OfState,
    /// Instructions were lost after the last event.
    AfterLoss {
        /// How many.
        instructions: u64,
        /// Why.
        cause: LossCause,
        /// Where the instruction after them is.
        next: Next,
        /// In what the execution goes on; without a cause.
        state: ExecutionState,
    },
}

/// A golden encoder: that of one scheme, or that of any design, which checks its input first.
pub trait GoldenEncoder {
    /// Why an event or access cannot be encoded; [`Infallible`](std::convert::Infallible) where the caller has checked
    /// it.
    type Error;

    /// Encodes one event; a call must have its length.
    ///
    /// # Errors
    /// When the design cannot trace it. Nothing was sent then.
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Self::Error>;

    /// Encodes one memory access, which sends nothing where control flow is traced.
    ///
    /// # Errors
    /// When the design cannot trace it. Nothing was sent then.
    fn access<S: Sink>(&mut self, _access: &Access, _sink: &mut S) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Says in what the execution goes on after the last event, and why, if that was an exception.
    ///
    /// # Errors
    /// When the design cannot trace it.
    fn state(&mut self, _state: &ExecutionState) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Sends what is due after the last event, of which all is known now: its state has been told.
    fn settle<S: Sink>(&mut self, _sink: &mut S) {}

    /// Encodes an event, a memory access, or a state.
    ///
    /// # Errors
    /// When the design cannot trace it. Nothing was sent then.
    #[inline]
    fn item<S: Sink>(&mut self, item: &Item, sink: &mut S) -> Result<(), Self::Error> {
        match item {
            Item::Event(event) => self.event(event, sink),
            Item::Access(access) => self.access(access, sink),
            Item::State(state) => self.state(state),
            Item::Cycles(cycles) => {
                self.cycles(*cycles);
                Ok(())
            }
        }
    }

    /// Encodes items one after the other, up to the first that cannot be encoded. The sink is told of each event.
    ///
    /// # Errors
    /// When the design cannot trace it. All that is before it was encoded, and nothing was sent for it.
    fn items<S: Sink>(&mut self, items: &[Item], sink: &mut S) -> Result<(), Self::Error> {
        items.iter().try_for_each(|item| {
            if let Item::Event(event) = item {
                sink.begin(event);
            }
            self.item(item, sink)
        })
    }

    /// Ends the trace, or a part of it.
    fn flush<S: Sink>(&mut self, sink: &mut S);

    /// True if the trace has time stamps.
    fn is_timed(&self) -> bool {
        false
    }

    /// True if the trace has the time of events.
    fn times_events(&self) -> bool {
        false
    }

    /// Says how many cycles after the event before the next event retires, where the trace has the time of events. Where nobody
    /// says it, it is as many as the event has instructions.
    fn cycles(&mut self, _cycles: u64) {}

    /// Takes the time of records from [`end_of_cycle`](Self::end_of_cycle) from now on, and no longer from the
    /// order of the events.
    fn follow_cycles(&mut self) {}

    /// Ends a cycle for a core, after its events and before those of the next core in that cycle. A core is
    /// `stalled` if it could not have retired anything.
    fn end_of_cycle<S: Sink>(&mut self, _core: u8, _stalled: bool, _sink: &mut S) {}

    /// Makes synchronisations only by [`synchronise`](Self::synchronise) from now on, and no longer where state and
    /// interval ask for them; returns the parameters that say where those are.
    fn follow_synchronisations(&mut self) -> Protocol {
        Protocol::default()
    }

    /// Cycles in a row in which the hardware may work on what it has taken and send nothing, besides those of any encoder.
    fn silent_cycles(&self) -> u32 {
        0
    }

    /// Says what the last event says beside its cause, if it is an exception, where the trace says that (`trap_values`).
    fn trap_value(&mut self, _value: u64) {}

    /// Says when the last block retired, where synchronisations, cycles or the time are followed.
    fn time(&mut self, _time: u64) {}

    /// Takes the time of payloads without packets from [`time`](Self::time) from now on, and no longer from the number of
    /// instructions; returns the parameters that say what it is, whose `time_bits` are 0 where payloads say no time.
    fn follow_time(&mut self) -> Protocol {
        Protocol::default()
    }

    /// Ends the packet at hand, after a whole event; [`synchronise`](Self::synchronise) then begins the next one. A trace
    /// without packets says that blocks are lost from here on, if its scheme can do that, and else nothing is done.
    fn end_packet<S: Sink>(&mut self, _sink: &mut S) {}

    /// Ends a part of a trace without packets, after a whole event: what comes next does not pass a filter. If the scheme cannot
    /// do that nothing is done.
    fn leave_off<S: Sink>(&mut self, _sink: &mut S) {}

    /// Ends the packet at hand, if it has not ended, and begins the next one. A trace without packets begins anew after the
    /// next event that may change the flow, or where a run passes the filter after others that did not, if its scheme can do
    /// that, and else nothing is done.
    fn synchronise<S: Sink>(&mut self, _what: Synchronisation, _sink: &mut S) {}

    /// Forgets what has not left the module, as the hardware does where its trace is discarded: the next packet has
    /// number 0, and its header the checksum of no bits. The caller forgets the bits, and tells of the loss as of any
    /// other.
    fn discard(&mut self) {}
}

/// A golden encoder that also sends everything to a second sink, which its owner shares.
#[derive(Clone, Debug)]
pub struct Copying<G, T> {
    encoder: G,
    copy: Rc<RefCell<T>>,
}

impl<G, T> Copying<G, T> {
    /// Encodes as `encoder` does, and sends to `copy` too.
    pub fn new(encoder: G, copy: &Rc<RefCell<T>>) -> Self {
        Self { encoder, copy: Rc::clone(copy) }
    }
}

impl<G: GoldenEncoder, T: Sink> GoldenEncoder for Copying<G, T> {
    type Error = G::Error;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), G::Error> {
        self.encoder.event(event, &mut (sink, &mut *self.copy.borrow_mut()))
    }

    #[inline]
    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), G::Error> {
        self.encoder.access(access, &mut (sink, &mut *self.copy.borrow_mut()))
    }

    fn state(&mut self, state: &ExecutionState) -> Result<(), G::Error> {
        self.encoder.state(state)
    }

    fn settle<S: Sink>(&mut self, sink: &mut S) {
        self.encoder.settle(&mut (sink, &mut *self.copy.borrow_mut()));
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        self.encoder.flush(&mut (sink, &mut *self.copy.borrow_mut()));
    }

    fn is_timed(&self) -> bool {
        self.encoder.is_timed()
    }

    fn times_events(&self) -> bool {
        self.encoder.times_events()
    }

    fn cycles(&mut self, cycles: u64) {
        self.encoder.cycles(cycles);
    }

    fn follow_cycles(&mut self) {
        self.encoder.follow_cycles();
    }

    #[inline]
    fn end_of_cycle<S: Sink>(&mut self, core: u8, stalled: bool, sink: &mut S) {
        self.encoder.end_of_cycle(core, stalled, &mut (sink, &mut *self.copy.borrow_mut()));
    }

    fn follow_synchronisations(&mut self) -> Protocol {
        self.encoder.follow_synchronisations()
    }

    fn silent_cycles(&self) -> u32 {
        self.encoder.silent_cycles()
    }

    fn trap_value(&mut self, value: u64) {
        self.encoder.trap_value(value);
    }

    fn time(&mut self, time: u64) {
        self.encoder.time(time);
    }

    fn follow_time(&mut self) -> Protocol {
        self.encoder.follow_time()
    }

    fn end_packet<S: Sink>(&mut self, sink: &mut S) {
        self.encoder.end_packet(&mut (sink, &mut *self.copy.borrow_mut()));
    }

    fn leave_off<S: Sink>(&mut self, sink: &mut S) {
        self.encoder.leave_off(&mut (sink, &mut *self.copy.borrow_mut()));
    }

    fn synchronise<S: Sink>(&mut self, what: Synchronisation, sink: &mut S) {
        self.encoder.synchronise(what, &mut (sink, &mut *self.copy.borrow_mut()));
    }

    /// The copy keeps what is discarded.
    fn discard(&mut self) {
        self.encoder.discard();
    }
}
