//! The history of targets, by which the target buffer finds the entries of a branch with many of them.

use super::block::Fold;
use super::config::Config;
use crate::config::mask;

/// Bits of the latest targets of the branches that the target buffer learns. Each of them shifts the history.
#[derive(Clone, Debug)]
pub struct TargetHistory {
    history: u64,
    bits: u32,
    shift: u32,
    /// To the index of the target buffer.
    fold: Fold,
}

impl TargetHistory {
    /// The history as reset leaves it.
    pub fn new(config: &Config) -> Self {
        Self {
            history: 0,
            bits: config.target_history_bits,
            shift: config.target_history_shift,
            fold: Fold::new(config.target_buffer_sets),
        }
    }

    /// A target joins the history: the bits of it that tables keep.
    #[inline]
    pub fn update(&mut self, target: u64) {
        let folded = target ^ target >> self.bits;
        self.history = (self.history << self.shift ^ folded) & mask(self.bits);
    }

    /// The history, folded to an index of the target buffer.
    #[inline]
    pub fn folded(&self) -> u64 {
        let mut folded = 0;
        let mut rest = self.history;
        while rest != 0 && self.fold.bits > 0 {
            folded ^= rest & self.fold.mask;
            rest >>= self.fold.bits;
        }
        folded
    }
}
