//! The parameters of additive prediction.

use super::sizes::{CONFIDENCE_STATES, MATCH_CLASSES};
use crate::config::require;
use crate::parameter::{List, ParameterError};
use crate::parameters;

/// Magnitudes of a bimodal counter whose table has a weight.
pub const BIMODAL_MAGNITUDES: usize = 16;
/// Magnitudes of the other counters.
pub const MAGNITUDES: usize = 8;

parameters! {
    /// Additive prediction of outcomes: each table says an outcome with a weight, and the sum decides (docs/talon.md).
    pub struct Additive {
        /// The sum of the tables' weights decides an outcome, and how sure it is, instead of one table and scores. The
        /// parameters of gshare, of the loop predictor and of scores then have no effect.
        additive: bool = false;
        /// Counters of each of the two tables by address and recent outcomes; a power of two.
        history_entries: u32 = 256, in 4 ..= 65536;
        /// Counters that have one magnitude in common, in these two tables and in that of local histories; a power of two.
        history_counters_per_magnitude: u32 = 2, in 1 ..= 8;
        /// Recent outcomes in the index of the first table.
        short_history_bits: u32 = 5, in 2 ..= 32;
        /// Places by which the address is rotated in the index of the first table.
        short_history_rotation: u32 = 4, in 0 ..= 15;
        /// Recent outcomes in the index of the second table.
        long_history_bits: u32 = 12, in 2 ..= 32;
        /// Places by which the address is rotated in the index of the second table.
        long_history_rotation: u32 = 6, in 0 ..= 15;
        /// Local histories: registers with the recent outcomes of the branches that have the same folded address; a power of
        /// two.
        local_histories: u32 = 16, in 2 ..= 1024;
        /// Outcomes in a local history.
        local_history_bits: u32 = 8, in 2 ..= 16;
        /// Counters of the table by address and local history; a power of two.
        local_entries: u32 = 256, in 4 ..= 65536;
        /// Places by which the address is rotated in the index of that table.
        local_rotation: u32 = 4, in 0 ..= 15;
        /// Weights of the bimodal counters' 16 magnitudes, in eighths of a bit of confidence.
        bimodal_weights: List<BIMODAL_MAGNITUDES> = List([1, 3, 6, 9, 12, 15, 18, 22, 26, 31, 35, 40, 45, 51, 56, 62]);
        /// Weights of the magnitudes in the table of few recent outcomes.
        short_history_weights: List<MAGNITUDES> = List([1, 2, 4, 7, 10, 14, 18, 23]);
        /// Weights of the magnitudes in the table of more recent outcomes.
        long_history_weights: List<MAGNITUDES> = List([1, 2, 5, 7, 10, 14, 18, 23]);
        /// Weights of the magnitudes in the table of local histories.
        local_weights: List<MAGNITUDES> = List([1, 4, 7, 10, 13, 16, 19, 23]);
        /// Weights of the match model, by class of match length.
        match_weights: List<MATCH_CLASSES> = List([0, 0, 2, 4, 10, 20, 33, 57]);
        /// What the confidence counter's 8 values add to the sum's distance from zero.
        confidence_corrections: List<CONFIDENCE_STATES> = List([-13, -8, -1, 1, 4, 6, 8, 15]);
    }
}

/// What is stated only with additive prediction.
pub const STATED_WHEN_CHANGED: &[&str] = &[
    "additive",
    "history_entries",
    "history_counters_per_magnitude",
    "short_history_bits",
    "short_history_rotation",
    "long_history_bits",
    "long_history_rotation",
    "local_histories",
    "local_history_bits",
    "local_entries",
    "local_rotation",
    "bimodal_weights",
    "short_history_weights",
    "long_history_weights",
    "local_weights",
    "match_weights",
    "confidence_corrections",
];

impl Additive {
    /// Recent outcomes that are kept.
    pub fn history_bits(&self) -> u32 {
        self.short_history_bits.max(self.long_history_bits)
    }

    /// # Errors
    /// When a parameter is not what the hardware needs.
    pub fn validate(&self) -> Result<(), ParameterError> {
        for (name, entries) in [
            ("history_entries", self.history_entries),
            ("local_histories", self.local_histories),
            ("local_entries", self.local_entries),
        ] {
            require(entries.is_power_of_two(), name, entries, || "it is a power of two".into())?;
        }
        let sharing = self.history_counters_per_magnitude;
        let most = self.history_entries.min(self.local_entries) / 2;
        require(
            sharing.is_power_of_two() && sharing <= most,
            "history_counters_per_magnitude",
            sharing,
            || format!("a power of two, at most {most}"),
        )?;
        for (name, weights) in [
            ("bimodal_weights", &self.bimodal_weights.0[..]),
            ("short_history_weights", &self.short_history_weights.0),
            ("long_history_weights", &self.long_history_weights.0),
            ("local_weights", &self.local_weights.0),
            ("match_weights", &self.match_weights.0),
        ] {
            let least = weights.iter().copied().min().unwrap_or(0);
            require(least >= 0, name, least, || "weights are not negative".into())?;
        }
        Ok(())
    }

    /// Bits of the tables and of the local histories.
    pub fn stored_bits(&self) -> u32 {
        let counters = |entries: u32| entries + 3 * entries / self.history_counters_per_magnitude;
        2 * counters(self.history_entries)
            + counters(self.local_entries)
            + self.local_histories * self.local_history_bits
    }
}
