//! Data repetitions (paper B, section 2.2): patterns of hits and misses, and how often each repeats.

use super::config::Config;
use crate::config::mask;

/// The state machine that turns bits of DT into pairs of a pattern and a count.
///
/// As many accesses as a pattern has bits make a pattern; patterns that are equal are counted as long
/// as the count has room.
#[derive(Clone, Debug)]
pub struct DataRepetitions {
    pattern_bits: u64,
    most: u64,
    repeating: Repetition,
    open: Partial,
}

/// A pattern and how often it came in a row, 0 where there is none yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repetition {
    /// 1 for each hit, the first access lowest.
    pub pattern: u64,
    /// How often it came.
    pub count: u64,
}

/// Accesses that make no whole pattern yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Partial {
    /// 1 for each hit, the first access lowest.
    pub pattern: u64,
    /// How many they are.
    pub accesses: u64,
}

impl DataRepetitions {
    /// The state machine as reset leaves it.
    pub fn new(config: &Config) -> Self {
        Self {
            pattern_bits: config.pattern_bits.into(),
            most: mask(config.repetition_count_bits),
            repeating: Repetition::default(),
            open: Partial::default(),
        }
    }

    /// Takes in the next access; gives the repetition that is over with it.
    #[inline]
    pub fn access(&mut self, hit: bool) -> Option<Repetition> {
        let pattern = self.open.pattern | u64::from(hit) << self.open.accesses;
        self.open = Partial { pattern, accesses: self.open.accesses + 1 };
        if self.open.accesses < self.pattern_bits {
            return None;
        }
        self.open = Partial::default();
        if pattern == self.repeating.pattern && self.repeating.count < self.most {
            self.repeating.count += 1;
            return None;
        }
        let over = std::mem::replace(&mut self.repeating, Repetition { pattern, count: 1 });
        (over.count > 0).then_some(over)
    }

    /// Gives everything up and begins anew.
    pub fn flush(&mut self) -> (Option<Repetition>, Partial) {
        let over = std::mem::take(&mut self.repeating);
        ((over.count > 0).then_some(over), std::mem::take(&mut self.open))
    }
}
