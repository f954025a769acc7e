//! The predictor of branches, a table of two bits an address.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::branch_predictor::CLEAR;
use tracewright_sim::e_trace::config::Config;

block! {
    /// Says whether an outcome is the predicted one, and learns it.
    ///
    /// A bit for each entry says that it was written, so that all are clear at once.
    pub BranchPredictor("branch_predictor") of (config: &Config) {
        let entries = config.branch_predictor_entries.max(2) as usize;
        let index_bits = entries.ilog2() as usize;
    }
    parameters {
        entries,
        address_bits = config.address_bits() as usize,
    }

    /// a branch retires
    in learn: 1;
    /// its address, in instruction units
    in address: config.address_bits();
    in taken: 1;
    /// the trace goes on with a start or a trap
    in forget: 1;
    /// the outcome is the predicted one
    out is_right: 1;
    /// the entries that were written
    reg written: entries;
    local index: index_bits;
    local is_written: 1;
    /// the last outcome, and above it the prediction
    local state: 2;
    local last: 1;
    local prediction: 1;
    local next_prediction: 1;
    memory states: [2; entries];
    param one = Word::new(entries, 1);
    param clear = Word::new(2, CLEAR.into());
}

#[kernel]
impl Logic for BranchPredictor {
    fn update(&mut self) {
        index = resized(address);
        states.read_address = index;
        is_written = resized(written.q >> index, 1);
        state = clear;
        if is_written {
            state = states.read_data;
        }
        last = resized(state, 1);
        prediction = resized(state >> 1, 1);
        is_right = !(prediction ^ taken);
        // Two of prediction, last outcome and this one.
        next_prediction = (prediction & last) | ((prediction | last) & taken);
        states.write_enable = learn;
        states.write_address = index;
        states.write_data = resized(taken, 2) | (resized(next_prediction, 2) << 1);
        if forget {
            written.d = 0;
        } else if learn {
            written.d = written.q | (one << index);
        }
    }
}
