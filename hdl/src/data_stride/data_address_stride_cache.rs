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
        let synchronous = reading.is_synchronous();
        let held = |bits: usize| if synchronous { bits } else { 0 };
        let direct_ways = if synchronous { 0 } else { ways };
    }
    parameters {
        sets,
        ways,
        tagged,
        tag_bits,
        stride_bits,
        address_width,
        clear_bits,
        synchronous if synchronous,
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
    memory order: [order_bits; sets] if !synchronous;
    block ways: Memory(sets, entry_bits) for _ in 0..direct_ways;
    block order_table: TableMemory(sets, order_bits, reading, 0) if synchronous;
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
    param is_synchronous = usize::from(synchronous);
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
impl Logic for DataAddressStrideCache {
    #[hdl_gen]
    fn update(&mut self) {
        self.set.next = bits_to(self.site.val(), self.set.width());
        self.tag.next = bits_to(self.site.val() >> self.set_bits.val(), self.tag.width());
        self.wanted.next = 0.into();
        if self.tagged.val() == 1 {
            self.wanted.next = self.valid.val() | bits_to(self.tag.val(), self.wanted.width());
        }

        // With tags one way at most is the instruction's own; without there is one, and everybody's.
        self.matching.next = 0.into();
        self.own.next = 0.into();
        for way in 0..self.ways.len() {
            self.ways[way].read_address.next = self.set.val();
            if self.tagged.val() == 0 {
                self.matching.next = 1.into();
                self.own.next = self.ways[way].read_data.val();
            } else if unsigned_cast_to_fit(self.ways[way].read_data.val() >> self.tag_place.val())
                == self.wanted.val()
            {
                self.matching.next = self.matching.val().replace_bit(way, true);
                self.own.next = self.ways[way].read_data.val();
            }
        }

        for way in 0..self.way_tables.len() {
            self.way_tables[way].index.next = self.early_set.val();
            self.current[way].next = self.way_tables[way].entry.val();
            if self.follows.q.val().any() && self.last_used.q.val().get_bit(way) {
                self.current[way].next = self.last_written.q.val();
            }
            if self.tagged.val() == 0 {
                self.matching.next = 1.into();
                self.own.next = self.current[way].val();
            } else if unsigned_cast_to_fit(self.current[way].val() >> self.tag_place.val())
                == self.wanted.val()
            {
                self.matching.next = self.matching.val().replace_bit(way, true);
                self.own.next = self.current[way].val();
            }
        }

        // The new stride against the old one (paper B, Figure 6).
        self.difference.next = self.address.val() - bits_to(self.own.val(), self.address.width());
        self.stride.next = bits_to(self.own.val() >> self.address_width.val(), self.stride.width());
        self.extended.next = bits_to(self.stride.val(), self.address.width());
        if self.has_stride.val() == 1 {
            if self.stride.val().get_bit(self.sign_place.val()) {
                self.extended.next =
                    self.above_stride.val() | bits_to(self.stride.val(), self.address.width());
            }
        }
        self.hit.next = 0.into();
        if self.matching.val().any() && self.difference.val() == self.extended.val() {
            self.hit.next = 1.into();
        }

        if self.is_synchronous.val() == 1 {
            self.order_table.index.next = self.early_set.val();
            self.recency.order.next = self.order_table.entry.val();
            if self.follows.q.val().any() {
                self.recency.order.next = self.last_order.q.val();
            }
        } else {
            self.order.read_address.next = self.set.val();
            self.recency.order.next = self.order.read_data.val();
        }
        self.used.next = self.matching.val();
        self.stride_next.next = bits_to(self.difference.val(), self.stride.width());
        if !self.matching.val().any() {
            self.used.next = self.recency.oldest.val();
            self.stride_next.next = 0.into();
        }
        self.recency.used.next = self.used.val();

        if self.is_synchronous.val() == 1 {
            self.written.next = (bits_to(self.wanted.val(), self.own.width())
                << self.tag_place.val())
                | (bits_to(self.stride_next.val(), self.own.width()) << self.address_width.val())
                | bits_to(self.address.val(), self.own.width());
            self.follows.d.next = 0.into();
            if self.early_set.val() == self.set.val() {
                self.follows.d.next = self.update.val();
            }
            self.last_used.d.next = self.used.val();
            self.last_written.d.next = self.written.val();
            self.last_order.d.next = self.recency.order_next.val();
            connect::join(&mut self.clear, &mut self.order_table.clear);
            self.order_table.clear_entry.next = 0.into();
            self.order_table.write.next = self.update.val();
            self.order_table.write_index.next = self.set.val();
            self.order_table.written.next = self.recency.order_next.val();
            for way in 0..self.way_tables.len() {
                connect::join(&mut self.clear, &mut self.way_tables[way].clear);
                self.way_tables[way].clear_entry.next = 0.into();
                self.way_tables[way].write.next = 0.into();
                if self.used.val().get_bit(way) {
                    self.way_tables[way].write.next = self.update.val();
                }
                self.way_tables[way].write_index.next = self.set.val();
                self.way_tables[way].written.next = self.written.val();
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
                self.ways[way].write_data.next = (bits_to(self.wanted.val(), self.own.width())
                    << self.tag_place.val())
                    | (bits_to(self.stride_next.val(), self.own.width())
                        << self.address_width.val())
                    | bits_to(self.address.val(), self.own.width());
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
