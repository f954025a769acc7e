//! How a record travels from the record former to the encoder: one word, fields side by side.

use tracewright_sim::traptor::config::Config;

/// Flags of a record, in the lowest bits of its word.
pub mod flags {
    /// The record begins with the escape.
    pub const ESCAPE: usize = 0;
    /// The code behind the escape, two bits.
    pub const EXTENDED: usize = 1;
    /// An exception record.
    pub const EXCEPTION: usize = 3;
    /// The outcome bit is sent.
    pub const OUTCOME: usize = 4;
    /// Its value.
    pub const TAKEN: usize = 5;
    /// The target difference is sent.
    pub const TARGET: usize = 6;
    /// Its sign.
    pub const BELOW: usize = 7;
    /// All of them.
    pub const BITS: usize = 8;
}

/// Widths and places of the fields above the flags.
#[derive(Clone, Copy, Debug)]
pub struct RecordWord {
    /// Width of the count: branches, or instructions and one bit more.
    pub count_bits: usize,
    /// Width of the target difference.
    pub difference_bits: usize,
}

impl RecordWord {
    /// The word that `config` needs.
    pub fn new(config: &Config) -> Self {
        let count_bits = config.branch_count_bits.max(config.instruction_count_bits + 1) as usize;
        Self { count_bits, difference_bits: config.processor.instruction_address_bits() as usize }
    }

    /// Where the difference begins.
    pub fn difference_offset(&self) -> usize {
        flags::BITS + self.count_bits
    }

    /// Bits of the whole word: `Config::record_bits` of the golden model's configuration.
    pub fn bits(&self) -> usize {
        self.difference_offset() + self.difference_bits
    }
}
