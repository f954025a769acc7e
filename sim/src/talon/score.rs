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
    #[inline]
    pub fn confidence(&self, evidence: &Evidence) -> u32 {
        let bimodal = evidence.bimodal.toward(evidence.prediction);
        let matching = match_state(evidence);
        // The states are less than the sizes, which the remainders say to the compiler.
        let matches = self.matching.as_flattened()[matching % (2 * sizes::MATCH_CLASSES)];
        let sum = i32::from(self.bimodal[bimodal % sizes::BIMODAL_STATES])
            + i32::from(self.gshare[gshare_state(evidence)])
            + i32::from(matches)
            + i32::from(self.confidence[usize::from(evidence.confidence) % sizes::CONFIDENCE_STATES])
            + self.looping.map_or(0, |scores| i32::from(scores[loop_state(evidence)]));
        (sum >> 1).clamp(1, self.most_confidence) as u32
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
    #[inline]
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
#[inline]
fn gshare_state(evidence: &Evidence) -> usize {
    let last = sizes::GSHARE_STATES - 1;
    let state = evidence.gshare.toward(evidence.prediction) % last;
    state + (last - state) * usize::from(is_sure(evidence.bimodal))
}

/// What the match model says of the prediction.
#[inline]
fn match_state(evidence: &Evidence) -> usize {
    let agrees = usize::from(evidence.matching.taken == evidence.prediction);
    agrees * sizes::MATCH_CLASSES + usize::from(evidence.matching.class)
}

/// What the loop predictor says of the prediction.
#[inline]
fn loop_state(evidence: &Evidence) -> usize {
    match evidence.looping {
        Some(looping) if looping.confidence > 0 => {
            let against = usize::from(looping.taken != evidence.prediction);
            2 * usize::from(looping.confidence) - 1 + against
        }
        _ => 0,
    }
}
