//! The stream cache: set-associative, looked up by start address and length.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, index_bits};
use tracewright_sim::stream_cache::config::StreamCacheShape;

use crate::recency::Recency;

/// Finds, and in the same clock touches or stores, one stream.
///
/// Set 0, way 0 is never used, as its index is the reserved one.
#[derive(LogicBlock)]
pub struct StreamCache {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The table is being cleared.
    pub clear: Wire<In>,
    /// The set to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// Touch the stream if it is there, else store it.
    pub update: Wire<In>,
    /// Where the stream starts, in instruction units.
    pub start: Wire<In>,
    /// Its instructions, 0 if it is cut.
    pub length: Wire<In>,
    /// It is there.
    pub hit: Wire<Out>,
    /// Where it is or comes to be; 0 where no way is left for it.
    pub index: Wire<Out>,
    set: Wire<Local>,
    hash_length: Wire<Local>,
    is_reserved_set: Wire<Local>,
    reserved_pairs: Wire<Local>,
    matching: Wire<Local>,
    used: Wire<Local>,
    used_way: Wire<Local>,
    entry: Wire<Local>,
    recency: Recency,
    order: Memory,
    ways: Vec<Memory>,
    way_number: Vec<Param>,
    all_reserved_pairs: Param,
    is_direct_mapped: Param,
    shifts_right: Param,
    shift: Param,
    way_bits: Param,
    length_bits: Param,
    _set_bits: usize,
    _start_bits: usize,
    _entry_bits: usize,
    _index_bits: usize,
    _ways: usize,
}

impl StreamCache {
    /// The cache of `shape`, which stores `start_bits` of a start, cleared by an index of `clear_bits`.
    pub fn new(
        shape: &StreamCacheShape,
        processor: &Processor,
        start_bits: u32,
        clear_bits: usize,
    ) -> Self {
        let sets = shape.sets() as usize;
        let ways = shape.stream_cache_ways as usize;
        let (set_bits, way_bits) = (index_bits(shape.sets()) as usize, shape.way_bits() as usize);
        let length_bits = shape.stream_length_bits as usize;
        let address_bits = processor.instruction_address_bits() as usize;
        let entry_bits = start_bits as usize + length_bits;
        let pair_bits = shape.recency_bits() as usize;
        let (hash, unit) = (shape.hash_shift, processor.alignment);
        Self {
            kind: Kind::new(
                "stream_cache",
                [
                    ("sets", sets),
                    ("ways", ways),
                    ("start_bits", start_bits as usize),
                    ("length_bits", length_bits),
                    ("address_bits", address_bits),
                    ("hash_shift", hash as usize),
                    ("clear_bits", clear_bits),
                ],
            ),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            update: Wire::new(1).describe("touch the stream, or store it"),
            start: Wire::new(address_bits).describe("in instruction units"),
            length: Wire::new(length_bits).describe("0: cut at the longest"),
            hit: Wire::new(1),
            index: Wire::new(set_bits + way_bits).describe("set and way; 0: no way is left"),
            set: Wire::new(set_bits),
            hash_length: Wire::new(length_bits),
            is_reserved_set: Wire::new(1),
            reserved_pairs: Wire::new(pair_bits),
            matching: Wire::new(ways),
            used: Wire::new(ways),
            used_way: Wire::new(way_bits),
            entry: Wire::new(entry_bits),
            recency: Recency::new(ways),
            order: Memory::new(sets, pair_bits),
            ways: (0..ways).map(|_| Memory::new(sets, entry_bits)).collect(),
            way_number: (0..ways).map(|way| Param::new(Word::new(way_bits, way as u64))).collect(),
            all_reserved_pairs: Param::new(Word::new(pair_bits, (1 << (ways - 1)) - 1)),
            is_direct_mapped: Param::new(usize::from(ways == 1)),
            shifts_right: Param::new(usize::from(hash >= unit)),
            shift: Param::new(hash.abs_diff(unit) as usize),
            way_bits: Param::new(way_bits),
            length_bits: Param::new(length_bits),
            _set_bits: set_bits,
            _start_bits: start_bits as usize,
            _entry_bits: entry_bits,
            _index_bits: set_bits + way_bits,
            _ways: ways,
        }
    }
}

impl Logic for StreamCache {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, domain, order);
        // A cut stream has the longest length.
        self.hash_length.next = self.length.val();
        if !self.length.val().any() {
            self.hash_length.next = !self.length.val();
        }
        if self.shifts_right.val() == 1 {
            self.set.next = bits_to(self.start.val() >> self.shift.val(), self._set_bits)
                ^ bits_to(self.hash_length.val(), self._set_bits);
        } else {
            self.set.next = (bits_to(self.start.val(), self._set_bits) << self.shift.val())
                ^ bits_to(self.hash_length.val(), self._set_bits);
        }
        self.is_reserved_set.next = bits_to(!self.set.val().any(), 1);
        self.entry.next = (bits_to(bits_to(self.start.val(), self._start_bits), self._entry_bits)
            << self.length_bits.val())
            | bits_to(self.length.val(), self._entry_bits);

        // The first way that matches wins: after reset several hold the cut stream at 0.
        self.matching.next = 0.into();
        for way in 0..self._ways {
            clock!(self, domain, ways[way]);
            self.ways[way].read_address.next = self.set.val();
            if !self.matching.val().any() && self.ways[way].read_data.val() == self.entry.val() {
                self.matching.next = self.matching.val().replace_bit(way, true);
                if self.way_number[way].val() == 0 && self.is_reserved_set.val().any() {
                    self.matching.next = 0.into();
                }
            }
        }
        self.hit.next = bits_to(self.matching.val().any(), 1);

        // The reserved way counts as the last one used, so that it never is the oldest of several.
        self.reserved_pairs.next = 0.into();
        if self.is_reserved_set.val().any() {
            self.reserved_pairs.next = self.all_reserved_pairs.val();
        }
        self.order.read_address.next = self.set.val();
        self.recency.order.next = self.order.read_data.val() | self.reserved_pairs.val();
        self.used.next = self.matching.val();
        if !self.matching.val().any() {
            self.used.next = self.recency.oldest.val();
            if self.is_direct_mapped.val() == 1 && self.is_reserved_set.val().any() {
                self.used.next = 0.into();
            }
        }
        self.recency.used.next = self.used.val();
        self.used_way.next = 0.into();
        for way in 0..self._ways {
            if self.used.val().get_bit(way) {
                self.used_way.next = self.way_number[way].val();
            }
        }
        self.index.next = (bits_to(self.set.val(), self._index_bits) << self.way_bits.val())
            | bits_to(self.used_way.val(), self._index_bits);

        self.order.write_enable.next = self.update.val() | self.clear.val();
        self.order.write_address.next = self.set.val();
        self.order.write_data.next = self.recency.order_next.val();
        for way in 0..self._ways {
            self.ways[way].write_enable.next = self.clear.val();
            if self.used.val().get_bit(way) {
                self.ways[way].write_enable.next =
                    self.clear.val() | (self.update.val() & !self.hit.val());
            }
            self.ways[way].write_address.next = self.set.val();
            self.ways[way].write_data.next = self.entry.val();
        }
        if self.clear.val().any() {
            self.order.write_address.next = bits_to(self.clear_index.val(), self._set_bits);
            self.order.write_data.next = 0.into();
            for way in 0..self._ways {
                self.ways[way].write_address.next = bits_to(self.clear_index.val(), self._set_bits);
                self.ways[way].write_data.next = 0.into();
            }
        }
    }
}
