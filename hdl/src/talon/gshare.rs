//! The filtered gshare predictor: counters by address and recent outcomes.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;

use super::counter::{CounterStep, CounterTable};
use crate::parts::ports::Clear;
use crate::parts::predictor_table::Reading;

block! {
    /// Counters, the history of outcomes, and that of addresses.
    ///
    /// `counter` is that of `address`: in the same cycle, or two cycles later where tables are read through
    /// registers. `learn` and `outcome` come in the cycle of `counter`; the histories are updated in that of `address`.
    pub Gshare("gshare") of (config: &Config, clear_bits: usize) {
        let entries = config.gshare_entries as usize;
        let index_bits = index_bits(config.gshare_entries) as usize;
        let reading = Reading::of(config.memory_style, &config.port);
        let address_bits = config.processor.instruction_address_bits() as usize;
        let history_bits = config.gshare_history_bits as usize;
        let path_bits = config.gshare_path_bits as usize;
        let rotation = config.gshare_address_rotation as usize % index_bits;
    }
    parameters {
        entries,
        history_bits,
        path_bits,
        rotation if rotation > 0,
        address_bits,
        clear_bits,
        synchronous = reading,
    }

    in clear: Clear(clear_bits);
    /// address of the branch, in instruction units
    in address: address_bits;
    /// the outcome joins the history
    in update: 1;
    /// the outcome
    in taken: 1;
    /// the program goes on at a target
    in update_path: usize::from(path_bits > 0);
    /// low bits of the target, in instruction units
    in target: path_bits;
    /// an outcome is learned
    in learn: 1;
    /// that outcome
    in outcome: 1;
    /// by magnitude, whether a bimodal counter grows; a gshare counter grows like one of twice its magnitude
    in grows: 8;
    /// direction and, below it, magnitude
    out counter: 3;
    /// the two latest outcomes
    out latest: 2;
    local folded: index_bits;
    local index: index_bits;
    local path_after: path_bits;
    local grows_here: 4;
    reg history: history_bits;
    reg path: path_bits;
    block counters: CounterTable(
        entries,
        2,
        config.gshare_counters_per_magnitude as usize,
        reading,
    );
    block step: CounterStep(2);
    param has_path = usize::from(path_bits > 0);
    param rotates = usize::from(rotation > 0);
    param rotation = rotation;
    param rest = index_bits - rotation;
    param fold = index_bits;
    param fold_twice = 2 * index_bits;
    param history_place = part * index_bits for part in 0..history_bits.div_ceil(index_bits);
}

#[kernel]
impl Logic for Gshare {
    fn update(&mut self) {
        folded = resized(address) ^ resized(address >> fold) ^ resized(address >> fold_twice);
        // The histories are 0 in the sweep, and a table of bimodal's size shares this choice with it.
        if clear.valid {
            folded = resized(clear.index);
        }
        index = folded;
        if when(rotates) {
            index = (folded << rotation) | (folded >> rest);
        }
        if when(has_path) {
            index = index ^ resized(path.q);
        }
        for part in 0..history_place.len() {
            index = index ^ fitted(history.q >> history_place[part]);
        }
        counters.clear.valid = clear.valid;
        counters.clear.index = index;
        counters.index = index;
        counter = counters.entry;
        latest = resized(history.q, 2);

        grows_here = 0;
        for magnitude in 0..3 {
            if grows.get_bit(2 * magnitude) {
                grows_here = grows_here.replace_bit(magnitude, true);
            }
        }
        step = CounterStep {
            counter: counters.entry,
            taken: outcome,
            grows: grows_here.get_bit(resized(counters.entry, 2)),
        };
        counters = CounterTable { learn, learned: step.counter_next };

        if update {
            history.d = (history.q << 1) | resized(taken);
        }
        if when(has_path) {
            path_after = path.q;
            if update {
                path_after = (path.q << 2) ^ resized(address);
            }
            path.d = path_after;
            if update_path {
                path.d = (path_after << 2) ^ target;
            }
        }
    }
}
