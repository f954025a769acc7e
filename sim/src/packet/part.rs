//! What a decoder of packets gives: events, and what lies between them.

use std::ops::Range;

use super::header::{Loss, LossCause};
use super::reader::Damage;
use crate::event::{Event, ExecutionState};
use crate::program::Place;

/// An event, or a place where the execution is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The next event; its instructions are counted from the event before, or from where a gap ends.
    Event(Event),
    /// In what the execution goes on after the event or the gap before, told where it changes and after each gap, and
    /// the cause of an exception. It may have changed within the straight run before.
    State(ExecutionState),
    /// When the last instruction before this place retired, modulo 2^`time_bits`.
    Time(u64),
    /// The trace ends in the packet that the events up to the next gap are of, or before its checksum: no checksum and
    /// no end of a packet confirms them.
    Unverified,
    /// A gap.
    Gap(Gap),
}

/// A place where the execution is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The bits of the trace that say nothing; none if all bits are there.
    pub bits: Range<u64>,
    /// Why.
    pub reason: Reason,
    /// Instructions before the gap that have retired after the event before it.
    pub trailing_instructions: u64,
    /// So many events directly before the gap are unverified.
    pub unverified_events: u64,
    /// Where the execution goes on; `None` where another gap follows, or the end.
    pub goes_on: Option<Place>,
    /// In which context; 0 where contexts are not traced.
    pub context: u64,
    /// Packets that are missing at least, by the numbers of those around the gap; 0 where packets have no numbers.
    pub missing_packets: u64,
}

/// Why the execution is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// What is read begins after the program.
    #[error("the beginning of the trace is missing")]
    Beginning,
    /// A packet, or several in a row of which this is the first, cannot be used.
    #[error(transparent)]
    Damaged(Damage),
    /// A packet, or several in a row of which this is the first, does not decode.
    #[error("the packet does not decode: {0}")]
    Undecodable(String),
    /// A trace without packets does not decode from there on.
    #[error("the trace does not decode from there on: {0}")]
    Undecoded(String),
    /// A packet does not begin where the one before ends.
    #[error("the packet before ends at {end}, and the next one begins at {begin}")]
    Elsewhere {
        /// Where the packet before ends.
        end: String,
        /// Where the next one begins.
        begin: Place,
    },
    /// Packets are missing, by the numbers of those around the gap, or are not in their order.
    #[error("{}", missing(*.0))]
    Missing(u64),
    /// The hardware says that instructions were lost.
    #[error("{}", lost(.0))]
    Lost(Loss),
    /// The processor was reset.
    #[error("the trace starts again after a reset")]
    Reset,
    /// The tables are kept from packets that are missing.
    #[error(
        "the packets here keep the tables of packets that are missing; the next one that clears them can be decoded"
    )]
    TablesUnknown,
    /// The code changes while it runs, and how many events are missing is not known.
    #[error("the code changes while it runs, and its version after missing packets is not known")]
    CodeUnknown,
    /// There is no packet.
    #[error("there is no packet")]
    NoPacket,
    /// A trace in the framing of a standard says or shows it.
    #[error("{says}")]
    OfStandard {
        /// One word.
        name: &'static str,
        /// A sentence without a full stop.
        says: String,
    },
}

fn missing(packets: u64) -> String {
    let are = if packets == 1 { " is" } else { "s are" };
    format!("at least {packets} packet{are} missing, or packets are not in their order")
}

fn lost(loss: &Loss) -> String {
    use super::header::MOST_LOST;
    let cause = match loss.cause {
        LossCause::NoRoom => "a buffer had no room",
        LossCause::Off => "tracing was off",
        LossCause::NotReady => "the tables were being cleared, or a packet was being begun",
        LossCause::Discarded => "what was in the module was discarded",
        LossCause::Filtered => "they did not pass the filter",
    };
    let least = if loss.instructions >= MOST_LOST { "at least " } else { "" };
    let what = if loss.cause == LossCause::Filtered { "left out" } else { "lost" };
    format!("{least}{} instructions were {what} because {cause}", loss.instructions)
}

impl Reason {
    /// True if the execution was left out because it did not pass the filter.
    pub fn is_filter(&self) -> bool {
        matches!(self, Reason::Lost(Loss { cause: LossCause::Filtered, .. }))
    }

    /// One word, as in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::Beginning | Reason::Damaged(Damage::Beginning) => "beginning",
            Reason::Damaged(Damage::CutOff) => "cut-off",
            Reason::Damaged(Damage::TooLong) => "too-long",
            Reason::Missing(_) => "missing",
            Reason::Damaged(Damage::Repeated { .. }) => "repeated",
            Reason::Damaged(_) | Reason::Undecodable(_) => "damaged",
            Reason::Undecoded(_) | Reason::Elsewhere { .. } => "damaged",
            Reason::Lost(_) if self.is_filter() => "filtered",
            Reason::Lost(_) => "lost",
            Reason::Reset => "reset",
            Reason::TablesUnknown => "tables-unknown",
            Reason::CodeUnknown => "code-unknown",
            Reason::NoPacket => "no-packet",
            Reason::OfStandard { name, .. } => name,
        }
    }
}

/// What was decoded of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Events.
    pub events: u64,
    /// Instructions, those after the last event of each part included.
    pub instructions: u64,
    /// Instructions after the last event.
    pub trailing_instructions: u64,
    /// Records, headers included.
    pub records: u64,
    /// Events of a packet in which the trace ends, or of one before whose checksum it ends.
    pub unverified_events: u64,
    /// Instructions of these events.
    pub unverified_instructions: u64,
    /// States that were told.
    pub states: u64,
    /// Packets that were whole, ends included.
    pub packets: u64,
    /// Gaps.
    pub gaps: u64,
    /// Gaps among them where the execution did not pass the filter.
    pub filtered_gaps: u64,
    /// Instructions that the hardware says were lost; each gap may have lost more than it can count.
    pub lost_instructions: u64,
    /// Instructions that the hardware says did not pass the filter, up to the next one that is traced.
    pub filtered_instructions: u64,
    /// Bits in gaps.
    pub gap_bits: u64,
}

impl Recovered {
    /// True if something was executed, traced or not: a loss may be of no instruction.
    pub(super) fn has_execution(&self) -> bool {
        [self.events, self.instructions, self.gaps] != [0; 3]
    }
}
