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
    }
    parameters {
        entries,
        magnitude_bits,
        counters_per_magnitude = counters_per_magnitude as usize,
        history_bits,
        rotation if rotation > 0,
        address_bits,
        clear_bits,
        synchronous = reading,
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

#[kernel]
impl Logic for WeightedTable {
    fn update(&mut self) {
        folded = resized(address) ^ resized(address >> fold) ^ resized(address >> fold_twice);
        index = folded;
        if when(rotates) {
            index = (folded << rotation) | (folded >> rest);
        }
        for part in 0..history_place.len() {
            index = index ^ fitted(history >> history_place[part]);
        }
        // Read and write share an index in the sweep too.
        if clear.valid {
            index = resized(clear.index);
        }
        counters.clear.valid = clear.valid;
        counters.clear.index = index;
        counters.index = index;
        counter = counters.entry;

        magnitude = resized(counters.entry);
        step = CounterStep { counter: counters.entry, taken, grows: !magnitude.all() };
        counters = CounterTable { learn, learned: step.counter_next };
    }
}
