//! The packets of the trace output controller, stated once (paper B, section 2).
//!
//! A packet begins with a header: `0` for a tuple, `10` for a stream that is not in the stream cache,
//! `11` and a code for what the paper does not have: an exception, and the flush.

use super::config::Config;
use super::trace_output_controller::Packet;
use super::tuple_history_buffer::TUPLE_MOST;
use crate::config::index_bits;
use crate::encode::record::RecordFormat;
use crate::encode::record_sender::Items;
use crate::record_word;
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
        doc: "age of the tuple in the history buffer, 1 for the last one; 0: not in the buffer",
    };
    /// Indices of a tuple.
    pub const STREAM_INDEX: Field =
        Field { name: "stream_index", doc: "set and way in the stream cache; 0: not in the cache" };
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
        Field { name: "partial_length", doc: "instructions of the current stream" };
}

record_word! {
    /// A packet on its way to the encoder.
    pub struct Word {
        flags {
            /// The packet is a flush.
            flush,
            /// The packet is an exception.
            exception,
            /// The packet is a stream that is not in the stream cache.
            sends_miss,
            /// The packet is a tuple.
            sends_age,
            /// All indices of the tuple are sent.
            sends_tuple,
            /// The stream at hand is sent.
            broken,
        }
        values {
            /// Start address in instruction units.
            start: u64,
            /// Length of the stream.
            length: u64,
            /// Age of the tuple.
            age: u64,
            /// Indices since the last full tuple.
            count: u64,
            /// The indices.
            tuple: Items<TUPLE_MOST>,
            /// Bits of these indices.
            pending_bits: u64,
        }
    }
}

impl Word {
    /// The word of a packet.
    pub fn new(packet: &Packet, alignment: u32, item_bits: u32) -> Self {
        match *packet {
            Packet::Miss(stream) => Word {
                sends_miss: true,
                start: stream.start >> alignment,
                length: stream.length,
                ..Word::default()
            },
            Packet::Tuple { age, tuple } => Word {
                sends_age: true,
                age: age.into(),
                sends_tuple: age == 0,
                tuple: Items { items: tuple, item_bits },
                ..Word::default()
            },
            Packet::Broken { end, count, tuple, stream } => Word {
                flush: end == End::Flush,
                exception: end == End::Exception,
                broken: true,
                start: stream.start >> alignment,
                length: stream.length,
                count: count.into(),
                tuple: Items { items: tuple, item_bits },
                pending_bits: (count * item_bits).into(),
                ..Word::default()
            },
        }
    }
}

/// The packets of a configuration: one of a stream and one of the tuple that it fills leave together.
pub fn record_format(config: &Config) -> RecordFormat {
    let item_bits = config.cache.index_bits();
    let tuple_bits = config.tuple_bits();
    let broken = |format: RecordFormat, flag, end: End| {
        let code = end.code().unwrap_or(0);
        let end = fields::END.bits(code, STREAM_CODE_BITS);
        format.constant(flag, [fields::HEADER.bits(1, 1), fields::KIND.bits(1, 1), end])
    };
    let format = RecordFormat::new(&[
        "flush",
        "exception",
        "sends_miss",
        "sends_age",
        "sends_tuple",
        "broken",
    ])
    .value("start", config.processor.instruction_address_bits())
    .value("length", config.cache.stream_length_bits)
    .value("age", config.age_bits())
    .value("count", config.count_bits())
    .value("tuple", tuple_bits)
    .value("pending_bits", index_bits(tuple_bits + 1))
    .constant("sends_miss", [fields::HEADER.bits(1, 1), fields::KIND.bits(0, 1)])
    .plain(fields::START_ADDRESS, "sends_miss", "start")
    .plain(fields::STREAM_LENGTH, "sends_miss", "length")
    .constant("sends_age", [fields::HEADER.bits(0, 1)])
    .plain(fields::AGE, "sends_age", "age")
    .plain(fields::STREAM_INDEX.each(item_bits), "sends_tuple", "tuple");
    let format = broken(format, "exception", End::Exception);
    broken(format, "flush", End::Flush)
        .plain(fields::INDEX_COUNT, "broken", "count")
        .sized(fields::STREAM_INDEX.each(item_bits), "flush", "tuple", "pending_bits")
        .plain(fields::START_ADDRESS, "broken", "start")
        .plain(fields::PARTIAL_LENGTH, "broken", "length")
}

impl Config {
    /// The packets between the trace output controller and the encoder.
    pub fn format(&self) -> RecordFormat {
        record_format(self)
    }
}
