//! The outcome of a conditional branch: which structure decides, how sure that is, and what each learns.

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::loop_predictor::SURE;
use tracewright_sim::talon::match_model::TRUSTED_CLASS;

use super::bimodal::Bimodal;
use super::confidence::Confidence;
use super::counter::RandomBits;
use super::gshare::Gshare;
use super::loop_predictor::LoopPredictor;
use super::match_model::MatchModel;
use super::score::Score;
use crate::parts::ports::Clear;

packed! {
    /// What is known of a prediction, except the confidence counter.
    pub Evidence of (loop_bits: usize);
    learn: 1;
    prediction: 1;
    wrong: 1;
    bimodal: 4;
    is_sure: 1;
    gshare: 3;
    matched: 1;
    match_class: 3;
    looped: loop_bits;
    loop_confidence: 2 * loop_bits;
    grows: 8;
}

block! {
    /// How sure a prediction is, from its evidence and the confidence counters.
    pub Judge("judge") of (config: &Config, clear_bits: usize) {
        let address_bits = config.processor.instruction_address_bits() as usize;
        let has_loops = config.has_loop_predictor();
    }
    parameters {
        most_confidence = config.most_confidence as usize,
        has_loops,
        clear_bits,
    }

    in clear: Clear(clear_bits);
    in evidence: Evidence(usize::from(has_loops));
    /// address of the branch, in instruction units; a cycle before the evidence where tables are read through registers
    in address: address_bits;
    /// the outcome is not the predicted one
    out wrong: 1;
    /// a prediction of confidence k is wrong with probability 2^-k
    out confidence: config.confidence_bits();
    block counters: Confidence(config, clear_bits);
    block score: Score(config);
    param has_loops = usize::from(has_loops);
}

impl Logic for Judge {
    #[hdl_gen]
    fn update(&mut self) {
        connect::join(&mut self.clear, &mut self.counters.clear);
        self.counters.address.next = self.address.val();
        self.counters.prediction.next = self.evidence.prediction.val();
        self.counters.differs.next =
            bits_to(self.evidence.bimodal.val() >> 3, 1) ^ self.evidence.prediction.val();
        self.counters.learn.next = self.evidence.learn.val();
        self.counters.right.next = !self.evidence.wrong.val();
        self.counters.grows.next = self.evidence.grows.val();
        self.score.prediction.next = self.evidence.prediction.val();
        self.score.bimodal.next = self.evidence.bimodal.val();
        self.score.is_sure.next = self.evidence.is_sure.val();
        self.score.gshare.next = self.evidence.gshare.val();
        self.score.matched.next = self.evidence.matched.val();
        self.score.match_class.next = self.evidence.match_class.val();
        if self.has_loops.val() == 1 {
            self.score.looped.next = self.evidence.looped.val();
            self.score.loop_confidence.next = self.evidence.loop_confidence.val();
        }
        self.score.counter.next = self.counters.counter.val();
        self.wrong.next = self.evidence.wrong.val();
        self.confidence.next = self.score.confidence.val();
    }
}

block! {
    /// Bimodal, gshare, match model and loop predictor, with the confidence counters and scores.
    ///
    /// `wrong` and `confidence` are those of the inputs of the same cycle, or of three cycles before where tables
    /// are read through registers: then the tables' entries are known and learned in the third cycle, and the
    /// confidence is read and learned in the fourth.
    pub OutcomePredictor("outcome_predictor") of (config: &Config, clear_bits: usize) {
        let address_bits = config.processor.instruction_address_bits() as usize;
        let has_loops = config.has_loop_predictor();
        let loop_bits = usize::from(has_loops);
        let path_bits = config.gshare_path_bits as usize;
        let evidence_bits = Evidence::<View>::new(loop_bits).width();
        let held = |width| if config.is_synchronous() { width } else { 0 };
    }
    parameters {
        clear_bits,
        address_bits,
        synchronous = config.is_synchronous(),
    }

    in clear: Clear(clear_bits);
    /// an outcome is predicted: high only in cycles in which a block is taken
    in predict: 1;
    /// it is learned too
    in learn: 1;
    /// address of the branch, in instruction units
    in address: address_bits;
    /// the outcome
    in taken: 1;
    /// an indirect branch is taken: the path goes on at its target, after the outcome
    in update_path: usize::from(path_bits > 0);
    /// low bits of the target, in instruction units
    in target: path_bits;
    /// the outcome is not the predicted one
    out wrong: 1;
    /// a prediction of confidence k is wrong with probability 2^-k
    out confidence: config.confidence_bits();
    /// an outcome is predicted whose entries are known now
    local now_predict: 1;
    local now_learn: 1;
    local now_taken: 1;
    local use_match: 1;
    local prediction: 1;
    local bimodal_is_enough: 1;
    local match_is_enough: 1;
    local evidence: Evidence(loop_bits);
    reg first_predict: held(1);
    reg first_learn: held(1);
    reg first_taken: held(1) = undefined;
    reg second_predict: held(1);
    reg second_learn: held(1);
    reg second_taken: held(1) = undefined;
    reg held_evidence: held(evidence_bits);
    reg first_address: held(address_bits) = undefined;
    reg second_address: held(address_bits) = undefined;
    block random_bits: RandomBits();
    block bimodal: Bimodal(config, clear_bits);
    block gshare: Gshare(config, clear_bits);
    block match_model: MatchModel(config, clear_bits);
    block loop_predictor: LoopPredictor(config, clear_bits) if has_loops;
    block judge: Judge(config, clear_bits);
    param is_synchronous = usize::from(config.is_synchronous());
    param has_path = usize::from(path_bits > 0);
    param has_loops = loop_bits;
    param sure_loop = Word::new(2, SURE.into());
    param trusted = Word::new(3, TRUSTED_CLASS.into());
    param nearly_trusted = Word::new(3, u64::from(TRUSTED_CLASS) - 1);
}

impl Logic for OutcomePredictor {
    #[hdl_gen]
    fn update(&mut self) {
        self.now_predict.next = self.predict.val();
        self.now_learn.next = self.learn.val();
        self.now_taken.next = self.taken.val();
        if self.is_synchronous.val() == 1 {
            self.first_predict.d.next = self.predict.val();
            self.second_predict.d.next = self.first_predict.q.val();
            self.now_predict.next = self.second_predict.q.val();
            self.first_learn.d.next = self.learn.val();
            self.second_learn.d.next = self.first_learn.q.val();
            self.now_learn.next = self.second_learn.q.val();
            self.first_taken.d.next = self.taken.val();
            self.second_taken.d.next = self.first_taken.q.val();
            self.now_taken.next = self.second_taken.q.val();
        }
        self.random_bits.step.next = self.now_learn.val();

        connect::join(&mut self.clear, &mut self.bimodal.clear);
        self.bimodal.address.next = self.address.val();
        self.bimodal.learn.next = self.now_learn.val();
        self.bimodal.taken.next = self.now_taken.val();
        self.bimodal.grows.next = self.random_bits.grows.val();

        connect::join(&mut self.clear, &mut self.match_model.clear);
        self.match_model.address.next = self.address.val();
        self.match_model.latest.next = self.gshare.latest.val();
        self.match_model.predict.next = self.now_predict.val();
        self.match_model.learn.next = self.now_learn.val();
        self.match_model.taken.next = self.now_taken.val();

        // A learned outcome that another structure knows well enough does not take room in gshare.
        self.bimodal_is_enough.next = 0.into();
        if bits_to(self.bimodal.counter.val() >> 3, 1) == self.now_taken.val() {
            self.bimodal_is_enough.next = self.bimodal.is_sure.val();
        }
        self.match_is_enough.next = 0.into();
        if self.match_model.predicted.val() == self.now_taken.val() {
            self.match_is_enough.next = self.match_model.is_long.val();
        }
        connect::join(&mut self.clear, &mut self.gshare.clear);
        self.gshare.address.next = self.address.val();
        self.gshare.update.next = self.learn.val();
        self.gshare.taken.next = self.taken.val();
        if self.has_path.val() == 1 {
            self.gshare.update_path.next = self.update_path.val();
            self.gshare.target.next = self.target.val();
        }
        self.gshare.learn.next =
            self.now_learn.val() & !self.bimodal_is_enough.val() & !self.match_is_enough.val();
        self.gshare.outcome.next = self.now_taken.val();
        self.gshare.grows.next = self.random_bits.grows.val();

        // Which structure decides.
        self.use_match.next = bits_to(self.match_model.match_class.val() >= self.trusted.val(), 1);
        if !self.bimodal.is_sure.val().any()
            && self.match_model.match_class.val() == self.nearly_trusted.val()
            && !self.gshare.counter.val().get_bit(1)
        {
            self.use_match.next = 1.into();
        }
        self.prediction.next = bits_to(self.gshare.counter.val() >> 2, 1);
        if self.bimodal.is_sure.val().any() {
            self.prediction.next = bits_to(self.bimodal.counter.val() >> 3, 1);
        }
        if self.use_match.val().any() {
            self.prediction.next = self.match_model.predicted.val();
        }
        if self.has_loops.val() == 1 {
            if self.loop_predictor.confidence.val() == self.sure_loop.val() {
                self.prediction.next = self.loop_predictor.predicted.val();
            }
            self.evidence.looped.next = self.loop_predictor.predicted.val();
            self.evidence.loop_confidence.next = self.loop_predictor.confidence.val();
            connect::join(&mut self.clear, &mut self.loop_predictor.clear);
            self.loop_predictor.address.next = self.address.val();
            self.loop_predictor.learn.next = self.now_learn.val();
            self.loop_predictor.taken.next = self.now_taken.val();
            self.loop_predictor.right.next =
                bits_to(self.prediction.val() == self.now_taken.val(), 1);
            self.loop_predictor.random.next = self.random_bits.random.val();
        }

        self.evidence.learn.next = self.now_learn.val();
        self.evidence.prediction.next = self.prediction.val();
        self.evidence.wrong.next = self.prediction.val() ^ self.now_taken.val();
        self.evidence.bimodal.next = self.bimodal.counter.val();
        self.evidence.is_sure.next = self.bimodal.is_sure.val();
        self.evidence.gshare.next = self.gshare.counter.val();
        self.evidence.matched.next = self.match_model.predicted.val();
        self.evidence.match_class.next = self.match_model.match_class.val();
        self.evidence.grows.next = self.random_bits.grows.val();
        connect::join(&mut self.clear, &mut self.judge.clear);
        self.judge.evidence.next = self.evidence.val();
        self.judge.address.next = self.address.val();
        if self.is_synchronous.val() == 1 {
            self.held_evidence.d.next = self.evidence.val();
            self.judge.evidence.next = self.held_evidence.q.val();
            self.first_address.d.next = self.address.val();
            self.second_address.d.next = self.first_address.q.val();
            self.judge.address.next = self.second_address.q.val();
        }
        self.wrong.next = self.judge.wrong.val();
        self.confidence.next = self.judge.confidence.val();
    }
}
