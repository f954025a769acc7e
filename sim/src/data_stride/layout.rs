//! The data address compressor's packets, stated once (paper B, sections 2 and 2.2).
//!
//! The paper has two logical streams: the data address trace (DT), a bit for each access, and the data
//! address miss trace (DMT). With repetitions the first one comes in pairs of a pattern and a count, and
//! one bit tells the packets of the two apart; an address goes out when it misses, the pair when the
//! repetition ends. No pattern repeats 0 times, so that count says flush. Without repetitions an access
//! is its bit, with the address behind a miss, and an address of all ones says whether it is one.

use super::config::Config;
use crate::config::mask;
use crate::encode::record::RecordFormat;
use crate::field::Walker;

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
    /// Behind an address of all ones.
    pub const IS_FLUSH: Field =
        Field { name: "is_flush", doc: "0: a data address after all; 1: a flush" };
    /// How often the pattern came.
    pub const REPETITION_COUNT: Field = Field {
        name: "repetition_count",
        doc: "how often the pattern came in a row; 0 in a flush",
    };
    /// A part of DT.
    pub const PATTERN: Field =
        Field { name: "pattern", doc: "1 for each hit, the first access lowest" };
    /// Bits of DT that make no whole pattern.
    pub const PARTIAL_COUNT: Field =
        Field { name: "partial_count", doc: "accesses since the last whole pattern" };
    /// Those bits.
    pub const PARTIAL_PATTERN: Field =
        Field { name: "partial_pattern", doc: "1 for each hit among them, the first lowest" };
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

/// The layout under one configuration.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    address_width: u32,
    repetitions: bool,
    pattern_bits: u32,
    count_bits: u32,
    partial_count_bits: u32,
}

impl Layout {
    /// The layout that `config` makes.
    pub fn new(config: &Config) -> Self {
        Self {
            address_width: config.processor.address_width,
            repetitions: config.data_repetitions,
            pattern_bits: config.pattern_bits,
            count_bits: config.repetition_count_bits,
            partial_count_bits: config.partial_count_bits(),
        }
    }

    /// True where hits and misses come as repeating patterns.
    pub fn has_repetitions(&self) -> bool {
        self.repetitions
    }

    /// Walks over a packet.
    pub fn packet<W: Walker>(&self, packet: &mut Packet, walker: &mut W) -> Result<(), W::Error> {
        if self.repetitions {
            self.packet_of_patterns(packet, walker)
        } else {
            self.packet_of_one_access(packet, walker)
        }
    }

    fn packet_of_one_access<W: Walker>(
        &self,
        packet: &mut Packet,
        walker: &mut W,
    ) -> Result<(), W::Error> {
        let mut hit = u64::from(*packet == Packet::Hit);
        walker.bits(&fields::HIT, 1, &mut hit)?;
        if hit == 1 {
            *packet = Packet::Hit;
            return Ok(());
        }
        let all_ones = mask(self.address_width);
        let (mut address, flush) = match *packet {
            Packet::Miss { address } => (address, false),
            _ => (all_ones, true),
        };
        walker.bits(&fields::ADDRESS, self.address_width, &mut address)?;
        *packet = Packet::Miss { address };
        if address == all_ones {
            let mut is_flush = flush.into();
            walker.bits(&fields::IS_FLUSH, 1, &mut is_flush)?;
            if is_flush == 1 {
                *packet = Packet::Flush { pattern: 0, accesses: 0 };
            }
        }
        Ok(())
    }

    fn packet_of_patterns<W: Walker>(
        &self,
        packet: &mut Packet,
        walker: &mut W,
    ) -> Result<(), W::Error> {
        let mut is_pattern = u64::from(!matches!(packet, Packet::Miss { .. }));
        walker.bits(&fields::PACKET, 1, &mut is_pattern)?;
        if is_pattern == 0 {
            let mut address = if let Packet::Miss { address } = *packet { address } else { 0 };
            walker.bits(&fields::ADDRESS, self.address_width, &mut address)?;
            *packet = Packet::Miss { address };
            return Ok(());
        }
        let (mut pattern, mut count, mut accesses) = match *packet {
            Packet::Repetition { pattern, count } => (pattern, count, 0),
            Packet::Flush { pattern, accesses } => (pattern, 0, accesses),
            _ => (0, 0, 0),
        };
        walker.bits(&fields::REPETITION_COUNT, self.count_bits, &mut count)?;
        if count > 0 {
            walker.bits(&fields::PATTERN, self.pattern_bits, &mut pattern)?;
            *packet = Packet::Repetition { pattern, count };
            return Ok(());
        }
        if self.partial_count_bits > 0 {
            walker.bits(&fields::PARTIAL_COUNT, self.partial_count_bits, &mut accesses)?;
        }
        if accesses > 0 {
            walker.bits(&fields::PARTIAL_PATTERN, accesses as u32, &mut pattern)?;
        }
        *packet = Packet::Flush { pattern, accesses };
        Ok(())
    }

    /// The records as the hardware forms them: one access can end a repetition and miss, and a flush
    /// can end a repetition, so these come in one record.
    pub fn format(&self) -> RecordFormat {
        if !self.repetitions {
            return RecordFormat::new(&["flush", "access", "hit", "miss", "all_ones"])
                .value("address", self.address_width)
                .plain("hit", "access", "hit")
                .plain("address", "miss", "address")
                .constant("is_flush", "all_ones", 0, 1)
                .constant("hit", "flush", 0, 1)
                .constant("address", "flush", mask(self.address_width), self.address_width)
                .constant("is_flush", "flush", 1, 1);
        }
        RecordFormat::new(&["flush", "repetition", "miss"])
            .value("pattern", self.pattern_bits)
            .value("repetition_count", self.count_bits)
            .value("address", self.address_width)
            .value("partial_pattern", self.pattern_bits - 1)
            .value("partial_count", self.partial_count_bits)
            .constant("packet", "repetition", 1, 1)
            .plain("repetition_count", "repetition", "repetition_count")
            .plain("pattern", "repetition", "pattern")
            .constant("packet", "miss", 0, 1)
            .plain("address", "miss", "address")
            .constant("packet", "flush", 1, 1 + self.count_bits)
            .plain("partial_count", "flush", "partial_count")
            .sized("partial_pattern", "flush", "partial_pattern", "partial_count")
    }
}

impl Config {
    /// The records between the record former and the encoder.
    pub fn format(&self) -> RecordFormat {
        Layout::new(self).format()
    }
}
