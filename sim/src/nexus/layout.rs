//! A Nexus-like module's records, stated once: <SL, -/TA> (paper C, section 6; paper E, Figure 7a).
//!
//! Every stream makes a record that begins with its length; the longest length says that the stream
//! was cut there. A written length of 0 is followed by a code for what the papers leave open: a branch
//! at exactly the longest length, an exception, a flush. Whether the branch that ended a stream was indirect, so that a target follows, the decoder knows
//! from the program.

use super::config::{Config, StreamLengthCoding, TargetCoding};
use super::target_coder::CodedTarget;
use crate::config::mask;
use crate::encode::record::RecordFormat;
use crate::encode::variable_length::Chunks;
use crate::field::Walker;
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
    pub const EXTENDED: Field =
        Field { name: "extended", doc: "what a stream of written length 0 is" };
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

/// How a record begins: its stream, or a code that this version does not know.
pub type Head = Result<Stream, u64>;

/// The layout under one configuration.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    stream_length_bits: u32,
    stream_length: Option<Chunks>,
    target: Chunks,
    target_sign: bool,
}

impl Layout {
    /// The layout that `config` makes.
    pub fn new(config: &Config) -> Self {
        Self {
            stream_length_bits: config.stream_length_bits,
            stream_length: match config.stream_length_coding {
                StreamLengthCoding::Fixed => None,
                StreamLengthCoding::Chunks => Some(config.stream_length_chunks()),
            },
            target: config.target_chunks(),
            target_sign: config.target_coding == TargetCoding::Difference,
        }
    }

    /// Walks over a record up to its target.
    #[inline]
    pub fn head<W: Walker>(&self, head: &mut Head, walker: &mut W) -> Result<(), W::Error> {
        let longest = mask(self.stream_length_bits);
        let (mut written, mut code, mut length) = match *head {
            Ok(Stream { length, end: End::Branch }) if length == longest => (0, EXACT_CODE, 0),
            Ok(Stream { length, end: End::Branch | End::Cut }) => (length, 0, 0),
            Ok(Stream { length, end }) => (0, end.code().unwrap_or_default(), length),
            Err(code) => (0, code, 0),
        };
        self.length(&mut written, walker)?;
        if written != 0 {
            let end = if written == longest { End::Cut } else { End::Branch };
            *head = Ok(Stream { length: written, end });
            return Ok(());
        }
        walker.bits(&fields::EXTENDED, STREAM_CODE_BITS, &mut code)?;
        *head = match End::from_code(code) {
            _ if code == EXACT_CODE => Ok(Stream { length: longest, end: End::Branch }),
            None => Err(code),
            Some(end) => {
                self.length(&mut length, walker)?;
                Ok(Stream { length, end })
            }
        };
        Ok(())
    }

    #[inline]
    fn length<W: Walker>(&self, length: &mut u64, walker: &mut W) -> Result<(), W::Error> {
        match &self.stream_length {
            Some(chunks) => walker.number(&fields::STREAM_LENGTH, chunks, length),
            None => walker.bits(&fields::STREAM_LENGTH, self.stream_length_bits, length),
        }
    }

    /// Walks over the target, the last part of a record that has one.
    #[inline]
    pub fn target<W: Walker>(
        &self,
        target: &mut CodedTarget,
        walker: &mut W,
    ) -> Result<(), W::Error> {
        walker.number(&fields::TARGET, &self.target, &mut target.value)?;
        if self.target_sign {
            let mut below = target.below.into();
            walker.bits(&fields::TARGET_SIGN, 1, &mut below)?;
            target.below = below == 1;
        }
        Ok(())
    }
}

/// A record on its way through the hardware: a cut that comes in the clock of another record goes first.
pub fn record_format(config: &Config) -> RecordFormat {
    let constant = |format: RecordFormat, flag, length| {
        let (mut bits, mut width) = (0, 0);
        let mut add = |piece, count| {
            bits |= piece << width;
            width += count;
        };
        match config.stream_length_coding {
            StreamLengthCoding::Fixed => add(length, config.stream_length_bits),
            StreamLengthCoding::Chunks => config.stream_length_chunks().put(length, add),
        }
        format.constant(fields::STREAM_LENGTH.name, flag, bits, width)
    };
    let length = |format: RecordFormat, flag| match config.stream_length_coding {
        StreamLengthCoding::Fixed => format.plain(fields::STREAM_LENGTH.name, flag, "length"),
        StreamLengthCoding::Chunks => {
            let chunks = config.stream_length_chunks();
            format.chunks(fields::STREAM_LENGTH.name, flag, "length", chunks)
        }
    };
    let format = RecordFormat::new(&["flush", "cut", "coded", "has_length", "has_target", "below"])
        .value("code", STREAM_CODE_BITS)
        .value("length", config.stream_length_bits)
        .value("target", config.target_bits());
    let format = constant(format, "cut", mask(config.stream_length_bits)).goes_first();
    let format = constant(format, "coded", 0).plain(fields::EXTENDED.name, "coded", "code");
    let format = length(format, "has_length").chunks(
        fields::TARGET.name,
        "has_target",
        "target",
        config.target_chunks(),
    );
    match config.target_coding {
        TargetCoding::Xor => format,
        TargetCoding::Difference => format.plain(fields::TARGET_SIGN.name, "has_target", "below"),
    }
}

impl Config {
    /// The records between the record former and the encoder.
    pub fn format(&self) -> RecordFormat {
        record_format(self)
    }
}
