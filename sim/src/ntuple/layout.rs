//! The packets of the trace output controller, stated once (paper B, section 2).
//!
//! A packet begins with a header: `0` for a tuple, `10` for a stream that is not in the stream cache,
//! `11` and a code for what the paper does not have: an exception, and the flush.

use super::config::Config;
use super::tuple_history_buffer::Tuple;
use crate::config::index_bits;
use crate::encode::record::RecordFormat;
use crate::field::Walker;
use crate::stream_cache::stream_cache::Descriptor;
use crate::stream_detector::{End, STREAM_CODE_BITS};

/// Fields of the packets.
pub mod fields {
    use crate::field::Field;

    /// The first header bit.
    pub const HEADER: Field =
        Field { name: "header", doc: "0: a tuple, 1: a packet of another kind" };
    /// The second one.
    pub const KIND: Field = Field {
        name: "kind",
        doc: "0: a stream that is not in the stream cache, 1: an exception or the flush",
    };
    /// The place in the tuple history buffer.
    pub const AGE: Field = Field {
        name: "age",
        doc: "tuples since the tuple was last there, 1 the last; 0: not there",
    };
    /// Indices of a tuple.
    pub const STREAM_INDEX: Field =
        Field { name: "stream_index", doc: "set and way in the stream cache; 0: in none" };
    /// S.SA.
    pub const START_ADDRESS: Field =
        Field { name: "start_address", doc: "where the stream starts, in instruction units" };
    /// S.SL.
    pub const STREAM_LENGTH: Field =
        Field { name: "stream_length", doc: "instructions; 0: cut at the longest length" };
    /// What ends a stream but a branch.
    pub const END: Field = Field { name: "end", doc: "1: exception, 2: flush" };
    /// Indices of the tuple at hand.
    pub const INDEX_COUNT: Field =
        Field { name: "index_count", doc: "streams since the last full tuple" };
    /// Instructions before an exception or a flush.
    pub const PARTIAL_LENGTH: Field =
        Field { name: "partial_length", doc: "instructions of the stream at hand" };
}

/// How a packet begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// A tuple is full.
    Tuple,
    /// A stream is not in the stream cache.
    Miss,
    /// A stream is broken off; an unknown code is kept as it is.
    Broken(Result<End, u8>),
}

/// The layout under one configuration.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    index_bits: u32,
    age_bits: u32,
    count_bits: u32,
    tuple_length: u32,
    start_bits: u32,
    length_bits: u32,
    alignment: u32,
}

impl Layout {
    /// The layout that `config` makes.
    pub fn new(config: &Config) -> Self {
        Self {
            index_bits: config.cache.index_bits(),
            age_bits: config.age_bits(),
            count_bits: config.count_bits(),
            tuple_length: config.tuple_length,
            start_bits: config.processor.instruction_address_bits(),
            length_bits: config.cache.stream_length_bits,
            alignment: config.processor.alignment,
        }
    }

    /// Walks over the header of a packet.
    pub fn head<W: Walker>(&self, head: &mut Head, walker: &mut W) -> Result<(), W::Error> {
        let mut other = (*head != Head::Tuple).into();
        walker.bits(&fields::HEADER, 1, &mut other)?;
        if other == 0 {
            *head = Head::Tuple;
            return Ok(());
        }
        let mut broken = (*head != Head::Miss).into();
        walker.bits(&fields::KIND, 1, &mut broken)?;
        if broken == 0 {
            *head = Head::Miss;
            return Ok(());
        }
        let mut code = match *head {
            Head::Broken(Ok(end)) => end.code().unwrap_or(0),
            Head::Broken(Err(code)) => code.into(),
            _ => 0,
        };
        walker.bits(&fields::END, STREAM_CODE_BITS, &mut code)?;
        *head = Head::Broken(match End::from_code(code) {
            Some(end @ (End::Exception | End::Flush)) => Ok(end),
            _ => Err(code as u8),
        });
        Ok(())
    }

    /// Walks over a tuple by its age, and all of it if it has none.
    pub fn tuple<W: Walker>(
        &self,
        age: &mut u32,
        tuple: &mut Tuple,
        walker: &mut W,
    ) -> Result<(), W::Error> {
        let mut bits = (*age).into();
        walker.bits(&fields::AGE, self.age_bits, &mut bits)?;
        *age = bits as u32;
        if *age == 0 { self.indices(self.tuple_length, tuple, walker) } else { Ok(()) }
    }

    /// Walks over a descriptor, of length 0 if the stream is cut.
    pub fn miss<W: Walker>(
        &self,
        descriptor: &mut Descriptor,
        walker: &mut W,
    ) -> Result<(), W::Error> {
        self.start(&mut descriptor.start, walker)?;
        walker.bits(&fields::STREAM_LENGTH, self.length_bits, &mut descriptor.length)
    }

    /// Walks over where an exception or a flush is: how far in the tuple, how far in the stream that
    /// starts where. A flush ends the tuple, whose indices are sent.
    pub fn broken<W: Walker>(
        &self,
        end: End,
        count: &mut u32,
        tuple: &mut Tuple,
        descriptor: &mut Descriptor,
        walker: &mut W,
    ) -> Result<(), W::Error> {
        if self.count_bits > 0 {
            let mut bits = (*count).into();
            walker.bits(&fields::INDEX_COUNT, self.count_bits, &mut bits)?;
            *count = bits as u32;
        }
        if end == End::Flush {
            self.indices((*count).min(self.tuple_length), tuple, walker)?;
        }
        self.start(&mut descriptor.start, walker)?;
        walker.bits(&fields::PARTIAL_LENGTH, self.length_bits, &mut descriptor.length)
    }

    fn start<W: Walker>(&self, start: &mut u64, walker: &mut W) -> Result<(), W::Error> {
        let mut units = *start >> self.alignment;
        walker.bits(&fields::START_ADDRESS, self.start_bits, &mut units)?;
        *start = units << self.alignment;
        Ok(())
    }

    fn indices<W: Walker>(
        &self,
        count: u32,
        tuple: &mut Tuple,
        walker: &mut W,
    ) -> Result<(), W::Error> {
        if self.index_bits > 0 {
            for index in &mut tuple[..count as usize] {
                let mut bits = (*index).into();
                walker.bits(&fields::STREAM_INDEX, self.index_bits, &mut bits)?;
                *index = bits as u16;
            }
        }
        Ok(())
    }

    /// The packets as the hardware forms them: one of a stream and one of the tuple that it fills leave
    /// together.
    pub fn format(&self) -> RecordFormat {
        let tuple_bits = self.tuple_length * self.index_bits;
        let code_bits = 2 + STREAM_CODE_BITS;
        let broken = |end: End| 0b11 | end.code().unwrap_or(0) << 2;
        RecordFormat::new(&[
            "flush",
            "exception",
            "sends_miss",
            "sends_age",
            "sends_tuple",
            "broken",
        ])
        .value("start", self.start_bits)
        .value("length", self.length_bits)
        .value("age", self.age_bits)
        .value("count", self.count_bits)
        .value("tuple", tuple_bits)
        .value("pending_bits", index_bits(tuple_bits + 1))
        .constant("miss", "sends_miss", 0b01, 2)
        .plain("start_address", "sends_miss", "start")
        .plain("stream_length", "sends_miss", "length")
        .constant("tuple", "sends_age", 0, 1)
        .plain("age", "sends_age", "age")
        .plain("stream_index", "sends_tuple", "tuple")
        .constant("exception", "exception", broken(End::Exception), code_bits)
        .constant("flush", "flush", broken(End::Flush), code_bits)
        .plain("index_count", "broken", "count")
        .sized("stream_index", "flush", "tuple", "pending_bits")
        .plain("start_address", "broken", "start")
        .plain("partial_length", "broken", "length")
    }
}

impl Config {
    /// The records between the record former and the encoder.
    pub fn format(&self) -> RecordFormat {
        Layout::new(self).format()
    }
}
