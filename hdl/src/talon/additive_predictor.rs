//! Additive prediction of outcomes: each table says an outcome with a weight, and the sum decides.

mod paired_confidence;
mod weighted_sum;
mod weighted_table;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::additive_parameters::Additive;
use tracewright_sim::talon::additive_predictor::{CONFIDENCE_PLACE, TAPS, WideRandomBits as Model};
use tracewright_sim::talon::config::Config;

use super::match_model::MatchModel;
use crate::parts::ports::Clear;
use crate::parts::predictor_table::{Reading, TableMemory};
use paired_confidence::PairedConfidence;
use weighted_sum::WeightedSum;
use weighted_table::{Shape, WeightedTable};

block! {
    /// The shift register of pseudo-random bits, and what they decide.
    pub WideRandomBits("wide_random_bits") of (most_confidence: usize);
    parameters {
        most_confidence,
    }

    /// an outcome is learned
    in step: 1;
    /// bit k says that the tables learn an outcome that was predicted rightly with confidence k
    out learns: most_confidence + 1;
    /// bit m says that a confidence counter of m grows; 7 is the largest and never does
    out grows: 8;
    reg bits: 16 = Model::new().step();
    local zeros: most_confidence + 2;
    local grown: 8;
    param taps = TAPS;
    param place = CONFIDENCE_PLACE as usize + bit for bit in 0..6;
}

impl Logic for WideRandomBits {
    #[hdl_gen]
    fn update(&mut self) {
        self.zeros.next = 1.into();
        for bit in 0..self.learns.width() {
            if self.zeros.val().get_bit(bit) && !self.bits.q.val().get_bit(bit) {
                self.zeros.next = self.zeros.val().replace_bit(bit + 1, true);
            }
        }
        self.learns.next = bits_to(self.zeros.val() >> 1, self.learns.width());
        self.grown.next = 1.into();
        for bit in 0..self.place.len() {
            if self.grown.val().get_bit(bit) && !self.bits.q.val().get_bit(self.place[bit].val()) {
                self.grown.next = self.grown.val().replace_bit(bit + 1, true);
            }
        }
        self.grows.next = self.grown.val();
        if self.step.val().any() {
            self.bits.d.next = self.bits.q.val() >> 1;
            if self.bits.q.val().get_bit(0) {
                self.bits.d.next = (self.bits.q.val() >> 1) ^ self.taps.val();
            }
        }
    }
}

/// The tables of a configuration: bimodal, few recent outcomes, more of them, and the branch's own.
fn shapes(config: &Config) -> [Shape; 4] {
    let Additive { history_entries, history_counters_per_magnitude, .. } = config.additive;
    let short = Shape {
        entries: history_entries,
        magnitude_bits: 3,
        counters_per_magnitude: history_counters_per_magnitude,
        rotation: config.additive.short_history_rotation,
        history_bits: config.additive.short_history_bits,
    };
    let bimodal = Shape {
        entries: config.bimodal_entries,
        magnitude_bits: 4,
        counters_per_magnitude: config.bimodal_counters_per_magnitude,
        rotation: 0,
        history_bits: 0,
    };
    let long = Shape {
        rotation: config.additive.long_history_rotation,
        history_bits: config.additive.long_history_bits,
        ..short
    };
    let local = Shape {
        entries: config.additive.local_entries,
        rotation: config.additive.local_rotation,
        history_bits: config.additive.local_history_bits,
        ..short
    };
    [bimodal, short, long, local]
}

block! {
    /// Four tables of counters and the match model with weights, and confidence counters.
    ///
    /// `wrong` and `confidence` are those of the inputs of the same cycle, or of three cycles before where tables
    /// are read through registers: then everything is known and learned in the third cycle, and shown in the fourth.
    pub AdditivePredictor("additive_predictor") of (config: &Config, clear_bits: usize) {
        let address_bits = config.processor.instruction_address_bits() as usize;
        let confidence_bits = config.confidence_bits() as usize;
        let local_bits = config.additive.local_history_bits as usize;
        let place_bits = index_bits(config.additive.local_histories) as usize;
        let reading = Reading::of(config.memory_style, &config.port);
        let [bimodal, short, long, local] = shapes(config);
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
    /// the outcome is not the predicted one
    out wrong: 1;
    /// a prediction of confidence k is wrong with probability 2^-k
    out confidence: confidence_bits;
    /// an outcome is predicted whose entries are known now
    local now_predict: 1;
    local now_learn: 1;
    local now_taken: 1;
    local place: place_bits;
    local is_wrong: 1;
    /// the tables learn the outcome
    local tables_learn: 1;
    reg first_predict: held(1);
    reg first_learn: held(1);
    reg first_taken: held(1) = undefined;
    reg second_predict: held(1);
    reg second_learn: held(1);
    reg second_taken: held(1) = undefined;
    reg held_wrong: held(1) = undefined;
    reg held_confidence: held(confidence_bits) = undefined;
    /// recent outcomes, the latest lowest
    reg history: config.history_bits();
    block random_bits: WideRandomBits(config.most_confidence as usize);
    block local_histories: TableMemory(config.additive.local_histories as usize, local_bits, Reading::WithinCycle, 0);
    block bimodal: WeightedTable(bimodal, address_bits, clear_bits, reading);
    block short_history: WeightedTable(short, address_bits, clear_bits, reading);
    block long_history: WeightedTable(long, address_bits, clear_bits, reading);
    block by_local_history: WeightedTable(local, address_bits, clear_bits, reading);
    block match_model: MatchModel(config, clear_bits);
    block counters: PairedConfidence(config, clear_bits);
    block weighted_sum: WeightedSum(config);
    param is_synchronous = usize::from(config.is_synchronous());
    param fold = place_bits;
    param fold_twice = 2 * place_bits;
}

impl Logic for AdditivePredictor {
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

        // Histories go on when the block is taken, so that the next one finds them.
        self.place.next = bits_to(self.address.val(), self.place.width())
            ^ bits_to(self.address.val() >> self.fold.val(), self.place.width())
            ^ bits_to(self.address.val() >> self.fold_twice.val(), self.place.width());
        self.local_histories.clear.valid.next = self.clear.valid.val();
        self.local_histories.clear.index.next = bits_to(self.clear.index.val(), self.place.width());
        self.local_histories.clear_entry.next = 0.into();
        self.local_histories.index.next = self.place.val();
        self.local_histories.write.next = self.learn.val();
        self.local_histories.write_index.next = self.place.val();
        self.local_histories.written.next = (self.local_histories.entry.val() << 1)
            | bits_to(self.taken.val(), self.local_histories.entry.width());
        if self.learn.val().any() {
            self.history.d.next =
                (self.history.q.val() << 1) | bits_to(self.taken.val(), self.history.width());
        }

        self.weighted_sum.bimodal.next = self.bimodal.counter.val();
        self.weighted_sum.short_history.next = self.short_history.counter.val();
        self.weighted_sum.long_history.next = self.long_history.counter.val();
        self.weighted_sum.local_history.next = self.by_local_history.counter.val();
        self.weighted_sum.matched.next = self.match_model.predicted.val();
        self.weighted_sum.match_class.next = self.match_model.match_class.val();
        self.weighted_sum.counter_not_taken.next = self.counters.not_taken.val();
        self.weighted_sum.counter_taken.next = self.counters.taken.val();
        self.is_wrong.next = self.weighted_sum.prediction.val() ^ self.now_taken.val();
        // What was predicted rightly is learned about as often as such a prediction is wrong.
        self.tables_learn.next = self.now_learn.val() & self.is_wrong.val();
        if self.random_bits.learns.val().get_bit(self.weighted_sum.confidence.val()) {
            self.tables_learn.next = self.now_learn.val();
        }

        connect::join(&mut self.clear, &mut self.bimodal.clear);
        self.bimodal.address.next = self.address.val();
        self.bimodal.learn.next = self.tables_learn.val();
        self.bimodal.taken.next = self.now_taken.val();
        connect::join(&mut self.clear, &mut self.short_history.clear);
        self.short_history.address.next = self.address.val();
        self.short_history.history.next =
            bits_to(self.history.q.val(), self.short_history.history.width());
        self.short_history.learn.next = self.tables_learn.val();
        self.short_history.taken.next = self.now_taken.val();
        connect::join(&mut self.clear, &mut self.long_history.clear);
        self.long_history.address.next = self.address.val();
        self.long_history.history.next =
            bits_to(self.history.q.val(), self.long_history.history.width());
        self.long_history.learn.next = self.tables_learn.val();
        self.long_history.taken.next = self.now_taken.val();
        connect::join(&mut self.clear, &mut self.by_local_history.clear);
        self.by_local_history.address.next = self.address.val();
        self.by_local_history.history.next = self.local_histories.entry.val();
        self.by_local_history.learn.next = self.tables_learn.val();
        self.by_local_history.taken.next = self.now_taken.val();
        connect::join(&mut self.clear, &mut self.match_model.clear);
        self.match_model.address.next = self.address.val();
        self.match_model.latest.next =
            bits_to(self.history.q.val(), self.match_model.latest.width());
        self.match_model.predict.next = self.now_predict.val();
        self.match_model.learn.next = self.now_learn.val();
        self.match_model.taken.next = self.now_taken.val();
        connect::join(&mut self.clear, &mut self.counters.clear);
        self.counters.address.next = self.address.val();
        self.counters.prediction.next = self.weighted_sum.prediction.val();
        self.counters.learn.next = self.now_learn.val();
        self.counters.right.next = !self.is_wrong.val();
        self.counters.grows.next = self.random_bits.grows.val();

        self.wrong.next = self.is_wrong.val();
        self.confidence.next = self.weighted_sum.confidence.val();
        if self.is_synchronous.val() == 1 {
            self.held_wrong.d.next = self.is_wrong.val();
            self.wrong.next = self.held_wrong.q.val();
            self.held_confidence.d.next = self.weighted_sum.confidence.val();
            self.confidence.next = self.held_confidence.q.val();
        }
    }
}
