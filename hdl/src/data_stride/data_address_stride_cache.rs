//! The data address stride cache: last address and stride by instruction.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::data_stride::config::Config;

use crate::parts::ports::Clear;
use crate::recency::Recency;

block! {
    /// Predicts, and in the same clock learns, the data address of one access.
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
    }
    parameters {
        sets,
        ways,
        tagged,
        tag_bits,
        stride_bits,
        address_width,
        clear_bits,
    }

    in clear: Clear(clear_bits);
    /// an access is made
    in update: 1;
    /// set, and above it the tag
    in site: config.site_bits() as usize;
    // Its data address.
    in address: address_width;
    // That was predicted.
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
    memory order: [config.recency_bits() as usize; sets];
    block ways: Memory(sets, entry_bits) for _ in 0..ways;
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
        for way in 0..self.matching.width() {
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

        self.order.read_address.next = self.set.val();
        self.recency.order.next = self.order.read_data.val();
        self.used.next = self.matching.val();
        self.stride_next.next = bits_to(self.difference.val(), self.stride.width());
        if !self.matching.val().any() {
            self.used.next = self.recency.oldest.val();
            self.stride_next.next = 0.into();
        }
        self.recency.used.next = self.used.val();

        self.order.write_enable.next = self.update.val() | self.clear.valid.val();
        self.order.write_address.next = self.set.val();
        self.order.write_data.next = self.recency.order_next.val();
        for way in 0..self.matching.width() {
            self.ways[way].write_enable.next = self.clear.valid.val();
            if self.used.val().get_bit(way) {
                self.ways[way].write_enable.next = self.clear.valid.val() | self.update.val();
            }
            self.ways[way].write_address.next = self.set.val();
            self.ways[way].write_data.next = (bits_to(self.wanted.val(), self.own.width())
                << self.tag_place.val())
                | (bits_to(self.stride_next.val(), self.own.width()) << self.address_width.val())
                | bits_to(self.address.val(), self.own.width());
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
