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

impl Logic for BranchPredictor {
    #[hdl_gen]
    fn update(&mut self) {
        self.index.next = bits_to(self.address.val(), self.index.width());
        self.states.read_address.next = self.index.val();
        self.is_written.next = bits_to(self.written.q.val() >> self.index.val(), 1);
        self.state.next = self.clear.val();
        if self.is_written.val().any() {
            self.state.next = self.states.read_data.val();
        }
        self.last.next = bits_to(self.state.val(), 1);
        self.prediction.next = bits_to(self.state.val() >> 1, 1);
        self.is_right.next = !(self.prediction.val() ^ self.taken.val());
        // Two of prediction, last outcome and this one.
        self.next_prediction.next = (self.prediction.val() & self.last.val())
            | ((self.prediction.val() | self.last.val()) & self.taken.val());
        self.states.write_enable.next = self.learn.val();
        self.states.write_address.next = self.index.val();
        self.states.write_data.next =
            bits_to(self.taken.val(), 2) | (bits_to(self.next_prediction.val(), 2) << 1);
        if self.forget.val().any() {
            self.written.d.next = 0.into();
        } else if self.learn.val().any() {
            self.written.d.next = self.written.q.val() | (self.one.val() << self.index.val());
        }
    }
}
