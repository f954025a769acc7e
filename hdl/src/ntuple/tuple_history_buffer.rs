//! The tuple history buffer: shift registers of indices, one for each place in a tuple.

use tracewright_elaborate::prelude::*;
use tracewright_sim::ntuple::config::{Config, TupleUpdate};

/// Compares an index with its column as it comes, so that only one index a tuple is compared at once.
#[derive(LogicBlock)]
pub struct TupleHistoryBuffer {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// There is an index.
    pub valid: Wire<In>,
    /// It is taken.
    pub update: Wire<In>,
    /// That index.
    pub index: Wire<In>,
    /// Its place in the tuple.
    pub place: Wire<In>,
    /// The tuple up to that place is in the buffer: how many tuples ago, 0 for none.
    pub age: Wire<Out>,
    /// The tuple is full: learn it.
    pub learn: Wire<In>,
    /// Its indices, the first one lowest.
    pub tuple: Wire<In>,
    matching: Reg,
    columns: Vec<Reg>,
    so_far: Wire<Local>,
    column: Wire<Local>,
    now: Wire<Local>,
    newest: Wire<Local>,
    tuple_index: Vec<Wire<Local>>,
    pushes: Wire<Local>,
    all_entries: Param,
    entry_offset: Vec<Param>,
    tuple_offset: Vec<Param>,
    age_mask: Vec<Param>,
    column_number: Vec<Param>,
    index_bits: Param,
    learns_every: Param,
    _tuple_length: usize,
    _entries: usize,
    _age_bits: usize,
}

impl TupleHistoryBuffer {
    /// The buffer of `config`.
    pub fn new(config: &Config) -> Self {
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
            Param::new(Word::from_limbs(entries, &limbs))
        };
        Self {
            kind: Kind::new(
                "tuple_history_buffer",
                [
                    ("entries", entries),
                    ("tuple_length", length),
                    ("index_bits", index_bits),
                    ("learns_every", learns_every),
                ],
            ),
            domain: Domain::new(),
            valid: Wire::new(1),
            update: Wire::new(1),
            index: Wire::new(index_bits),
            place: Wire::new(count_bits).describe("of the index in its tuple"),
            age: Wire::new(age_bits).describe("of the tuple up to that place; 0: none"),
            learn: Wire::new(1).describe("the tuple is full"),
            tuple: Wire::new(length * index_bits).describe("the first index lowest"),
            matching: Reg::new(entries, 0).describe("entries like the tuple so far"),
            columns: (0..length)
                .map(|_| Reg::new(column_bits, 0).describe("the newest tuple's index lowest"))
                .collect(),
            so_far: Wire::new(entries),
            column: Wire::new(column_bits),
            now: Wire::new(entries),
            newest: Wire::new(entries).describe("one hot"),
            tuple_index: (0..length).map(|_| Wire::new(index_bits)).collect(),
            pushes: Wire::new(1),
            all_entries: Param::new(Word::from_limbs(
                entries,
                &vec![u64::MAX; entries.div_ceil(64)],
            )),
            entry_offset: (0..entries).map(|entry| Param::new(entry * index_bits)).collect(),
            tuple_offset: (0..length).map(|place| Param::new(place * index_bits)).collect(),
            age_mask: (0..age_bits).map(age_mask).collect(),
            column_number: (0..length)
                .map(|place| Param::new(Word::new(count_bits, place as u64)))
                .collect(),
            index_bits: Param::new(index_bits),
            learns_every: Param::new(learns_every),
            _tuple_length: length,
            _entries: entries,
            _age_bits: age_bits,
        }
    }
}

#[allow(clippy::collapsible_if, reason = "the outer condition is decided at elaboration")]
impl Logic for TupleHistoryBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, matching);
        self.so_far.next = self.matching.q.val();
        if !self.place.val().any() {
            self.so_far.next = self.all_entries.val();
        }
        // Without an index there is nothing to compare with, and nothing in here moves.
        self.column.next = 0.into();
        for at in 0..self._tuple_length {
            dff_setup!(self, domain, columns[at]);
            if self.valid.val().any() && self.place.val() == self.column_number[at].val() {
                self.column.next = self.columns[at].q.val();
            }
        }
        self.now.next = 0.into();
        if self.valid.val().any() {
            for each in 0..self._entries {
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
            for bit in 0..self._age_bits {
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
        for at in 0..self._tuple_length {
            self.tuple_index[at].next =
                unsigned_cast_to_fit(self.tuple.val() >> self.tuple_offset[at].val());
            if self.pushes.val().any() {
                self.columns[at].d.next = (self.columns[at].q.val() << self.index_bits.val())
                    | unsigned_cast_to_fit(self.tuple_index[at].val());
            }
        }
    }
}
