//! What a decoder reports beside the events.

/// Totals of a decoded trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Events.
    pub events: u64,
    /// Instructions, the trailing ones included.
    pub instructions: u64,
    /// Instructions after the last event, of all threads.
    pub trailing_instructions: u64,
    /// Records.
    pub records: u64,
}

/// When a record was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeStamp {
    /// The core.
    pub core: u8,
    /// The cycle, counted from the first in which the hardware could take a block, or the time that the record says.
    pub clock: u64,
    /// The core's events that this record and earlier ones tell.
    pub events: u64,
    /// The time is this or a later one: the trace says that there were more cycles between two events than it can say.
    pub at_least: bool,
}
