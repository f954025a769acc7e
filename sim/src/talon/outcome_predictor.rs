//! The outcome of a conditional branch: which structure decides, how sure that is, and what each learns.

use super::bimodal::{Bimodal, is_sure};
use super::confidence::Confidence;
use super::config::Config;
use super::counter::RandomBits;
use super::gshare::Gshare;
use super::loop_predictor::{self, LoopPredictor};
use super::match_model::{self, MatchModel};
use super::score::{Evidence, Scores, States};

/// Bimodal, gshare, match model and loop predictor, with the confidence counters and scores.
#[derive(Clone, Debug)]
pub struct OutcomePredictor {
    bimodal: Bimodal,
    gshare: Gshare,
    match_model: MatchModel,
    loop_predictor: Option<LoopPredictor>,
    confidence: Confidence,
    scores: Scores,
    random: RandomBits,
}

/// An outcome with its confidence, and where the counters that it comes from are.
#[derive(Clone, Copy, Debug)]
pub struct OutcomePrediction {
    /// The outcome.
    pub taken: bool,
    /// It is wrong with probability 2^-`confidence`.
    pub confidence: u32,
    address: u64,
    evidence: Evidence,
    bimodal_index: usize,
    gshare_index: usize,
    confidence_index: usize,
}

impl OutcomePrediction {
    /// What each structure says of it.
    #[inline]
    pub fn states(&self) -> States {
        self.evidence.states()
    }
}

impl OutcomePredictor {
    /// The predictor as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        Self {
            bimodal: Bimodal::new(config),
            gshare: Gshare::new(config),
            match_model: MatchModel::new(config),
            loop_predictor: config.has_loop_predictor().then(|| LoopPredictor::new(config)),
            confidence: Confidence::new(config),
            scores: Scores::new(config),
            random: RandomBits::new(),
        }
    }

    /// Predicts the branch at `address`, in instruction units.
    #[inline]
    pub fn predict(&mut self, address: u64) -> OutcomePrediction {
        let (bimodal_index, gshare_index) =
            (self.bimodal.index(address), self.gshare.index(address));
        let bimodal = self.bimodal.counter(bimodal_index);
        let gshare = self.gshare.counter(gshare_index);
        let matching = self.match_model.predict(address, self.gshare.history());
        let looping = self.loop_predictor.as_ref().and_then(|table| table.predict(address));
        let sure_loop = looping.filter(|found| found.confidence == loop_predictor::SURE);
        // By arithmetic, as in the counters: which structure decides is not for a processor's branch predictor to follow.
        let is_weak =
            (matching.class == match_model::TRUSTED_CLASS - 1) & (gshare.magnitude() <= 1);
        let by_history = select(is_weak, matching.taken, gshare.direction());
        let by_counters = select(is_sure(bimodal), bimodal.direction(), by_history);
        let is_trusted = matching.class >= match_model::TRUSTED_CLASS;
        let by_match = select(is_trusted, matching.taken, by_counters);
        let taken = sure_loop.map_or(by_match, |found| found.taken);
        let confidence_index = self.confidence.index(address, taken, bimodal.direction() != taken);
        let confidence = self.confidence.counter(confidence_index);
        let evidence =
            Evidence { prediction: taken, bimodal, gshare, matching, looping, confidence };
        OutcomePrediction {
            taken,
            confidence: self.scores.confidence(&evidence),
            address,
            evidence,
            bimodal_index,
            gshare_index,
            confidence_index,
        }
    }

    /// Learns the outcome of a branch that was predicted.
    #[inline]
    pub fn learn(&mut self, prediction: &OutcomePrediction, taken: bool) {
        let Evidence { bimodal, gshare, ref matching, .. } = prediction.evidence;
        let random = self.random.step();
        self.bimodal.learn(prediction.bimodal_index, bimodal, taken, random);
        let bimodal_is_enough = is_sure(bimodal) && bimodal.direction() == taken;
        let match_is_enough = matching.taken == taken && matching.length >= match_model::LONG;
        let gshare_learns = !bimodal_is_enough & !match_is_enough;
        self.gshare.learn(prediction.gshare_index, gshare, taken, random, gshare_learns);
        let right = prediction.taken == taken;
        self.confidence.learn(prediction.confidence_index, right, random);
        if let Some(loops) = &mut self.loop_predictor {
            loops.learn(prediction.address, taken, right, random);
        }
        self.match_model.learn(matching, taken);
        self.gshare.update_history(prediction.address, taken);
    }

    /// The program went on at a target, in instruction units.
    #[inline]
    pub fn update_path(&mut self, target: u64) {
        self.gshare.update_path(target);
    }
}

/// `one` if the condition holds, else `other`.
#[inline]
fn select(condition: bool, one: bool, other: bool) -> bool {
    (condition & one) | (!condition & other)
}
