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
use super::history_fold::HistoryFold;
use super::match_model::{MatchModel, MatchPrediction};
use super::per_address::PerAddress;

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

/// Values of a counter at most.
const COUNTERS: usize = 2 * BIMODAL_MAGNITUDES;

/// Counters by the address of a branch, whose rotated and folded bits meet a history.
#[derive(Clone, Debug)]
pub struct WeightedTable<const MOST: u8> {
    counters: CounterTable<MOST>,
    fold: Fold,
    rotation: u32,
    history_fold: HistoryFold,
    /// What each value of a counter says: a positive weight for "taken".
    votes: [i8; COUNTERS],
}

impl<const MOST: u8> WeightedTable<MOST> {
    fn new(
        entries: u32,
        counters_per_magnitude: u32,
        rotation: u32,
        history_bits: u32,
        weights: &[i8],
    ) -> Self {
        let fold = Fold::new(entries);
        let mut votes = [0; COUNTERS];
        for (magnitude, weight) in weights.iter().enumerate() {
            for (direction, vote) in [(false, -*weight), (true, *weight)] {
                let counter = Counter::<MOST>::of(direction, magnitude as u8);
                votes[usize::from(counter.0)] = vote;
            }
        }
        Self {
            counters: CounterTable::new(entries, counters_per_magnitude),
            fold,
            rotation: rotation % fold.bits,
            history_fold: HistoryFold::new(fold, history_bits),
            votes,
        }
    }

    /// What an address is to the index of a counter.
    fn folded_address(&self, address: u64) -> u32 {
        self.fold.rotated_index(address, self.rotation) as u32
    }

    /// Where the counter of a branch is, after a history.
    #[inline]
    fn index(&self, folded_address: u32, folded_history: u64) -> usize {
        (u64::from(folded_address) ^ folded_history) as usize
    }

    /// What the counter there says.
    #[inline]
    fn vote(&self, index: usize) -> i32 {
        self.votes[usize::from(self.counters.counter(index).0) % COUNTERS].into()
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

/// Outcomes of the branches that share a register, the latest lowest, and the same folded.
#[derive(Clone, Copy, Debug, Default)]
struct LocalHistory {
    outcomes: u64,
    folded: u64,
}

/// Recent outcomes, the latest lowest, and the same as the two tables fold them that are indexed by them.
#[derive(Clone, Copy, Debug, Default)]
struct History {
    outcomes: u64,
    short: u64,
    long: u64,
}

/// What the address of a branch is to the index of each table.
#[derive(Clone, Copy, Debug, Default)]
struct FoldedAddress {
    bimodal: u32,
    short: u32,
    long: u32,
    local: u32,
    local_place: u32,
    matching: u32,
    confidence: u32,
}

/// Five tables with weights, and confidence counters.
#[derive(Clone, Debug)]
pub struct AdditivePredictor {
    folded_addresses: PerAddress<FoldedAddress>,
    bimodal: WeightedTable<{ BIMODAL_MAGNITUDES as u8 - 1 }>,
    short: WeightedTable<{ MAGNITUDES as u8 - 1 }>,
    long: WeightedTable<{ MAGNITUDES as u8 - 1 }>,
    local: WeightedTable<{ MAGNITUDES as u8 - 1 }>,
    local_histories: Box<[LocalHistory]>,
    local_fold: Fold,
    match_model: MatchModel,
    match_weights: [i8; sizes::MATCH_CLASSES],
    confidence: Confidence,
    corrections: [i8; sizes::CONFIDENCE_STATES],
    history: History,
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
            folded_addresses: PerAddress::new(FoldedAddress::default()),
            bimodal: WeightedTable::new(
                config.bimodal_entries,
                config.bimodal_counters_per_magnitude,
                0,
                1,
                &bimodal_weights.0,
            ),
            short: WeightedTable::new(
                history_entries,
                sharing,
                short_history_rotation,
                short_history_bits,
                &short_history_weights.0,
            ),
            long: WeightedTable::new(
                history_entries,
                sharing,
                long_history_rotation,
                long_history_bits,
                &long_history_weights.0,
            ),
            local: WeightedTable::new(
                local_entries,
                sharing,
                local_rotation,
                local_history_bits,
                &local_weights.0,
            ),
            local_histories: vec![LocalHistory::default(); local_histories as usize].into(),
            local_fold: Fold::new(local_histories),
            match_model: MatchModel::new(config),
            match_weights: match_weights.0,
            confidence: Confidence::new(config),
            corrections: confidence_corrections.0,
            history: History::default(),
            most_confidence: config.most_confidence as i32,
            random: WideRandomBits::new(),
        }
    }

    /// Predicts the branch at `address`, in instruction units.
    // Always in line, as is learning: most of a prediction then stays in registers until it is learnt.
    #[inline(always)]
    pub fn predict(&mut self, address: u64) -> AdditivePrediction {
        let folded = self.folded_address(address);
        let local_place = folded.local_place as usize;
        let bimodal_index = self.bimodal.index(folded.bimodal, 0);
        let short_index = self.short.index(folded.short, self.history.short);
        let long_index = self.long.index(folded.long, self.history.long);
        let local_index = self.local.index(folded.local, self.local_histories[local_place].folded);
        let matching = self.match_model.predict(folded.matching, self.history.outcomes);
        let match_weight = self.match_weights[usize::from(matching.class) % sizes::MATCH_CLASSES];
        let sum = self.bimodal.vote(bimodal_index)
            + self.short.vote(short_index)
            + self.long.vote(long_index)
            + self.local.vote(local_index)
            + weighted(matching.taken, match_weight);
        let taken = sum >= 0;
        let confidence_index = self.confidence.index(folded.confidence, taken, false);
        let counter = self.confidence.counter(confidence_index);
        let correction = self.corrections[usize::from(counter) % sizes::CONFIDENCE_STATES];
        let eighths = sum.abs() + i32::from(correction);
        AdditivePrediction {
            taken,
            confidence: ((eighths + 7) >> 3).min(self.most_confidence).max(1) as u32,
            bimodal_index,
            short_index,
            long_index,
            local_index,
            local_place,
            matching,
            confidence_index,
        }
    }

    #[inline]
    fn folded_address(&mut self, address: u64) -> FoldedAddress {
        match self.folded_addresses.get(address) {
            Some(folded) => folded,
            None => self.fold(address),
        }
    }

    #[cold]
    #[inline(never)]
    fn fold(&mut self, address: u64) -> FoldedAddress {
        let folded = FoldedAddress {
            bimodal: self.bimodal.folded_address(address),
            short: self.short.folded_address(address),
            long: self.long.folded_address(address),
            local: self.local.folded_address(address),
            local_place: self.local_fold.index(address) as u32,
            matching: self.match_model.folded_address(address),
            confidence: self.confidence.folded_address_by_outcome(address),
        };
        self.folded_addresses.keep(address, folded);
        folded
    }

    /// Learns the outcome of a branch that was predicted.
    #[inline(always)]
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
        self.match_model.learn(&prediction.matching, taken, random);
        let local = &mut self.local_histories[prediction.local_place];
        local.folded = self.local.history_fold.step(local.folded, local.outcomes, taken);
        local.outcomes = local.outcomes << 1 | u64::from(taken);
        let History { outcomes, short, long } = self.history;
        self.history = History {
            outcomes: outcomes << 1 | u64::from(taken),
            short: self.short.history_fold.step(short, outcomes, taken),
            long: self.long.history_fold.step(long, outcomes, taken),
        };
    }
}

/// The weight of an outcome: not taken is negative.
#[inline]
fn weighted(taken: bool, weight: i8) -> i32 {
    let weight = i32::from(weight);
    if taken { weight } else { -weight }
}
