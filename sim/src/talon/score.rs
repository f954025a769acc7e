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
        let agrees = usize::from(evidence.matching.taken == evidence.prediction);
        // The states are less than the sizes, which the remainders say to the compiler.
        let bimodal = evidence.bimodal.toward(evidence.prediction) % sizes::BIMODAL_STATES;
        let class = usize::from(evidence.matching.class) % sizes::MATCH_CLASSES;
        let confidence = usize::from(evidence.confidence) % sizes::CONFIDENCE_STATES;
        let sum = i32::from(self.bimodal[bimodal])
            + i32::from(self.gshare[gshare_state(evidence)])
            + i32::from(self.matching[agrees][class])
            + i32::from(self.confidence[confidence])
            + self.looping.map_or(0, |scores| i32::from(scores[loop_state(evidence)]));
        (sum >> 1).clamp(1, self.most_confidence) as u32
    }
}

/// What the gshare counter says of the prediction; nothing where bimodal is sure.
#[inline]
pub fn gshare_state(evidence: &Evidence) -> usize {
    if is_sure(evidence.bimodal) {
        sizes::GSHARE_STATES - 1
    } else {
        evidence.gshare.toward(evidence.prediction) % (sizes::GSHARE_STATES - 1)
    }
}

/// What the loop predictor says of the prediction.
#[inline]
pub fn loop_state(evidence: &Evidence) -> usize {
    match evidence.looping {
        Some(looping) if looping.confidence > 0 => {
            let against = usize::from(looping.taken != evidence.prediction);
            2 * usize::from(looping.confidence) - 1 + against
        }
        _ => 0,
    }
}
