//! The golden encoder of a trace of packets, around that of any scheme.

use super::framer::Framer;
use super::framing::Framing;
use super::header::{Beginning, Header, Loss, LossCause, Next};
use crate::config::{Protocol, mask};
use crate::event::{Event, ExecutionState, Kind};
use crate::field::Sink;
use crate::filter::{Filter, Settings};
use crate::golden_encoder::{GoldenEncoder, Synchronisation};
use crate::qualifier::Qualifier;

mod golden;

/// A golden encoder whose trace is made of packets if its configuration says so, and is as it was if not.
#[derive(Clone, Debug)]
pub struct Packets<E> {
    encoder: E,
    packing: Option<Box<Packing<E>>>,
    /// What is traced without packets, if a filter says that.
    qualifier: Option<Box<Qualifier>>,
    /// Instructions so far, which are the time of payloads without packets; `None` where they say none, or the caller says it.
    clock: Option<u64>,
}

/// What packets need besides the scheme's encoder.
#[derive(Clone, Debug)]
struct Packing<E> {
    /// The encoder as reset leaves the hardware.
    initial: E,
    framer: Framer,
    protocol: Protocol,
    /// Instructions after which a synchronisation is due; 0 for never.
    interval: u64,
    /// Cycles in a row in which the hardware may work and send nothing.
    silent_cycles: u32,
    /// The caller says where synchronisations are.
    follows: bool,
    state: State,
    /// Where the instruction after the last event is; `None` before the first event.
    next: Option<Next>,
    /// The address of the last instruction.
    last: u64,
    /// The last event may change the flow, and what comes with it may ask for a synchronisation.
    is_at_branch: bool,
    /// In what the execution goes on, and the cause of the last event if that is an exception.
    now: ExecutionState,
    /// What the decoder knows of that.
    told: ExecutionState,
    /// Instructions since the last synchronisation at the end of an interval.
    instructions: u64,
    /// When the last instruction retired.
    time: u64,
    /// The caller says it; otherwise it is as if one instruction retired in each cycle.
    follows_time: bool,
    /// The next event is the first one of a packet whose decoder knows nothing of the packet before.
    is_first: bool,
    filter: Filter,
    /// Instructions since the last event that were filtered, if there are any.
    filtered: Option<u64>,
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
    pub fn new(mut encoder: E, framing: Option<&Framing>) -> Self {
        let tells_time = framing.is_none() && encoder.follow_time().time_bits > 0;
        let packing = framing.map(|framing| {
            Box::new(Packing {
                initial: encoder.clone(),
                framer: Framer::new(framing),
                silent_cycles: framing.silent_cycles,
                interval: framing.protocol.interval().into(),
                protocol: framing.protocol.clone(),
                follows: false,
                state: State::Reset,
                next: None,
                last: 0,
                is_at_branch: false,
                now: framing.protocol.reset_state(),
                told: framing.protocol.reset_state(),
                instructions: 0,
                time: 0,
                follows_time: false,
                is_first: false,
                filter: Filter::new(Settings::default(), framing.processor.alignment),
                filtered: None,
            })
        });
        Self { encoder, packing, qualifier: None, clock: tells_time.then_some(0) }
    }

    /// Encodes only what passes a filter, where the caller does not say what is lost.
    pub fn filter(&mut self, filter: Filter, protocol: &Protocol) {
        match &mut self.packing {
            Some(packing) => packing.filter = filter,
            None => self.qualifier = Some(Box::new(Qualifier::new(filter, protocol))),
        }
    }

    /// An event of a trace without packets that is filtered or timed, if it passes the filter.
    #[inline(never)]
    fn qualified_event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), E::Error> {
        let Self { encoder, qualifier, clock, .. } = self;
        if let Some(clock) = clock {
            *clock = clock.wrapping_add(event.instructions);
        }
        if let Some(qualifier) = qualifier {
            qualifier.settle(encoder, sink);
            let passes = qualifier.passes();
            qualifier.retire(event);
            if !passes {
                return Ok(());
            }
        }
        encoder.event(event, sink)?;
        if let Some(clock) = *clock {
            encoder.time(clock);
        }
        Ok(())
    }

    #[inline(never)]
    fn packed_event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), E::Error> {
        let Self { encoder, packing: Some(packing), .. } = self else { return Ok(()) };
        packing.settle(encoder, sink);
        if !packing.filter.traces() {
            packing.leave_out(encoder, event, sink);
            return Ok(());
        }
        packing.open(encoder, sink);
        let known = Event { program_counter: packing.known_address(event), ..*event };
        packing.is_first = false;
        encoder.event(&known, &mut packing.framer.payload(sink))?;
        packing.pass(event);
        packing.instructions = packing.instructions.saturating_add(event.instructions);
        if event.kind == Kind::Exception && event.taken && packing.protocol.cause_bits > 0 {
            packing.now.cause = Some(0);
        }
        Ok(())
    }
}

impl<E: GoldenEncoder + Clone> Packing<E> {
    /// Goes on to where an event leads.
    fn pass(&mut self, event: &Event) {
        if event.taken {
            self.next = Some(Next::At(event.target));
        } else if event.instructions > 0 {
            // The hardware sees no block of an exception after no instruction that came back.
            self.next = Some(Next::After(event.program_counter));
        }
        if !self.follows_time {
            self.time = self.time.wrapping_add(event.instructions);
        }
        // A system call that came back is a straight run to the hardware.
        self.is_at_branch = event.kind != Kind::Exception || event.taken;
        self.last = event.program_counter;
    }

    /// Counts an event that does not pass the filter.
    fn leave_out<S: Sink>(&mut self, encoder: &mut E, event: &Event, sink: &mut S) {
        self.end(encoder, sink);
        let filtered = self.filtered.get_or_insert(0);
        *filtered = filtered.saturating_add(event.instructions);
        self.pass(event);
    }

    /// Begins the packet after what was filtered.
    fn go_on<S: Sink>(&mut self, encoder: &mut E, sink: &mut S) {
        if let (Some(instructions), Some(next)) = (self.filtered.take(), self.next) {
            let (cause, state) = (LossCause::Filtered, self.now);
            let what = Synchronisation::AfterLoss { instructions, cause, next, state };
            self.synchronise(encoder, what, sink);
        }
    }

    /// Makes the synchronisation that is due after the last event, once all that comes with the event is known.
    #[inline]
    fn settle<S: Sink>(&mut self, encoder: &mut E, sink: &mut S) {
        if !self.is_at_branch || self.follows {
            return;
        }
        self.is_at_branch = false;
        if let Some(next) = self.next {
            self.filter.decide(self.last, next, &self.now);
        }
        if !self.filter.traces() {
            return;
        }
        if self.filtered.is_some() {
            self.go_on(encoder, sink);
        } else if self.is_over() {
            self.synchronise(encoder, Synchronisation::Periodic, sink);
        } else if self.now != self.told {
            self.synchronise(encoder, Synchronisation::OfState, sink);
        }
    }

    /// An interval of instructions or of bytes is over.
    fn is_over(&self) -> bool {
        let bytes = u64::from(self.protocol.sync_bytes);
        self.interval > 0 && self.instructions >= self.interval
            || bytes > 0 && self.framer.sent_bits() >= 8 * bytes
    }

    /// Begins a packet if none is open.
    fn open<S: Sink>(&mut self, encoder: &mut E, sink: &mut S) {
        match (self.state, self.next) {
            (State::Packet, _) => {}
            (State::Between | State::Ended, Some(next)) => {
                let beginning = self.beginning(next, self.protocol.sync_keeps_tables);
                self.begin(encoder, Header::Synchronisation(beginning), sink)
            }
            // Where the trace ended before anything retired, the next packet is as the first one.
            (State::Reset | State::Between | State::Ended, _) => {
                self.begin(encoder, Header::Start, sink)
            }
        }
    }

    /// What a header says, which the decoder then knows.
    fn beginning(&mut self, next: Next, keeps_tables: bool) -> Beginning {
        let state = self.now;
        self.now.cause = None;
        self.told = self.now;
        Beginning { next, time: self.time & mask(self.protocol.time_bits), keeps_tables, state }
    }

    /// Begins a packet; the one before has ended.
    fn begin<S: Sink>(&mut self, encoder: &mut E, header: Header, sink: &mut S) {
        let restarts = header.beginning().is_none_or(|beginning| !beginning.keeps_tables);
        if restarts {
            encoder.clone_from(&self.initial);
        }
        if restarts || self.protocol.sync_keeps_tables {
            self.instructions = 0;
            self.framer.restart_count();
        }
        self.framer.begin(header, sink);
        (self.state, self.is_first) = (State::Packet, restarts);
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
        let keeps_tables = self.protocol.sync_keeps_tables || what == Synchronisation::OfState;
        let header = match (what, self.next) {
            (Synchronisation::AfterLoss { instructions, cause, next, state }, _) => {
                self.next = Some(next);
                self.now = ExecutionState { cause: self.now.cause, ..self.traced(&state) };
                let beginning = self.beginning(next, false);
                Header::AfterLoss(Loss { instructions, cause }, beginning)
            }
            (_, Some(next)) => Header::Synchronisation(self.beginning(next, keeps_tables)),
            // Nothing has retired: the next packet is the first one, or the one at hand.
            (_, None) => return,
        };
        self.end(encoder, sink);
        self.begin(encoder, header, sink);
    }

    /// Forgets what was not sent. The cause of an exception in it is in no header.
    fn discard(&mut self) {
        self.framer.discard();
        (self.state, self.is_at_branch, self.filtered) = (State::Between, false, None);
        self.now.cause = None;
        self.told = self.now;
    }

    /// What is traced of a state.
    fn traced(&self, state: &ExecutionState) -> ExecutionState {
        let Protocol { context_bits, privilege_bits, cause_bits, .. } = self.protocol;
        ExecutionState {
            context: state.context & mask(context_bits),
            privilege: state.privilege & mask(privilege_bits) as u8,
            cause: state.cause.map(|cause| cause & mask(cause_bits)),
        }
    }

    /// The program counter of an event as the decoder knows it: an exception that is the first event of a packet and
    /// after no instruction has that of an instruction in the packet before.
    fn known_address(&self, event: &Event) -> u64 {
        let is_before = self.is_first && event.instructions == 0;
        if is_before { 0 } else { event.program_counter }
    }
}
