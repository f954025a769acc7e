//! The records of stream cache and last stream predictor, stated once (paper A, sections II and III.B).
//!
//! A record begins with a header bit: 1 for a stream that was predicted, or a run of them; 0 for a
//! stream index. The reserved index 0 is followed by the stream's descriptor. A length of 0 there is
//! followed by a code for what the paper does not have: a stream cut at the longest length, an
//! exception, and the flush.

use super::config::{Config, LastValueStartAddress};
use super::record_former::Record;
use crate::encode::record::RecordFormat;
use crate::record_word;
use crate::stream_detector::{End, STREAM_CODE_BITS};

/// Fields of the records.
pub mod fields {
    use crate::field::Field;

    /// hb.
    pub const HIT: Field = Field { name: "hit", doc: "1: predicted, 0: a stream index follows" };
    /// The one length counter.
    pub const RUN: Field =
        Field { name: "run", doc: "number of predicted streams in a row, minus 1" };
    /// SCI.
    pub const STREAM_INDEX: Field =
        Field { name: "stream_index", doc: "set and way in the stream cache; 0: not in the cache" };
    /// Which start address bits follow.
    pub const WHOLE_START: Field = Field {
        name: "whole_start",
        doc: "1: all bits of the start address follow, 0: the lower bits",
    };
    /// SA.
    pub const START_ADDRESS: Field = Field {
        name: "start_address",
        doc: "where the stream starts, in instruction units; not after a direct branch, a cut or a flush",
    };
    /// SL.
    pub const STREAM_LENGTH: Field =
        Field { name: "stream_length", doc: "instructions; 0: a code follows" };
    /// What a stream of written length 0 is.
    pub const END: Field =
        Field { name: "end", doc: "0: cut at the longest length, 1: exception, 2: flush" };
    /// Instructions before an exception or a flush.
    pub const PARTIAL_LENGTH: Field =
        Field { name: "partial_length", doc: "instructions of the current stream" };
}

record_word! {
    /// A record on its way to the encoder.
    ///
    /// A header bit is sent with what follows it, out of the word: the flag of a hit is its header, the
    /// flag of a whole start says so in the trace, and below an index lies a 0.
    pub struct Word {
        flags {
            /// A flush record.
            flush,
            /// A stream index is sent.
            sends_index,
            /// The lower bits of the start address are sent.
            sends_lower_start,
            /// The length is sent.
            sends_length,
            /// A length of 0 and the end are sent.
            sends_end,
            /// The length of a stream that did not end with a branch is sent.
            sends_partial,
            /// The whole start address is sent.
            sends_whole_start,
        }
        values {
            /// A header bit and, above it, the run less 1.
            hit: u64,
            /// A header bit and, above it, the stream index.
            index: u64,
            /// The start address in instruction units.
            start: u64,
            /// The length.
            length: u64,
            /// The code of the end.
            end: u64,
            /// Bits of the run with its header bit.
            run_bits: u64,
        }
    }
}

impl Word {
    /// The word of a record.
    pub fn new(record: &Record) -> Self {
        match *record {
            Record::Hit => Word { hit: 1, ..Word::default() },
            Record::Run { run, bits } => {
                Word { hit: 1 | (run - 1) << 1, run_bits: (1 + bits).into(), ..Word::default() }
            }
            Record::Index(index) => {
                Word { sends_index: true, index: u64::from(index) << 1, ..Word::default() }
            }
            Record::Miss { inferred, start, whole, stream } => Word {
                flush: stream.end == End::Flush,
                sends_index: true,
                sends_whole_start: !inferred && whole,
                sends_lower_start: !inferred && !whole,
                start,
                sends_length: stream.end == End::Branch,
                sends_end: stream.end != End::Branch,
                sends_partial: matches!(stream.end, End::Exception | End::Flush),
                length: stream.length,
                end: stream.end.code().unwrap_or(0),
                ..Word::default()
            },
        }
    }
}

/// The records of a configuration: a run and what ends it leave together.
pub fn record_format(config: &Config) -> RecordFormat {
    let (index_bits, length_bits) = (config.cache.index_bits(), config.cache.stream_length_bits);
    let whole_bits = config.processor.instruction_address_bits();
    let run_bits = if config.one_length_counter { config.one_length_most_bits } else { 0 };
    let format = RecordFormat::new(&[
        "flush",
        "sends_index",
        "sends_lower_start",
        "sends_length",
        "sends_end",
        "sends_partial",
    ])
    .value("hit", 1 + run_bits)
    .value("index", 1 + index_bits)
    .value("sends_whole_start", 1)
    .value("start", whole_bits)
    .value("length", length_bits)
    .value("end", STREAM_CODE_BITS);
    let format = if config.one_length_counter {
        let run = fields::RUN.after(fields::HIT, 1);
        format.value("run_bits", config.one_length_size_bits()).sized(run, "hit", "hit", "run_bits")
    } else {
        format.constant("hit", [fields::HIT.bits(1, 1)])
    };
    let format = format.plain(fields::STREAM_INDEX.after(fields::HIT, 1), "sends_index", "index");
    let whole = "sends_whole_start";
    let format = if config.last_value_start_address == LastValueStartAddress::None {
        format.plain(fields::START_ADDRESS, whole, "start")
    } else {
        let start = fields::START_ADDRESS.after(fields::WHOLE_START, 1);
        let lower_bits = config.lower_address();
        format.one_of(|format| {
            format.plain_low(start, whole, whole, 1 + whole_bits).plain_low(
                start,
                "sends_lower_start",
                whole,
                1 + lower_bits,
            )
        })
    };
    format
        .one_of(|format| {
            format
                .plain(fields::STREAM_LENGTH, "sends_length", "length")
                .constant("sends_end", [fields::STREAM_LENGTH.bits(0, length_bits)])
        })
        .plain(fields::END, "sends_end", "end")
        .plain(fields::PARTIAL_LENGTH, "sends_partial", "length")
}

impl Config {
    /// The records between the record former and the encoder.
    pub fn format(&self) -> RecordFormat {
        record_format(self)
    }
}
