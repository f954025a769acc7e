//! The tuple history buffer: shift registers of indices, one for each place in a tuple.

pub mod search;

use tracewright_elaborate::prelude::*;
use tracewright_sim::ntuple::config::{Config, TupleUpdate};

block! {
    /// Compares an index with its column as it comes, so that only one index a tuple is compared at once.
    pub TupleHistoryBuffer("tuple_history_buffer") of (config: &Config) {
        let index_bits = config.cache.index_bits() as usize;
        let entries = config.tuple_history_entries as usize;
        let length = config.tuple_length as usize;
        let (age_bits, count_bits) = (config.age_bits() as usize, config.count_bits() as usize);
        let column_bits = entries * index_bits;
        let learns_every = usize::from(config.tuple_update == TupleUpdate::Every);
        // The bits of a word of matches whose ages have this bit set.
        let age_mask = |bit: usize| {
            let mut limbs = vec![0u64; entries.div_ceil(64)];
            let ages = (0..entries).filter(|entry| (entry + 1) >> bit & 1 == 1);
            ages.for_each(|entry| limbs[entry / 64] |= 1 << (entry % 64));
            Word::from_limbs(entries, &limbs)
        };
    }
    parameters {
        entries,
        tuple_length = length,
        index_bits,
        learns_every,
    }

    /// an index is at the inputs
    in valid: 1;
    /// the index is taken
    in update: 1;
    /// index of the stream
    in index: index_bits;
    /// position of the index in its tuple
    in place: count_bits;
    /// age of the tuple up to that position; 0: none
    out age: age_bits;
    /// the tuple is full
    in learn: 1;
    /// the first index lowest
    in tuple: length * index_bits;
    /// entries like the tuple so far
    reg matching: entries;
    /// the newest tuple's index lowest
    reg columns: column_bits for _ in 0..length;
    local so_far: entries;
    local column: column_bits;
    local now: entries;
    /// one hot
    local newest: entries;
    local tuple_index: index_bits for _ in 0..length;
    local pushes: 1;
    param all_entries = Word::from_limbs(entries, &vec![u64::MAX; entries.div_ceil(64)]);
    param entry_offset = entry * index_bits for entry in 0..entries;
    param tuple_offset = place * index_bits for place in 0..length;
    param age_mask = age_mask(bit) for bit in 0..age_bits;
    param column_number = Word::new(count_bits, place as u64) for place in 0..length;
    param index_bits = index_bits;
    param learns_every = learns_every;
}

#[allow(clippy::collapsible_if, reason = "the outer condition is decided at elaboration")]
#[kernel]
impl Logic for TupleHistoryBuffer {
    fn update(&mut self) {
        so_far = matching.q;
        if !place {
            so_far = all_entries;
        }
        // Without an index there is nothing to compare with, and nothing in here moves.
        column = 0;
        for at in 0..tuple_index.len() {
            if valid && place == column_number[at] {
                column = columns[at].q;
            }
        }
        now = 0;
        if valid {
            for each in 0..matching.width() {
                if fitted(column >> entry_offset[each]) == index && so_far.get_bit(each) {
                    now = now.replace_bit(each, true);
                }
            }
        }
        if update {
            matching.d = now;
        }

        // The newest of equal tuples counts: adding to the inverse carries up to it.
        newest = 0;
        age = 0;
        if now {
            newest = now & (!now + 1);
            for bit in 0..age.width() {
                if newest & age_mask[bit] {
                    age = age.replace_bit(bit, true);
                }
            }
        }

        pushes = learn;
        if when(!learns_every) {
            if age {
                pushes = 0;
            }
        }
        for at in 0..tuple_index.len() {
            tuple_index[at] = fitted(tuple >> tuple_offset[at]);
            if pushes {
                columns[at].d = (columns[at].q << index_bits) | fitted(tuple_index[at]);
            }
        }
    }
}
