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
        Reading::of(config.memory_style, &config.port),
    );
    block step: CounterStep(3);
    param fold = index_bits;
    param fold_twice = 2 * index_bits;
    param sure = Word::new(3, SURE.into());
}

impl Logic for Bimodal {
    #[hdl_gen]
    fn update(&mut self) {
        self.index.next = bits_to(self.address.val(), self.index.width())
            ^ bits_to(self.address.val() >> self.fold.val(), self.index.width())
            ^ bits_to(self.address.val() >> self.fold_twice.val(), self.index.width());
        // Read and write share an index in the sweep too, and gshare folds addresses alike.
        if self.clear.valid.val().any() {
            self.index.next = bits_to(self.clear.index.val(), self.index.width());
        }
        self.counters.clear.valid.next = self.clear.valid.val();
        self.counters.clear.index.next = self.index.val();
        self.counters.index.next = self.index.val();
        self.counter.next = self.counters.entry.val();
        self.magnitude.next = bits_to(self.counters.entry.val(), self.magnitude.width());
        self.is_sure.next = bits_to(self.magnitude.val() >= self.sure.val(), 1);

        self.step.counter.next = self.counters.entry.val();
        self.step.taken.next = self.taken.val();
        self.step.grows.next = bits_to(self.grows.val().get_bit(self.magnitude.val()), 1);
        self.counters.learn.next = self.learn.val();
        self.counters.learned.next = self.step.counter_next.val();
    }
}
