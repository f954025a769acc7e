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
impl Logic for TupleHistoryBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        self.so_far.next = self.matching.q.val();
        if !self.place.val().any() {
            self.so_far.next = self.all_entries.val();
        }
        // Without an index there is nothing to compare with, and nothing in here moves.
        self.column.next = 0.into();
        for at in 0..self.tuple_index.len() {
            if self.valid.val().any() && self.place.val() == self.column_number[at].val() {
                self.column.next = self.columns[at].q.val();
            }
        }
        self.now.next = 0.into();
        if self.valid.val().any() {
            for each in 0..self.matching.width() {
                if unsigned_cast_to_fit(self.column.val() >> self.entry_offset[each].val())
                    == self.index.val()
                    && self.so_far.val().get_bit(each)
                {
                    self.now.next = self.now.val().replace_bit(each, true);
                }
            }
        }
        if self.update.val().any() {
            self.matching.d.next = self.now.val();
        }

        // The newest of equal tuples counts: adding to the inverse carries up to it.
        self.newest.next = 0.into();
        self.age.next = 0.into();
        if self.now.val().any() {
            self.newest.next = self.now.val() & (!self.now.val() + 1);
            for bit in 0..self.age.width() {
                if (self.newest.val() & self.age_mask[bit].val()).any() {
                    self.age.next = self.age.val().replace_bit(bit, true);
                }
            }
        }

        self.pushes.next = self.learn.val();
        if self.learns_every.val() == 0 {
            if self.age.val().any() {
                self.pushes.next = 0.into();
            }
        }
        for at in 0..self.tuple_index.len() {
            self.tuple_index[at].next =
                unsigned_cast_to_fit(self.tuple.val() >> self.tuple_offset[at].val());
            if self.pushes.val().any() {
                self.columns[at].d.next = (self.columns[at].q.val() << self.index_bits.val())
                    | unsigned_cast_to_fit(self.tuple_index[at].val());
            }
        }
    }
}
