//! The data address stride cache: last address and stride by instruction.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::data_stride::config::Config;

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{Reading, TableMemory};
use crate::recency::Recency;

block! {
    /// Predicts the data address of one access per cycle, and learns it in the same cycle.
    ///
    /// Where it is read at the clock edge, the set comes one cycle early, too. What an access reads of the set that
    /// the one before wrote may be stale: then it takes the whole entry and the order that were written.
    ///
    /// An entry is, from its lowest bit on, the last address, the stride, and with tags the tag and whether
    /// the entry is valid.
    pub DataAddressStrideCache("data_address_stride_cache") of (config: &Config, clear_bits: usize) {
        let (sets, ways) = (config.sets() as usize, config.stride_cache_ways as usize);
        let set_bits = index_bits(config.sets()) as usize;
        let tag_bits = config.entry_tag_bits() as usize;
        let address_width = config.processor.address_width as usize;
        let stride_bits = config.stride_bits as usize;
        let entry_bits = config.entry_bits() as usize;
        let tagged = usize::from(config.stride_cache_tagged);
        // The tag and, above it, that the entry is valid.
        let wanted_bits = tag_bits + tagged;
        let above_stride =
            tracewright_sim::config::mask(config.processor.address_width - config.stride_bits);
        let order_bits = config.recency_bits() as usize;
        let reading = Reading::of(config.memory_style, &config.port);
        let held = |bits: usize| bits * reading.count();
    }
    parameters {
        sets,
        ways,
        tagged,
        tag_bits,
        stride_bits,
        address_width,
        clear_bits,
        ..reading.stated(),
    }

    in clear: Clear(clear_bits);
    /// an access is made
    in update: 1;
    /// set, and above it the tag
    in site: config.site_bits() as usize;
    /// set of the access of the next cycle, also while this one waits
    in early_set: held(set_bits);
    /// data address of the access
    in address: address_width;
    /// the address was predicted
    out hit: 1;
    local set: set_bits;
    local tag: tag_bits;
    /// the tag, and valid
    local wanted: wanted_bits;
    /// the instruction's own way, one hot
    local matching: ways;
    local used: ways;
    /// its content
    local own: entry_bits;
    local stride: stride_bits;
    /// the stride with its sign
    local extended: address_width;
    /// from the last address
    local difference: address_width;
    local stride_next: stride_bits;
    block recency: Recency(ways);
    memory order: [order_bits; sets] if reading.count() == 0;
    block ways: Memory(sets, entry_bits) for _ in 0..ways - held(ways);
    block order_table: TableMemory(sets, order_bits, reading, 0) if reading;
    block way_tables: TableMemory(sets, entry_bits, reading, 0) for _ in 0..held(ways);
    /// content of a way, with what the access before wrote
    local current: entry_bits for _ in 0..held(ways);
    local written: held(entry_bits);
    /// the access before used the same set
    reg follows: held(1);
    /// the way that it wrote
    reg last_used: held(ways) = undefined;
    /// what it wrote there
    reg last_written: held(entry_bits) = undefined;
    /// the order that it wrote
    reg last_order: held(order_bits) = undefined;
    param reads_early = reading;
    param set_bits = set_bits;
    param address_width = address_width;
    param tag_place = address_width + stride_bits;
    param sign_place = stride_bits.saturating_sub(1);
    param above_stride = Word::new(address_width, above_stride) << Word::new(7, stride_bits as u64);
    param has_stride = usize::from(stride_bits > 0);
    param tagged = tagged;
    param valid = Word::new(wanted_bits, 1u64.unbounded_shl(tag_bits as u32));
}

#[allow(clippy::collapsible_if, reason = "the outer condition is decided at elaboration")]
#[kernel]
impl Logic for DataAddressStrideCache {
    fn update(&mut self) {
        set = resized(site);
        tag = resized(site >> set_bits);
        wanted = 0;
        if when(tagged) {
            wanted = valid | resized(tag);
        }

        // With tags one way at most is the instruction's own; without there is one, and everybody's.
        matching = 0;
        own = 0;
        for way in 0..ways.len() {
            ways[way].read_address = set;
            if when(!tagged) {
                matching = 1;
                own = ways[way].read_data;
            } else if fitted(ways[way].read_data >> tag_place) == wanted {
                matching = matching.replace_bit(way, true);
                own = ways[way].read_data;
            }
        }

        for way in 0..way_tables.len() {
            way_tables[way].index = early_set;
            current[way] = way_tables[way].entry;
            if follows.q && last_used.q.get_bit(way) {
                current[way] = last_written.q;
            }
            if when(!tagged) {
                matching = 1;
                own = current[way];
            } else if fitted(current[way] >> tag_place) == wanted {
                matching = matching.replace_bit(way, true);
                own = current[way];
            }
        }

        // The new stride against the old one (paper B, Figure 6).
        difference = address - resized(own);
        stride = resized(own >> address_width);
        extended = resized(stride);
        if when(has_stride) {
            if stride.get_bit(sign_place) {
                extended = above_stride | resized(stride);
            }
        }
        hit = 0;
        if matching && difference == extended {
            hit = 1;
        }

        if when(reads_early) {
            order_table.index = early_set;
            recency.order = order_table.entry;
            if follows.q {
                recency.order = last_order.q;
            }
        } else {
            order.read_address = set;
            recency.order = order.read_data;
        }
        used = matching;
        stride_next = resized(difference);
        if !matching {
            used = recency.oldest;
            stride_next = 0;
        }
        recency.used = used;

        if when(reads_early) {
            written = (resized(wanted) << tag_place)
                | (resized(stride_next) << address_width)
                | resized(address);
            follows.d = 0;
            if early_set == set {
                follows.d = update;
            }
            last_used.d = used;
            last_written.d = written;
            last_order.d = recency.order_next;
            join(clear, order_table.clear);
            order_table = TableMemory {
                clear_entry: 0,
                write: update,
                write_index: set,
                written: recency.order_next,
            };
            for way in 0..way_tables.len() {
                join(clear, way_tables[way].clear);
                way_tables[way] = TableMemory { clear_entry: 0, write: 0 };
                if used.get_bit(way) {
                    way_tables[way].write = update;
                }
                way_tables[way] = TableMemory { write_index: set, written };
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
                ways[way] = Memory {
                    write_address: set,
                    write_data: (resized(wanted, own.width()) << tag_place)
                        | (resized(stride_next, own.width()) << address_width)
                        | resized(address, own.width()),
                };
            }
            if clear.valid {
                order.write_address = resized(clear.index);
                order.write_data = 0;
                for way in 0..ways.len() {
                    ways[way] =
                        Memory { write_address: resized(clear.index, set.width()), write_data: 0 };
                }
            }
        }
    }
}
