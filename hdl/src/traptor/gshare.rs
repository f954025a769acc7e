//! The gshare outcome predictor: a table of two-bit counters indexed by address xor history.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{PredictorTable, Reading};

/// The value of a cleared counter.
const WEAKLY_NOT_TAKEN: u64 = 1;

block! {
    /// Predicts and learns the outcome of one conditional branch per cycle.
    pub Gshare("gshare") of (config: &Config, clear_bits: usize) {
        let entries = config.gshare_entries as usize;
        let history_bits = config.gshare_history() as usize;
        let address_width = config.processor.address_width as usize;
        let shift = config.pc_shift as usize;
    }
    parameters {
        entries,
        history_bits,
        pc_shift = shift,
        address_width,
        clear_bits,
        synchronous = config.is_synchronous(),
    }

    in clear: Clear(clear_bits);
    /// a conditional branch retires
    in update: 1;
    /// address of the branch
    in program_counter: address_width;
    /// outcome of the branch
    in taken: 1;
    /// predicted outcome, in the cycle in which the table is read
    out predicted_taken: 1;
    /// a conditional branch is predicted
    in learn: 1;
    /// outcome of that branch
    in outcome: 1;
    local counter: 2;
    local counter_next: 2;
    reg history: history_bits;
    block counters: PredictorTable(entries, 2, Reading::of(config.memory_style, &config.port), WEAKLY_NOT_TAKEN);
    param weakly_not_taken = WEAKLY_NOT_TAKEN as usize;
    param shift = shift;
}

impl Logic for Gshare {
    #[hdl_gen]
    fn update(&mut self) {
        self.counters.clear.valid.next = self.clear.valid.val();
        self.counters.clear.index.next =
            bits_to(self.clear.index.val(), self.counters.index.width());
        self.counters.clear_entry.next = self.weakly_not_taken.val();
        self.counters.index.next =
            bits_to(self.program_counter.val() >> self.shift.val(), self.counters.index.width())
                ^ bits_to(self.history.q.val(), self.counters.index.width());
        self.counter.next = self.counters.entry.val();
        self.predicted_taken.next = bits_to(self.counter.val() >> 1, 1);

        self.counter_next.next = self.counter.val();
        if self.outcome.val().any() {
            if !self.counter.val().all() {
                self.counter_next.next = self.counter.val() + 1;
            }
        } else if self.counter.val().any() {
            self.counter_next.next = self.counter.val() - 1;
        }
        self.counters.learn.next = self.learn.val();
        self.counters.learned.next = self.counter_next.val();
        if self.update.val().any() {
            self.history.d.next =
                (self.history.q.val() << 1) | bits_to(self.taken.val(), self.history.width());
        }
    }
}
