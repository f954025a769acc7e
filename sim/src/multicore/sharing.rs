//! What the trace modules of several cores share.

use crate::config::{index_bits, mask};
use crate::encode::variable_length::Chunks;
use crate::{parameters, words};

words! {
    /// Which chunks numbers are cut into where a parameter is `auto` (paper E, section 4).
    pub enum Encoding {
        /// Those of TR_b and NX_b: bytes, and targets in halves of a word.
        Fixed = "fixed",
        /// Those of TR_e: small ones, found over benchmarks.
        Variable = "variable",
    }
}

parameters! {
    /// What the trace modules of several cores share (paper E, section 3).
    pub struct Sharing {
        /// Processor cores, a trace module each.
        cores: u32 = 2, in 1 ..= 8;
        /// Every record says when it was made.
        time_stamps: bool = false;
        /// The chunks of all numbers whose chunks are auto.
        encoding: Encoding = Encoding::Variable;
        /// Width of the cycle counters; a counter that is full makes a record.
        time_stamp_bits: u32 = 32, in 4 ..= 48;
        /// First chunk of a time stamp; auto: as the encoding says.
        time_stamp_first_chunk: Option<u32> = None, in 1 ..= 16;
        /// Later chunks of a time stamp; auto: as the encoding says.
        time_stamp_next_chunk: Option<u32> = None, in 1 ..= 16;
    }
}

impl Sharing {
    /// Bits of the core's index in a record (Ti).
    pub fn thread_bits(&self) -> u32 {
        index_bits(self.cores)
    }

    /// The chunks of a time stamp (h0, h1).
    pub fn time_stamp_chunks(&self) -> Chunks {
        let (first, next) = match self.encoding {
            Encoding::Fixed => (8, 8),
            Encoding::Variable => (4, 2),
        };
        Chunks::new(
            self.time_stamp_first_chunk.unwrap_or(first),
            self.time_stamp_next_chunk.unwrap_or(next),
            self.time_stamp_bits,
        )
    }

    /// The largest time stamp in cycles.
    pub fn most_clocks(&self) -> u64 {
        mask(self.time_stamp_bits)
    }
}
