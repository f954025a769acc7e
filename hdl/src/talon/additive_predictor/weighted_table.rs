//! Counters of additive prediction.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

use crate::parts::ports::Clear;
use crate::parts::predictor_table::Reading;
use crate::talon::counter::{CounterStep, CounterTable};

/// What a table is indexed by, and how large it is.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Counters; a power of two.
    pub entries: u32,
    /// Bits of a magnitude.
    pub magnitude_bits: usize,
    /// Counters that have one magnitude in common.
    pub counters_per_magnitude: u32,
    /// Places by which the folded address is rotated.
    pub rotation: u32,
    /// Outcomes that the folded and rotated address meets.
    pub history_bits: u32,
}

block! {
    /// Counters by the address of a branch and a history of outcomes.
    ///
    /// `counter` is that of `address` and `history`: in the same cycle, or two cycles later where tables are read
    /// through registers. `learn` and `taken` come in the cycle of `counter`.
    pub WeightedTable("weighted_table") of (shape: Shape, address_bits: usize, clear_bits: usize, reading: Reading) {
        let Shape { entries, magnitude_bits, counters_per_magnitude, rotation, history_bits } = shape;
        let index_bits = index_bits(entries) as usize;
        let (entries, history_bits) = (entries as usize, history_bits as usize);
        let rotation = rotation as usize % index_bits;
        let synchronous = reading.is_synchronous();
    }
    parameters {
        entries,
        magnitude_bits,
        counters_per_magnitude = counters_per_magnitude as usize,
        history_bits,
        rotation if rotation > 0,
        address_bits,
        clear_bits,
        synchronous,
    }

    in clear: Clear(clear_bits);
    /// address of the branch, in instruction units
    in address: address_bits;
    /// outcomes, the latest lowest
    in history: history_bits;
    /// an outcome is learned
    in learn: 1;
    /// that outcome
    in taken: 1;
    /// direction and, below it, magnitude
    out counter: magnitude_bits + 1;
    local folded: index_bits;
    local index: index_bits;
    local magnitude: magnitude_bits;
    block counters: CounterTable(entries, magnitude_bits, counters_per_magnitude as usize, reading);
    block step: CounterStep(magnitude_bits);
    param rotates = usize::from(rotation > 0);
    param rotation = rotation;
    param rest = index_bits - rotation;
    param fold = index_bits;
    param fold_twice = 2 * index_bits;
    param history_place = part * index_bits for part in 0..history_bits.div_ceil(index_bits);
}

impl Logic for WeightedTable {
    #[hdl_gen]
    fn update(&mut self) {
        self.folded.next = bits_to(self.address.val(), self.index.width())
            ^ bits_to(self.address.val() >> self.fold.val(), self.index.width())
            ^ bits_to(self.address.val() >> self.fold_twice.val(), self.index.width());
        self.index.next = self.folded.val();
        if self.rotates.val() == 1 {
            self.index.next =
                (self.folded.val() << self.rotation.val()) | (self.folded.val() >> self.rest.val());
        }
        for part in 0..self.history_place.len() {
            self.index.next = self.index.val()
                ^ unsigned_cast_to_fit(self.history.val() >> self.history_place[part].val());
        }
        // Read and write share an index in the sweep too.
        if self.clear.valid.val().any() {
            self.index.next = bits_to(self.clear.index.val(), self.index.width());
        }
        self.counters.clear.valid.next = self.clear.valid.val();
        self.counters.clear.index.next = self.index.val();
        self.counters.index.next = self.index.val();
        self.counter.next = self.counters.entry.val();

        self.magnitude.next = bits_to(self.counters.entry.val(), self.magnitude.width());
        self.step.counter.next = self.counters.entry.val();
        self.step.taken.next = self.taken.val();
        self.step.grows.next = bits_to(!self.magnitude.val().all(), 1);
        self.counters.learn.next = self.learn.val();
        self.counters.learned.next = self.step.counter_next.val();
    }
}
