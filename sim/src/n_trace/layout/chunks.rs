//! How the fields of variable length of the messages are cut into bytes.

use super::{TRACE_ENDS, field, last};
use crate::encode::variable_length::Chunks;
use crate::n_trace::config::{BRANCH_TYPE_BITS, Config, DATA_BITS, RESOURCE_BITS, SYNC_BITS};

impl Config {
    /// Bytes of a full counter's message whose data are zeros.
    pub fn zero_bytes(&self) -> u32 {
        (RESOURCE_BITS + self.count_bits) / DATA_BITS
    }

    /// A B-TYPE with the count.
    pub fn branch_chunks(&self) -> Chunks {
        field(BRANCH_TYPE_BITS + self.count_bits)
    }

    /// A SYNC and a B-TYPE with the count.
    pub fn synchronised_branch_chunks(&self) -> Chunks {
        field(SYNC_BITS + BRANCH_TYPE_BITS + self.count_bits)
    }

    /// A number at the end of a message, before the time if that has one.
    pub fn ending(&self, width: u32) -> Chunks {
        if self.stamps() { field(width) } else { last(width) }
    }

    /// A SYNC with the count.
    pub fn synchronised_count_chunks(&self) -> Chunks {
        field(SYNC_BITS + self.count_bits)
    }

    /// The time at the end of a message.
    pub fn time_chunks(&self) -> Chunks {
        last(self.time_bits())
    }

    /// An RCODE with a full history. One that waited until another message was due has no time.
    pub fn full_history_chunks(&self) -> Chunks {
        let width = RESOURCE_BITS + self.history_width();
        if self.counts_repeats() { last(width) } else { self.ending(width) }
    }

    /// The data of the byte with EVCODE and CDF.
    pub fn end_data(&self) -> u64 {
        TRACE_ENDS | u64::from(self.branch_history) << 4
    }

    /// An RCODE with a full history that comes again.
    pub fn repeated_history_chunks(&self) -> Chunks {
        field(RESOURCE_BITS + self.history_width())
    }
}
