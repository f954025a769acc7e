//! The gshare outcome predictor (paper C, section 5.1): two-bit counters indexed by address xor history.

use super::config::Config;
use crate::config::mask;

/// A table of two-bit saturating counters and the global outcome history (BHR).
///
/// Every counter starts at 1, weakly not taken; the history starts at 0. The paper's printed index
/// ranges are one bit too wide; the index has as many bits as the table needs.
#[derive(Clone, Debug)]
pub struct Gshare {
    counters: Box<[u8]>,
    history: u64,
    history_mask: u64,
    index_mask: usize,
    shift: u32,
}

impl Gshare {
    /// The predictor as reset leaves it.
    pub fn new(config: &Config) -> Self {
        let entries = config.gshare_entries as usize;
        Self {
            counters: vec![1; entries].into(),
            history: 0,
            history_mask: mask(config.gshare_history()),
            index_mask: entries - 1,
            shift: config.pc_shift,
        }
    }

    #[inline]
    fn index(&self, program_counter: u64) -> usize {
        (program_counter >> self.shift ^ self.history) as usize & self.index_mask
    }

    /// The outcome predicted for the conditional branch at `program_counter`.
    #[inline]
    pub fn predict(&self, program_counter: u64) -> bool {
        self.counters[self.index(program_counter)] >= 2
    }

    /// Learns the outcome of the conditional branch at `program_counter`.
    #[inline]
    pub fn update(&mut self, program_counter: u64, taken: bool) {
        let counter = &mut self.counters[self.index(program_counter)];
        *counter = if taken { (*counter + 1).min(3) } else { counter.saturating_sub(1) };
        self.history = (self.history << 1 | u64::from(taken)) & self.history_mask;
    }
}
