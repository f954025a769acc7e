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
        synchronous = config.is_synchronous(),
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
        Reading::of(config.memory_style, &config.port),
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

impl Logic for Gshare {
    #[hdl_gen]
    fn update(&mut self) {
        self.folded.next = bits_to(self.address.val(), self.index.width())
            ^ bits_to(self.address.val() >> self.fold.val(), self.index.width())
            ^ bits_to(self.address.val() >> self.fold_twice.val(), self.index.width());
        // The histories are 0 in the sweep, and a table of bimodal's size shares this choice with it.
        if self.clear.valid.val().any() {
            self.folded.next = bits_to(self.clear.index.val(), self.index.width());
        }
        self.index.next = self.folded.val();
        if self.rotates.val() == 1 {
            self.index.next =
                (self.folded.val() << self.rotation.val()) | (self.folded.val() >> self.rest.val());
        }
        if self.has_path.val() == 1 {
            self.index.next = self.index.val() ^ bits_to(self.path.q.val(), self.index.width());
        }
        for part in 0..self.history_place.len() {
            self.index.next = self.index.val()
                ^ unsigned_cast_to_fit(self.history.q.val() >> self.history_place[part].val());
        }
        self.counters.clear.valid.next = self.clear.valid.val();
        self.counters.clear.index.next = self.index.val();
        self.counters.index.next = self.index.val();
        self.counter.next = self.counters.entry.val();
        self.latest.next = bits_to(self.history.q.val(), 2);

        self.grows_here.next = 0.into();
        for magnitude in 0..3 {
            if self.grows.val().get_bit(2 * magnitude) {
                self.grows_here.next = self.grows_here.val().replace_bit(magnitude, true);
            }
        }
        self.step.counter.next = self.counters.entry.val();
        self.step.taken.next = self.outcome.val();
        self.step.grows.next =
            bits_to(self.grows_here.val().get_bit(bits_to(self.counters.entry.val(), 2)), 1);
        self.counters.learn.next = self.learn.val();
        self.counters.learned.next = self.step.counter_next.val();

        if self.update.val().any() {
            self.history.d.next =
                (self.history.q.val() << 1) | bits_to(self.taken.val(), self.history.width());
        }
        if self.has_path.val() == 1 {
            self.path_after.next = self.path.q.val();
            if self.update.val().any() {
                self.path_after.next =
                    (self.path.q.val() << 2) ^ bits_to(self.address.val(), self.path.width());
            }
            self.path.d.next = self.path_after.val();
            if self.update_path.val().any() {
                self.path.d.next = (self.path_after.val() << 2) ^ self.target.val();
            }
        }
    }
}
