//! The data address compressor's packets, stated once (paper B, sections 2 and 2.2).
//!
//! The paper has two logical streams: the data address trace (DT), a bit for each access, and the data
//! address miss trace (DMT). With repetitions the first one comes in pairs of a pattern and a count, and
//! one bit tells the packets of the two apart; an address goes out when it misses, the pair when the
//! repetition ends. No pattern repeats 0 times, so that count means a flush. Without repetitions an access
//! is its bit, with the address after a miss, and an address of all ones says whether it is one.

use super::config::Config;
use crate::config::mask;
use crate::encode::record::RecordFormat;
use crate::record_word;

/// Fields of the packets.
pub mod fields {
    use crate::field::Field;

    /// Which packet follows.
    pub const PACKET: Field =
        Field { name: "packet", doc: "0: an address; 1: a repetition or a flush" };
    /// One bit of DT.
    pub const HIT: Field =
        Field { name: "hit", doc: "1: the access was predicted; 0: its address follows" };
    /// DMT.
    pub const ADDRESS: Field = Field { name: "address", doc: "the data address of a miss" };
    /// After an address of all ones.
    pub const IS_FLUSH: Field =
        Field { name: "is_flush", doc: "0: a data address of all ones; 1: a flush" };
    /// How often the pattern came.
    pub const REPETITION_COUNT: Field = Field {
        name: "repetition_count",
        doc: "number of times that the pattern came in a row; 0 in a flush",
    };
    /// A part of DT.
    pub const PATTERN: Field =
        Field { name: "pattern", doc: "1 for each hit; bit 0 is the first access" };
    /// Bits of DT that make no whole pattern.
    pub const PARTIAL_COUNT: Field =
        Field { name: "partial_count", doc: "accesses since the last whole pattern" };
    /// Those bits.
    pub const PARTIAL_PATTERN: Field = Field {
        name: "partial_pattern",
        doc: "1 for each hit among them; bit 0 is the first access",
    };
}

/// A packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet {
    /// An access was predicted; without repetitions only.
    Hit,
    /// An access was not predicted. Without repetitions it is the next one.
    Miss {
        /// Its data address.
        address: u64,
    },
    /// Hits and misses of as many accesses as a pattern has, several times over.
    Repetition {
        /// 1 for each hit, the first access lowest.
        pattern: u64,
        /// How often, at least 1.
        count: u64,
    },
    /// Everything up to the flush was sent; the trace is padded to a trace word.
    Flush {
        /// Hits and misses that make no whole pattern.
        pattern: u64,
        /// How many they are.
        accesses: u64,
    },
}

record_word! {
    /// Packets on their way to the encoder: one access can end a repetition and miss, and a flush can end
    /// a repetition, so in the hardware these share a word.
    pub struct Word {
        flags {
            /// A flush.
            flush,
            /// A repetition.
            repetition,
            /// An access by itself.
            access,
            /// The access was predicted.
            hit,
            /// The address of an access that was not.
            miss,
            /// The address is all ones.
            all_ones,
        }
        values {
            /// The pattern of a repetition.
            pattern: u64,
            /// How often it came.
            repetition_count: u64,
            /// The address.
            address: u64,
            /// Hits and misses that make no whole pattern.
            partial_pattern: u64,
            /// How many they are.
            partial_count: u64,
        }
    }
}

impl Word {
    /// The word of a packet; addresses have `address_width` bits.
    pub fn new(packet: &Packet, address_width: u32) -> Self {
        match *packet {
            Packet::Hit => Word { access: true, hit: true, ..Word::default() },
            Packet::Miss { address } => Word {
                access: true,
                miss: true,
                address,
                all_ones: address == mask(address_width),
                ..Word::default()
            },
            Packet::Repetition { pattern, count } => {
                Word { repetition: true, pattern, repetition_count: count, ..Word::default() }
            }
            Packet::Flush { pattern, accesses } => Word {
                flush: true,
                partial_pattern: pattern,
                partial_count: accesses,
                ..Word::default()
            },
        }
    }
}

/// The packets of a configuration.
pub fn record_format(config: &Config) -> RecordFormat {
    let address_width = config.processor.address_width;
    if !config.data_repetitions {
        return RecordFormat::new(&["flush", "access", "hit", "miss", "all_ones"])
            .value("address", address_width)
            .plain(fields::HIT, "access", "hit")
            .plain(fields::ADDRESS, "miss", "address")
            .constant("all_ones", [fields::IS_FLUSH.bits(0, 1)])
            .constant("flush", [fields::HIT.bits(0, 1)])
            .constant("flush", [fields::ADDRESS.bits(mask(address_width), address_width)])
            .constant("flush", [fields::IS_FLUSH.bits(1, 1)]);
    }
    let count_bits = config.repetition_count_bits;
    let no_count = fields::REPETITION_COUNT.bits(0, count_bits);
    RecordFormat::new(&["flush", "repetition", "miss"])
        .value("pattern", config.pattern_bits)
        .value("repetition_count", count_bits)
        .value("address", address_width)
        .value("partial_pattern", config.pattern_bits - 1)
        .value("partial_count", config.partial_count_bits())
        .constant("repetition", [fields::PACKET.bits(1, 1)])
        .plain(fields::REPETITION_COUNT, "repetition", "repetition_count")
        .plain(fields::PATTERN, "repetition", "pattern")
        .constant("miss", [fields::PACKET.bits(0, 1)])
        .plain(fields::ADDRESS, "miss", "address")
        .constant("flush", [fields::PACKET.bits(1, 1), no_count])
        .plain(fields::PARTIAL_COUNT, "flush", "partial_count")
        .sized(fields::PARTIAL_PATTERN, "flush", "partial_pattern", "partial_count")
}

impl Config {
    /// The packets between the compressor and the encoder.
    pub fn format(&self) -> RecordFormat {
        record_format(self)
    }
}
