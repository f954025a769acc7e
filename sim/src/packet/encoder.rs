//! The golden encoder of a trace of packets, around that of any scheme.

use super::framer::Framer;
use super::framing::Framing;
use super::header::{Header, Loss, Next};
use crate::event::{Access, Event, Kind};
use crate::field::Sink;
use crate::golden_encoder::{GoldenEncoder, Synchronisation};

/// A golden encoder whose trace is made of packets if its configuration says so, and is as it was if not.
#[derive(Clone, Debug)]
pub struct Packets<E> {
    encoder: E,
    packing: Option<Box<Packing<E>>>,
}

/// What packets need besides the scheme's encoder.
#[derive(Clone, Debug)]
struct Packing<E> {
    /// The encoder as reset leaves the hardware.
    initial: E,
    framer: Framer,
    /// Instructions after which a synchronisation is due; 0 if the caller says when one is.
    interval: u64,
    keeps_tables: bool,
    state: State,
    /// Where the instruction after the last event is; `None` before the first event.
    next: Option<Next>,
    /// Instructions since the last synchronisation.
    instructions: u64,
    /// The next event is the first one of a packet whose decoder knows nothing of the packet before.
    is_first: bool,
}

/// Where the trace is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing was sent.
    Reset,
    /// In a packet.
    Packet,
    /// After a packet, before a header.
    Between,
    /// After an end.
    Ended,
}

impl<E: GoldenEncoder + Clone> Packets<E> {
    /// Wraps an encoder in the state in which reset leaves the hardware; without `framing` it is not changed.
    pub fn new(encoder: E, framing: Option<&Framing>) -> Self {
        let packing = framing.map(|framing| {
            Box::new(Packing {
                initial: encoder.clone(),
                framer: Framer::new(framing),
                interval: framing.protocol.interval().into(),
                keeps_tables: framing.protocol.sync_keeps_tables,
                state: State::Reset,
                next: None,
                instructions: 0,
                is_first: false,
            })
        });
        Self { encoder, packing }
    }

    #[inline(never)]
    fn packed_event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), E::Error> {
        let Self { encoder, packing: Some(packing) } = self else { return Ok(()) };
        packing.open(encoder, sink);
        let event = Event { program_counter: packing.known_address(event), ..*event };
        packing.is_first = false;
        encoder.event(&event, &mut packing.framer.payload(sink))?;
        if event.taken {
            packing.next = Some(Next::At(event.target));
        } else if event.instructions > 0 {
            // The hardware sees no block of an exception after no instruction that came back.
            packing.next = Some(Next::After(event.program_counter));
        }
        packing.instructions = packing.instructions.saturating_add(event.instructions);
        // A system call that came back is a straight run to the hardware.
        let is_control_flow = event.kind != Kind::Exception || event.taken;
        if packing.interval > 0 && packing.instructions >= packing.interval && is_control_flow {
            packing.synchronise(encoder, Synchronisation::Periodic, sink);
        }
        Ok(())
    }
}

impl<E: GoldenEncoder + Clone> Packing<E> {
    /// Begins a packet if none is open.
    fn open<S: Sink>(&mut self, encoder: &mut E, sink: &mut S) {
        match (self.state, self.next) {
            (State::Packet, _) => {}
            (State::Between | State::Ended, Some(next)) => {
                self.begin(encoder, Header::Synchronisation(next), sink)
            }
            (State::Reset | State::Between | State::Ended, _) => {
                self.framer.begin(Header::Start, sink);
                self.state = State::Packet;
            }
        }
    }

    /// Begins a packet; the one before has ended.
    fn begin<S: Sink>(&mut self, encoder: &mut E, header: Header, sink: &mut S) {
        let restarts = !self.keeps_tables || matches!(header, Header::AfterLoss(..));
        if restarts {
            encoder.clone_from(&self.initial);
        }
        self.framer.begin(header, sink);
        (self.state, self.instructions, self.is_first) = (State::Packet, 0, restarts);
    }

    /// Ends the packet at hand, if there is one.
    fn end<S: Sink>(&mut self, encoder: &mut E, sink: &mut S) {
        if self.state == State::Packet {
            encoder.flush(&mut self.framer.payload(sink));
            self.state = State::Between;
        }
    }

    /// Ends the packet at hand and begins the next one.
    fn synchronise<S: Sink>(&mut self, encoder: &mut E, what: Synchronisation, sink: &mut S) {
        let header = match (what, self.next) {
            (Synchronisation::Periodic, Some(next)) => Header::Synchronisation(next),
            // Nothing has retired: the next packet is the first one, or the one at hand.
            (Synchronisation::Periodic, None) => return,
            (Synchronisation::AfterLoss { instructions, cause, next }, _) => {
                self.next = Some(next);
                Header::AfterLoss(Loss { instructions, cause }, next)
            }
        };
        self.end(encoder, sink);
        self.begin(encoder, header, sink);
    }

    /// The program counter of an event as the decoder knows it: an exception that is the first event of a packet and
    /// after no instruction has that of an instruction in the packet before.
    fn known_address(&self, event: &Event) -> u64 {
        let is_before = self.is_first && event.instructions == 0;
        if is_before { 0 } else { event.program_counter }
    }
}

impl<E: GoldenEncoder + Clone> GoldenEncoder for Packets<E> {
    type Error = E::Error;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), E::Error> {
        if self.packing.is_some() {
            return self.packed_event(event, sink);
        }
        self.encoder.event(event, sink)
    }

    #[inline]
    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), E::Error> {
        self.encoder.access(access, sink)
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let Self { encoder, packing: Some(packing) } = self else {
            return self.encoder.flush(sink);
        };
        packing.open(encoder, sink);
        encoder.flush(&mut packing.framer.payload(sink));
        packing.framer.begin(Header::End, sink);
        packing.state = State::Ended;
    }

    fn is_timed(&self) -> bool {
        self.encoder.is_timed()
    }

    fn follow_cycles(&mut self) {
        self.encoder.follow_cycles();
    }

    #[inline]
    fn end_of_cycle<S: Sink>(&mut self, core: u8, stalled: bool, sink: &mut S) {
        self.encoder.end_of_cycle(core, stalled, sink);
    }

    fn follow_synchronisations(&mut self) -> u64 {
        self.packing.as_mut().map_or(0, |packing| std::mem::take(&mut packing.interval))
    }

    fn end_packet<S: Sink>(&mut self, sink: &mut S) {
        if let Self { encoder, packing: Some(packing) } = self {
            packing.end(encoder, sink);
        }
    }

    fn synchronise<S: Sink>(&mut self, what: Synchronisation, sink: &mut S) {
        if let Self { encoder, packing: Some(packing) } = self {
            packing.synchronise(encoder, what, sink);
        }
    }
}
