//! A short index for every stream of late.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, index_bits};
use tracewright_sim::stream_cache::config::StreamCacheShape;

use crate::recency::Recency;

/// A set-associative table of stream descriptors; looked up and updated in the same clock.
///
/// Set 0, way 0 is never used, as its index is the reserved one.
#[derive(LogicBlock)]
pub struct StreamCache {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The tables are being cleared.
    pub clear: Wire<In>,
    /// The set to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// Where the stream starts, in instruction units.
    pub start: Wire<In>,
    /// Its length in the descriptor: 0 if it is cut.
    pub length: Wire<In>,
    /// The stream is used: its way becomes the most recent, and it is stored if it was not found.
    pub update: Wire<In>,
    /// It is in the cache.
    pub found: Wire<Out>,
    /// Its index: where it is, or where it is stored.
    pub index: Wire<Out>,
    true_length: Wire<Local>,
    set: Wire<Local>,
    is_set_0: Wire<Local>,
    wanted: Wire<Local>,
    matching: Wire<Local>,
    used: Wire<Local>,
    way_index: Wire<Local>,
    recency: Recency,
    order: Memory,
    ways: Vec<Memory>,
    reserved_order: Param,
    reserved_way: Param,
    longest: Param,
    alignment: Param,
    hash_shift: Param,
    length_bits: Param,
    way_bits: Param,
    high_start: Param,
    high_place: Param,
    _byte_bits: usize,
    _length_bits: usize,
    _set_bits: usize,
    _low_start_bits: usize,
    _start_bits: usize,
    _entry_bits: usize,
    _index_bits: usize,
    _ways: usize,
}

impl StreamCache {
    /// The cache of this `shape`, whose entries tell the lowest `start_bits` of a start.
    pub fn new(
        shape: &StreamCacheShape,
        processor: &Processor,
        start_bits: usize,
        clear_bits: usize,
    ) -> Self {
        let (sets, ways) = (shape.sets() as usize, shape.stream_cache_ways as usize);
        let (set_bits, way_bits) = (index_bits(shape.sets()) as usize, shape.way_bits() as usize);
        let length_bits = shape.stream_length_bits as usize;
        // Set and length imply the bits of the start that are hashed: they are not stored.
        let implied = shape.implied_start_bits(processor, start_bits as u32);
        let (low_start_bits, high_start) = (implied.start as usize, implied.end as usize);
        let high_place = length_bits + low_start_bits;
        let entry_bits = high_place + start_bits - high_start;
        let order_bits = shape.recency_bits() as usize;
        // The pairs of way 0 come first; a bit of 1 says that it was used later.
        let reserved_order = (0..ways.saturating_sub(1))
            .fold(Word::zero(order_bits), |order, pair| order.replace_bit(pair, true));
        Self {
            kind: Kind::new(
                "stream_cache",
                [
                    ("sets", sets),
                    ("ways", ways),
                    ("start_bits", start_bits),
                    ("length_bits", length_bits),
                    ("hash_shift", shape.hash_shift as usize),
                ],
            ),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            start: Wire::new(processor.instruction_address_bits() as usize)
                .describe("in instruction units"),
            length: Wire::new(length_bits).describe("0 if it is cut"),
            update: Wire::new(1),
            found: Wire::new(1),
            index: Wire::new(set_bits + way_bits),
            true_length: Wire::new(length_bits),
            set: Wire::new(set_bits),
            is_set_0: Wire::new(1),
            wanted: Wire::new(entry_bits),
            matching: Wire::new(ways),
            used: Wire::new(ways),
            way_index: Wire::new(way_bits),
            recency: Recency::new(ways),
            order: Memory::new(sets, order_bits),
            ways: (0..ways).map(|_| Memory::new(sets, entry_bits)).collect(),
            reserved_order: Param::new(reserved_order),
            reserved_way: Param::new(!Word::new(ways, 1)),
            longest: Param::new((1usize << length_bits) - 1),
            alignment: Param::new(processor.alignment as usize),
            hash_shift: Param::new(shape.hash_shift as usize),
            length_bits: Param::new(length_bits),
            way_bits: Param::new(way_bits),
            high_start: Param::new(high_start),
            high_place: Param::new(high_place),
            _byte_bits: processor.address_width as usize,
            _length_bits: length_bits,
            _set_bits: set_bits,
            _low_start_bits: low_start_bits,
            _start_bits: start_bits,
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
        // The set is made of the true length of a cut stream.
        self.true_length.next = self.length.val();
        if !self.length.val().any() {
            self.true_length.next = self.longest.val();
        }
        self.set.next = bits_to(
            (bits_to(self.start.val(), self._byte_bits) << self.alignment.val())
                >> self.hash_shift.val(),
            self._set_bits,
        ) ^ bits_to(self.true_length.val(), self._set_bits);
        self.is_set_0.next = !bits_to(self.set.val().any(), 1);
        self.wanted.next = bits_to(self.length.val(), self._entry_bits)
            | (bits_to(bits_to(self.start.val(), self._low_start_bits), self._entry_bits)
                << self.length_bits.val())
            | (bits_to(
                bits_to(self.start.val(), self._start_bits) >> self.high_start.val(),
                self._entry_bits,
            ) << self.high_place.val());

        // The first way that matches wins: after reset all hold the same.
        self.matching.next = 0.into();
        for way in 0..self._ways {
            clock!(self, domain, ways[way]);
            self.ways[way].read_address.next = self.set.val();
            if !self.matching.val().any()
                && self.ways[way].read_data.val() == self.wanted.val()
                && !(way == 0 && self.is_set_0.val().any())
            {
                self.matching.next = self.matching.val().replace_bit(way, true);
            }
        }
        self.found.next = bits_to(self.matching.val().any(), 1);

        self.order.read_address.next = self.set.val();
        self.recency.order.next = self.order.read_data.val();
        if self.is_set_0.val().any() {
            self.recency.order.next = self.order.read_data.val() | self.reserved_order.val();
        }
        self.used.next = self.matching.val();
        if !self.matching.val().any() {
            self.used.next = self.recency.oldest.val();
            // Where the reserved way is the only one, none is used.
            if self.is_set_0.val().any() {
                self.used.next = self.recency.oldest.val() & self.reserved_way.val();
            }
        }
        self.recency.used.next = self.used.val();
        self.way_index.next = 0.into();
        for way in 0..self._ways {
            if self.used.val().get_bit(way) {
                self.way_index.next = way.into();
            }
        }
        self.index.next = (bits_to(self.set.val(), self._index_bits) << self.way_bits.val())
            | bits_to(self.way_index.val(), self._index_bits);

        self.order.write_enable.next = self.update.val() | self.clear.val();
        self.order.write_address.next = self.set.val();
        self.order.write_data.next = self.recency.order_next.val();
        for way in 0..self._ways {
            self.ways[way].write_enable.next = self.clear.val();
            if self.used.val().get_bit(way) {
                self.ways[way].write_enable.next = self.clear.val() | self.update.val();
            }
            self.ways[way].write_address.next = self.set.val();
            self.ways[way].write_data.next = self.wanted.val();
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
