//! Additive prediction: each table says an outcome with a weight; the sum's sign is the prediction, and its distance from
//! zero, in eighths of a bit, the confidence.
//!
//! A table learns an outcome that was predicted wrongly, and one that was predicted rightly about as often as such a
//! prediction is wrong. That makes each counter's expected step the gradient of the bits that the trace takes.

use super::additive_parameters::{Additive, BIMODAL_MAGNITUDES, MAGNITUDES};
use super::block::Fold;
use super::confidence::Confidence;
use super::config::{Config, sizes};
use super::counter::{Counter, CounterTable};
use super::match_model::{MatchModel, MatchPrediction};
use crate::config::mask;

/// Pseudo-random bits that encoder and decoder have in common: a 16-bit Galois shift register.
#[derive(Clone, Debug)]
pub struct WideRandomBits(u16);

/// The register after reset.
pub const SEED: u16 = 0xace1;
/// The bits that change when a 1 leaves the register.
pub const TAPS: u16 = 0xb400;
/// The lowest of the bits that decide whether a confidence counter grows.
pub const CONFIDENCE_PLACE: u32 = 10;

impl WideRandomBits {
    /// The register as reset leaves it.
    pub fn new() -> Self {
        Self(SEED)
    }

    /// The bits of the next outcome.
    #[inline]
    pub fn step(&mut self) -> u16 {
        self.0 = (self.0 >> 1) ^ (TAPS * (self.0 & 1));
        self.0
    }
}

impl Default for WideRandomBits {
    fn default() -> Self {
        Self::new()
    }
}

/// Counters by the address of a branch, whose rotated and folded bits meet a history.
#[derive(Clone, Debug)]
pub struct WeightedTable<const MOST: u8, const WEIGHTS: usize> {
    counters: CounterTable<MOST>,
    fold: Fold,
    rotation: u32,
    history_mask: u64,
    weights: [i8; WEIGHTS],
}

impl<const MOST: u8, const WEIGHTS: usize> WeightedTable<MOST, WEIGHTS> {
    fn new(
        entries: u32,
        counters_per_magnitude: u32,
        rotation: u32,
        history_bits: u32,
        weights: [i8; WEIGHTS],
    ) -> Self {
        let fold = Fold::new(entries);
        Self {
            counters: CounterTable::new(entries, counters_per_magnitude),
            fold,
            rotation: rotation % fold.bits,
            history_mask: mask(history_bits),
            weights,
        }
    }

    /// Where the counter of a branch is.
    #[inline]
    fn index(&self, address: u64, history: u64) -> usize {
        let Fold { bits, mask } = self.fold;
        let folded = self.fold.index(address);
        let mut index = folded << self.rotation | folded >> (bits - self.rotation);
        let mut rest = history & self.history_mask;
        while rest > 0 {
            index ^= rest;
            rest >>= bits;
        }
        (index & mask) as usize
    }

    /// What the counter there says: a positive weight for "taken".
    #[inline]
    fn vote(&self, index: usize) -> i32 {
        let counter = self.counters.counter(index);
        weighted(counter.direction(), self.weights[usize::from(counter.magnitude()) % WEIGHTS])
    }

    #[inline]
    fn learn(&mut self, index: usize, taken: bool) {
        let counter: Counter<MOST> = self.counters.counter(index);
        let learnt = counter.learn(taken, MOST);
        if learnt != counter {
            self.counters.set(index, learnt);
        }
    }
}

/// Five tables with weights, and confidence counters.
#[derive(Clone, Debug)]
pub struct AdditivePredictor {
    bimodal: WeightedTable<{ BIMODAL_MAGNITUDES as u8 - 1 }, BIMODAL_MAGNITUDES>,
    short: WeightedTable<{ MAGNITUDES as u8 - 1 }, MAGNITUDES>,
    long: WeightedTable<{ MAGNITUDES as u8 - 1 }, MAGNITUDES>,
    local: WeightedTable<{ MAGNITUDES as u8 - 1 }, MAGNITUDES>,
    local_histories: Box<[u64]>,
    local_fold: Fold,
    match_model: MatchModel,
    match_weights: [i8; sizes::MATCH_CLASSES],
    confidence: Confidence,
    corrections: [i8; sizes::CONFIDENCE_STATES],
    history: u64,
    most_confidence: i32,
    random: WideRandomBits,
}

/// An outcome with its confidence, and where the counters that it comes from are.
#[derive(Clone, Copy, Debug)]
pub struct AdditivePrediction {
    /// The outcome.
    pub taken: bool,
    /// It is wrong with probability 2^-`confidence`.
    pub confidence: u32,
    bimodal_index: usize,
    short_index: usize,
    long_index: usize,
    local_index: usize,
    local_place: usize,
    matching: MatchPrediction,
    confidence_index: usize,
}

impl AdditivePredictor {
    /// The predictor as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        let Additive {
            history_entries,
            history_counters_per_magnitude: sharing,
            short_history_bits,
            short_history_rotation,
            long_history_bits,
            long_history_rotation,
            local_histories,
            local_history_bits,
            local_entries,
            local_rotation,
            bimodal_weights,
            short_history_weights,
            long_history_weights,
            local_weights,
            match_weights,
            confidence_corrections,
            ..
        } = config.additive;
        Self {
            bimodal: WeightedTable::new(
                config.bimodal_entries,
                config.bimodal_counters_per_magnitude,
                0,
                0,
                bimodal_weights.0,
            ),
            short: WeightedTable::new(
                history_entries,
                sharing,
                short_history_rotation,
                short_history_bits,
                short_history_weights.0,
            ),
            long: WeightedTable::new(
                history_entries,
                sharing,
                long_history_rotation,
                long_history_bits,
                long_history_weights.0,
            ),
            local: WeightedTable::new(
                local_entries,
                sharing,
                local_rotation,
                local_history_bits,
                local_weights.0,
            ),
            local_histories: vec![0; local_histories as usize].into(),
            local_fold: Fold::new(local_histories),
            match_model: MatchModel::new(config),
            match_weights: match_weights.0,
            confidence: Confidence::new(config),
            corrections: confidence_corrections.0,
            history: 0,
            most_confidence: config.most_confidence as i32,
            random: WideRandomBits::new(),
        }
    }

    /// Predicts the branch at `address`, in instruction units.
    #[inline]
    pub fn predict(&mut self, address: u64) -> AdditivePrediction {
        let local_place = self.local_fold.index(address) as usize;
        let bimodal_index = self.bimodal.index(address, 0);
        let short_index = self.short.index(address, self.history);
        let long_index = self.long.index(address, self.history);
        let local_index = self.local.index(address, self.local_histories[local_place]);
        let matching = self.match_model.predict(address, self.history);
        let match_weight = self.match_weights[usize::from(matching.class) % sizes::MATCH_CLASSES];
        let sum = self.bimodal.vote(bimodal_index)
            + self.short.vote(short_index)
            + self.long.vote(long_index)
            + self.local.vote(local_index)
            + weighted(matching.taken, match_weight);
        let taken = sum >= 0;
        let confidence_index = self.confidence.index_of(address << 1 | u64::from(taken));
        let counter = self.confidence.counter(confidence_index);
        let correction = self.corrections[usize::from(counter) % sizes::CONFIDENCE_STATES];
        let eighths = sum.abs() + i32::from(correction);
        AdditivePrediction {
            taken,
            confidence: ((eighths + 7) >> 3).clamp(1, self.most_confidence) as u32,
            bimodal_index,
            short_index,
            long_index,
            local_index,
            local_place,
            matching,
            confidence_index,
        }
    }

    /// Learns the outcome of a branch that was predicted.
    #[inline]
    pub fn learn(&mut self, prediction: &AdditivePrediction, taken: bool) {
        let random = self.random.step();
        let right = prediction.taken == taken;
        if !right || random.trailing_zeros() > prediction.confidence {
            self.bimodal.learn(prediction.bimodal_index, taken);
            self.short.learn(prediction.short_index, taken);
            self.long.learn(prediction.long_index, taken);
            self.local.learn(prediction.local_index, taken);
        }
        let grows = (random >> CONFIDENCE_PLACE) as u8;
        self.confidence.learn(prediction.confidence_index, right, grows);
        self.match_model.learn(&prediction.matching, taken);
        let newest = u64::from(taken);
        let local = &mut self.local_histories[prediction.local_place];
        *local = (*local << 1 | newest) & self.local.history_mask;
        self.history = self.history << 1 | newest;
    }
}

/// The weight of an outcome: not taken is negative.
#[inline]
fn weighted(taken: bool, weight: i8) -> i32 {
    let weight = i32::from(weight);
    if taken { weight } else { -weight }
}
