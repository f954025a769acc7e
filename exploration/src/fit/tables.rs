//! All tables of a configuration as lists of numbers, and the bits that symbols take with them.

use std::ops::Range;
use std::sync::LazyLock;

use tracewright_sim::parameter::{List, ParameterType, Value};
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::config::sizes::{
    BIMODAL_STATES, CONFIDENCE_STATES, ENTRY_CONFIDENCES, GSHARE_STATES, LOOP_STATES, MATCH_CLASSES,
};
use tracewright_sim::talon::score::States;

use super::histogram::{Counts, Histogram};

/// Structures that give a prediction a score.
pub const STRUCTURES: usize = 5;

/// Where the scores of each structure begin in the list of all scores, and where the last ones end.
pub const BEGINS: [usize; STRUCTURES + 1] = {
    let matching = BIMODAL_STATES + GSHARE_STATES;
    let confidence = matching + 2 * MATCH_CLASSES;
    let looping = confidence + CONFIDENCE_STATES;
    [0, BIMODAL_STATES, matching, confidence, looping, looping + LOOP_STATES]
};

/// All scores.
pub const SCORES: usize = BEGINS[STRUCTURES];

/// What a score may be.
pub const SCORE_RANGE: std::ops::RangeInclusive<i8> = -32..=31;

/// The highest confidence that a configuration can have.
const MOST_CONFIDENCE: usize = 14;

/// Scores and confidences of a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    /// Scores, structure by structure.
    pub scores: [i8; SCORES],
    /// Highest confidences of the choice between two targets.
    pub choice: [i8; ENTRY_CONFIDENCES],
    /// Confidences of single targets.
    pub single: [i8; ENTRY_CONFIDENCES],
    /// Confidences of recent targets.
    pub recent: [i8; ENTRY_CONFIDENCES],
    /// Confidence of a return.
    pub returns: i8,
    /// The highest confidence of all.
    pub most: i8,
    /// The structures that there are: the last one, the loop predictor, can be missing.
    pub structures: usize,
}

impl Tables {
    /// Those of a configuration.
    pub fn new(config: &Config) -> Self {
        let mut scores = [0; SCORES];
        let lists: [&[i8]; 6] = [
            &config.bimodal_scores.0,
            &config.gshare_scores.0,
            &config.match_against_scores.0,
            &config.match_for_scores.0,
            &config.confidence_scores.0,
            &config.loop_scores.0,
        ];
        for (score, given) in scores.iter_mut().zip(lists.concat()) {
            *score = given;
        }
        Self {
            scores,
            choice: config.choice_confidences.0,
            single: config.single_target_confidences.0,
            recent: config.recent_target_confidences.0,
            returns: config.return_confidence as i8,
            most: config.most_confidence as i8,
            structures: STRUCTURES - usize::from(!config.has_loop_predictor()),
        }
    }

    /// The parameters that these tables are.
    pub fn parameters(&self, config: &Config) -> Vec<(&'static str, Value)> {
        fn list<const N: usize>(values: &[i8]) -> Value {
            List::<N>(std::array::from_fn(|place| values[place])).show()
        }
        let of = |structure: usize| &self.scores[BEGINS[structure]..BEGINS[structure + 1]];
        let (against, agreeing) = of(2).split_at(MATCH_CLASSES);
        let mut parameters = vec![
            ("bimodal_scores", list::<BIMODAL_STATES>(of(0))),
            ("gshare_scores", list::<GSHARE_STATES>(of(1))),
            ("match_against_scores", list::<MATCH_CLASSES>(against)),
            ("match_for_scores", list::<MATCH_CLASSES>(agreeing)),
            ("confidence_scores", list::<CONFIDENCE_STATES>(of(3))),
            ("return_confidence", Value::Number(self.returns.unsigned_abs().into())),
            ("single_target_confidences", list::<ENTRY_CONFIDENCES>(&self.single)),
            ("recent_target_confidences", list::<ENTRY_CONFIDENCES>(&self.recent)),
            ("choice_confidences", list::<ENTRY_CONFIDENCES>(&self.choice)),
        ];
        if config.has_loop_predictor() {
            parameters.push(("loop_scores", list::<LOOP_STATES>(of(4))));
        }
        parameters
    }

    /// The scores of one structure.
    pub fn places(structure: usize) -> Range<usize> {
        BEGINS[structure]..BEGINS[structure + 1]
    }

    /// The sum of a prediction's scores.
    pub fn sum(&self, places: &[usize; STRUCTURES]) -> i16 {
        places[..self.structures].iter().map(|place| i16::from(self.scores[*place])).sum()
    }

    /// The confidence of an outcome with this sum, or of a choice at this level.
    pub fn confidence(&self, sum: i16, level: Option<usize>) -> i8 {
        let most = level.map_or(self.most, |level| self.choice[level]);
        (sum >> 1).clamp(1, most.into()) as i8
    }

    /// Bits of all symbols.
    pub fn bits(&self, histogram: &Histogram) -> f64 {
        let outcomes = histogram.outcomes().map(|one| {
            let sum = self.sum(&places(one.states));
            bits(one.counts, self.confidence(sum, one.level))
        });
        let of_levels = |counts: &[Counts], confidences: &[i8]| -> f64 {
            counts.iter().zip(confidences).map(|(counts, k)| bits(*counts, *k)).sum()
        };
        outcomes.sum::<f64>()
            + bits(histogram.returns, self.returns)
            + of_levels(&histogram.single, &self.single)
            + of_levels(&histogram.recent, &self.recent)
    }
}

/// Where the scores of a prediction are.
pub fn places(states: States) -> [usize; STRUCTURES] {
    let States { bimodal, gshare, matching, confidence, looping } = states;
    let mut places = [bimodal, gshare, matching, confidence, looping];
    places.iter_mut().zip(BEGINS).for_each(|(place, begin)| *place += begin);
    places
}

/// Bits of a right prediction with each confidence.
static RIGHT: LazyLock<[f64; MOST_CONFIDENCE + 1]> =
    LazyLock::new(|| std::array::from_fn(|k| -(1.0 - (-(k as f64)).exp2()).log2()));

/// Bits of predictions with confidence `k`.
pub fn bits(counts: Counts, k: i8) -> f64 {
    counts.right * RIGHT[usize::from(k.unsigned_abs())] + counts.wrong * f64::from(k)
}
