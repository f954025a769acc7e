//! The filtered gshare predictor: counters by address, outcomes and path, for the branches that bimodal leaves over.

use super::block::fold_address;
use super::config::Config;
use super::counter::{Counter, chance};
use crate::config::{index_bits, mask};

/// A counter of the table.
pub type GshareCounter = Counter<3>;

/// Bits of the path history.
pub const PATH_BITS: u32 = 8;

/// Three-bit counters, the history of outcomes, and that of addresses.
#[derive(Clone, Debug)]
pub struct Gshare {
    counters: Box<[GshareCounter]>,
    index_bits: u32,
    history_bits: u32,
    history: u64,
    path: u64,
}

impl Gshare {
    /// The table as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        Self {
            counters: vec![Counter::CLEAR; config.gshare_entries as usize].into(),
            index_bits: index_bits(config.gshare_entries),
            history_bits: config.gshare_history_bits,
            history: 0,
            path: 0,
        }
    }

    /// Recent outcomes, the latest lowest.
    #[inline]
    pub fn history(&self) -> u64 {
        self.history
    }

    /// Where the counter of a branch is.
    #[inline]
    pub fn index(&self, address: u64) -> usize {
        let index_mask = mask(self.index_bits);
        let mut folded = fold_address(address, self.index_bits) ^ self.path & index_mask;
        let mut history = self.history;
        while history != 0 {
            folded ^= history & index_mask;
            history >>= self.index_bits;
        }
        folded as usize
    }

    /// The counter there.
    #[inline]
    pub fn counter(&self, index: usize) -> GshareCounter {
        self.counters[index]
    }

    /// Learns an outcome.
    #[inline]
    pub fn learn(&mut self, index: usize, taken: bool, random: u8) {
        let counter = self.counters[index];
        let grows = chance(random, 2 * u32::from(counter.magnitude()));
        self.counters[index] = counter.learn(taken, grows);
    }

    /// An outcome at this address is over.
    #[inline]
    pub fn update_history(&mut self, address: u64, taken: bool) {
        self.history = (self.history << 1 | u64::from(taken)) & mask(self.history_bits);
        self.update_path(address);
    }

    /// The program went on at this address.
    #[inline]
    pub fn update_path(&mut self, address: u64) {
        self.path = (self.path << 2 ^ address) & mask(PATH_BITS);
    }
}
