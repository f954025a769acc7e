//! How many events one input may give, so that no small input makes a reader run, or a command write, without an end.

/// The most events that are taken from one input.
///
/// Without a number it is a thousand million, or a thousand for each byte of the input if that is more. A traced run
/// has a few events per byte; a loop that never changes, compressed, a few hundred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventLimit {
    /// The most events, whatever the size of the input.
    pub events: Option<u64>,
}

impl EventLimit {
    /// The most events of a small input without a number.
    pub const SMALL: u64 = 1_000_000_000;

    /// The most events for each byte of a large input without a number.
    pub const PER_BYTE: u64 = 1000;

    /// The most instructions for each event that is allowed, where instructions are counted.
    pub const INSTRUCTIONS: u64 = 10;

    /// The most events of an input of this many bytes, 0 if that is not known.
    pub fn of_bytes(self, bytes: u64) -> u64 {
        self.events.unwrap_or_else(|| Self::SMALL.max(bytes.saturating_mul(Self::PER_BYTE)))
    }

    /// The most instructions of a run that a file of this many bytes describes.
    pub fn instructions_of_bytes(self, bytes: u64) -> u64 {
        self.of_bytes(bytes).saturating_mul(Self::INSTRUCTIONS)
    }
}
