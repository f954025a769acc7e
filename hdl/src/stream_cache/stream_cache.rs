//! The stream cache: a short index for every recent stream.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, index_bits};
use tracewright_sim::stream_cache::config::StreamCacheShape;

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{Reading, TableMemory};
use crate::recency::Recency;

block! {
    /// A set-associative table of stream descriptors; looked up and updated in the same cycle.
    ///
    /// Where it is read at the clock edge, start and length come one cycle early: they are those of the stream that is looked
    /// up and updated in the next cycle, also while a stream waits.
    ///
    /// Set 0, way 0 is never used, as its index is the reserved one.
    pub StreamCache("stream_cache") of (shape: &StreamCacheShape, processor: &Processor, start_bits: usize, reading: Reading, clear_bits: usize,) {
        let (sets, ways) = (shape.sets() as usize, shape.stream_cache_ways as usize);
        let (set_bits, way_bits) = (index_bits(shape.sets()) as usize, shape.way_bits() as usize);
        let length_bits = shape.stream_length_bits as usize;
        // Set and length imply the bits of the start that are hashed: they are not stored.
        let implied = shape.implied_start_bits(processor, start_bits as u32);
        let (low_start_bits, high_start) = (implied.start as usize, implied.end as usize);
        let high_place = length_bits + low_start_bits;
        let entry_bits = high_place + start_bits - high_start;
        let order_bits = shape.recency_bits() as usize;
        let synchronous = reading.is_synchronous();
        let held = |bits: usize| if synchronous { bits } else { 0 };
        let direct_ways = if synchronous { 0 } else { ways };
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
        synchronous if synchronous,
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
    memory order: [order_bits; sets] { cleared: 0 } if !synchronous;
    memory ways: [entry_bits; sets] { cleared: 0 } for _ in 0..direct_ways;
    block order_table: TableMemory(sets, order_bits, reading, 0) if synchronous;
    block way_tables: TableMemory(sets, entry_bits, reading, 0) for _ in 0..held(ways);
    /// set of the stream that is looked up
    local looked_up_set: set_bits;
    /// what is looked up
    local looked_up: entry_bits;
    /// the way has it
    local agrees: 1 for _ in 0..held(ways);
    local set_order: order_bits;
    reg held_set: held(set_bits) = undefined;
    reg held_wanted: held(entry_bits) = undefined;
    /// the stream before used the same set: what was read of it may be stale
    reg follows: held(1);
    /// the stream before is the same
    reg repeats: held(1) = undefined;
    /// the way that it wrote
    reg last_used: held(ways) = undefined;
    /// the order that it wrote
    reg last_order: held(order_bits) = undefined;
    param is_synchronous = usize::from(synchronous);
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
        self.looked_up_set.next = self.set.val();
        if self.is_synchronous.val() == 1 {
            self.held_set.d.next = self.set.val();
            self.looked_up_set.next = self.held_set.q.val();
        }
        self.is_set_0.next = !bits_to(self.looked_up_set.val().any(), 1);
        self.wanted.next = bits_to(self.length.val(), self.wanted.width())
            | (bits_to(
                bits_to(self.start.val(), self.low_start_bits.number()),
                self.wanted.width(),
            ) << self.length_bits.val())
            | (bits_to(
                bits_to(self.start.val(), self.start_bits.number()) >> self.high_start.val(),
                self.wanted.width(),
            ) << self.high_place.val());

        self.looked_up.next = self.wanted.val();
        if self.is_synchronous.val() == 1 {
            self.held_wanted.d.next = self.wanted.val();
            self.looked_up.next = self.held_wanted.q.val();
        }

        // The first way that matches wins: after reset all hold the same.
        self.matching.next = 0.into();
        for way in 0..self.ways.len() {
            self.ways[way].read_address.next = self.set.val();
            if !self.matching.val().any()
                && self.ways[way].read_data.val() == self.looked_up.val()
                && !(way == 0 && self.is_set_0.val().any())
            {
                self.matching.next = self.matching.val().replace_bit(way, true);
            }
        }
        for way in 0..self.way_tables.len() {
            self.way_tables[way].index.next = self.set.val();
            self.agrees[way].next = 0.into();
            if self.way_tables[way].entry.val() == self.looked_up.val() {
                self.agrees[way].next = 1.into();
            }
            if self.follows.q.val().any() && self.last_used.q.val().get_bit(way) {
                self.agrees[way].next = self.repeats.q.val();
            }
            if !self.matching.val().any()
                && self.agrees[way].val().any()
                && !(way == 0 && self.is_set_0.val().any())
            {
                self.matching.next = self.matching.val().replace_bit(way, true);
            }
        }
        self.found.next = bits_to(self.matching.val().any(), 1);

        if self.is_synchronous.val() == 1 {
            self.order_table.index.next = self.set.val();
            self.set_order.next = self.order_table.entry.val();
            if self.follows.q.val().any() {
                self.set_order.next = self.last_order.q.val();
            }
        } else {
            self.order.read_address.next = self.set.val();
            self.set_order.next = self.order.read_data.val();
        }
        self.recency.order.next = self.set_order.val();
        if self.is_set_0.val().any() {
            self.recency.order.next = self.set_order.val() | self.reserved_order.val();
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
        self.index.next = (bits_to(self.looked_up_set.val(), self.index.width())
            << self.way_bits.val())
            | bits_to(self.way_index.val(), self.index.width());

        if self.is_synchronous.val() == 1 {
            self.follows.d.next = 0.into();
            if self.set.val() == self.looked_up_set.val() {
                self.follows.d.next = self.update.val();
            }
            self.repeats.d.next = bits_to(self.wanted.val() == self.looked_up.val(), 1);
            self.last_used.d.next = self.used.val();
            self.last_order.d.next = self.recency.order_next.val();
            self.order_table.clear.valid.next = self.clear.valid.val();
            self.order_table.clear.index.next = bits_to(self.clear.index.val(), self.set.width());
            self.order_table.clear_entry.next = 0.into();
            self.order_table.write.next = self.update.val();
            self.order_table.write_index.next = self.looked_up_set.val();
            self.order_table.written.next = self.recency.order_next.val();
            for way in 0..self.way_tables.len() {
                self.way_tables[way].clear.valid.next = self.clear.valid.val();
                self.way_tables[way].clear.index.next =
                    bits_to(self.clear.index.val(), self.set.width());
                self.way_tables[way].clear_entry.next = 0.into();
                self.way_tables[way].write.next = 0.into();
                if self.used.val().get_bit(way) {
                    self.way_tables[way].write.next = self.update.val();
                }
                self.way_tables[way].write_index.next = self.looked_up_set.val();
                self.way_tables[way].written.next = self.looked_up.val();
            }
        } else {
            self.order.write_enable.next = self.update.val() | self.clear.valid.val();
            self.order.write_address.next = self.set.val();
            self.order.write_data.next = self.recency.order_next.val();
            for way in 0..self.ways.len() {
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
                for way in 0..self.ways.len() {
                    self.ways[way].write_address.next =
                        bits_to(self.clear.index.val(), self.set.width());
                    self.ways[way].write_data.next = 0.into();
                }
            }
        }
    }
}
