//! Confidence counters of additive prediction, which are read before the outcome is predicted.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{PredictorTable, Reading};
use crate::talon::counter::CounterStep;

block! {
    /// Three-bit counters in rows of two, one for each outcome that can be predicted.
    ///
    /// Both counters are those of `address`: in the same cycle, or two cycles later where tables are read through
    /// registers. `prediction`, `learn`, `right` and `grows` come in their cycle.
    pub PairedConfidence("paired_confidence") of (config: &Config, clear_bits: usize) {
        let rows = config.confidence_entries as usize / 2;
        let index_bits = index_bits(config.confidence_entries) as usize;
        let address_bits = config.processor.instruction_address_bits() as usize;
        let held = usize::from(config.is_synchronous());
    }
    parameters {
        rows,
        address_bits,
        clear_bits,
        synchronous = config.is_synchronous(),
    }

    in clear: Clear(clear_bits);
    /// address of the branch, in instruction units
    in address: address_bits;
    /// the outcome that is predicted
    in prediction: 1;
    /// an outcome is learned
    in learn: 1;
    /// the prediction was right
    in right: 1;
    /// by value, whether a counter grows
    in grows: 8;
    /// the counter of "not taken"
    out not_taken: 3;
    /// the counter of "taken"
    out taken: 3;
    /// the address above the bit of what is predicted
    local key: address_bits + 1;
    local folded: index_bits;
    /// the counter of "taken" is the lower one of its row
    local flips: 1;
    reg first_flips: held = undefined;
    reg second_flips: held = undefined;
    local low: 3;
    local high: 3;
    local counter: 3;
    local learned: 3;
    local learns_low: 1;
    block step: CounterStep(3);
    block pairs: PredictorTable(rows, 6, Reading::of(config.memory_style, &config.port), 0);
    param is_synchronous = held;
    param fold = index_bits;
    param fold_twice = 2 * index_bits;
}

impl Logic for PairedConfidence {
    #[hdl_gen]
    fn update(&mut self) {
        self.key.next = bits_to(self.address.val(), self.key.width()) << 1;
        self.folded.next = bits_to(self.key.val(), self.folded.width())
            ^ bits_to(self.key.val() >> self.fold.val(), self.folded.width())
            ^ bits_to(self.key.val() >> self.fold_twice.val(), self.folded.width());
        self.pairs.clear.valid.next = self.clear.valid.val();
        self.pairs.clear.index.next = bits_to(self.clear.index.val(), self.pairs.index.width());
        self.pairs.clear_entry.next = 0.into();
        self.pairs.index.next = bits_to(self.folded.val() >> 1, self.pairs.index.width());
        self.flips.next = bits_to(self.folded.val(), 1);
        if self.is_synchronous.val() == 1 {
            self.first_flips.d.next = bits_to(self.folded.val(), 1);
            self.second_flips.d.next = self.first_flips.q.val();
            self.flips.next = self.second_flips.q.val();
        }
        self.low.next = bits_to(self.pairs.entry.val(), 3);
        self.high.next = bits_to(self.pairs.entry.val() >> 3, 3);
        self.not_taken.next = self.low.val();
        self.taken.next = self.high.val();
        if self.flips.val().any() {
            self.not_taken.next = self.high.val();
            self.taken.next = self.low.val();
        }

        self.learns_low.next = bits_to(self.prediction.val() == self.flips.val(), 1);
        self.counter.next = self.high.val();
        if self.learns_low.val().any() {
            self.counter.next = self.low.val();
        }
        // A counter whose direction is always "right".
        self.step.counter.next = bits_to(self.counter.val(), 4) | 8;
        self.step.taken.next = self.right.val();
        self.step.grows.next = bits_to(self.grows.val().get_bit(self.counter.val()), 1);
        self.learned.next = bits_to(self.step.counter_next.val(), 3);
        self.pairs.learn.next = self.learn.val();
        self.pairs.learned.next =
            (bits_to(self.learned.val(), 6) << 3) | bits_to(self.low.val(), 6);
        if self.learns_low.val().any() {
            self.pairs.learned.next =
                (bits_to(self.high.val(), 6) << 3) | bits_to(self.learned.val(), 6);
        }
    }
}
