//! The filtered gshare predictor: counters by address and recent outcomes, for the branches that bimodal leaves over.

use super::block::Fold;
use super::config::Config;
use super::counter::{Counter, CounterTable, Steps};
use super::history_fold::HistoryFold;
use crate::config::mask;

/// A counter of the table.
pub type GshareCounter = Counter<3>;

/// The steps of a counter.
static STEPS: Steps<3> = Steps::new(2);

/// Counters, the history of outcomes, and that of addresses.
#[derive(Clone, Debug)]
pub struct Gshare {
    counters: CounterTable<3>,
    fold: Fold,
    rotation: u32,
    history_mask: u64,
    history_fold: HistoryFold,
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
            history_fold: HistoryFold::new(fold, config.gshare_history_bits),
            history_mask: mask(config.gshare_history_bits),
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

    /// What an address is to the index of a counter.
    pub fn folded_address(&self, address: u64) -> u32 {
        self.fold.rotated_index(address, self.rotation) as u32
    }

    /// Where the counter of a branch is.
    #[inline]
    pub fn index(&self, folded_address: u32) -> usize {
        ((u64::from(folded_address) ^ self.path ^ self.folded) & self.fold.mask) as usize
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
        let learnt = STEPS.step(counter, taken, random);
        if learns & (learnt != counter) {
            self.counters.set(index, learnt);
        }
    }

    /// An outcome at this address is over.
    #[inline]
    pub fn update_history(&mut self, address: u64, taken: bool) {
        self.folded = self.history_fold.step(self.folded, self.history, taken);
        self.history = (self.history << 1 | u64::from(taken)) & self.history_mask;
        self.update_path(address);
    }

    /// The program went on at this address.
    #[inline]
    pub fn update_path(&mut self, address: u64) {
        self.path = (self.path << 2 ^ address) & self.path_mask;
    }
}
