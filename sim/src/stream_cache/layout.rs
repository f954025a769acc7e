//! The records of stream cache and last stream predictor, stated once (paper A, sections II and III.B).
//!
//! A record begins with a header bit: 1 for a stream that was predicted, or a run of them; 0 for a
//! stream index. The reserved index 0 is followed by the stream's descriptor. A length of 0 there is
//! followed by a code for what the paper does not have: a stream cut at the longest length, an
//! exception, and the flush.

use super::config::{Config, LastValueStartAddress};
use crate::config::mask;
use crate::encode::record::RecordFormat;
use crate::field::Walker;
use crate::stream_detector::{End, STREAM_CODE_BITS};

/// Fields of the records.
pub mod fields {
    use crate::field::Field;

    /// hb.
    pub const HIT: Field = Field { name: "hit", doc: "1: predicted, 0: a stream index follows" };
    /// The one length counter.
    pub const RUN: Field =
        Field { name: "run", doc: "streams predicted one after the other, less 1" };
    /// SCI.
    pub const STREAM_INDEX: Field =
        Field { name: "stream_index", doc: "set and way in the stream cache; 0: in none" };
    /// Which start address bits follow.
    pub const WHOLE_START: Field =
        Field { name: "whole_start", doc: "1: all bits of the start address follow, 0: the lower" };
    /// SA.
    pub const START_ADDRESS: Field = Field {
        name: "start_address",
        doc: "where the stream starts, in instruction units; not behind a direct branch, a cut or a flush",
    };
    /// SL.
    pub const STREAM_LENGTH: Field =
        Field { name: "stream_length", doc: "instructions; 0: a code follows" };
    /// What a stream of written length 0 is.
    pub const END: Field =
        Field { name: "end", doc: "0: cut at the longest length, 1: exception, 2: flush" };
    /// Instructions before an exception or a flush.
    pub const PARTIAL_LENGTH: Field =
        Field { name: "partial_length", doc: "instructions of the stream at hand" };
}

/// The descriptor of a stream that is not in the cache; fields that a record does not have stay as
/// they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Miss {
    /// Start address in instruction units; only its lower bits unless `whole`.
    pub start: u64,
    /// All bits of the start address are sent.
    pub whole: bool,
    /// Instructions of the stream; of a cut one it is not sent.
    pub length: u64,
    /// How the stream ends; an unknown code is kept as it is.
    pub end: Result<End, u8>,
}

/// The layout under one configuration.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    index_bits: u32,
    whole_bits: u32,
    /// `None` without a last value of the start address.
    lower_bits: Option<u32>,
    length_bits: u32,
    longest: u64,
    /// The most bits of a run; `None` without a one length counter.
    run_bits: Option<u32>,
    size_bits: u32,
}

impl Layout {
    /// The layout that `config` makes.
    pub fn new(config: &Config) -> Self {
        let shortens = config.last_value_start_address != LastValueStartAddress::None;
        Self {
            index_bits: config.cache.index_bits(),
            whole_bits: config.processor.instruction_address_bits(),
            lower_bits: shortens.then_some(config.lower_address()),
            length_bits: config.cache.stream_length_bits,
            longest: mask(config.cache.stream_length_bits),
            run_bits: config.one_length_counter.then_some(config.one_length_most_bits),
            size_bits: config.one_length_size_bits(),
        }
    }

    /// Walks over the header bit.
    #[inline]
    pub fn head<W: Walker>(&self, hit: &mut bool, walker: &mut W) -> Result<(), W::Error> {
        let mut bit = (*hit).into();
        walker.bits(&fields::HIT, 1, &mut bit)?;
        *hit = bit == 1;
        Ok(())
    }

    /// Walks over the number of a run, 1 to 2^`bits`.
    pub fn run<W: Walker>(&self, bits: u32, run: &mut u64, walker: &mut W) -> Result<(), W::Error> {
        let mut less = run.wrapping_sub(1);
        if bits == 0 {
            less = 0;
        } else {
            walker.bits(&fields::RUN, bits, &mut less)?;
        }
        *run = less + 1;
        Ok(())
    }

    /// Walks over a stream index, which has no bits where there is one entry.
    pub fn index<W: Walker>(&self, index: &mut u32, walker: &mut W) -> Result<(), W::Error> {
        if self.index_bits > 0 {
            let mut bits = (*index).into();
            walker.bits(&fields::STREAM_INDEX, self.index_bits, &mut bits)?;
            *index = bits as u32;
        }
        Ok(())
    }

    /// Walks over a descriptor, with its start address where that is not `inferred`.
    pub fn miss<W: Walker>(
        &self,
        inferred: bool,
        miss: &mut Miss,
        walker: &mut W,
    ) -> Result<(), W::Error> {
        if !inferred {
            let mut bits = self.whole_bits;
            if let Some(lower) = self.lower_bits {
                let mut whole = miss.whole.into();
                walker.bits(&fields::WHOLE_START, 1, &mut whole)?;
                miss.whole = whole == 1;
                bits = if miss.whole { bits } else { lower };
            }
            walker.bits(&fields::START_ADDRESS, bits, &mut miss.start)?;
        }
        let mut length = if miss.end == Ok(End::Branch) { miss.length } else { 0 };
        walker.bits(&fields::STREAM_LENGTH, self.length_bits, &mut length)?;
        if length != 0 {
            (miss.length, miss.end) = (length, Ok(End::Branch));
            return Ok(());
        }
        let mut code = match miss.end {
            Ok(end) => end.code().unwrap_or(0),
            Err(code) => code.into(),
        };
        walker.bits(&fields::END, STREAM_CODE_BITS, &mut code)?;
        miss.end = End::from_code(code).ok_or(code as u8);
        match miss.end {
            Ok(End::Exception | End::Flush) => {
                walker.bits(&fields::PARTIAL_LENGTH, self.length_bits, &mut miss.length)
            }
            _ => {
                miss.length = self.longest;
                Ok(())
            }
        }
    }

    /// The records as the hardware forms them: a run and what ends it leave together.
    ///
    /// A header bit is sent with what is behind it, out of the word: the flag of a hit is its header,
    /// the flag of a whole start says so in the trace, and below an index lies a 0.
    pub fn format(&self) -> RecordFormat {
        let mut format = RecordFormat::new(&[
            "flush",
            "sends_index",
            "sends_lower_start",
            "sends_length",
            "sends_end",
            "sends_partial",
        ])
        .value("hit", 1 + self.run_bits.unwrap_or(0))
        .value("index", 1 + self.index_bits)
        .value("sends_whole_start", 1)
        .value("start", self.whole_bits)
        .value("length", self.length_bits)
        .value("end", STREAM_CODE_BITS);
        format = match self.run_bits {
            Some(_) => {
                format.value("run_bits", self.size_bits).sized("run", "hit", "hit", "run_bits")
            }
            None => format.constant("hit", "hit", 1, 1),
        };
        format = format.plain("stream_index", "sends_index", "index");
        format = match self.lower_bits {
            Some(lower) => format.one_of(|format| {
                let (whole, first) = ("sends_whole_start", "sends_whole_start");
                format.plain_low("start_address", whole, first, 1 + self.whole_bits).plain_low(
                    "start_address",
                    "sends_lower_start",
                    first,
                    1 + lower,
                )
            }),
            None => format.plain("start_address", "sends_whole_start", "start"),
        };
        format
            .one_of(|format| {
                format.plain("stream_length", "sends_length", "length").constant(
                    "stream_length",
                    "sends_end",
                    0,
                    self.length_bits,
                )
            })
            .plain("end", "sends_end", "end")
            .plain("partial_length", "sends_partial", "length")
    }
}

impl Config {
    /// The records between the record former and the encoder.
    pub fn format(&self) -> RecordFormat {
        Layout::new(self).format()
    }
}
