//! The parameters of coded data addresses, their constraints, and what they make the module store.

use crate::config::{Processor, Protocol, TracePort, index_bits, require};
use crate::configuration::{Configuration, shared_parameters};
use crate::encode::variable_length::Chunks;
use crate::parameter::{List, ParameterError};
use crate::{parameters, talon};

/// Values of an entry's confidence.
pub const CONFIDENCES: usize = 8;
/// Bits of an entry's confidence.
pub const CONFIDENCE_BITS: u32 = 3;
/// Bits that say which reference an address is told from.
pub const REFERENCE_BITS: u32 = 1;

parameters! {
    /// A compressor of data addresses with coded confidence (docs/talon_data.md).
    pub struct Config {
        groups {
            /// The processor that is traced; `retire_count_bits` means nothing here.
            processor: Processor,
            /// The way out.
            port: TracePort,
            /// Packets.
            protocol: Protocol,
        }
        /// Entries of the stride table; a power of two.
        stride_entries: u32 = 64, in 1 ..= 4096;
        /// Lowest address bit of an instruction that the index uses; auto: the alignment.
        pc_shift: Option<u32> = None, in 0 ..= 8;
        /// Low bits of an address that an entry keeps; the others are those of a region. More than an address has are all
        /// of its bits.
        kept_address_bits: u32 = 14, in 1 ..= 64;
        /// Registers of regions: the upper bits of the addresses that were accessed last, of which an entry keeps a
        /// number. 0: an entry keeps whole addresses. A power of two from 2 on.
        address_regions: u32 = 4, in 0 ..= 16;
        /// Bits of a stride, which has a sign; 0 predicts the last address again.
        stride_bits: u32 = 12, in 0 ..= 64;
        /// Confidences of a prediction, by the entry's own confidence.
        stride_confidences: List<CONFIDENCES> = List([1, 1, 2, 3, 4, 5, 6, 6]);
        /// Bits of the first chunk of a miss: of the difference of its address from a reference, above those that the
        /// coder holds back.
        address_first_chunk: u32 = 1, in 1 ..= 32;
        /// Bits of a later chunk.
        address_next_chunk: u32 = 3, in 1 ..= 32;
        /// Bits of the coder's range.
        range_bits: u32 = 8, in 6 ..= 16;
        /// Bits that the coder holds back, so that a later symbol need not carry into bits that were sent.
        guard_bits: u32 = 4, in 2 ..= 12;
        /// Highest confidence: a symbol with confidence k is wrong with probability 2^-k.
        most_confidence: u32 = 6, in 1 ..= 14;
        /// Ones after the highest code that make an escape, which ends the trace.
        escape_ones: u32 = 3, in 1 ..= 15;
        /// Accesses that wait for the stride table.
        data_address_buffer_depth: u32 = 2, in 1 ..= 64;
    }
}

impl Config {
    /// Lowest address bit of an instruction that the index uses.
    pub fn index_shift(&self) -> u32 {
        self.pc_shift.unwrap_or(self.processor.alignment)
    }

    /// Bits of an entry's index.
    pub fn index_bits(&self) -> u32 {
        index_bits(self.stride_entries)
    }

    /// The coder is Talon's.
    pub fn coder(&self) -> talon::config::Config {
        talon::config::Config {
            port: self.port.clone(),
            range_bits: self.range_bits,
            guard_bits: self.guard_bits,
            most_confidence: self.most_confidence,
            escape_ones: self.escape_ones,
            ..talon::config::Config::default()
        }
    }

    /// Low bits of a difference that the coder holds back, above the choice of the reference.
    pub fn held_back_bits(&self) -> u32 {
        self.guard_bits - REFERENCE_BITS
    }

    /// The bits of a difference that are sent, all others.
    pub fn chunks(&self) -> Chunks {
        let width = self.processor.address_width - self.held_back_bits();
        Chunks::new(self.address_first_chunk, self.address_next_chunk, width)
    }

    /// The registers of regions are Talon's, with data addresses in place of targets.
    pub fn regions(&self) -> talon::config::Config {
        talon::config::Config {
            processor: Processor { alignment: 0, ..self.processor.clone() },
            target_regions: self.address_regions,
            target_bits: if self.address_regions > 0 { self.kept_address_bits } else { 64 },
            ..talon::config::Config::default()
        }
    }

    /// Low bits of an address that an entry keeps.
    pub fn low_address_bits(&self) -> u32 {
        self.regions().low_target_bits()
    }

    /// Bits of one entry: low bits of the last address, number of its region, stride, confidence.
    pub fn entry_bits(&self) -> u32 {
        self.regions().table_target_bits() + self.stride_bits + CONFIDENCE_BITS
    }

    /// Bits of one access in the data address buffer: its entry's index, and the data address.
    pub fn buffered_bits(&self) -> u32 {
        self.index_bits() + self.processor.address_width
    }

    /// Clocks after reset until every table is clear.
    pub fn clear_clocks(&self) -> u32 {
        self.stride_entries.max(self.address_regions)
    }
}

impl Configuration for Config {
    shared_parameters!();

    fn traces_data(&self) -> bool {
        true
    }

    /// Accesses wait instead of records: most of them never become one.
    fn queues_records(&self) -> bool {
        false
    }

    fn validate(&self) -> Result<(), ParameterError> {
        self.protocol.validate(&self.processor, self.payloads())?;
        require(!self.protocol.has_packets(), "framing", "packets", || {
            "packets are for traces of control flow".into()
        })?;
        let entries = self.stride_entries;
        require(entries.is_power_of_two(), "stride_entries", entries, || {
            "it is a power of two".into()
        })?;
        let regions = self.address_regions;
        require(
            regions == 0 || regions > 1 && regions.is_power_of_two(),
            "address_regions",
            regions,
            || "it is 0 or a power of two from 2 on".into(),
        )?;
        let low = self.low_address_bits();
        require(self.stride_bits <= low, "stride_bits", self.stride_bits, || {
            format!("at most the {low} address bits that an entry keeps")
        })?;
        let (first, most) = (self.address_first_chunk, self.chunks().width);
        require(first <= most, "address_first_chunk", first, || {
            format!("at most the {most} bits that the coder does not hold back")
        })?;
        let (most, range) = (self.most_confidence, self.range_bits);
        require(most + 2 <= range, "most_confidence", most, || {
            format!("at most range_bits - 2 = {}", range - 2)
        })?;
        let List(confidences) = self.stride_confidences;
        confidences.iter().try_for_each(|value| {
            let is_possible = (1..=most).contains(&u32::try_from(*value).unwrap_or(0));
            require(is_possible, "stride_confidences", value, || {
                format!("each from 1 to most_confidence = {most}")
            })
        })
    }

    fn resolved(&self) -> Self {
        Config {
            pc_shift: Some(self.index_shift()),
            port: self.port.resolved(),
            protocol: self.protocol.resolved(),
            ..self.clone()
        }
    }

    /// The papers' rule: tables and buffers; all other registers are in the constant.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        let regions = self.regions();
        let registers = if regions.has_regions() {
            self.address_regions * regions.upper_target_bits() + regions.region_bits()
        } else {
            0
        };
        vec![
            ("data_address_buffer", self.data_address_buffer_depth * self.buffered_bits()),
            ("stride_table", self.stride_entries * self.entry_bits()),
            ("regions", registers),
            ("last_address", self.processor.address_width),
            ("output_fifo", self.port.fifo_bits),
        ]
    }
}
