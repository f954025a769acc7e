//! A Nexus-like module's records, stated once: <SL, -/TA> (paper C, section 6; paper E, Figure 7a).
//!
//! Every stream makes a record that begins with its length; the longest length says that the stream
//! was cut there. A written length of 0 is followed by a code for what the papers leave open: a branch
//! at exactly the longest length, an exception, a flush. The program tells the decoder whether the branch that
//! ended a stream was indirect, so that a target follows.

use super::config::{Config, StreamLengthCoding, TargetCoding};
use super::target_coder::CodedTarget;
use crate::config::mask;
use crate::encode::record::RecordFormat;
use crate::record_word;
use crate::stream_detector::{End, STREAM_CODE_BITS, Stream};

/// Fields of a Nexus-like module's records.
pub mod fields {
    use crate::field::Field;

    /// SL.
    pub const STREAM_LENGTH: Field = Field {
        name: "stream_length",
        doc: "instructions of the stream, its last branch included",
    };
    /// The kind of a stream of written length 0.
    pub const EXTENDED: Field = Field {
        name: "extended",
        doc: "the end of a stream with written length 0: 0: a branch at the longest length, 1: exception, 2: flush",
    };
    /// TA, differential.
    pub const TARGET: Field =
        Field { name: "target", doc: "the target's difference from the last target sent" };
    /// The sign of diffTA.
    pub const TARGET_SIGN: Field =
        Field { name: "target_sign", doc: "1: the target lies below the last one sent" };
}

/// The code of a stream that ends with a branch at the longest length. That of a cut stream is free
/// for it, as the longest length says the cut by itself.
pub const EXACT_CODE: u64 = 0;

record_word! {
    /// A record on its way to the encoder.
    pub struct Word {
        flags {
            /// A flush record.
            flush,
            /// The stream was cut.
            cut,
            /// The written length is 0, and a code follows.
            coded,
            /// A length follows.
            has_length,
            /// A target follows.
            has_target,
            /// The target's sign.
            below,
        }
        values {
            /// The code.
            code: u64,
            /// The length.
            length: u64,
            /// The target, as it is sent.
            target: u64,
        }
    }
}

impl Word {
    /// The record of a stream, whose longest length is `longest`.
    pub fn new(stream: Stream, target: Option<CodedTarget>, longest: u64) -> Self {
        let Stream { length, end } = stream;
        let has_target = target.is_some();
        let CodedTarget { value: target, below } = target.unwrap_or_default();
        let with_target = Word { has_target, target, below, ..Word::default() };
        match (end, end.code()) {
            (End::Cut, _) => Word { cut: true, ..with_target },
            (End::Branch, _) if length == longest => {
                Word { coded: true, code: EXACT_CODE, ..with_target }
            }
            (_, None) => Word { has_length: true, length, ..with_target },
            (_, Some(code)) => Word {
                flush: end == End::Flush,
                coded: true,
                code,
                has_length: true,
                length,
                ..with_target
            },
        }
    }
}

/// The records of a configuration: a cut that comes in the cycle of another record goes first.
pub fn record_format(config: &Config) -> RecordFormat {
    let (field, bits) = (fields::STREAM_LENGTH, config.stream_length_bits);
    let chunks = match config.stream_length_coding {
        StreamLengthCoding::Fixed => None,
        StreamLengthCoding::Chunks => Some(config.stream_length_chunks()),
    };
    let constant = |length| match chunks {
        None => field.bits(length, bits),
        Some(chunks) => field.number(length, chunks),
    };
    let length = |format: RecordFormat, flag| match chunks {
        None => format.plain(field, flag, "length"),
        Some(chunks) => format.chunks(field, flag, "length", chunks),
    };
    let format = RecordFormat::new(&["flush", "cut", "coded", "has_length", "has_target", "below"])
        .value("code", STREAM_CODE_BITS)
        .value("length", bits)
        .value("target", config.target_bits());
    let format = format.constant("cut", [constant(mask(bits))]).goes_first();
    let format = format.constant("coded", [constant(0)]).plain(fields::EXTENDED, "coded", "code");
    let target = config.target_chunks();
    let format =
        length(format, "has_length").chunks(fields::TARGET, "has_target", "target", target);
    match config.target_coding {
        TargetCoding::Xor => format,
        TargetCoding::Difference => format.plain(fields::TARGET_SIGN, "has_target", "below"),
    }
}

impl Config {
    /// The records between the record former and the encoder.
    pub fn format(&self) -> RecordFormat {
        record_format(self)
    }
}
