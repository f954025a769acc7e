//! The bimodal outcome predictor: counters by address, which say how sure they are.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::bimodal::SURE;
use tracewright_sim::talon::config::Config;

use super::counter::{CounterStep, CounterTable};
use crate::parts::ports::Clear;
use crate::parts::predictor_table::Reading;

block! {
    /// Counters by the address of the branch.
    ///
    /// `counter` is that of `address`: in the same cycle, or two cycles later where tables are read through
    /// registers. `learn` comes in the cycle of `counter`.
    pub Bimodal("bimodal") of (config: &Config, clear_bits: usize) {
        let entries = config.bimodal_entries as usize;
        let index_bits = index_bits(config.bimodal_entries) as usize;
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
    /// an outcome is learned
    in learn: 1;
    /// the outcome
    in taken: 1;
    /// by magnitude, whether a counter grows
    in grows: 8;
    /// direction and, below it, magnitude
    out counter: 4;
    /// the counter alone predicts
    out is_sure: 1;
    local index: index_bits;
    local magnitude: 3;
    block counters: CounterTable(
        entries,
        3,
        config.bimodal_counters_per_magnitude as usize,
        reading,
    );
    block step: CounterStep(3);
    param fold = index_bits;
    param fold_twice = 2 * index_bits;
    param sure = Word::new(3, SURE.into());
}

#[kernel]
impl Logic for Bimodal {
    fn update(&mut self) {
        index = resized(address) ^ resized(address >> fold) ^ resized(address >> fold_twice);
        // Read and write share an index in the sweep too, and gshare folds addresses alike.
        if clear.valid {
            index = resized(clear.index);
        }
        counters.clear.valid = clear.valid;
        counters.clear.index = index;
        counters.index = index;
        counter = counters.entry;
        magnitude = resized(counters.entry);
        is_sure = magnitude >= sure;

        step = CounterStep { counter: counters.entry, taken, grows: grows.get_bit(magnitude) };
        counters = CounterTable { learn, learned: step.counter_next };
    }
}
