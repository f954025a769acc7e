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
        let address_bits = config.processor.instruction_address_bits() as usize;
    }
    parameters {
        entries,
        address_bits,
        clear_bits,
        synchronous = config.is_synchronous(),
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
    /// the index but for what is predicted
    local place: index_bits;
    reg held_place: if config.is_synchronous() { index_bits } else { 0 } = undefined;
    local index: index_bits;
    block step: CounterStep(3);
    block counters: TableMemory(entries, 3, Reading::WithinCycle, 0);
    param is_synchronous = usize::from(config.is_synchronous());
    param fold = index_bits;
    param fold_twice = 2 * index_bits;
}

impl Logic for Confidence {
    #[hdl_gen]
    fn update(&mut self) {
        self.key.next = bits_to(self.address.val(), self.key.width()) << 2;
        self.folded.next = bits_to(self.key.val(), self.index.width())
            ^ bits_to(self.key.val() >> self.fold.val(), self.index.width())
            ^ bits_to(self.key.val() >> self.fold_twice.val(), self.index.width());
        self.place.next = self.folded.val();
        if self.is_synchronous.val() == 1 {
            self.held_place.d.next = self.folded.val();
            self.place.next = self.held_place.q.val();
        }
        self.index.next = self.place.val()
            ^ (bits_to(self.differs.val(), self.index.width()) << 1)
            ^ bits_to(self.prediction.val(), self.index.width());
        self.counters.clear.valid.next = self.clear.valid.val();
        self.counters.clear.index.next = bits_to(self.clear.index.val(), self.index.width());
        self.counters.clear_entry.next = 0.into();
        self.counters.index.next = self.index.val();
        self.counter.next = self.counters.entry.val();

        // A counter whose direction is always "right".
        self.step.counter.next = bits_to(self.counters.entry.val(), 4) | 8;
        self.step.taken.next = self.right.val();
        self.step.grows.next = bits_to(self.grows.val().get_bit(self.counters.entry.val()), 1);
        self.counters.write.next = self.learn.val();
        self.counters.write_index.next = self.index.val();
        self.counters.written.next = bits_to(self.step.counter_next.val(), 3);
    }
}
