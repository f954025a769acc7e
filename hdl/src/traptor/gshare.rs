//! The gshare outcome predictor: a table of two-bit counters indexed by address xor history.

use tracewright_elaborate::prelude::*;
use tracewright_sim::traptor::config::Config;

/// Predicts, and in the same clock learns, the outcome of one conditional branch.
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
    /// The outcome predicted.
    pub predicted_taken: Wire<Out>,
    index: Wire<Local>,
    counter: Wire<Local>,
    counter_next: Wire<Local>,
    history: Reg,
    counters: Memory,
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
                ],
            ),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            update: Wire::new(1).describe("a conditional branch retires"),
            program_counter: Wire::new(address_width),
            taken: Wire::new(1),
            predicted_taken: Wire::new(1),
            index: Wire::new(index_bits),
            counter: Wire::new(2),
            counter_next: Wire::new(2),
            history: Reg::new(history_bits, 0),
            counters: Memory::new(entries, 2),
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
        clock!(self, domain, counters);
        self.index.next = bits_to(self.program_counter.val() >> self.shift.val(), self._index_bits)
            ^ bits_to(self.history.q.val(), self._index_bits);
        self.counters.read_address.next = self.index.val();
        self.counter.next = self.counters.read_data.val();
        self.predicted_taken.next = bits_to(self.counter.val() >> 1, 1);

        self.counter_next.next = self.counter.val();
        if self.taken.val().any() {
            if !self.counter.val().all() {
                self.counter_next.next = self.counter.val() + 1;
            }
        } else if self.counter.val().any() {
            self.counter_next.next = self.counter.val() - 1;
        }
        self.counters.write_enable.next = self.update.val() | self.clear.val();
        self.counters.write_address.next = self.index.val();
        self.counters.write_data.next = self.counter_next.val();
        if self.clear.val().any() {
            self.counters.write_address.next = bits_to(self.clear_index.val(), self._index_bits);
            self.counters.write_data.next = 1.into();
        }
        if self.update.val().any() {
            self.history.d.next =
                (self.history.q.val() << 1) | bits_to(self.taken.val(), self._history_bits);
        }
    }
}
