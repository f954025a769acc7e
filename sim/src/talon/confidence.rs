//! Counters of how often a prediction was right lately, by the branch and by what was predicted.

use super::block::Fold;
use super::config::Config;
use super::counter::growth_limit;

/// The highest value of a counter.
pub const MOST: u8 = 7;

/// Three-bit counters: about the logarithm of the correct predictions since the last wrong ones.
#[derive(Clone, Debug)]
pub struct Confidence {
    counters: Box<[u8]>,
    fold: Fold,
}

impl Confidence {
    /// The table as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        Self {
            counters: vec![0; config.confidence_entries as usize].into(),
            fold: Fold::new(config.confidence_entries),
        }
    }

    /// Where the counter of a prediction is; `differs` says that bimodal would predict otherwise.
    #[inline]
    pub fn index(&self, address: u64, prediction: bool, differs: bool) -> usize {
        self.index_of(address << 2 | u64::from(differs) << 1 | u64::from(prediction))
    }

    /// Where the counter with this key is.
    #[inline]
    pub fn index_of(&self, key: u64) -> usize {
        self.fold.index(key) as usize
    }

    /// The counter there.
    #[inline]
    pub fn counter(&self, index: usize) -> u8 {
        self.counters[index]
    }

    /// Learns whether the prediction was right.
    #[inline]
    pub fn learn(&mut self, index: usize, right: bool, random: u8) {
        let counter = &mut self.counters[index];
        let grown = *counter + u8::from(*counter < growth_limit(random, 1).min(MOST));
        *counter = if right { grown } else { counter.saturating_sub(1) };
    }
}
