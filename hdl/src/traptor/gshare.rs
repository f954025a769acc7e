//! The gshare outcome predictor: a table of two-bit counters indexed by address xor history.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

use super::top::PredictorTable;

/// Predicts and learns the outcome of one conditional branch a clock.
#[derive(LogicBlock)]
pub struct Gshare {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The table is being cleared.
    pub clear: Wire<In>,
    /// The entry to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// A conditional branch retires.
    pub update: Wire<In>,
    /// Its address.
    pub program_counter: Wire<In>,
    /// Its outcome.
    pub taken: Wire<In>,
    /// The outcome predicted, in the clock in which the table is read.
    pub predicted_taken: Wire<Out>,
    /// In that clock: a conditional branch retires.
    pub learn: Wire<In>,
    /// In that clock: its outcome.
    pub outcome: Wire<In>,
    counter: Wire<Local>,
    counter_next: Wire<Local>,
    history: Reg,
    counters: PredictorTable,
    weakly_not_taken: Param,
    shift: Param,
    _index_bits: usize,
    _history_bits: usize,
}

impl Gshare {
    /// The predictor of `config`, cleared by an index of `clear_bits`.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
        let entries = config.gshare_entries as usize;
        let (index_bits, history_bits) =
            (config.gshare_index_bits() as usize, config.gshare_history() as usize);
        let address_width = config.processor.address_width as usize;
        let shift = config.pc_shift as usize;
        Self {
            kind: Kind::new(
                "gshare",
                [
                    ("entries", entries),
                    ("history_bits", history_bits),
                    ("pc_shift", shift),
                    ("address_width", address_width),
                    ("clear_bits", clear_bits),
                    ("synchronous", usize::from(config.is_synchronous())),
                ],
            ),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            update: Wire::new(1).describe("a conditional branch retires"),
            program_counter: Wire::new(address_width),
            taken: Wire::new(1),
            predicted_taken: Wire::new(1),
            learn: Wire::new(1).describe("a conditional branch is predicted"),
            outcome: Wire::new(1).describe("and goes this way"),
            counter: Wire::new(2),
            counter_next: Wire::new(2),
            history: Reg::new(history_bits, 0),
            counters: PredictorTable::new(entries, 2, config.memory_style),
            weakly_not_taken: Param::new(1usize),
            shift: Param::new(shift),
            _index_bits: index_bits,
            _history_bits: history_bits,
        }
    }
}

impl Logic for Gshare {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, history);
        self.counters.domain.next = self.domain.val();
        self.counters.clear.next = self.clear.val();
        self.counters.clear_index.next = bits_to(self.clear_index.val(), self._index_bits);
        self.counters.clear_entry.next = self.weakly_not_taken.val();
        self.counters.index.next =
            bits_to(self.program_counter.val() >> self.shift.val(), self._index_bits)
                ^ bits_to(self.history.q.val(), self._index_bits);
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
                (self.history.q.val() << 1) | bits_to(self.taken.val(), self._history_bits);
        }
    }
}
