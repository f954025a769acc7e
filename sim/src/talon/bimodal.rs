//! The bimodal outcome predictor: counters by address, which say how sure they are.

use super::block::Fold;
use super::config::Config;
use super::counter::{Counter, CounterTable, Steps};

/// A counter of the table.
pub type BimodalCounter = Counter<7>;

/// The steps of a counter.
static STEPS: Steps<7> = Steps::new(1);

/// The magnitude from which on a branch is left to this table alone.
pub const SURE: u8 = 5;

/// Counters by the address of the branch.
#[derive(Clone, Debug)]
pub struct Bimodal {
    counters: CounterTable<7>,
    fold: Fold,
}

impl Bimodal {
    /// The table as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        Self {
            counters: CounterTable::new(
                config.bimodal_entries,
                config.bimodal_counters_per_magnitude,
            ),
            fold: Fold::new(config.bimodal_entries),
        }
    }

    /// Where the counter of a branch is.
    #[inline]
    pub fn index(&self, address: u64) -> usize {
        self.fold.index(address) as usize
    }

    /// The counter there.
    #[inline]
    pub fn counter(&self, index: usize) -> BimodalCounter {
        self.counters.counter(index)
    }

    /// Learns an outcome that was predicted from this counter.
    #[inline]
    pub fn learn(&mut self, index: usize, counter: BimodalCounter, taken: bool, random: u8) {
        let learnt = STEPS.step(counter, taken, random);
        if learnt != counter {
            self.counters.set(index, learnt);
        }
    }
}

/// True if the counter alone predicts.
#[inline]
pub fn is_sure(counter: BimodalCounter) -> bool {
    counter.magnitude() >= SURE
}
