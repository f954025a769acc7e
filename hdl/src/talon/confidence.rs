//! Counters of how often a prediction was right lately, by the branch and by what was predicted.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;

use super::counter::CounterStep;
use crate::parts::ports::Clear;
use crate::parts::predictor_table::{Reading, TableMemory};

block! {
    /// Three-bit counters, read and learned in one cycle.
    ///
    /// The address comes with the prediction, or a cycle before it where tables are read through registers.
    pub Confidence("confidence") of (config: &Config, clear_bits: usize) {
        let entries = config.confidence_entries as usize;
        let index_bits = index_bits(config.confidence_entries) as usize;
        let reading = Reading::of(config.memory_style, &config.port);
        let address_bits = config.processor.instruction_address_bits() as usize;
    }
    parameters {
        entries,
        address_bits,
        clear_bits,
        synchronous = reading,
    }

    in clear: Clear(clear_bits);
    /// address of the branch, in instruction units
    in address: address_bits;
    /// the outcome that is predicted
    in prediction: 1;
    /// bimodal would predict otherwise
    in differs: 1;
    /// an outcome is learned
    in learn: 1;
    /// the prediction was right
    in right: 1;
    /// by value, whether a counter grows
    in grows: 8;
    out counter: 3;
    /// the address above the bits of what is predicted
    local key: address_bits + 2;
    local folded: index_bits;
    stage held_place: index_bits = undefined if reading;
    local index: index_bits;
    block step: CounterStep(3);
    block counters: TableMemory(entries, 3, Reading::WithinCycle, 0);
    param fold = index_bits;
    param fold_twice = 2 * index_bits;
}

#[kernel]
impl Logic for Confidence {
    fn update(&mut self) {
        key = resized(address) << 2;
        folded = resized(key) ^ resized(key >> fold) ^ resized(key >> fold_twice);
        held_place.d = folded;
        index = held_place.q ^ (resized(differs) << 1) ^ resized(prediction);
        counters.clear.valid = clear.valid;
        counters.clear.index = resized(clear.index);
        counters = TableMemory { clear_entry: 0, index };
        counter = counters.entry;

        // A counter whose direction is always "right".
        step = CounterStep {
            counter: resized(counters.entry, 4) | 8,
            taken: right,
            grows: grows.get_bit(counters.entry),
        };
        counters = TableMemory {
            write: learn,
            write_index: index,
            written: resized(step.counter_next, 3),
        };
    }
}
