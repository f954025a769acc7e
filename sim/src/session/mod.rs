//! Sessions: how a trace begins and ends, what is lost or left out, and what it says of state and time.
//!
//! * [`raw`]: a trace of events, or of memory accesses, and of nothing else.
//! * [`alone`]: payloads of the scheme itself say where a part begins and ends, and more of events.
//! * [`packets`]: headers between packets say it, for any scheme.
//! * [`copying`]: any session, whose bits go to a second sink too.
//!
//! What a scheme's encoder is given in all of them is a [`GoldenEncoder`]'s. What is known of the execution besides, and
//! what passes a filter, is [`course`]. A session is told of everything: where its trace has no place for it, the method
//! that takes it says so.

pub mod alone;
pub mod copying;
pub mod course;
pub mod packets;
pub mod raw;

use crate::config::Protocol;
use crate::event::ExecutionState;
use crate::field::Sink;
use crate::filter::Filter;
use crate::golden_encoder::GoldenEncoder;
use crate::packet::header::{LossCause, Next};

/// What is known of an event, and told after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// In what the execution goes on, and why, if the event was an exception.
    State(ExecutionState),
    /// What an exception says beside its cause (`trap_values`).
    TrapValue(u64),
    /// When its last block retired. Once it is told, it is no longer the number of instructions.
    Time(u64),
    /// Nothing more is told of it: what is due after it can be sent.
    Complete,
}

/// What is told of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// So many cycles after the event before the next event retires. Where nobody says it, it is as many as the event has
    /// instructions.
    Event(u64),
    /// A cycle ends for a core, after its events and before those of the next core in that cycle.
    Cycle {
        /// The core.
        core: u8,
        /// It could not have retired anything.
        stalled: bool,
    },
}

/// Where a trace breaks off or begins anew: always after a whole event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The packet at hand ends, and [`Turn::Synchronise`] begins the next one. Without packets blocks are lost from here on.
    End,
    /// What comes next does not pass a filter.
    LeaveOff,
    /// The packet at hand ends, if it has not ended, and the next one begins. Without packets the trace begins anew after the
    /// next event that may change the flow, or where a run passes the filter after others that did not.
    Synchronise(Synchronisation),
    /// What has not left the module is forgotten, as the hardware does where its trace is discarded: the next packet has
    /// number 0, and its header the checksum of no bits. The caller forgets the bits, and tells of the loss as of any other.
    Discard,
}

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

/// What holds for a whole session, and is agreed on before its first event.
#[derive(Clone, Copy, Debug)]
pub enum Agreement<'a> {
    /// Only what passes this filter is encoded.
    Filter(&'a Filter),
    /// The caller ends every cycle by [`Clock::Cycle`]; else cycles follow from the order of the events.
    Cycles,
    /// The caller makes every synchronisation by [`Turn::Synchronise`]; else state and interval ask for them.
    Synchronisations,
}

/// What a trace says, and what of it the caller may tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Packets, synchronisations, losses, state and time; the default where the trace has nothing of these.
    pub protocol: Protocol,
    /// Cycles in a row in which the hardware may work on what it has taken and send nothing, besides those of any encoder.
    pub silent_cycles: u32,
    /// The trace has time stamps, and so the ends of cycles.
    pub has_time_stamps: bool,
    /// The trace has the time of events.
    pub times_events: bool,
}

/// How a trace goes on besides its events.
pub trait Session: GoldenEncoder {
    /// What the trace says.
    fn terms(&self) -> Terms;

    /// Agrees on something before the first event.
    fn agree(&mut self, agreement: Agreement<'_>);

    /// Takes what is known of the last event.
    ///
    /// # Errors
    /// When the design cannot trace it.
    fn detail<S: Sink>(&mut self, detail: Detail, sink: &mut S) -> Result<(), Self::Error>;

    /// Takes what is told of cycles.
    fn clock<S: Sink>(&mut self, clock: Clock, sink: &mut S);

    /// Breaks the trace off, or begins it anew.
    fn turn<S: Sink>(&mut self, turn: Turn, sink: &mut S);
}
