//! A trace of packets, whatever the scheme.

use super::course::Course;
use super::{Agreement, Clock, Detail, Session, Synchronisation, Terms, Turn};
use crate::config::mask;
use crate::event::{Access, Event, ExecutionState, Kind};
use crate::field::Sink;
use crate::filter::{Filter, Settings};
use crate::golden_encoder::GoldenEncoder;
use crate::packet::framer::Framer;
use crate::packet::framing::Framing;
use crate::packet::header::{Beginning, Header, Loss, LossCause, Next};

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

/// A session whose trace is made of packets, in which a scheme's encoder encodes.
#[derive(Clone, Debug)]
pub struct Packets<E> {
    encoder: E,
    /// The encoder as reset leaves the hardware.
    initial: E,
    framer: Framer,
    course: Course,
    /// Instructions after which a synchronisation is due; 0 for never.
    interval: u64,
    /// Cycles in a row in which the hardware may work and send nothing.
    silent_cycles: u32,
    /// The caller makes the synchronisations.
    follows: bool,
    state: State,
    /// What the decoder knows of the state in which the execution goes on.
    told: ExecutionState,
    /// Instructions since the last synchronisation at the end of an interval.
    instructions: u64,
    /// The next event is the first one of a packet whose decoder knows nothing of the packet before.
    is_first: bool,
    /// Instructions since the last event that were filtered, if there are any.
    filtered: Option<u64>,
}

impl<E: GoldenEncoder + Clone> Packets<E> {
    /// A session as reset leaves the hardware, with an encoder as reset leaves it.
    pub fn new(encoder: E, framing: &Framing) -> Self {
        let filter = Filter::new(Settings::default(), framing.processor.alignment);
        Self {
            initial: encoder.clone(),
            encoder,
            framer: Framer::new(framing),
            course: Course::new(filter, &framing.protocol),
            interval: framing.protocol.interval().into(),
            silent_cycles: framing.silent_cycles,
            follows: false,
            state: State::Reset,
            told: framing.protocol.reset_state(),
            instructions: 0,
            is_first: false,
            filtered: None,
        }
    }

    /// Counts an event that does not pass the filter.
    fn leave_out<S: Sink>(&mut self, event: &Event, sink: &mut S) {
        self.end(sink);
        let filtered = self.filtered.get_or_insert(0);
        *filtered = filtered.saturating_add(event.instructions);
        self.course.retire(event);
    }

    /// Begins the packet after what was filtered.
    fn go_on<S: Sink>(&mut self, sink: &mut S) {
        if let (Some(instructions), Some(next)) = (self.filtered.take(), self.course.next) {
            let (cause, state) = (LossCause::Filtered, self.course.now);
            self.synchronise(Synchronisation::AfterLoss { instructions, cause, next, state }, sink);
        }
    }

    /// Makes the synchronisation that is due after the last event, once all that comes with the event is known.
    #[inline]
    fn settle<S: Sink>(&mut self, sink: &mut S) {
        if self.follows || self.course.decide().is_none() || !self.course.passes() {
            return;
        }
        if self.filtered.is_some() {
            self.go_on(sink);
        } else if self.is_over() {
            self.synchronise(Synchronisation::Periodic, sink);
        } else if self.course.now != self.told {
            self.synchronise(Synchronisation::OfState, sink);
        }
    }

    /// An interval of instructions or of bytes is over.
    fn is_over(&self) -> bool {
        let bytes = u64::from(self.course.protocol().sync_bytes);
        self.interval > 0 && self.instructions >= self.interval
            || bytes > 0 && self.framer.sent_bits() >= 8 * bytes
    }

    /// Begins a packet if none is open.
    fn open<S: Sink>(&mut self, sink: &mut S) {
        match (self.state, self.course.next) {
            (State::Packet, _) => {}
            (State::Between | State::Ended, Some(next)) => {
                let beginning = self.beginning(next, self.course.protocol().sync_keeps_tables);
                self.begin(Header::Synchronisation(beginning), sink);
            }
            // Where the trace ended before anything retired, the next packet is as the first one.
            (State::Reset | State::Between | State::Ended, _) => self.begin(Header::Start, sink),
        }
    }

    /// What a header says, which the decoder then knows.
    fn beginning(&mut self, next: Next, keeps_tables: bool) -> Beginning {
        let state = self.course.now;
        self.course.now.cause = None;
        self.told = self.course.now;
        let time = self.course.time & mask(self.course.protocol().time_bits);
        Beginning { next, time, keeps_tables, state }
    }

    /// Begins a packet; the one before has ended.
    fn begin<S: Sink>(&mut self, header: Header, sink: &mut S) {
        let restarts = header.beginning().is_none_or(|beginning| !beginning.keeps_tables);
        if restarts {
            self.encoder.clone_from(&self.initial);
        }
        if restarts || self.course.protocol().sync_keeps_tables {
            self.instructions = 0;
            self.framer.restart_count();
        }
        self.framer.begin(header, sink);
        (self.state, self.is_first) = (State::Packet, restarts);
    }

    /// Ends the packet at hand, if there is one.
    fn end<S: Sink>(&mut self, sink: &mut S) {
        if self.state == State::Packet {
            self.encoder.flush(&mut self.framer.payload(sink));
            self.state = State::Between;
        }
    }

    /// Ends the packet at hand and begins the next one.
    fn synchronise<S: Sink>(&mut self, what: Synchronisation, sink: &mut S) {
        let keeps = self.course.protocol().sync_keeps_tables || what == Synchronisation::OfState;
        let header = match (what, self.course.next) {
            (Synchronisation::AfterLoss { instructions, cause, next, state }, _) => {
                self.course.next = Some(next);
                let state = self.course.traced(&state);
                self.course.now = ExecutionState { cause: self.course.now.cause, ..state };
                let beginning = self.beginning(next, false);
                Header::AfterLoss(Loss { instructions, cause }, beginning)
            }
            (_, Some(next)) => Header::Synchronisation(self.beginning(next, keeps)),
            // Nothing has retired: the next packet is the first one, or the one at hand.
            (_, None) => return,
        };
        self.end(sink);
        self.begin(header, sink);
    }

    /// Forgets what was not sent. The cause of an exception in it is in no header.
    fn discard(&mut self) {
        self.framer.discard();
        self.course.discard();
        (self.state, self.filtered, self.told) = (State::Between, None, self.course.now);
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

    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), E::Error> {
        self.settle(sink);
        if !self.course.passes() {
            self.leave_out(event, sink);
            return Ok(());
        }
        self.open(sink);
        let known = Event { program_counter: self.known_address(event), ..*event };
        self.is_first = false;
        self.encoder.event(&known, &mut self.framer.payload(sink))?;
        self.course.retire(event);
        self.instructions = self.instructions.saturating_add(event.instructions);
        let has_cause = self.course.protocol().cause_bits > 0;
        if event.kind == Kind::Exception && event.taken && has_cause {
            self.course.now.cause = Some(0);
        }
        Ok(())
    }

    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), E::Error> {
        self.encoder.access(access, sink)
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        self.settle(sink);
        self.go_on(sink);
        self.open(sink);
        self.encoder.flush(&mut self.framer.payload(sink));
        self.framer.begin(Header::End, sink);
        self.state = State::Ended;
    }
}

impl<E: GoldenEncoder + Clone> Session for Packets<E> {
    fn terms(&self) -> Terms {
        let protocol = self.course.protocol().clone();
        Terms { protocol, silent_cycles: self.silent_cycles, ..Terms::default() }
    }

    fn agree(&mut self, agreement: Agreement<'_>) {
        match agreement {
            Agreement::Filter(filter) => self.course.limit(filter),
            Agreement::Synchronisations => self.follows = true,
            // Headers say a time, which is told.
            Agreement::Cycles => {}
        }
    }

    fn detail<S: Sink>(&mut self, detail: Detail, _: &mut S) -> Result<(), E::Error> {
        match detail {
            Detail::State(state) => self.course.state(&state),
            Detail::Time(time) => self.course.retire_at(time),
            // No header has a place for it.
            Detail::TrapValue(_) => {}
            // What is due comes with the next event.
            Detail::Complete => {}
        }
        Ok(())
    }

    /// Schemes that say cycles make no packets.
    fn clock<S: Sink>(&mut self, _: Clock, _: &mut S) {}

    fn turn<S: Sink>(&mut self, turn: Turn, sink: &mut S) {
        match turn {
            Turn::End => self.end(sink),
            // The header after it says it.
            Turn::LeaveOff => {}
            Turn::Synchronise(what) => self.synchronise(what, sink),
            Turn::Discard => self.discard(),
        }
    }
}
