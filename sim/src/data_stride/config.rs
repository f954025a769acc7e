//! The data address compressor's parameters, their constraints, and what they make the module store.

use crate::config::{
    EncoderStyle, MemoryStyle, Processor, Protocol, STATED_WHEN_CHANGED, TracePort, index_bits,
    require,
};
use crate::configuration::{Configuration, shared_parameters};
use crate::parameter::ParameterError;
use crate::parameters;

parameters! {
    /// A data address compressor (paper B, section 2.2).
    pub struct Config {
        groups {
            /// The processor that is traced; `retire_count_bits` means nothing here.
            processor: Processor,
            /// The way out.
            port: TracePort,
            /// Packets.
            protocol: Protocol,
        }
        /// Entries of the data address stride cache (DASC), all ways together; the sets are a power of two.
        stride_cache_entries: u32 = 1024, in 1 ..= 4096;
        /// Ways of the stride cache; more than 1 need tags.
        stride_cache_ways: u32 = 1, in 1 ..= 8;
        /// Entries know whose they are; without, an instruction takes what it finds.
        stride_cache_tagged: bool = false;
        /// Tag bits of an entry of a tagged stride cache; auto: all address bits above the index.
        tag_bits: Option<u32> = None, in 0 ..= 64;
        /// Lowest address bit of an instruction that the index uses; auto: the alignment.
        pc_shift: Option<u32> = None, in 0 ..= 8;
        /// Bits of a stride, which has a sign; 0 predicts the last address again.
        stride_bits: u32 = 8, in 0 ..= 64;
        /// Hits and misses are sent as patterns and how often they repeat, else one by one.
        data_repetitions: bool = true;
        /// Accesses of a pattern.
        pattern_bits: u32 = 8, in 1 ..= 32;
        /// Width of the count of a pattern's repetitions.
        repetition_count_bits: u32 = 8, in 1 ..= 16;
        /// Accesses that wait for the stride cache.
        data_address_buffer_depth: u32 = 8, in 1 ..= 64;
        /// How the stride cache is read; synchronous costs a cycle of latency and registers.
        memory_style: MemoryStyle = MemoryStyle::Asynchronous;
    }
}

impl Config {
    /// Sets of the stride cache.
    pub fn sets(&self) -> u32 {
        self.stride_cache_entries / self.stride_cache_ways
    }

    /// Lowest address bit of an instruction that the index uses.
    pub fn index_shift(&self) -> u32 {
        self.pc_shift.unwrap_or(self.processor.alignment)
    }

    /// Address bits of an instruction above the index.
    fn bits_above_index(&self) -> u32 {
        let below = self.index_shift() + index_bits(self.sets());
        self.processor.address_width.saturating_sub(below)
    }

    /// Tag bits of an entry, 0 without tags.
    pub fn entry_tag_bits(&self) -> u32 {
        match self.stride_cache_tagged {
            true => self.tag_bits.unwrap_or_else(|| self.bits_above_index()),
            false => 0,
        }
    }

    /// Bits of one entry: last data address, stride, and with tags the tag and whether it is valid.
    pub fn entry_bits(&self) -> u32 {
        let tag = u32::from(self.stride_cache_tagged) + self.entry_tag_bits();
        self.processor.address_width + self.stride_bits + tag
    }

    /// Recency bits of one set: one for every pair of ways.
    pub fn recency_bits(&self) -> u32 {
        self.stride_cache_ways * (self.stride_cache_ways - 1) / 2
    }

    /// Bits of an instruction's address that a lookup needs: index and tag.
    pub fn site_bits(&self) -> u32 {
        index_bits(self.sets()) + self.entry_tag_bits()
    }

    /// Bits of one access in the data address buffer: whose entry, and the data address.
    pub fn buffered_bits(&self) -> u32 {
        self.site_bits() + self.processor.address_width
    }

    /// Bits of the number of accesses in a part of a pattern.
    pub fn partial_count_bits(&self) -> u32 {
        index_bits(self.pattern_bits)
    }

    /// Clocks after reset until every table is clear.
    pub fn clear_clocks(&self) -> u32 {
        self.sets()
    }
}

impl Configuration for Config {
    shared_parameters!();

    fn traces_data(&self) -> bool {
        true
    }

    fn validate(&self) -> Result<(), ParameterError> {
        self.protocol.validate(&self.processor, self.payloads())?;
        require(!self.protocol.has_packets(), "framing", "packets", || {
            "packets are for traces of control flow".into()
        })?;
        let (entries, ways) = (self.stride_cache_entries, self.stride_cache_ways);
        require(
            entries % ways == 0 && (entries / ways).is_power_of_two(),
            "stride_cache_entries",
            entries,
            || format!("it is a power of two times the {ways} ways"),
        )?;
        require(ways == 1 || self.stride_cache_tagged, "stride_cache_ways", ways, || {
            "1 unless stride_cache_tagged = true".into()
        })?;
        let (tag, above) = (self.entry_tag_bits(), self.bits_above_index());
        require(tag <= above, "tag_bits", tag, || {
            format!("at most the {above} address bits above the index")
        })?;
        let width = self.processor.address_width;
        require(self.stride_bits <= width, "stride_bits", self.stride_bits, || {
            format!("at most address_width = {width}")
        })
    }

    fn stated_when_changed(&self) -> Vec<&'static str> {
        [&STATED_WHEN_CHANGED[..], &["memory_style"]].concat()
    }

    fn resolved(&self) -> Self {
        let mut config = Config {
            tag_bits: Some(self.entry_tag_bits()),
            pc_shift: Some(self.index_shift()),
            protocol: self.protocol.resolved(),
            ..self.clone()
        };
        let parallel = self.port.is_parallel();
        config.port.encoder = if parallel { EncoderStyle::Parallel } else { EncoderStyle::Serial };
        config
    }

    /// The lines of paper B's Table 5, which have whole addresses, and the buffer that it leaves out.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        let access = 2 * self.processor.address_width;
        let mut storage = vec![
            ("data_address_buffer", self.data_address_buffer_depth * access),
            ("data_address_stride_cache", self.stride_cache_entries * self.entry_bits()),
        ];
        if self.data_repetitions {
            storage.push(("data_repetitions", self.pattern_bits + self.repetition_count_bits));
        }
        storage.push(("output_fifo", self.port.fifo_bits));
        storage
    }
}
