//! The interface of every golden encoder for a trace with packets, and for one without.

use super::{Packets, State};
use crate::config::Protocol;
use crate::event::{Access, Event, ExecutionState, Item};
use crate::field::Sink;
use crate::golden_encoder::{GoldenEncoder, Synchronisation};
use crate::packet::header::Header;

impl<E: GoldenEncoder + Clone> GoldenEncoder for Packets<E> {
    type Error = E::Error;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), E::Error> {
        if self.packing.is_some() {
            return self.packed_event(event, sink);
        }
        if self.qualifier.is_some() || self.clock.is_some() {
            return self.qualified_event(event, sink);
        }
        self.encoder.event(event, sink)
    }

    #[inline]
    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), E::Error> {
        self.encoder.access(access, sink)
    }

    fn state(&mut self, state: &ExecutionState) -> Result<(), E::Error> {
        if let Some(packing) = &mut self.packing {
            let traced = packing.traced(state);
            let cause = packing.now.cause.map(|_| traced.cause.unwrap_or(0));
            packing.now = ExecutionState { cause, ..traced };
            return Ok(());
        }
        if let Some(qualifier) = &mut self.qualifier {
            qualifier.state(state);
        }
        self.encoder.state(state)
    }

    fn items<S: Sink>(&mut self, items: &[Item], sink: &mut S) -> Result<(), E::Error> {
        if self.packing.is_some() || self.qualifier.is_some() || self.clock.is_some() {
            return items.iter().try_for_each(|item| {
                if let Item::Event(event) = item {
                    sink.begin(event);
                }
                self.item(item, sink)
            });
        }
        self.encoder.items(items, sink)
    }

    fn settle<S: Sink>(&mut self, sink: &mut S) {
        if self.packing.is_none() {
            self.encoder.settle(sink);
        }
        if let Some(qualifier) = &mut self.qualifier {
            qualifier.settle(&mut self.encoder, sink);
        }
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        if let Some(qualifier) = &mut self.qualifier {
            qualifier.settle(&mut self.encoder, sink);
        }
        let Self { encoder, packing: Some(packing), .. } = self else {
            return self.encoder.flush(sink);
        };
        packing.settle(encoder, sink);
        packing.go_on(encoder, sink);
        packing.open(encoder, sink);
        encoder.flush(&mut packing.framer.payload(sink));
        packing.framer.begin(Header::End, sink);
        packing.state = State::Ended;
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
        if let Some(packing) = &mut self.packing {
            packing.follows_time = true;
        }
    }

    #[inline]
    fn end_of_cycle<S: Sink>(&mut self, core: u8, stalled: bool, sink: &mut S) {
        self.encoder.end_of_cycle(core, stalled, sink);
    }

    fn follow_synchronisations(&mut self) -> Protocol {
        self.packing.as_mut().map_or_else(Protocol::default, |packing| {
            (packing.follows, packing.follows_time) = (true, true);
            packing.protocol.clone()
        })
    }

    fn silent_cycles(&self) -> u32 {
        self.packing.as_ref().map_or(0, |packing| packing.silent_cycles)
    }

    fn trap_value(&mut self, value: u64) {
        if self.packing.is_none() {
            self.encoder.trap_value(value);
        }
    }

    fn time(&mut self, time: u64) {
        match &mut self.packing {
            Some(packing) => packing.time = time,
            None => self.encoder.time(time),
        }
    }

    fn follow_time(&mut self) -> Protocol {
        match &self.packing {
            Some(_) => Protocol::default(),
            None => {
                self.clock = None;
                self.encoder.follow_time()
            }
        }
    }

    fn end_packet<S: Sink>(&mut self, sink: &mut S) {
        match &mut self.packing {
            Some(packing) => packing.end(&mut self.encoder, sink),
            None => self.encoder.end_packet(sink),
        }
    }

    fn leave_off<S: Sink>(&mut self, sink: &mut S) {
        if self.packing.is_none() {
            self.encoder.leave_off(sink);
        }
    }

    fn synchronise<S: Sink>(&mut self, what: Synchronisation, sink: &mut S) {
        match &mut self.packing {
            Some(packing) => packing.synchronise(&mut self.encoder, what, sink),
            None => self.encoder.synchronise(what, sink),
        }
    }

    fn discard(&mut self) {
        if let Some(qualifier) = &mut self.qualifier {
            qualifier.decide();
        }
        match &mut self.packing {
            Some(packing) => packing.discard(),
            None => self.encoder.discard(),
        }
    }
}
