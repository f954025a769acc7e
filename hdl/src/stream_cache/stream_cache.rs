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
        let held = |bits: usize| bits * reading.count();
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
        ..reading.stated(),
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
    memory order: [order_bits; sets] { cleared: 0 } if reading.count() == 0;
    memory ways: [entry_bits; sets] { cleared: 0 } for _ in 0..ways - held(ways);
    block order_table: TableMemory(sets, order_bits, reading, 0) if reading;
    block way_tables: TableMemory(sets, entry_bits, reading, 0) for _ in 0..held(ways);
    /// set of the stream that is looked up
    local looked_up_set: set_bits;
    /// what is looked up
    local looked_up: entry_bits;
    /// the way has it
    local agrees: 1 for _ in 0..held(ways);
    local set_order: order_bits;
    stage held_set: set_bits = undefined if reading;
    stage held_wanted: entry_bits = undefined if reading;
    /// the stream before used the same set: what was read of it may be stale
    reg follows: held(1);
    /// the stream before is the same
    reg repeats: held(1) = undefined;
    /// the way that it wrote
    reg last_used: held(ways) = undefined;
    /// the order that it wrote
    reg last_order: held(order_bits) = undefined;
    param reads_early = reading;
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

#[kernel]
impl Logic for StreamCache {
    fn update(&mut self) {
        // The set is made of the true length of a cut stream.
        true_length = length;
        if !length {
            true_length = longest;
        }
        set = resized((resized(start, address_width.number()) << alignment) >> hash_shift)
            ^ resized(true_length);
        held_set.d = set;
        looked_up_set = held_set.q;
        is_set_0 = !bit(looked_up_set);
        wanted = resized(length)
            | (resized(resized(start, low_start_bits.number())) << length_bits)
            | (resized(resized(start, start_bits.number()) >> high_start) << high_place);

        held_wanted.d = wanted;
        looked_up = held_wanted.q;

        // The first way that matches wins: after reset all hold the same.
        matching = 0;
        for way in 0..ways.len() {
            ways[way].read_address = set;
            if !matching && ways[way].read_data == looked_up && !(way == 0 && is_set_0) {
                matching = matching.replace_bit(way, true);
            }
        }
        for way in 0..way_tables.len() {
            way_tables[way].index = set;
            agrees[way] = 0;
            if way_tables[way].entry == looked_up {
                agrees[way] = 1;
            }
            if follows.q && last_used.q.get_bit(way) {
                agrees[way] = repeats.q;
            }
            if !matching && agrees[way] && !(way == 0 && is_set_0) {
                matching = matching.replace_bit(way, true);
            }
        }
        found = matching.any();

        if when(reads_early) {
            order_table.index = set;
            set_order = order_table.entry;
            if follows.q {
                set_order = last_order.q;
            }
        } else {
            order.read_address = set;
            set_order = order.read_data;
        }
        recency.order = set_order;
        if is_set_0 {
            recency.order = set_order | reserved_order;
        }
        used = matching;
        if !matching {
            used = recency.oldest;
            // Where the reserved way is the only one, none is used.
            if is_set_0 {
                used = recency.oldest & reserved_way;
            }
        }
        recency.used = used;
        way_index = 0;
        for way in 0..matching.width() {
            if used.get_bit(way) {
                way_index = way;
            }
        }
        index = (resized(looked_up_set) << way_bits) | resized(way_index);

        if when(reads_early) {
            follows.d = 0;
            if set == looked_up_set {
                follows.d = update;
            }
            repeats.d = wanted == looked_up;
            last_used.d = used;
            last_order.d = recency.order_next;
            order_table.clear.valid = clear.valid;
            order_table.clear.index = resized(clear.index);
            order_table = TableMemory {
                clear_entry: 0,
                write: update,
                write_index: looked_up_set,
                written: recency.order_next,
            };
            for way in 0..way_tables.len() {
                way_tables[way].clear.valid = clear.valid;
                way_tables[way].clear.index = resized(clear.index, set.width());
                way_tables[way] = TableMemory { clear_entry: 0, write: 0 };
                if used.get_bit(way) {
                    way_tables[way].write = update;
                }
                way_tables[way] = TableMemory { write_index: looked_up_set, written: looked_up };
            }
        } else {
            order.write_enable = update | clear.valid;
            order.write_address = set;
            order.write_data = recency.order_next;
            for way in 0..ways.len() {
                ways[way].write_enable = clear.valid;
                if used.get_bit(way) {
                    ways[way].write_enable = clear.valid | update;
                }
                ways[way].write_address = set;
                ways[way].write_data = wanted;
            }
            if clear.valid {
                order.write_address = resized(clear.index);
                order.write_data = 0;
                for way in 0..ways.len() {
                    ways[way].write_address = resized(clear.index, set.width());
                    ways[way].write_data = 0;
                }
            }
        }
    }
}
