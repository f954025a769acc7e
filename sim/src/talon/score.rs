//! The score: how sure a prediction is, as the sum of what each structure contributes, in half bits.

use super::bimodal::{BimodalCounter, is_sure};
use super::config::{Config, sizes};
use super::gshare::GshareCounter;
use super::loop_predictor::LoopPrediction;
use super::match_model::MatchPrediction;

/// The score tables of a configuration.
#[derive(Clone, Debug)]
pub struct Scores {
    bimodal: [i8; sizes::BIMODAL_STATES],
    gshare: [i8; sizes::GSHARE_STATES],
    matching: [[i8; sizes::MATCH_CLASSES]; 2],
    confidence: [i8; sizes::CONFIDENCE_STATES],
    looping: Option<[i8; sizes::LOOP_STATES]>,
    most_confidence: i32,
}

/// What is known of a prediction.
#[derive(Clone, Copy, Debug)]
pub struct Evidence {
    /// The outcome that is predicted.
    pub prediction: bool,
    /// The bimodal counter.
    pub bimodal: BimodalCounter,
    /// The gshare counter.
    pub gshare: GshareCounter,
    /// The match model.
    pub matching: MatchPrediction,
    /// The loop predictor, where it knows the branch.
    pub looping: Option<LoopPrediction>,
    /// The confidence counter.
    pub confidence: u8,
}

impl Scores {
    /// The tables of a configuration.
    pub fn new(config: &Config) -> Self {
        Self {
            bimodal: config.bimodal_scores.0,
            gshare: config.gshare_scores.0,
            matching: [config.match_against_scores.0, config.match_for_scores.0],
            confidence: config.confidence_scores.0,
            looping: config.has_loop_predictor().then_some(config.loop_scores.0),
            most_confidence: config.most_confidence as i32,
        }
    }

    /// The confidence k of a prediction: it is wrong with probability 2^-k.
    pub fn confidence(&self, evidence: &Evidence) -> u32 {
        self.with_counter(self.of_structures(evidence), evidence.confidence)
    }

    /// The score of all structures but the confidence counter.
    pub fn of_structures(&self, evidence: &Evidence) -> i32 {
        let States { bimodal, gshare, matching, looping, .. } = evidence.states();
        i32::from(self.bimodal[bimodal])
            + i32::from(self.gshare[gshare])
            + i32::from(self.matching.as_flattened()[matching])
            + self.looping.map_or(0, |scores| i32::from(scores[looping]))
    }

    /// The confidence by this score and the value of the confidence counter.
    #[inline]
    pub fn with_counter(&self, score: i32, counter: u8) -> u32 {
        // The value is less than the size, which the remainder says to the compiler.
        let sum =
            score + i32::from(self.confidence[usize::from(counter) % sizes::CONFIDENCE_STATES]);
        (sum >> 1).min(self.most_confidence).max(1) as u32
    }
}

/// What each structure says of a prediction: places in the score tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct States {
    /// Of `bimodal_scores`.
    pub bimodal: usize,
    /// Of `gshare_scores`.
    pub gshare: usize,
    /// Of `match_against_scores`, followed by `match_for_scores`.
    pub matching: usize,
    /// Of `confidence_scores`.
    pub confidence: usize,
    /// Of `loop_scores`.
    pub looping: usize,
}

impl Evidence {
    /// The places in the score tables.
    pub fn states(&self) -> States {
        States {
            bimodal: self.bimodal.toward(self.prediction),
            gshare: gshare_state(self),
            matching: match_state(self),
            confidence: self.confidence.into(),
            looping: loop_state(self),
        }
    }
}

/// What the gshare counter says of the prediction; nothing where bimodal is sure.
fn gshare_state(evidence: &Evidence) -> usize {
    if is_sure(evidence.bimodal) {
        sizes::GSHARE_STATES - 1
    } else {
        evidence.gshare.toward(evidence.prediction)
    }
}

/// What the match model says of the prediction.
fn match_state(evidence: &Evidence) -> usize {
    let agrees = usize::from(evidence.matching.taken == evidence.prediction);
    agrees * sizes::MATCH_CLASSES + usize::from(evidence.matching.class)
}

/// What the loop predictor says of the prediction.
fn loop_state(evidence: &Evidence) -> usize {
    match evidence.looping {
        Some(looping) if looping.confidence > 0 => {
            let against = usize::from(looping.taken != evidence.prediction);
            2 * usize::from(looping.confidence) - 1 + against
        }
        _ => 0,
    }
}
