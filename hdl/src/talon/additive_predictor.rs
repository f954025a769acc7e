//! Additive prediction of outcomes: each table says an outcome with a weight, and the sum decides.

mod paired_confidence;
mod weighted_sum;
mod weighted_table;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::additive_parameters::Additive;
use tracewright_sim::talon::additive_predictor::{CONFIDENCE_PLACE, TAPS, WideRandomBits as Model};
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::match_model::KEEPING_BIT;

use super::match_model::MatchModel;
use crate::parts::ports::Clear;
use crate::parts::predictor_table::{Reading, TableMemory};
use paired_confidence::PairedConfidence;
use weighted_sum::WeightedSum;
use weighted_table::{Shape, WeightedTable};

block! {
    /// The shift register of pseudo-random bits, and what they decide.
    pub WideRandomBits("wide_random_bits") of (most_confidence: usize, random_pointers: usize);
    parameters {
        most_confidence,
        random_pointers if random_pointers > 0,
    }

    /// an outcome is learned
    in step: 1;
    /// bit k says that the tables learn an outcome that was predicted rightly with confidence k
    out learns: most_confidence + 1;
    /// bit m says that a confidence counter of m grows; 7 is the largest and never does
    out grows: 8;
    /// a pointer of the match model stays
    out keeps_pointer: random_pointers;
    reg bits: 16 = Model::new().step();
    local zeros: most_confidence + 2;
    local grown: 8;
    param taps = TAPS;
    param place = CONFIDENCE_PLACE as usize + bit for bit in 0..6;
    param random_pointers = random_pointers;
    param keeping_bit = KEEPING_BIT as usize;
}

#[kernel]
impl Logic for WideRandomBits {
    fn update(&mut self) {
        zeros = 1;
        for bit in 0..learns.width() {
            if zeros.get_bit(bit) && !bits.q.get_bit(bit) {
                zeros = zeros.replace_bit(bit + 1, true);
            }
        }
        learns = resized(zeros >> 1);
        grown = 1;
        for bit in 0..place.len() {
            if grown.get_bit(bit) && !bits.q.get_bit(place[bit]) {
                grown = grown.replace_bit(bit + 1, true);
            }
        }
        grows = grown;
        if when(random_pointers) {
            keeps_pointer = resized(bits.q >> keeping_bit, 1);
        }
        if step {
            bits.d = bits.q >> 1;
            if bits.q.get_bit(0) {
                bits.d = (bits.q >> 1) ^ taps;
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
        let random_pointers = usize::from(config.match_random_pointers);
        let [bimodal, short, long, local] = shapes(config);
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
    stage first_predict: 1 if reading;
    stage first_learn: 1 if reading;
    stage first_taken: 1 = undefined if reading;
    stage second_predict: 1 if reading;
    stage second_learn: 1 if reading;
    stage second_taken: 1 = undefined if reading;
    stage held_wrong: 1 = undefined if reading;
    stage held_confidence: confidence_bits = undefined if reading;
    /// recent outcomes, the latest lowest
    reg history: config.history_bits();
    block random_bits: WideRandomBits(config.most_confidence as usize, random_pointers);
    block local_histories: TableMemory(config.additive.local_histories as usize, local_bits, Reading::WithinCycle, 0);
    block bimodal: WeightedTable(bimodal, address_bits, clear_bits, reading);
    block short_history: WeightedTable(short, address_bits, clear_bits, reading);
    block long_history: WeightedTable(long, address_bits, clear_bits, reading);
    block by_local_history: WeightedTable(local, address_bits, clear_bits, reading);
    block match_model: MatchModel(config, clear_bits);
    block counters: PairedConfidence(config, clear_bits);
    block weighted_sum: WeightedSum(config);
    param fold = place_bits;
    param fold_twice = 2 * place_bits;
    param random_pointers = random_pointers;
}

#[kernel]
impl Logic for AdditivePredictor {
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

        // Histories go on when the block is taken, so that the next one finds them.
        place = resized(address) ^ resized(address >> fold) ^ resized(address >> fold_twice);
        local_histories.clear.valid = clear.valid;
        local_histories.clear.index = resized(clear.index);
        local_histories = TableMemory {
            clear_entry: 0,
            index: place,
            write: learn,
            write_index: place,
            written: (local_histories.entry << 1) | resized(taken),
        };
        if learn {
            history.d = (history.q << 1) | resized(taken);
        }

        weighted_sum = WeightedSum {
            bimodal: bimodal.counter,
            short_history: short_history.counter,
            long_history: long_history.counter,
            local_history: by_local_history.counter,
            matched: match_model.predicted,
            match_class: match_model.match_class,
            counter_not_taken: counters.not_taken,
            counter_taken: counters.taken,
        };
        is_wrong = weighted_sum.prediction ^ now_taken;
        // What was predicted rightly is learned about as often as such a prediction is wrong.
        tables_learn = now_learn & is_wrong;
        if random_bits.learns.get_bit(weighted_sum.confidence) {
            tables_learn = now_learn;
        }

        join(clear, bimodal.clear);
        bimodal = WeightedTable { address, learn: tables_learn, taken: now_taken };
        join(clear, short_history.clear);
        short_history = WeightedTable {
            address,
            history: resized(history.q),
            learn: tables_learn,
            taken: now_taken,
        };
        join(clear, long_history.clear);
        long_history = WeightedTable {
            address,
            history: resized(history.q),
            learn: tables_learn,
            taken: now_taken,
        };
        join(clear, by_local_history.clear);
        by_local_history = WeightedTable {
            address,
            history: local_histories.entry,
            learn: tables_learn,
            taken: now_taken,
        };
        join(clear, match_model.clear);
        match_model = MatchModel {
            address,
            latest: resized(history.q),
            predict: now_predict,
            learn: now_learn,
            taken: now_taken,
        };
        if when(random_pointers) {
            match_model.keeps_pointer = random_bits.keeps_pointer;
        }
        join(clear, counters.clear);
        counters = PairedConfidence {
            address,
            prediction: weighted_sum.prediction,
            learn: now_learn,
            right: !is_wrong,
            grows: random_bits.grows,
        };

        held_wrong.d = is_wrong;
        wrong = held_wrong.q;
        held_confidence.d = weighted_sum.confidence;
        confidence = held_confidence.q;
    }
}
