//! Paper A's parameters, their constraints, and what they make the module store.

use std::ops::Range;

use crate::bound::MostBits;
use crate::config::{
    MemoryStyle, Processor, Protocol, STATED_WHEN_CHANGED, TracePort, index_bits, require,
};
use crate::configuration::{Configuration, shared_parameters};
use crate::parameter::ParameterError;
use crate::stream_detector::STREAM_CODE_BITS;
use crate::{parameters, words};

words! {
    /// What becomes of the predictor when a stream is not in the stream cache.
    pub enum MissIndex {
        /// It learns the reserved index 0, which is the next prediction's previous index (the literal reading).
        Reserved = "reserved",
        /// It learns the index that the stream gets.
        Allocated = "allocated",
    }
}

words! {
    /// What the last value of the start address (LVSA) is for.
    pub enum LastValueStartAddress {
        /// There is none.
        None = "none",
        /// Upper bits are left out of a miss record where they are those of the last one sent (eBASE).
        Misses = "misses",
        /// It follows every stream, and the stream cache does not store these bits (rBASE).
        Every = "every",
    }
}

words! {
    /// What becomes of the monitor when it changes the one length counter's size.
    pub enum OneLengthReset {
        /// It starts again in the middle, at 8.
        Middle = "middle",
        /// It stays at its end, so that one more step that way changes the size again.
        Keep = "keep",
    }
}

parameters! {
    /// Streams, and the cache that numbers them.
    pub struct StreamCacheShape {
        /// Entries of the stream cache (SC), all ways together; the sets are a power of two.
        stream_cache_entries: u32 = 128, in 1 ..= 4096;
        /// Ways of the stream cache.
        stream_cache_ways: u32 = 4, in 1 ..= 8;
        /// Lowest byte address bit of a start address that goes into the set index.
        hash_shift: u32 = 4, in 0 ..= 24;
        /// Bits of a stream's length (SL); a stream that reaches 2^bits - 1 instructions is cut.
        stream_length_bits: u32 = 8, in 2 ..= 16;
        /// Streams that wait for the stream cache.
        stream_buffer_depth: u32 = 2, in 1 ..= 16;
        /// How the stream cache and the last stream predictor are read; synchronous costs a cycle of latency and registers.
        memory_style: MemoryStyle = MemoryStyle::Asynchronous;
    }
}

parameters! {
    /// A configuration of stream cache and last stream predictor (paper A).
    pub struct Config {
        groups {
            /// The processor that is traced.
            processor: Processor,
            /// The way out.
            port: TracePort,
            /// Packets.
            protocol: Protocol,
            /// Streams, and the cache that numbers them.
            cache: StreamCacheShape,
        }
        /// What the last stream predictor (LSP) learns of a stream that is not in the cache.
        miss_index: MissIndex = MissIndex::Reserved;
        /// What the last value of the start address (LVSA) is for.
        last_value_start_address: LastValueStartAddress = LastValueStartAddress::None;
        /// Upper start address bits that it holds (u); auto: those above the lower 18, or above 20 when it follows every stream.
        upper_address_bits: Option<u32> = None, in 0 ..= 60;
        /// Runs of right predictions are sent as numbers by the adaptive one length counter (AOLC).
        one_length_counter: bool = false;
        /// Bits of a run's number at the start.
        one_length_start_bits: u32 = 4, in 0 ..= 24;
        /// The fewest bits of a run's number.
        one_length_least_bits: u32 = 0, in 0 ..= 24;
        /// The most bits of a run's number.
        one_length_most_bits: u32 = 10, in 0 ..= 24;
        /// What becomes of the counter's monitor when it changes its size.
        one_length_reset: OneLengthReset = OneLengthReset::Middle;
    }
}

impl StreamCacheShape {
    /// Sets of the stream cache.
    pub fn sets(&self) -> u32 {
        self.stream_cache_entries / self.stream_cache_ways
    }

    /// Bits of a way's number, the lower ones of a stream index.
    pub fn way_bits(&self) -> u32 {
        index_bits(self.stream_cache_ways)
    }

    /// Bits of a stream index (SCI): set and way.
    pub fn index_bits(&self) -> u32 {
        index_bits(self.sets()) + self.way_bits()
    }

    /// Recency bits of one set: one for every pair of ways.
    pub fn recency_bits(&self) -> u32 {
        self.stream_cache_ways * (self.stream_cache_ways - 1) / 2
    }

    /// Which of the lowest `start_bits` of a start, in instruction units, the hash puts into the set
    /// index: set and length imply them.
    pub fn implied_start_bits(&self, processor: &Processor, start_bits: u32) -> Range<u32> {
        let place = |bit: u32| bit.saturating_sub(processor.alignment).min(start_bits);
        place(self.hash_shift)..place(self.hash_shift + index_bits(self.sets()))
    }

    /// Bits of one stream in the stream buffer: start address, length, how it ends, and whether its
    /// start is inferred where a scheme `infers` starts.
    pub fn stream_bits(&self, processor: &Processor, infers: bool) -> u32 {
        processor.instruction_address_bits()
            + self.stream_length_bits
            + STREAM_CODE_BITS
            + u32::from(infers)
    }

    /// Checks what the cache needs by itself and of a block of instructions.
    ///
    /// # Errors
    /// The first constraint that is broken, by name.
    pub fn validate(&self, processor: &Processor) -> Result<(), ParameterError> {
        let (entries, ways) = (self.stream_cache_entries, self.stream_cache_ways);
        require(
            entries % ways == 0 && self.sets().is_power_of_two(),
            "stream_cache_entries",
            entries,
            || format!("it is a power of two times the {ways} ways"),
        )?;
        // After a cut and another end in one block no stream is open, and the next block does not end two
        // streams: the stream buffer needs a register for one.
        let retired = processor.retire_count_bits;
        require(retired < self.stream_length_bits, "retire_count_bits", retired, || {
            let most = self.stream_length_bits;
            format!(
                "it is less than stream_length_bits = {most}, which has to be at least {}",
                retired + 1
            )
        })
    }
}

impl Config {
    /// Upper start address bits that the last value holds; 0 without it.
    pub fn upper_address(&self) -> u32 {
        let width = self.processor.address_width;
        match (self.last_value_start_address, self.upper_address_bits) {
            (LastValueStartAddress::None, _) => 0,
            (_, Some(bits)) => bits,
            (LastValueStartAddress::Misses, None) => width - 18,
            (LastValueStartAddress::Every, None) => width - 20,
        }
    }

    /// Lower start address bits, above the alignment, that the last value does not hold.
    pub fn lower_address(&self) -> u32 {
        self.processor.instruction_address_bits() - self.upper_address()
    }

    /// Start address bits that an entry of the stream cache holds.
    pub fn entry_start_bits(&self) -> u32 {
        match self.last_value_start_address {
            LastValueStartAddress::Every => self.lower_address(),
            _ => self.processor.instruction_address_bits(),
        }
    }

    /// Entries of the last stream predictor: one for every stream index.
    pub fn last_stream_predictor_entries(&self) -> u32 {
        1 << self.cache.index_bits()
    }

    /// Bits that hold how many a run takes with its header bit.
    pub fn one_length_size_bits(&self) -> u32 {
        index_bits(self.one_length_most_bits + 2)
    }

    /// Clocks after reset until every table is clear.
    pub fn clear_clocks(&self) -> u32 {
        self.last_stream_predictor_entries()
    }
}

/// Bits of the counter that monitors runs.
pub const MONITOR_BITS: u32 = 4;

/// Bits of the one length counter in paper A's totals: a run of 8, its size of 4 and the monitor.
const ESTIMATED_ONE_LENGTH_COUNTER_BITS: u32 = 8 + 4 + MONITOR_BITS;

impl Configuration for Config {
    shared_parameters!();

    fn validate(&self) -> Result<(), ParameterError> {
        self.protocol.validate(&self.processor, self.payloads())?;
        self.protocol.validate_tables(self.cache.memory_style)?;
        self.cache.validate(&self.processor)?;
        if self.last_value_start_address != LastValueStartAddress::None {
            let (upper, address) =
                (self.upper_address(), self.processor.instruction_address_bits());
            require((1..address).contains(&upper), "upper_address_bits", upper, || {
                format!("it leaves at least one of the {address} start address bits, or auto")
            })?;
        }
        let (start, least, most) =
            (self.one_length_start_bits, self.one_length_least_bits, self.one_length_most_bits);
        require(least <= most, "one_length_least_bits", least, || {
            format!("at most one_length_most_bits = {most}")
        })?;
        require((least..=most).contains(&start), "one_length_start_bits", start, || {
            format!("from one_length_least_bits = {least} to one_length_most_bits = {most}")
        })
    }

    fn stated_when_changed(&self) -> Vec<&'static str> {
        [&STATED_WHEN_CHANGED[..], &["memory_style"]].concat()
    }

    fn most_bits_of_event(&self) -> Option<MostBits> {
        Some(self.most_bits())
    }

    fn resolved(&self) -> Self {
        Config {
            upper_address_bits: Some(self.upper_address()),
            port: self.port.resolved(),
            protocol: self.protocol.resolved(),
            ..self.clone()
        }
    }

    /// What paper A's bytes come from (section III.D), as far as totals tell: entries without recency,
    /// streams in the buffer with whole addresses.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        let (cache, index) = (&self.cache, self.cache.index_bits());
        let entry = self.entry_start_bits() + cache.stream_length_bits;
        let stream = self.processor.address_width + cache.stream_length_bits;
        let mut storage = vec![
            ("stream_cache", cache.stream_cache_entries * entry),
            ("last_stream_predictor", self.last_stream_predictor_entries() * index),
            ("previous_index", index),
            ("stream_buffer", cache.stream_buffer_depth * stream),
            ("start_address_predictor", self.upper_address()),
        ];
        if self.one_length_counter {
            storage.push(("one_length_counter", ESTIMATED_ONE_LENGTH_COUNTER_BITS));
        }
        storage.push(("output_fifo", self.port.fifo_bits));
        storage.retain(|(_, bits)| *bits > 0);
        storage
    }
}
