//! The golden encoder of any design, which checks that the design can trace what it is given.

use std::fmt;

use super::session::AnySession;
use super::{Design, DesignError};
use crate::config::{Processor, mask};
use crate::event::{Access, Event, ExecutionState, Item};
use crate::field::Sink;
use crate::filter::{Filter, Settings, SettingsError};
use crate::golden_encoder::GoldenEncoder;
use crate::session::{Agreement, Clock, Detail, Session, Terms, Turn};

/// The number of an item of a trace, counted from 0 among the items of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemNumber {
    /// The number of an event.
    Event(u64),
    /// The number of a memory access.
    Access(u64),
}

impl fmt::Display for ItemNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ItemNumber::Event(number) => write!(f, "event {number}"),
            ItemNumber::Access(number) => write!(f, "access {number}"),
        }
    }
}

/// The threads that a design with so many cores traces, in words.
fn threads(cores: u8) -> String {
    match cores {
        1 => "one thread, whose number is 0".into(),
        cores => format!("threads below {cores}"),
    }
}

/// An event or access that a design cannot trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// An address has too many bits.
    #[error(
        "{item}: address {address:#x} does not fit address_width = {width}; expected --set address_width=64"
    )]
    Address {
        /// Where it is.
        item: ItemNumber,
        /// The address.
        address: u64,
        /// The design's width.
        width: u32,
    },
    /// The design has no core for a thread.
    #[error(
        "{item} is of thread {thread}, and this design traces {}; `tracewright trace convert` takes one \
         thread (--thread) or lets one core run all (--one-core), and `tracewright designs` lists designs for several cores",
        threads(*cores)
    )]
    Thread {
        /// The event or access of that thread.
        item: ItemNumber,
        /// Its thread.
        thread: u8,
        /// The design's cores.
        cores: u8,
    },
    /// The trace does not say how long an instruction is, and the design counts it.
    #[error(
        "{item}: the trace does not say how long the instruction at {program_counter:#x} is, which exact_lengths = true \
         needs; `tracewright encode` and `cosim` take it from the program's ELF file (--program FILE)"
    )]
    Length {
        /// The event of that instruction.
        item: ItemNumber,
        /// The instruction's address.
        program_counter: u64,
    },
    /// A state has too many bits.
    #[error("after {item}: {what} {value:#x} does not fit {what}_bits = {bits}")]
    State {
        /// The event after which it begins.
        item: ItemNumber,
        /// What has too many.
        what: &'static str,
        /// Its value.
        value: u64,
        /// The design's width.
        bits: u32,
    },
}

/// The golden encoder of a design.
#[derive(Clone, Debug)]
pub struct Encoder {
    address_width: u32,
    cores: u8,
    events: u64,
    accesses: u64,
    traces_data: bool,
    reads_lengths: bool,
    /// Widths of context, privilege level and cause.
    state_bits: [(&'static str, u32); 3],
    session: AnySession,
}

impl Encoder {
    /// An encoder as reset leaves the hardware.
    ///
    /// # Errors
    /// When the design breaks a constraint.
    pub fn new(design: &Design) -> Result<Self, DesignError> {
        let protocol = design.protocol();
        Ok(Self {
            address_width: design.processor().address_width,
            state_bits: [
                ("context", protocol.context_bits),
                ("privilege", protocol.privilege_bits),
                ("cause", protocol.cause_bits),
            ],
            cores: design.cores() as u8,
            events: 0,
            accesses: 0,
            traces_data: design.traces_data(),
            reads_lengths: design.reads_lengths(),
            session: AnySession::new(design)?,
        })
    }

    /// Encodes only what passes a filter.
    ///
    /// # Errors
    /// When the design has no such filter.
    pub fn filtered(mut self, design: &Design, settings: Settings) -> Result<Self, SettingsError> {
        let Processor { address_width, alignment, .. } = *design.processor();
        settings.validate(design.protocol(), address_width)?;
        // A filter that is off costs nothing.
        if !settings.is_off() {
            self.session.agree(Agreement::Filter(&Filter::new(settings, alignment)));
        }
        Ok(self)
    }

    /// Checks that an event can be traced.
    #[inline]
    fn check(&self, event: &Event) -> Result<(), EncodeError> {
        if self.address_width < 64
            && (event.program_counter | event.target) >> self.address_width != 0
            || event.thread >= self.cores
        {
            let address = event.program_counter.max(event.target);
            return Err(self.refuse(ItemNumber::Event(self.events), event.thread, address));
        }
        if self.reads_lengths && event.length == 0 && event.instructions > 0 {
            let (item, program_counter) = (ItemNumber::Event(self.events), event.program_counter);
            return Err(EncodeError::Length { item, program_counter });
        }
        Ok(())
    }

    /// True for an event that can be traced.
    #[inline]
    fn is_traced_event(&self, item: &Item) -> bool {
        matches!(item, Item::Event(event) if self.check(event).is_ok())
    }

    #[cold]
    fn refuse(&self, item: ItemNumber, thread: u8, address: u64) -> EncodeError {
        if thread >= self.cores {
            return EncodeError::Thread { item, thread, cores: self.cores };
        }
        EncodeError::Address { item, address, width: self.address_width }
    }
}

impl Encoder {
    /// Encodes an event, a memory access, a state, or cycles.
    ///
    /// # Errors
    /// When the design cannot trace it. Nothing was sent then.
    #[inline]
    pub fn item<S: Sink>(&mut self, item: &Item, sink: &mut S) -> Result<(), EncodeError> {
        match item {
            Item::Event(event) => self.event(event, sink),
            Item::Access(access) => self.access(access, sink),
            Item::State(state) => self.detail(Detail::State(*state), sink),
            Item::Cycles(cycles) => {
                self.clock(Clock::Event(*cycles), sink);
                Ok(())
            }
        }
    }

    /// Encodes items one after the other, up to the first that cannot be encoded. The sink is told of each event.
    ///
    /// # Errors
    /// When the design cannot trace it. All that is before it was encoded, and nothing was sent for it.
    pub fn items<S: Sink>(&mut self, items: &[Item], sink: &mut S) -> Result<(), EncodeError> {
        let mut rest = items;
        loop {
            let events = rest.iter().take_while(|item| self.is_traced_event(item)).count();
            let (events, others) = rest.split_at(events);
            self.events += events.len() as u64;
            self.session.events(events, sink);
            let Some((other, after)) = others.split_first() else { return Ok(()) };
            self.item(other, sink)?;
            rest = after;
        }
    }

    /// Checks that a state can be traced.
    fn check_state(&self, state: &ExecutionState) -> Result<(), EncodeError> {
        let values = [state.context, state.privilege.into(), state.cause.unwrap_or(0)];
        for ((what, bits), value) in self.state_bits.into_iter().zip(values) {
            // What is not traced may be anything.
            if bits > 0 && value & !mask(bits) != 0 {
                let item = ItemNumber::Event(self.events.saturating_sub(1));
                return Err(EncodeError::State { item, what, value, bits });
            }
        }
        Ok(())
    }
}

impl GoldenEncoder for Encoder {
    type Error = EncodeError;

    #[inline]
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), EncodeError> {
        self.check(event)?;
        self.events += 1;
        self.session.event(event, sink);
        Ok(())
    }

    #[inline]
    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), EncodeError> {
        if !self.traces_data {
            return Ok(());
        }
        let Access { site, address } = *access;
        if self.address_width < 64 && (site.program_counter | address) >> self.address_width != 0
            || site.thread >= self.cores
        {
            let address = address.max(site.program_counter);
            return Err(self.refuse(ItemNumber::Access(self.accesses), site.thread, address));
        }
        self.accesses += 1;
        self.session.access(access, sink);
        Ok(())
    }

    fn flush<S: Sink>(&mut self, sink: &mut S) {
        self.session.flush(sink);
    }
}

impl Session for Encoder {
    fn terms(&self) -> Terms {
        self.session.terms()
    }

    fn agree(&mut self, agreement: Agreement<'_>) {
        self.session.agree(agreement);
    }

    fn detail<S: Sink>(&mut self, detail: Detail, sink: &mut S) -> Result<(), EncodeError> {
        if let Detail::State(state) = &detail {
            self.check_state(state)?;
        }
        self.session.detail(detail, sink);
        Ok(())
    }

    #[inline]
    fn clock<S: Sink>(&mut self, clock: Clock, sink: &mut S) {
        self.session.clock(clock, sink);
    }

    fn turn<S: Sink>(&mut self, turn: Turn, sink: &mut S) {
        self.session.turn(turn, sink);
    }
}
