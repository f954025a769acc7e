//! The outcome of a conditional branch: which structure decides, how sure that is, and what each learns.

use super::bimodal::{self, Bimodal, BimodalCounter};
use super::confidence::Confidence;
use super::config::Config;
use super::counter::RandomBits;
use super::decisions::{Decision, Decisions};
use super::gshare::{Gshare, GshareCounter};
use super::loop_predictor::{self, LoopPrediction, LoopPredictor};
use super::match_model::{self, MatchModel, MatchPrediction};
use super::per_address::PerAddress;
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
    decisions: Decisions,
    folded_addresses: PerAddress<FoldedAddress>,
    random: RandomBits,
}

/// What the address of a branch is to the index of each table.
#[derive(Clone, Copy, Debug, Default)]
struct FoldedAddress {
    bimodal: u32,
    gshare: u32,
    matching: u32,
    confidence: u32,
}

/// An outcome with its confidence, and where the counters that it comes from are.
#[derive(Clone, Copy, Debug)]
pub struct OutcomePrediction {
    /// The outcome.
    pub taken: bool,
    /// It is wrong with probability 2^-`confidence`.
    pub confidence: u32,
    address: u64,
    bimodal_index: usize,
    bimodal: BimodalCounter,
    gshare_index: usize,
    gshare: GshareCounter,
    matching: MatchPrediction,
    looping: Option<LoopPrediction>,
    confidence_index: usize,
    confidence_counter: u8,
}

impl OutcomePrediction {
    /// What each structure says of it.
    pub fn states(&self) -> States {
        let Self { taken, bimodal, gshare, matching, looping, confidence_counter, .. } = *self;
        let confidence = confidence_counter;
        Evidence { prediction: taken, bimodal, gshare, matching, looping, confidence }.states()
    }
}

impl OutcomePredictor {
    /// The predictor as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        let scores = Scores::new(config);
        Self {
            decisions: Decisions::new(&scores),
            folded_addresses: PerAddress::new(FoldedAddress::default()),
            bimodal: Bimodal::new(config),
            gshare: Gshare::new(config),
            match_model: MatchModel::new(config),
            loop_predictor: config.has_loop_predictor().then(|| LoopPredictor::new(config)),
            confidence: Confidence::new(config),
            scores,
            random: RandomBits::new(),
        }
    }

    /// Predicts the branch at `address`, in instruction units.
    // Always in line, as is learning: most of a prediction then stays in registers until it is learnt.
    #[inline(always)]
    pub fn predict(&mut self, address: u64) -> OutcomePrediction {
        let folded = self.folded_address(address);
        let (bimodal_index, gshare_index) =
            (folded.bimodal as usize, self.gshare.index(folded.gshare));
        let bimodal = self.bimodal.counter(bimodal_index);
        let gshare = self.gshare.counter(gshare_index);
        let matching = self.match_model.predict(folded.matching, self.gshare.history());
        let looping = self.loop_predictor.as_ref().and_then(|table| table.predict(address));
        let mut decision = self.decisions.of(bimodal, gshare, &matching);
        if let Some(found) = looping.filter(|found| found.confidence > 0) {
            decision = self.with_loop(decision, bimodal, gshare, matching, found);
        }
        let Decision { taken, differs, score } = decision;
        let confidence_index = self.confidence.index(folded.confidence, taken, differs);
        let confidence_counter = self.confidence.counter(confidence_index);
        OutcomePrediction {
            taken,
            confidence: self.scores.with_counter(score.into(), confidence_counter),
            address,
            bimodal_index,
            bimodal,
            gshare_index,
            gshare,
            matching,
            looping,
            confidence_index,
            confidence_counter,
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
            bimodal: self.bimodal.index(address) as u32,
            gshare: self.gshare.folded_address(address),
            matching: self.match_model.folded_address(address),
            confidence: self.confidence.folded_address(address),
        };
        self.folded_addresses.keep(address, folded);
        folded
    }

    /// The decision of all structures where a loop is known, from that of the others.
    #[inline(never)]
    fn with_loop(
        &self,
        decision: Decision,
        bimodal: BimodalCounter,
        gshare: GshareCounter,
        matching: MatchPrediction,
        found: LoopPrediction,
    ) -> Decision {
        let is_sure = found.confidence == loop_predictor::SURE;
        let prediction = if is_sure { found.taken } else { decision.taken };
        let looping = Some(found);
        let evidence = Evidence { prediction, bimodal, gshare, matching, looping, confidence: 0 };
        Decision::new(&evidence, &self.scores)
    }

    /// Learns the outcome of a branch that was predicted.
    #[inline(always)]
    pub fn learn(&mut self, prediction: &OutcomePrediction, taken: bool) {
        let OutcomePrediction { bimodal, gshare, ref matching, .. } = *prediction;
        let random = self.random.step();
        self.bimodal.learn(prediction.bimodal_index, bimodal, taken, random);
        let bimodal_is_enough = bimodal.says(taken, bimodal::SURE);
        let match_is_enough = (matching.taken == taken) & (matching.length >= match_model::LONG);
        let gshare_learns = !bimodal_is_enough & !match_is_enough;
        self.gshare.learn(prediction.gshare_index, gshare, taken, random, gshare_learns);
        let right = prediction.taken == taken;
        self.confidence.learn(prediction.confidence_index, right, random);
        if let Some(loops) = &mut self.loop_predictor {
            loops.learn(prediction.address, taken, right, random);
        }
        self.match_model.learn(matching, taken, random.into());
        self.gshare.update_history(prediction.address, taken);
    }

    /// The program went on at a target, in instruction units.
    #[inline]
    pub fn update_path(&mut self, target: u64) {
        self.gshare.update_path(target);
    }
}
