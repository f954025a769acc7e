//! The stream cache: a short index for every recent stream.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, index_bits};
use tracewright_sim::stream_cache::config::StreamCacheShape;

use crate::parts::ports::Clear;
use crate::recency::Recency;

block! {
    /// A set-associative table of stream descriptors; looked up and updated in the same cycle.
    ///
    /// Set 0, way 0 is never used, as its index is the reserved one.
    pub StreamCache("stream_cache") of (shape: &StreamCacheShape, processor: &Processor, start_bits: usize, clear_bits: usize,) {
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
    }
    parameters {
        sets,
        ways,
        start_bits,
        length_bits,
        hash_shift = shape.hash_shift as usize,
    }

    in clear: Clear(clear_bits);
    /// in instruction units
    in start: processor.instruction_address_bits() as usize;
    /// 0 if it is cut
    in length: length_bits;
    /// the stream is used: stored if it was not found, its way becomes the most recent
    in update: 1;
    /// the stream is in the cache
    out found: 1;
    /// index of the stream: where it is, or where it is stored
    out index: set_bits + way_bits;
    local true_length: length_bits;
    local set: set_bits;
    local is_set_0: 1;
    local wanted: entry_bits;
    local matching: ways;
    local used: ways;
    local way_index: way_bits;
    block recency: Recency(ways);
    memory order: [order_bits; sets] { cleared: 0 };
    memory ways: [entry_bits; sets] { cleared: 0 } for _ in 0..ways;
    param reserved_order = reserved_order;
    param reserved_way = !Word::new(ways, 1);
    param longest = (1usize << length_bits) - 1;
    param address_width = processor.address_width;
    param start_bits = start_bits;
    param low_start_bits = low_start_bits;
    param alignment = processor.alignment as usize;
    param hash_shift = shape.hash_shift as usize;
    param length_bits = length_bits;
    param way_bits = way_bits;
    param high_start = high_start;
    param high_place = high_place;
}

impl Logic for StreamCache {
    #[hdl_gen]
    fn update(&mut self) {
        // The set is made of the true length of a cut stream.
        self.true_length.next = self.length.val();
        if !self.length.val().any() {
            self.true_length.next = self.longest.val();
        }
        self.set.next = bits_to(
            (bits_to(self.start.val(), self.address_width.number()) << self.alignment.val())
                >> self.hash_shift.val(),
            self.set.width(),
        ) ^ bits_to(self.true_length.val(), self.set.width());
        self.is_set_0.next = !bits_to(self.set.val().any(), 1);
        self.wanted.next = bits_to(self.length.val(), self.wanted.width())
            | (bits_to(
                bits_to(self.start.val(), self.low_start_bits.number()),
                self.wanted.width(),
            ) << self.length_bits.val())
            | (bits_to(
                bits_to(self.start.val(), self.start_bits.number()) >> self.high_start.val(),
                self.wanted.width(),
            ) << self.high_place.val());

        // The first way that matches wins: after reset all hold the same.
        self.matching.next = 0.into();
        for way in 0..self.matching.width() {
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
        for way in 0..self.matching.width() {
            if self.used.val().get_bit(way) {
                self.way_index.next = way.into();
            }
        }
        self.index.next = (bits_to(self.set.val(), self.index.width()) << self.way_bits.val())
            | bits_to(self.way_index.val(), self.index.width());

        self.order.write_enable.next = self.update.val() | self.clear.valid.val();
        self.order.write_address.next = self.set.val();
        self.order.write_data.next = self.recency.order_next.val();
        for way in 0..self.matching.width() {
            self.ways[way].write_enable.next = self.clear.valid.val();
            if self.used.val().get_bit(way) {
                self.ways[way].write_enable.next = self.clear.valid.val() | self.update.val();
            }
            self.ways[way].write_address.next = self.set.val();
            self.ways[way].write_data.next = self.wanted.val();
        }
        if self.clear.valid.val().any() {
            self.order.write_address.next = bits_to(self.clear.index.val(), self.set.width());
            self.order.write_data.next = 0.into();
            for way in 0..self.matching.width() {
                self.ways[way].write_address.next =
                    bits_to(self.clear.index.val(), self.set.width());
                self.ways[way].write_data.next = 0.into();
            }
        }
    }
}
