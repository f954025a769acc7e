//! The score: how sure a prediction is, as the sum of what each structure contributes, in half bits.

use tracewright_elaborate::prelude::*;
use tracewright_sim::parameter::List;
use tracewright_sim::talon::config::{Config, sizes};
use tracewright_sim::talon::match_model::TRUSTED_CLASS;

/// A table of scores, made unsigned, as a table of truth for each bit of a score.
struct Table {
    least: i32,
    most: i32,
    scores: Vec<i32>,
}

impl Table {
    fn new(scores: impl IntoIterator<Item = i8>) -> Self {
        let scores: Vec<i32> = scores.into_iter().map(i32::from).collect();
        let least = scores.iter().copied().min().unwrap_or(0);
        let most = scores.iter().copied().max().unwrap_or(0);
        Self { least, most, scores }
    }

    /// Makes every score so much higher, then not negative.
    fn raised(self, by: i32) -> Unsigned {
        let highest = (self.most - self.least + by).max(0) as u32;
        let bits = 32 - highest.leading_zeros();
        let truth = |bit| {
            let set = |score: &i32| u64::from((score - self.least + by) as u32 >> bit & 1);
            self.scores.iter().map(set).enumerate().fold(0, |word, (at, set)| word | set << at)
        };
        let states = self.scores.len();
        Unsigned { truth: (0..bits).map(|bit| Word::new(states, truth(bit))).collect() }
    }
}

/// A table of numbers that are not negative.
struct Unsigned {
    /// By bit of a number, that bit of every number.
    truth: Vec<Word>,
}

impl Unsigned {
    fn bits(&self) -> usize {
        self.truth.len()
    }
}

/// The tables as the hardware looks them up, and how their sum is read.
struct Tables {
    bimodal: Unsigned,
    gshare: Unsigned,
    matching: Unsigned,
    confidence: Unsigned,
    looping: Unsigned,
    total_bits: usize,
    /// Bits of a sum that hold a confidence and the half bit below it.
    low_bits: usize,
    /// What is above them in a sum whose confidence they hold.
    base: u64,
}

impl Tables {
    fn new(config: &Config) -> Self {
        let List(bimodal) = config.bimodal_scores;
        let List(gshare) = config.gshare_scores;
        let List(confidence) = config.confidence_scores;
        let (List(mut against), List(agreeing)) =
            (config.match_against_scores, config.match_for_scores);
        if !config.has_loop_predictor() {
            // Nothing overrules a match model that is trusted.
            let trusted = usize::from(TRUSTED_CLASS);
            against[trusted..].copy_from_slice(&agreeing[trusted..]);
        }
        let List(looping) = config.loop_scores;
        // By whether a counter is for the prediction, and its magnitude.
        let (half, quarter) = (sizes::BIMODAL_STATES / 2, sizes::GSHARE_STATES / 2);
        let bimodal = Table::new((0..2 * half).map(|state| bimodal[toward(state, half)]));
        // The same for gshare; above it, the score of a counter that is not asked.
        let gshare = Table::new((0..4 * quarter).map(|state| {
            gshare[if state < 2 * quarter { toward(state, quarter) } else { 2 * quarter }]
        }));
        let matching = Table::new(against.into_iter().chain(agreeing));
        let confidence = Table::new(confidence);
        // By whether the prediction is against it, and the loop's confidence: at 0 nothing is said.
        let said = |state: usize| match state % 4 {
            0 => 0,
            confidence => 2 * confidence - 1 + state / 4,
        };
        let states = if config.has_loop_predictor() { 8 } else { 0 };
        let looping = Table::new((0..states).map(|state| looping[said(state)]));

        let all = [&bimodal, &gshare, &matching, &confidence, &looping];
        let least: i32 = all.iter().map(|table| table.least).sum();
        let most: i32 = all.iter().map(|table| table.most).sum();
        let low_bits = config.confidence_bits() as usize + 1;
        let base = least.min(0).unsigned_abs().div_ceil(1 << low_bits) as i32;
        let offset = base << low_bits;
        let total_bits = (32 - ((most + offset).max(0) as u32).leading_zeros()) as usize;
        Self {
            bimodal: bimodal.raised(offset + least),
            gshare: gshare.raised(0),
            matching: matching.raised(0),
            confidence: confidence.raised(0),
            looping: looping.raised(0),
            total_bits,
            low_bits,
            base: base as u64,
        }
    }
}

/// The model's state of a counter that is for or, below `half`, against a prediction.
fn toward(state: usize, half: usize) -> usize {
    if state < half { half - 1 - state } else { state }
}

block! {
    /// Adds up what each structure says of a prediction.
    pub Score("score") of (config: &Config) {
        let tables = Tables::new(config);
        let (total_bits, low_bits) = (tables.total_bits, tables.low_bits);
        let high_bits = total_bits.saturating_sub(low_bits);
        let confidence_bits = config.confidence_bits() as usize;
        let loop_bits = usize::from(config.has_loop_predictor());
    }
    parameters {
        most_confidence = config.most_confidence as usize,
        total_bits,
    }

    /// the outcome that is predicted
    in prediction: 1;
    /// bimodal's counter: direction and, below it, magnitude
    in bimodal: 4;
    /// bimodal is sure: gshare is not asked
    in is_sure: 1;
    /// gshare's counter: direction and, below it, magnitude
    in gshare: 3;
    /// the match model's outcome
    in matched: 1;
    /// class of the match's length
    in match_class: 3;
    /// the loop predictor's outcome
    in looped: loop_bits;
    /// how sure the loop predictor is; 0 if it does not know the branch
    in loop_confidence: 2 * loop_bits;
    /// the confidence counter
    in counter: 3;
    /// a prediction of confidence k is wrong with probability 2^-k
    out confidence: confidence_bits;
    local bimodal_state: 4;
    local gshare_state: 4;
    local match_state: 4;
    local loop_state: 3 * loop_bits;
    local bimodal_score: tables.bimodal.bits();
    local gshare_score: tables.gshare.bits();
    local match_score: tables.matching.bits();
    local counter_score: tables.confidence.bits();
    local loop_score: tables.looping.bits();
    /// without gshare and counter
    local rest: total_bits;
    local total: total_bits;
    local high: high_bits;
    local halved: confidence_bits;
    param bimodal_truth = truth.clone() for truth in &tables.bimodal.truth;
    param gshare_truth = truth.clone() for truth in &tables.gshare.truth;
    param match_truth = truth.clone() for truth in &tables.matching.truth;
    param counter_truth = truth.clone() for truth in &tables.confidence.truth;
    param loop_truth = truth.clone() for truth in &tables.looping.truth;
    param has_loops = loop_bits;
    param low_bits = low_bits;
    param base = Word::new(high_bits, tables.base);
    param most_confidence = Word::new(confidence_bits, config.most_confidence.into());
}

#[kernel]
impl Logic for Score {
    fn update(&mut self) {
        bimodal_state = resized(resized(bimodal, 3), 4)
            | (resized(resized(bimodal >> 3, 1) == prediction, 4) << 3);
        gshare_state = resized(resized(gshare, 2), 4)
            | (resized(resized(gshare >> 2, 1) == prediction, 4) << 2)
            | (resized(is_sure, 4) << 3);
        match_state = resized(match_class, 4) | (resized(matched == prediction, 4) << 3);
        bimodal_score = 0;
        for bit in 0..bimodal_truth.len() {
            if bimodal_truth[bit].get_bit(bimodal_state) {
                bimodal_score = bimodal_score.replace_bit(bit, true);
            }
        }
        gshare_score = 0;
        for bit in 0..gshare_truth.len() {
            if gshare_truth[bit].get_bit(gshare_state) {
                gshare_score = gshare_score.replace_bit(bit, true);
            }
        }
        match_score = 0;
        for bit in 0..match_truth.len() {
            if match_truth[bit].get_bit(match_state) {
                match_score = match_score.replace_bit(bit, true);
            }
        }
        counter_score = 0;
        for bit in 0..counter_truth.len() {
            if counter_truth[bit].get_bit(counter) {
                counter_score = counter_score.replace_bit(bit, true);
            }
        }
        rest = resized(match_score) + resized(bimodal_score);
        if when(has_loops) {
            loop_state = resized(loop_confidence) | (resized(looped != prediction) << 2);
            loop_score = 0;
            for bit in 0..loop_truth.len() {
                if loop_truth[bit].get_bit(loop_state) {
                    loop_score = loop_score.replace_bit(bit, true);
                }
            }
            rest = rest + resized(loop_score);
        }
        // The counter comes last, out of its table.
        total = rest + resized(gshare_score) + resized(counter_score);

        high = resized(total >> low_bits);
        halved = resized(total >> 1);
        confidence = halved;
        if !halved {
            confidence = 1;
        }
        if high > base || halved > most_confidence {
            confidence = most_confidence;
        }
        if high < base {
            confidence = 1;
        }
    }
}
