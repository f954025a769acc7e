//! The outcome of a conditional branch: which structure decides, how sure that is, and what each learns.

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::loop_predictor::SURE;
use tracewright_sim::talon::match_model::{KEEPING_BIT, TRUSTED_CLASS};

use super::bimodal::Bimodal;
use super::confidence::Confidence;
use super::counter::RandomBits;
use super::gshare::Gshare;
use super::loop_predictor::LoopPredictor;
use super::match_model::MatchModel;
use super::score::Score;
use crate::parts::ports::Clear;
use crate::parts::predictor_table::Reading;

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

#[kernel]
impl Logic for Judge {
    fn update(&mut self) {
        join(clear, counters.clear);
        counters = Confidence {
            address,
            prediction: evidence.prediction,
            differs: resized(evidence.bimodal >> 3, 1) ^ evidence.prediction,
            learn: evidence.learn,
            right: !evidence.wrong,
            grows: evidence.grows,
        };
        score = Score {
            prediction: evidence.prediction,
            bimodal: evidence.bimodal,
            is_sure: evidence.is_sure,
            gshare: evidence.gshare,
            matched: evidence.matched,
            match_class: evidence.match_class,
        };
        if when(has_loops) {
            score = Score { looped: evidence.looped, loop_confidence: evidence.loop_confidence };
        }
        score.counter = counters.counter;
        wrong = evidence.wrong;
        confidence = score.confidence;
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
        let reading = Reading::of(config.memory_style, &config.port);
    }
    parameters {
        clear_bits,
        address_bits,
        synchronous = reading,
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
    stage first_predict: 1 if reading;
    stage first_learn: 1 if reading;
    stage first_taken: 1 = undefined if reading;
    stage second_predict: 1 if reading;
    stage second_learn: 1 if reading;
    stage second_taken: 1 = undefined if reading;
    stage held_evidence: evidence_bits if reading;
    stage first_address: address_bits = undefined if reading;
    stage second_address: address_bits = undefined if reading;
    block random_bits: RandomBits();
    block bimodal: Bimodal(config, clear_bits);
    block gshare: Gshare(config, clear_bits);
    block match_model: MatchModel(config, clear_bits);
    block loop_predictor: LoopPredictor(config, clear_bits) if has_loops;
    block judge: Judge(config, clear_bits);
    param has_path = usize::from(path_bits > 0);
    param random_pointers = usize::from(config.match_random_pointers);
    param keeping_bit = KEEPING_BIT as usize;
    param has_loops = loop_bits;
    param sure_loop = Word::new(2, SURE.into());
    param trusted = Word::new(3, TRUSTED_CLASS.into());
    param nearly_trusted = Word::new(3, u64::from(TRUSTED_CLASS) - 1);
}

#[kernel]
impl Logic for OutcomePredictor {
    fn update(&mut self) {
        first_predict.d = predict;
        second_predict.d = first_predict.q;
        now_predict = second_predict.q;
        first_learn.d = learn;
        second_learn.d = first_learn.q;
        now_learn = second_learn.q;
        first_taken.d = taken;
        second_taken.d = first_taken.q;
        now_taken = second_taken.q;
        random_bits.step = now_learn;

        join(clear, bimodal.clear);
        bimodal = Bimodal { address, learn: now_learn, taken: now_taken, grows: random_bits.grows };

        join(clear, match_model.clear);
        match_model = MatchModel {
            address,
            latest: gshare.latest,
            predict: now_predict,
            learn: now_learn,
            taken: now_taken,
        };
        if when(random_pointers) {
            match_model.keeps_pointer = resized(random_bits.random >> keeping_bit, 1);
        }

        // A learned outcome that another structure knows well enough does not take room in gshare.
        bimodal_is_enough = 0;
        if resized(bimodal.counter >> 3, 1) == now_taken {
            bimodal_is_enough = bimodal.is_sure;
        }
        match_is_enough = 0;
        if match_model.predicted == now_taken {
            match_is_enough = match_model.is_long;
        }
        join(clear, gshare.clear);
        gshare = Gshare { address, update: learn, taken };
        if when(has_path) {
            gshare = Gshare { update_path, target };
        }
        gshare = Gshare {
            learn: now_learn & !bimodal_is_enough & !match_is_enough,
            outcome: now_taken,
            grows: random_bits.grows,
        };

        // Which structure decides.
        use_match = match_model.match_class >= trusted;
        if !bimodal.is_sure
            && match_model.match_class == nearly_trusted
            && !gshare.counter.get_bit(1)
        {
            use_match = 1;
        }
        prediction = resized(gshare.counter >> 2, 1);
        if bimodal.is_sure {
            prediction = resized(bimodal.counter >> 3, 1);
        }
        if use_match {
            prediction = match_model.predicted;
        }
        if when(has_loops) {
            if loop_predictor.confidence == sure_loop {
                prediction = loop_predictor.predicted;
            }
            evidence = Evidence {
                looped: loop_predictor.predicted,
                loop_confidence: loop_predictor.confidence,
            };
            join(clear, loop_predictor.clear);
            loop_predictor = LoopPredictor {
                address,
                learn: now_learn,
                taken: now_taken,
                right: prediction == now_taken,
                random: random_bits.random,
            };
        }

        evidence = Evidence {
            learn: now_learn,
            prediction,
            wrong: prediction ^ now_taken,
            bimodal: bimodal.counter,
            is_sure: bimodal.is_sure,
            gshare: gshare.counter,
            matched: match_model.predicted,
            match_class: match_model.match_class,
            grows: random_bits.grows,
        };
        join(clear, judge.clear);
        held_evidence.d = evidence;
        first_address.d = address;
        second_address.d = first_address.q;
        judge = Judge { evidence: held_evidence.q, address: second_address.q };
        wrong = judge.wrong;
        confidence = judge.confidence;
    }
}
