//! Counters that grow seldom: the pseudo-random bits, and the step of a counter.

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon::counter;

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
