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

    /// What an address is to the index of a counter, whose lowest two bits the prediction then changes.
    pub fn folded_address(&self, address: u64) -> u32 {
        self.fold.index(address << 2) as u32
    }

    /// Where the counter of a prediction is; `differs` says that bimodal would predict otherwise.
    #[inline]
    pub fn index(&self, folded_address: u32, prediction: bool, differs: bool) -> usize {
        (folded_address ^ u32::from(differs) << 1 ^ u32::from(prediction)) as usize
    }

    /// What an address is to the index of a counter where only the prediction is in the lowest bit.
    pub fn folded_address_by_outcome(&self, address: u64) -> u32 {
        self.fold.index(address << 1) as u32
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
