//! The loop predictor: branches that go one way the same number of times, then the other way once.

use super::config::Config;
use crate::config::index_bits;

/// Bits of a tag.
pub const TAG_BITS: u32 = 5;
/// The largest trip count, which means that none is known.
pub const MOST_TRIPS: u8 = 31;
/// The confidence from which on the predictor decides.
pub const SURE: u8 = 3;

/// A loop.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    valid: bool,
    tag: u8,
    trips: u8,
    current: u8,
    confidence: u8,
    direction: bool,
}

/// What the predictor says of a branch that it knows.
#[derive(Clone, Copy, Debug)]
pub struct LoopPrediction {
    /// The outcome.
    pub taken: bool,
    /// How often in a row the trip count was right, up to 3.
    pub confidence: u8,
}

/// A direct-mapped table of loops.
#[derive(Clone, Debug)]
pub struct LoopPredictor {
    entries: Box<[Entry]>,
    index_bits: u32,
    relearns_direction: bool,
}

impl LoopPredictor {
    /// The table as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        Self {
            entries: vec![Entry::default(); config.loop_entries as usize].into(),
            index_bits: index_bits(config.loop_entries),
            relearns_direction: config.loop_relearns_direction,
        }
    }

    #[inline]
    fn place(&self, address: u64) -> (usize, u8) {
        let hash = address ^ address >> 5;
        let index = hash & (self.entries.len() as u64 - 1);
        (index as usize, (hash >> self.index_bits & 31) as u8)
    }

    /// Predicts a branch that the table knows.
    #[inline]
    pub fn predict(&self, address: u64) -> Option<LoopPrediction> {
        let (index, tag) = self.place(address);
        let entry = &self.entries[index];
        (entry.valid && entry.tag == tag).then_some(LoopPrediction {
            taken: entry.direction ^ (entry.current == entry.trips),
            confidence: entry.confidence,
        })
    }

    /// Learns an outcome, and whether the whole prediction was right.
    #[inline]
    pub fn learn(&mut self, address: u64, taken: bool, right: bool, random: u8) {
        let (index, tag) = self.place(address);
        let entry = &mut self.entries[index];
        if entry.valid && entry.tag == tag {
            let complete = entry.current == entry.trips;
            if taken == entry.direction {
                if complete {
                    entry.confidence = 0;
                }
                entry.current = (entry.current + 1).min(MOST_TRIPS);
            } else {
                if complete {
                    entry.confidence = (entry.confidence + 1).min(SURE);
                } else {
                    (entry.trips, entry.confidence) = (entry.current, 0);
                    // An entry that took the last outcome of a loop for the one that goes on would else be sure of it
                    // whenever the loop goes on three times.
                    entry.valid = entry.current > 0 || !self.relearns_direction;
                }
                entry.current = 0;
            }
        } else if !right && (entry.confidence == 0 || random >> 5 == 0) {
            *entry = Entry {
                valid: true,
                tag,
                trips: MOST_TRIPS,
                current: 0,
                confidence: 0,
                direction: !taken,
            };
        }
    }
}
