//! Pseudo-random bits, of which a step gives three new ones.

use tracewright_elaborate::prelude::*;
use tracewright_sim::talon::tick::generator;

block! {
    /// A shift register that takes three shifts at once.
    pub Generator("time_random") of ();

    in step: 1;
    /// the bits after the step
    out random: 16;
    reg bits: 16 = u64::from(generator::SEED);
    local shifted: 16;
    local lowest: 1;
    param taps = Word::new(16, generator::TAPS.into());
    param shifts = shift for shift in 0..generator::SHIFTS as usize;
}

#[kernel]
impl Logic for Generator {
    fn update(&mut self) {
        shifted = bits.q;
        for _shift in 0..shifts.len() {
            lowest = resized(shifted);
            shifted = shifted >> 1;
            if lowest {
                shifted = shifted ^ taps;
            }
        }
        random = shifted;
        if step {
            bits.d = shifted;
        }
    }
}

block! {
    /// What the lowest of some random bits decide: with probability 2^-k all of k bits are 0.
    pub Rarity("time_rarity") of ();

    /// the random bits
    in random: 7;
    /// bit k says that the lowest k of them are 0
    out zeros: 8;
}

#[kernel]
impl Logic for Rarity {
    fn update(&mut self) {
        zeros = 1;
        for place in 0..7 {
            if zeros.get_bit(place) && !random.get_bit(place) {
                zeros = zeros.replace_bit(place + 1, true);
            }
        }
    }
}
