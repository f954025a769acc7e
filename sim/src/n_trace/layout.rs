//! The messages of N-Trace, stated once.

mod chunks;
mod repeats;

use super::config::{BRANCH_TYPE_BITS, Config, DATA_BITS, RESOURCE_BITS, SYNC_HALF_BITS};
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
            /// An indirect branch, an exception, or any block with a synchronisation: an address comes last but for a history.
            indirect,
            /// A taken branch, without a history.
            direct,
            /// The history is full.
            full,
            /// A history comes last.
            sends_history,
            /// A full history of before, which came once.
            earlier_once,
            /// One that came again.
            earlier_again,
            /// The last branch came again.
            branch_again,
            /// The trace, or a part of it, ends.
            ends,
            /// The trace begins after a loss.
            overruns,
            /// The indirect branch has no synchronisation.
            plain,
            /// It has one.
            requested,
            /// A direct branch or jump with a synchronisation, without a history.
            requested_direct,
            /// Blocks are lost.
            error,
            /// Privilege level and context follow.
            owns,
            /// The message ends with the time.
            stamps,
            /// It is an end right after the message with which the trace begins.
            at_once,
        }
        values {
            /// How often the counter's range the code is.
            upper: u64,
            /// The lower half of why an indirect branch has a synchronisation.
            sync_low: u64,
            /// The upper half of that, or the lower one where a direct branch has it.
            sync_high: u64,
            /// 1 for an exception; where a direct branch has a synchronisation, the upper half of why.
            branch_type: u64,
            /// The code since the last message.
            count: u64,
            /// An address, or its exclusive or with the last one.
            address: u64,
            /// The code of a full history.
            code: u64,
            /// Outcomes after a first 1.
            history: u64,
            /// The code of the full history of before.
            earlier_code: u64,
            /// Its outcomes, after a first 1.
            earlier: u64,
            /// How often it came, or the branch came again.
            times: u64,
            /// Privilege level and context.
            owner: u64,
            /// The time, or how much later it is than in the last message.
            time: u64,
        }
    }
}

/// Control bits of the last byte of a field.
pub const END_OF_FIELD: u64 = 1;
/// Control bits of the last byte of a message.
pub const END_OF_MESSAGE: u64 = 3;

/// Kinds of messages (TCODE).
pub mod codes {
    /// Ownership.
    pub const OWNERSHIP: u64 = 2;
    /// DirectBranch.
    pub const DIRECT: u64 = 3;
    /// DirectBranchSync.
    pub const DIRECT_SYNC: u64 = 11;
    /// IndirectBranch.
    pub const INDIRECT: u64 = 4;
    /// Error.
    pub const ERROR: u64 = 8;
    /// ProgTraceSync.
    pub const SYNC: u64 = 9;
    /// IndirectBranchSync.
    pub const INDIRECT_SYNC: u64 = 12;
    /// ResourceFull.
    pub const FULL: u64 = 27;
    /// IndirectBranchHist.
    pub const INDIRECT_HISTORY: u64 = 28;
    /// IndirectBranchHistSync.
    pub const INDIRECT_HISTORY_SYNC: u64 = 29;
    /// RepeatBranch.
    pub const REPEAT: u64 = 30;
    /// ProgTraceCorrelation.
    pub const END: u64 = 33;
}

/// The byte between messages.
pub const IDLE: u64 = 0xff;
/// The trace begins where an exception leads to (SYNC, exit from reset).
pub const STARTS: u64 = 1;
/// The trace begins at an instruction (SYNC, trace enable).
pub const RESUMES: u64 = 5;
/// A synchronisation was requested (SYNC, periodic).
pub const REQUESTED: u64 = 2;
/// The trace begins after a loss (SYNC, FIFO overrun).
pub const OVERRUN: u64 = 7;
/// Messages were lost (ETYPE, queue overrun).
pub const LOST: u64 = 0;
/// A full history (RCODE).
pub const HISTORY_FULL: u64 = 1;
/// A full history that comes again (RCODE).
pub const HISTORY_REPEATED: u64 = 2;
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

impl Config {
    /// The beginning of a message: its first byte, and the source.
    fn head(&self, code: u64) -> [Piece; 2] {
        let source = fields::SOURCE.bits(self.source_bytes(), self.source_bytes_bits());
        [fields::CODE.bits(code << 2, 8), source]
    }

    /// The same before another field.
    fn head_with(&self, code: u64, field: Piece) -> [Piece; 3] {
        let [head, source] = self.head(code);
        [head, source, field]
    }

    /// Flags and values of the messages.
    fn word(&self) -> RecordFormat {
        let has_history = self.branch_history;
        let mut flags = vec!["flush", "overflows", "starts", "resumes", "synchronises", "indirect"];
        // A full history waits where it may come again.
        flags.extend((has_history && !self.counts_repeats()).then_some("full"));
        flags.push(if has_history { "sends_history" } else { "direct" });
        if self.counts_repeats() {
            flags.extend(
                has_history.then_some(["earlier_once", "earlier_again"]).into_iter().flatten(),
            );
            flags.push("branch_again");
        }
        if self.switches() {
            flags.extend(["plain", "requested"]);
            flags.extend((!has_history).then_some("requested_direct"));
        }
        if self.tells_losses() {
            flags.extend(["ends", "overruns", "error"]);
        }
        if self.tells_state() {
            flags.push("owns");
        }
        if self.stamps() {
            flags.extend(["stamps", "at_once"]);
        }
        let mut format = RecordFormat::new(&flags).value("upper", self.upper_bits());
        if self.switches() {
            // SYNC stands before B-TYPE, or before the count.
            format = format.value("sync_low", SYNC_HALF_BITS).value("sync_high", SYNC_HALF_BITS);
        }
        let mut format = format
            .value("branch_type", BRANCH_TYPE_BITS)
            .value("count", self.count_bits)
            .value("address", self.address_bits());
        if has_history {
            if !self.counts_repeats() {
                format = format.value("code", RESOURCE_BITS);
            }
            format = format.value("history", self.history_width());
        }
        if self.counts_repeats() {
            if has_history {
                format = format
                    .value("earlier_code", RESOURCE_BITS)
                    .value("earlier", self.history_width());
            }
            format = format.value("times", self.repeat_bits);
        }
        if self.tells_state() {
            format = format.value("owner", self.process_bits());
        }
        if self.stamps() {
            format = format.value("time", self.time_bits());
        }
        format
    }

    /// The messages between the record former and the encoder.
    pub fn format(&self) -> RecordFormat {
        let has_history = self.branch_history;
        let format = self
            .repeats(self.word())
            .constant(
                "overflows",
                self.head_with(codes::FULL, fields::FULL_COUNT.bits(0, 8 * self.zero_bytes())),
            )
            .chunks(fields::UPPER_COUNT, "overflows", "upper", last(self.upper_bits()))
            .one_of(|format| self.heads(format));
        let format = format.one_of(|format| {
            let address = self.ending(self.address_bits());
            let format = format
                .chunks(fields::FULL_ADDRESS, "synchronises", "address", address)
                .chunks(fields::BRANCH, self.plain_flag(), "branch_type", self.branch_chunks());
            let format = match self.switches() {
                true => {
                    let chunks = self.synchronised_branch_chunks();
                    format.chunks(fields::SYNC_BRANCH, "requested", "sync_low", chunks)
                }
                false => format,
            };
            let format = match self.switches() && !has_history {
                true => {
                    let chunks = self.synchronised_count_chunks();
                    format.chunks(fields::SYNC_COUNT, "requested_direct", "sync_high", chunks)
                }
                false => format,
            };
            match has_history {
                true if self.counts_repeats() => format,
                true => {
                    let chunks = self.full_history_chunks();
                    format.chunks(fields::FULL_HISTORY, "full", "code", chunks)
                }
                false => {
                    format.chunks(fields::COUNT, "direct", "count", self.ending(self.count_bits))
                }
            }
        });
        let format = match self.stamps() {
            true => format.chunks(fields::TIME, "synchronises", "time", self.time_chunks()),
            false => format,
        };
        self.state(self.stamp(self.ends(format)))
    }

    /// Adds the time of all messages but those with which the trace begins.
    fn stamp(&self, format: RecordFormat) -> RecordFormat {
        if !self.stamps() {
            return format;
        }
        format.one_of(|format| {
            format
                .chunks(fields::TIME, "stamps", "time", self.time_chunks())
                .constant("at_once", [fields::TIME.bits(END_OF_MESSAGE, 8)])
        })
    }

    /// The flag of an indirect branch without a synchronisation.
    fn plain_flag(&self) -> &'static str {
        if self.switches() { "plain" } else { "indirect" }
    }

    /// The flag of an end of the trace, or of a part of it.
    fn end_flag(&self) -> &'static str {
        if self.tells_losses() { "ends" } else { "flush" }
    }

    /// Adds what says that blocks are lost, and in what state the execution goes on.
    fn state(&self, format: RecordFormat) -> RecordFormat {
        let (tells_losses, tells_state) = (self.tells_losses(), self.tells_state());
        if !tells_losses && !tells_state {
            return format;
        }
        let format = format.one_of(|mut format| {
            if tells_losses {
                let error = fields::ERROR.bits(LOST << 2 | END_OF_MESSAGE, 8);
                format = format.constant("error", self.head_with(codes::ERROR, error));
            }
            if tells_state {
                format = format.constant("owns", self.head(codes::OWNERSHIP));
            }
            format
        });
        match tells_state {
            true => format.chunks(fields::PROCESS, "owns", "owner", last(self.process_bits())),
            false => format,
        }
    }

    /// Adds how messages begin.
    fn heads(&self, format: RecordFormat) -> RecordFormat {
        let synchronisation = |reason: u64| {
            let reason = fields::SYNC.bits(reason << 2 | END_OF_FIELD, 8);
            let [head, source] = self.head(codes::SYNC);
            [fields::IDLE.bits(IDLE, 8), head, source, reason]
        };
        let format = format
            .constant("starts", synchronisation(STARTS))
            .constant("resumes", synchronisation(RESUMES));
        let format = match self.tells_losses() {
            true => format.constant("overruns", synchronisation(OVERRUN)),
            false => format,
        };
        let (plain, synchronised) = match self.branch_history {
            true => (codes::INDIRECT_HISTORY, codes::INDIRECT_HISTORY_SYNC),
            false => (codes::INDIRECT, codes::INDIRECT_SYNC),
        };
        let format = format.constant(self.plain_flag(), self.head(plain));
        let format = match self.switches() {
            true => format.constant("requested", self.head(synchronised)),
            false => format,
        };
        let format = match self.switches() && !self.branch_history {
            true => format.constant("requested_direct", self.head(codes::DIRECT_SYNC)),
            false => format,
        };
        match self.branch_history {
            true if self.counts_repeats() => format,
            true => format.constant("full", self.head(codes::FULL)),
            false => format.constant("direct", self.head(codes::DIRECT)),
        }
    }

    /// Adds what comes last of an indirect branch, and the end of the trace.
    fn ends(&self, format: RecordFormat) -> RecordFormat {
        let (address, count) = (self.address_bits(), self.count_bits);
        let (address, count) = match self.branch_history {
            true => (field(address), field(count)),
            false => (self.ending(address), self.ending(count)),
        };
        let format = format
            .one_of(|format| {
                let end = fields::EVENT.bits(self.end_data() << 2, 8);
                format
                    .chunks(fields::UNIQUE_ADDRESS, "indirect", "address", address)
                    .constant(self.end_flag(), self.head_with(codes::END, end))
            })
            .chunks(fields::COUNT, self.end_flag(), "count", count);
        match self.branch_history {
            true => format.chunks(
                fields::HISTORY,
                "sends_history",
                "history",
                self.ending(self.history_width()),
            ),
            false => format,
        }
    }
}
