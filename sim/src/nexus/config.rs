//! A Nexus-like trace module's parameters, their constraints, and what it stores.

use crate::bound::MostBits;
use crate::config::{EncoderStyle, Processor, Protocol, TracePort, require};
use crate::configuration::{Configuration, shared_parameters};
use crate::encode::variable_length::Chunks;
use crate::parameter::ParameterError;
use crate::{parameters, words};

words! {
    /// How a stream length is sent.
    pub enum StreamLengthCoding {
        /// All its bits (NEXS, paper C).
        Fixed = "fixed",
        /// In chunks with continuation bits (NX_b, paper E).
        Chunks = "chunks",
    }
}

words! {
    /// What is sent of a target.
    pub enum TargetCoding {
        /// Its exclusive or with the last one sent, from bit 0 of the byte address (NEXS, paper C).
        Xor = "xor",
        /// The distance from the last one sent in instruction units, and a sign (NX_b, paper E).
        Difference = "difference",
    }
}

parameters! {
    /// A Nexus-like trace module for one core (paper C, section 6; paper E, section 2).
    pub struct Config {
        groups {
            /// The processor that is traced.
            processor: Processor,
            /// The way out.
            port: TracePort,
            /// Packets.
            protocol: Protocol,
        }
        /// Width of the stream length: a stream has up to 2^width - 1 instructions.
        stream_length_bits: u32 = 16, in 2 ..= 32;
        /// How a stream length is sent.
        stream_length_coding: StreamLengthCoding = StreamLengthCoding::Chunks;
        /// First chunk of a stream length; auto: as paper E has it.
        stream_length_first_chunk: Option<u32> = None, in 1 ..= 16;
        /// Later chunks of a stream length; auto: as paper E has it.
        stream_length_next_chunk: Option<u32> = None, in 1 ..= 16;
        /// What is sent of a target.
        target_coding: TargetCoding = TargetCoding::Difference;
        /// First chunk of a target; auto: as paper E has it.
        target_first_chunk: Option<u32> = None, in 1 ..= 32;
        /// Later chunks of a target; auto: as paper E has it.
        target_next_chunk: Option<u32> = None, in 1 ..= 32;
        /// Times the continuation bit of a target's chunk is sent; Nexus has two, on its MSEO pins.
        target_continuation_bits: u32 = 1, in 1 ..= 2;
    }
}

/// Chunks of NX_b (paper E, Figure 7a).
const STREAM_LENGTH_CHUNK: u32 = 8;
const TARGET_CHUNK: u32 = 16;

impl Config {
    /// How a stream length is cut, where it is sent in chunks.
    pub fn stream_length_chunks(&self) -> Chunks {
        Chunks::new(
            self.stream_length_first_chunk.unwrap_or(STREAM_LENGTH_CHUNK),
            self.stream_length_next_chunk.unwrap_or(STREAM_LENGTH_CHUNK),
            self.stream_length_bits,
        )
    }

    /// Bits of what is sent of a target, the sign not counted.
    pub fn target_bits(&self) -> u32 {
        match self.target_coding {
            TargetCoding::Xor => self.processor.address_width,
            TargetCoding::Difference => self.processor.instruction_address_bits(),
        }
    }

    /// Clocks until every table is clear: there is none.
    pub fn clear_clocks(&self) -> u32 {
        1
    }

    /// How a target is cut.
    pub fn target_chunks(&self) -> Chunks {
        Chunks::new(
            self.target_first_chunk.unwrap_or(TARGET_CHUNK),
            self.target_next_chunk.unwrap_or(TARGET_CHUNK),
            self.target_bits(),
        )
        .with_continuation_bits(self.target_continuation_bits)
    }
}

impl Configuration for Config {
    shared_parameters!();

    fn validate(&self) -> Result<(), ParameterError> {
        self.protocol.validate(&self.processor, self.payloads())?;
        // So that at most one stream is cut in a block, besides the one that ends with it.
        let retired = self.processor.retire_count_bits;
        require(retired <= self.stream_length_bits, "retire_count_bits", retired, || {
            format!("at most stream_length_bits = {}", self.stream_length_bits)
        })
    }

    fn most_bits_of_event(&self) -> Option<MostBits> {
        Some(self.most_bits())
    }

    fn resolved(&self) -> Self {
        let (stream_length, target) = (self.stream_length_chunks(), self.target_chunks());
        let mut config = Config {
            stream_length_first_chunk: Some(stream_length.first),
            stream_length_next_chunk: Some(stream_length.next),
            target_first_chunk: Some(target.first),
            target_next_chunk: Some(target.next),
            protocol: self.protocol.resolved(),
            ..self.clone()
        };
        let parallel = self.port.is_parallel();
        config.port.encoder = if parallel { EncoderStyle::Parallel } else { EncoderStyle::Serial };
        config
    }

    /// There is no table: the buffer alone.
    fn estimated_storage(&self) -> Vec<(&'static str, u32)> {
        vec![("output_fifo", self.port.fifo_bits)]
    }
}
