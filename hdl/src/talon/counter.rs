//! Counters that grow seldom: the pseudo-random bits, the step of a counter, and tables of counters.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::counter;

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{PredictorTable, Reading};

block! {
    /// The shift register of pseudo-random bits, and what they decide about every counter.
    pub RandomBits("random_bits") of ();

    /// an outcome is learned
    in step: 1;
    /// the bits of this outcome
    out random: 8;
    /// bit m says that a magnitude of m grows; 7 is the largest and never does
    out grows: 8;
    reg bits: 8 = counter::RandomBits::new().step();
    local zeros: 8;
    param taps = counter::TAPS;
}

impl Logic for RandomBits {
    #[hdl_gen]
    fn update(&mut self) {
        self.random.next = self.bits.q.val();
        self.zeros.next = 1.into();
        for bit in 0..6 {
            if self.zeros.val().get_bit(bit) && !self.bits.q.val().get_bit(bit) {
                self.zeros.next = self.zeros.val().replace_bit(bit + 1, true);
            }
        }
        self.grows.next = self.zeros.val();
        if self.step.val().any() {
            self.bits.d.next = self.bits.q.val() >> 1;
            if self.bits.q.val().get_bit(0) {
                self.bits.d.next = (self.bits.q.val() >> 1) ^ self.taps.val();
            }
        }
    }
}

block! {
    /// Takes a counter a step towards an outcome.
    ///
    /// A counter is a direction and, below it, the magnitude: a cleared one is 0, and no logic takes the two apart.
    pub CounterStep("counter_step") of (magnitude_bits: usize);
    parameters {
        magnitude_bits,
    }

    in counter: magnitude_bits + 1;
    in taken: 1;
    /// a step that makes the counter surer is taken; low at the largest magnitude
    in grows: 1;
    out counter_next: magnitude_bits + 1;
    local surer: 1;
    local carry: 1;
    local direction: 1;
    local direction_next: 1;
    local magnitude: magnitude_bits;
    local magnitude_next: magnitude_bits;
    param magnitude_bits = magnitude_bits;
}

impl Logic for CounterStep {
    #[hdl_gen]
    fn update(&mut self) {
        self.direction.next = bits_to(self.counter.val() >> self.magnitude_bits.val(), 1);
        self.magnitude.next = bits_to(self.counter.val(), self.magnitude.width());
        self.direction_next.next = self.direction.val();
        self.magnitude_next.next = self.magnitude.val();
        self.surer.next = bits_to(self.direction.val() == self.taken.val(), 1);
        self.carry.next = self.grows.val();
        if !self.surer.val().any() {
            self.carry.next = bits_to(self.magnitude.val().any(), 1);
        }
        if !self.magnitude.val().any() {
            self.direction_next.next = self.taken.val();
        }
        // One chain counts up and down: ones carry on the way up, and zeros on the way down.
        for bit in 0..self.magnitude.width() {
            if self.carry.val().any() {
                self.magnitude_next.next =
                    self.magnitude_next.val().replace_bit(bit, !self.magnitude.val().get_bit(bit));
            }
            if self.magnitude.val().get_bit(bit) != self.surer.val().any() {
                self.carry.next = 0.into();
            }
        }
        self.counter_next.next = (bits_to(self.direction_next.val(), self.counter.width())
            << self.magnitude_bits.val())
            | bits_to(self.magnitude_next.val(), self.counter.width());
    }
}

block! {
    /// A table of counters. Neighbours, whose indexes differ in the lowest bits alone, can have one magnitude in common.
    ///
    /// `entry` is that of `index`: in the same cycle, or two cycles later where tables are read through registers.
    /// `learn` comes in the cycle of `entry`.
    pub CounterTable("counter_table") of (
        entries: usize,
        magnitude_bits: usize,
        counters_per_magnitude: usize,
        reading: Reading,
    ) {
        let index_bits = index_bits(entries as u32) as usize;
        let magnitudes = entries / counters_per_magnitude;
        let shares = counters_per_magnitude > 1;
        let synchronous = reading.is_synchronous();
    }
    parameters {
        entries,
        magnitude_bits,
        magnitudes if shares,
        synchronous if synchronous,
    }

    in clear: Clear(index_bits);
    /// the counter to read
    in index: index_bits;
    /// direction and, below it, magnitude
    out entry: magnitude_bits + 1;
    /// the counter takes a new value
    in learn: 1;
    /// the new value
    in learned: magnitude_bits + 1;
    /// whole counters, or their directions
    block counters: PredictorTable(entries, if shares { 1 } else { magnitude_bits + 1 }, reading, 0);
    block magnitudes: PredictorTable(magnitudes, magnitude_bits, reading, 0) if shares;
    param shares = usize::from(shares);
    param sharing_bits = counters_per_magnitude.ilog2() as usize;
    param magnitude_bits = magnitude_bits;
}

impl Logic for CounterTable {
    #[hdl_gen]
    fn update(&mut self) {
        connect::join(&mut self.clear, &mut self.counters.clear);
        self.counters.clear_entry.next = 0.into();
        self.counters.index.next = self.index.val();
        self.counters.learn.next = self.learn.val();
        self.counters.learned.next = bits_to(self.learned.val(), self.counters.learned.width());
        self.entry.next = bits_to(self.counters.entry.val(), self.entry.width());
        if self.shares.val() == 1 {
            self.magnitudes.clear.valid.next = self.clear.valid.val();
            self.magnitudes.clear.index.next = bits_to(
                self.clear.index.val() >> self.sharing_bits.val(),
                self.magnitudes.index.width(),
            );
            self.magnitudes.clear_entry.next = 0.into();
            self.magnitudes.index.next =
                bits_to(self.index.val() >> self.sharing_bits.val(), self.magnitudes.index.width());
            self.magnitudes.learn.next = self.learn.val();
            self.magnitudes.learned.next =
                bits_to(self.learned.val(), self.magnitudes.learned.width());
            self.counters.learned.next =
                bits_to(self.learned.val() >> self.magnitude_bits.val(), 1);
            self.entry.next = (bits_to(self.counters.entry.val(), self.entry.width())
                << self.magnitude_bits.val())
                | bits_to(self.magnitudes.entry.val(), self.entry.width());
        }
    }
}
