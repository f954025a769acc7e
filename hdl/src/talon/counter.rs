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

#[kernel]
impl Logic for RandomBits {
    fn update(&mut self) {
        random = bits.q;
        zeros = 1;
        for bit in 0..6 {
            if zeros.get_bit(bit) && !bits.q.get_bit(bit) {
                zeros = zeros.replace_bit(bit + 1, true);
            }
        }
        grows = zeros;
        if step {
            bits.d = bits.q >> 1;
            if bits.q.get_bit(0) {
                bits.d = (bits.q >> 1) ^ taps;
            }
        }
    }
}

block! {
    /// The shift register whose lowest bit chooses the entry that a new branch takes.
    pub VictimBits("victim_bits") of ();

    /// a target is learned
    in step: 1;
    out victim: 1;
    reg bits: 3 = counter::VictimBits::new().step();
    param taps = counter::VICTIM_TAPS;
}

#[kernel]
impl Logic for VictimBits {
    fn update(&mut self) {
        victim = resized(bits.q);
        if step {
            bits.d = bits.q >> 1;
            if bits.q.get_bit(0) {
                bits.d = (bits.q >> 1) ^ taps;
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

#[kernel]
impl Logic for CounterStep {
    fn update(&mut self) {
        direction = resized(counter >> magnitude_bits, 1);
        magnitude = resized(counter);
        direction_next = direction;
        magnitude_next = magnitude;
        surer = direction == taken;
        carry = grows;
        if !surer {
            carry = magnitude.any();
        }
        if !magnitude {
            direction_next = taken;
        }
        // One chain counts up and down: ones carry on the way up, and zeros on the way down.
        for bit in 0..magnitude.width() {
            if carry {
                magnitude_next = magnitude_next.replace_bit(bit, !magnitude.get_bit(bit));
            }
            if magnitude.get_bit(bit) != surer.any() {
                carry = 0;
            }
        }
        counter_next = (resized(direction_next) << magnitude_bits) | resized(magnitude_next);
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
    }
    parameters {
        entries,
        magnitude_bits,
        magnitudes if shares,
        ..reading.stated(),
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

#[kernel]
impl Logic for CounterTable {
    fn update(&mut self) {
        join(clear, counters.clear);
        counters = PredictorTable { clear_entry: 0, index, learn, learned: resized(learned) };
        entry = resized(counters.entry);
        if when(shares) {
            magnitudes.clear.valid = clear.valid;
            magnitudes.clear.index = resized(clear.index >> sharing_bits);
            magnitudes = PredictorTable {
                clear_entry: 0,
                index: resized(index >> sharing_bits),
                learn,
                learned: resized(learned),
            };
            counters.learned = resized(learned >> magnitude_bits, 1);
            entry = (resized(counters.entry) << magnitude_bits) | resized(magnitudes.entry);
        }
    }
}
