//! The messages of N-Trace, stated once.

use super::config::{BRANCH_TYPE_BITS, Config, DATA_BITS, RESOURCE_BITS};
pub use super::fields;
use crate::encode::piece::Piece;
use crate::encode::record::RecordFormat;
use crate::encode::variable_length::Chunks;
use crate::record_word;

record_word! {
    /// A record on its way to the encoder.
    pub struct Word {
        flags {
            /// The trace ends.
            flush,
            /// The counter of code is full.
            overflows,
            /// The trace begins where an exception leads to.
            starts,
            /// The trace begins at an instruction that retires.
            resumes,
            /// It begins.
            synchronises,
            /// An indirect branch, or an exception.
            indirect,
            /// A taken branch, without a history.
            direct,
            /// The history is full.
            full,
            /// A history comes last.
            sends_history,
        }
        values {
            /// How often the counter's range the code is.
            upper: u64,
            /// 1 for an exception.
            branch_type: u64,
            /// The code since the last message.
            count: u64,
            /// An address, or its exclusive or with the last one.
            address: u64,
            /// The code of a full history.
            code: u64,
            /// Outcomes after a first 1.
            history: u64,
        }
    }
}

/// Control bits of the last byte of a field.
pub const END_OF_FIELD: u64 = 1;
/// Control bits of the last byte of a message.
pub const END_OF_MESSAGE: u64 = 3;

/// Kinds of messages (TCODE).
pub mod codes {
    /// DirectBranch.
    pub const DIRECT: u64 = 3;
    /// IndirectBranch.
    pub const INDIRECT: u64 = 4;
    /// ProgTraceSync.
    pub const SYNC: u64 = 9;
    /// ResourceFull.
    pub const FULL: u64 = 27;
    /// IndirectBranchHist.
    pub const INDIRECT_HISTORY: u64 = 28;
    /// ProgTraceCorrelation.
    pub const END: u64 = 33;
}

/// The byte between messages.
pub const IDLE: u64 = 0xff;
/// The trace begins where an exception leads to (SYNC, exit from reset).
pub const STARTS: u64 = 1;
/// The trace begins at an instruction (SYNC, trace enable).
pub const RESUMES: u64 = 5;
/// A full history (RCODE).
pub const HISTORY_FULL: u64 = 1;
/// The trace ends (EVCODE, program trace disabled).
pub const TRACE_ENDS: u64 = 4;

/// A number at the end of a field.
pub fn field(width: u32) -> Chunks {
    Chunks::slices(DATA_BITS, width, END_OF_FIELD)
}

/// A number at the end of a message.
pub fn last(width: u32) -> Chunks {
    Chunks::slices(DATA_BITS, width, END_OF_MESSAGE)
}

/// The first byte of a message.
fn head(code: u64) -> Piece {
    fields::CODE.bits(code << 2, 8)
}

impl Config {
    /// Bytes of a full counter's message whose data are zeros.
    pub fn zero_bytes(&self) -> u32 {
        (RESOURCE_BITS + self.count_bits) / DATA_BITS
    }

    /// A B-TYPE with the count.
    pub fn branch_chunks(&self) -> Chunks {
        field(BRANCH_TYPE_BITS + self.count_bits)
    }

    /// An RCODE with a full history.
    pub fn full_history_chunks(&self) -> Chunks {
        last(RESOURCE_BITS + self.history_width())
    }

    /// The data of the byte with EVCODE and CDF.
    pub fn end_data(&self) -> u64 {
        TRACE_ENDS | u64::from(self.branch_history) << 4
    }

    /// The messages between the record former and the encoder.
    pub fn format(&self) -> RecordFormat {
        let has_history = self.branch_history;
        let mut flags = vec!["flush", "overflows", "starts", "resumes", "synchronises", "indirect"];
        flags.extend(if has_history { &["full", "sends_history"][..] } else { &["direct"] });
        let mut format = RecordFormat::new(&flags)
            .value("upper", self.upper_bits())
            .value("branch_type", BRANCH_TYPE_BITS)
            .value("count", self.count_bits)
            .value("address", self.address_bits());
        if has_history {
            format = format.value("code", RESOURCE_BITS).value("history", self.history_width());
        }
        let format = format
            .constant(
                "overflows",
                [head(codes::FULL), fields::FULL_COUNT.bits(0, 8 * self.zero_bytes())],
            )
            .chunks(fields::UPPER_COUNT, "overflows", "upper", last(self.upper_bits()))
            .one_of(|format| self.heads(format));
        let format = format.one_of(|format| {
            let address = last(self.address_bits());
            let format = format
                .chunks(fields::FULL_ADDRESS, "synchronises", "address", address)
                .chunks(fields::BRANCH, "indirect", "branch_type", self.branch_chunks());
            match has_history {
                true => {
                    let chunks = self.full_history_chunks();
                    format.chunks(fields::FULL_HISTORY, "full", "code", chunks)
                }
                false => format.chunks(fields::COUNT, "direct", "count", last(self.count_bits)),
            }
        });
        self.ends(format)
    }

    /// Adds how messages begin.
    fn heads(&self, format: RecordFormat) -> RecordFormat {
        let synchronisation = |reason: u64| {
            let reason = fields::SYNC.bits(reason << 2 | END_OF_FIELD, 8);
            [fields::IDLE.bits(IDLE, 8), head(codes::SYNC), reason]
        };
        let format = format
            .constant("starts", synchronisation(STARTS))
            .constant("resumes", synchronisation(RESUMES));
        match self.branch_history {
            true => format
                .constant("indirect", [head(codes::INDIRECT_HISTORY)])
                .constant("full", [head(codes::FULL)]),
            false => format
                .constant("indirect", [head(codes::INDIRECT)])
                .constant("direct", [head(codes::DIRECT)]),
        }
    }

    /// Adds what comes last of an indirect branch, and the end of the trace.
    fn ends(&self, format: RecordFormat) -> RecordFormat {
        let (address, count) = (self.address_bits(), self.count_bits);
        let (address, count) = match self.branch_history {
            true => (field(address), field(count)),
            false => (last(address), last(count)),
        };
        let format = format
            .one_of(|format| {
                let end = fields::EVENT.bits(self.end_data() << 2, 8);
                format
                    .chunks(fields::UNIQUE_ADDRESS, "indirect", "address", address)
                    .constant("flush", [head(codes::END), end])
            })
            .chunks(fields::COUNT, "flush", "count", count);
        match self.branch_history {
            true => format.chunks(
                fields::HISTORY,
                "sends_history",
                "history",
                last(self.history_width()),
            ),
            false => format,
        }
    }
}
