//! Paper B's parameters for instruction traces, their constraints, and what they make the module store.

use crate::bound::MostBits;
use crate::config::{Processor, Protocol, STATED_WHEN_CHANGED, TracePort, index_bits, require};
use crate::configuration::{Configuration, shared_parameters};
use crate::parameter::ParameterError;
use crate::stream_cache::config::StreamCacheShape;
use crate::{parameters, words};

words! {
    /// Which tuples the history buffer learns.
    pub enum TupleUpdate {
        /// Every tuple, also one that it has (the literal reading).
        Every = "every",
        /// Only those that it does not have.
        Misses = "misses",
    }
}

words! {
    /// How the tuple history buffer looks for a tuple.
    pub enum TupleSearch {
        /// In registers, all of which are compared with each stream index as it comes.
        Parallel = "parallel",
        /// In memories, over several cycles in which the next stream waits.
        Sequential = "sequential",
    }
}

parameters! {
    /// A configuration of stream cache and N-tuple compression (paper B, section 2.1).
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
        /// Stream indices of a tuple (N).
        tuple_length: u32 = 8, in 1 ..= 16;
        /// Tuples of the tuple history buffer (THB).
        tuple_history_entries: u32 = 255, in 1 ..= 1023;
        /// Which tuples the history buffer learns.
        tuple_update: TupleUpdate = TupleUpdate::Misses;
        /// How the history buffer looks for a tuple; sequential costs cycles of waiting and few gates.
        tuple_search: TupleSearch = TupleSearch::Parallel;
        /// Tuples that a sequential search compares in a cycle, each from a memory of its own.
        tuples_per_cycle: u32 = 4, in 1 ..= 32;
    }
}

impl Config {
    /// Bits of a tuple's age in the history buffer, 0 for none.
    pub fn age_bits(&self) -> u32 {
        index_bits(self.tuple_history_entries + 1)
    }

    /// Bits that count the indices of a tuple that is not full.
    pub fn count_bits(&self) -> u32 {
        index_bits(self.tuple_length)
    }

    /// Bits of a tuple.
    pub fn tuple_bits(&self) -> u32 {
        self.tuple_length * self.cache.index_bits()
    }

    /// True if the history buffer is searched over several cycles.
    pub fn searches(&self) -> bool {
        self.tuple_search == TupleSearch::Sequential
    }

    /// Tuples in each memory of a sequential search, which goes around through all of them.
    pub fn tuple_rows(&self) -> u32 {
        self.tuple_history_entries.div_ceil(self.tuples_per_cycle).max(2)
    }

    /// Clocks after reset until every table is clear.
    pub fn clear_clocks(&self) -> u32 {
        if self.searches() { self.cache.sets().max(self.tuple_rows()) } else { self.cache.sets() }
    }
}

impl Configuration for Config {
    shared_parameters!();

    fn validate(&self) -> Result<(), ParameterError> {
        self.protocol.validate(&self.processor, self.payloads())?;
        self.protocol.validate_tables(self.cache.memory_style)?;
        let is_possible = !(self.searches() && self.protocol.background_clearing);
        require(is_possible, "background_clearing", true, || {
            "it needs tuple_search = parallel".into()
        })?;
        self.cache.validate(&self.processor)
    }

    /// A search for each stream that waits, each of which may complete a tuple of length 1.
    fn silent_cycles(&self) -> u32 {
        let search = self.tuple_rows() + 3;
        if self.searches() { search * (self.cache.stream_buffer_depth + 2) } else { 0 }
    }

    fn stated_when_changed(&self) -> Vec<&'static str> {
        [&STATED_WHEN_CHANGED[..], &["tuple_search", "tuples_per_cycle", "memory_style"]].concat()
    }

    fn most_bits_of_event(&self) -> Option<MostBits> {
        Some(self.most_bits())
    }

    fn resolved(&self) -> Self {
        Config { port: self.port.resolved(), protocol: self.protocol.resolved(), ..self.clone() }
    }

    /// The lines of paper B's Table 5, which have whole addresses, and the buffer that it leaves out.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        let stream = self.processor.address_width + self.cache.stream_length_bits;
        vec![
            ("stream_buffer", self.cache.stream_buffer_depth * stream),
            ("stream_detector", 2 * self.processor.address_width),
            ("stream_cache", self.cache.stream_cache_entries * stream),
            ("tuple_history_buffer", self.tuple_history_entries * self.tuple_bits()),
            ("output_fifo", self.port.fifo_bits),
        ]
    }
}
