//! The filtered gshare predictor: counters by address and recent outcomes, for the branches that bimodal leaves over.

use super::block::Fold;
use super::config::Config;
use super::counter::{Counter, CounterTable, growth_limit};
use crate::config::mask;

/// A counter of the table.
pub type GshareCounter = Counter<3>;

/// Counters, the history of outcomes, and that of addresses.
#[derive(Clone, Debug)]
pub struct Gshare {
    counters: CounterTable<3>,
    fold: Fold,
    rotation: u32,
    history_mask: u64,
    /// Place of the history's oldest bit.
    oldest: u32,
    /// Where the bit that leaves the history is in the folded history when it does.
    oldest_place: u32,
    history: u64,
    /// The history, folded to the bits of an index.
    folded: u64,
    path: u64,
    path_mask: u64,
}

impl Gshare {
    /// The table as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        let fold = Fold::new(config.gshare_entries);
        Self {
            counters: CounterTable::new(
                config.gshare_entries,
                config.gshare_counters_per_magnitude,
            ),
            fold,
            rotation: config.gshare_address_rotation % fold.bits,
            oldest_place: config.gshare_history_bits % fold.bits,
            history_mask: mask(config.gshare_history_bits),
            oldest: config.gshare_history_bits - 1,
            history: 0,
            folded: 0,
            path: 0,
            path_mask: mask(config.gshare_path_bits),
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
        let address = self.fold.index(address);
        let rotated = address << self.rotation | address >> (self.fold.bits - self.rotation);
        ((rotated ^ self.path ^ self.folded) & self.fold.mask) as usize
    }

    /// The counter there.
    #[inline]
    pub fn counter(&self, index: usize) -> GshareCounter {
        self.counters.counter(index)
    }

    /// Learns an outcome that was predicted from this counter, if it `learns` at all.
    #[inline]
    pub fn learn(
        &mut self,
        index: usize,
        counter: GshareCounter,
        taken: bool,
        random: u8,
        learns: bool,
    ) {
        let learnt = counter.learn(taken, growth_limit(random, 2));
        if learns & (learnt != counter) {
            self.counters.set(index, learnt);
        }
    }

    /// An outcome at this address is over.
    #[inline]
    pub fn update_history(&mut self, address: u64, taken: bool) {
        let newest = u64::from(taken);
        let oldest = self.history >> self.oldest;
        let turned = self.folded << 1 | self.folded >> (self.fold.bits - 1);
        let folded = turned ^ newest ^ oldest << self.oldest_place;
        self.folded = folded & self.fold.mask;
        self.history = (self.history << 1 | newest) & self.history_mask;
        self.update_path(address);
    }

    /// The program went on at this address.
    #[inline]
    pub fn update_path(&mut self, address: u64) {
        self.path = (self.path << 2 ^ address) & self.path_mask;
    }
}
