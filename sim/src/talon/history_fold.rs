//! A history of outcomes, folded to the bits of an index: kept folded, as each outcome changes few bits of it.

use super::block::Fold;

/// How a history of so many outcomes is folded.
#[derive(Clone, Copy, Debug)]
pub struct HistoryFold {
    fold: Fold,
    /// Place of the history's oldest bit.
    oldest: u32,
    /// Where that bit is in the folded history when it leaves.
    oldest_place: u32,
}

impl HistoryFold {
    /// A history of 1 to 64 outcomes, for this table.
    pub fn new(fold: Fold, history_bits: u32) -> Self {
        Self { fold, oldest: history_bits - 1, oldest_place: history_bits % fold.bits }
    }

    /// The folded history after an outcome; `history` has the outcomes before it, the latest lowest.
    #[inline]
    pub fn step(&self, folded: u64, history: u64, taken: bool) -> u64 {
        let oldest = history >> self.oldest & 1;
        let turned = folded << 1 | folded >> (self.fold.bits - 1);
        (turned ^ u64::from(taken) ^ oldest << self.oldest_place) & self.fold.mask
    }
}
