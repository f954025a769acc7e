//! The data address stride cache: last address and stride by instruction.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::data_stride::config::Config;

use crate::recency::Recency;

/// Predicts, and in the same clock learns, the data address of one access.
///
/// An entry is, from its lowest bit on, the last address, the stride, and with tags the tag and whether
/// the entry is valid.
#[derive(LogicBlock)]
pub struct DataAddressStrideCache {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The table is being cleared.
    pub clear: Wire<In>,
    /// The set to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// An access is made.
    pub update: Wire<In>,
    /// Whose entry it uses: set, and above it the tag.
    pub site: Wire<In>,
    /// Its data address.
    pub address: Wire<In>,
    /// That was predicted.
    pub hit: Wire<Out>,
    set: Wire<Local>,
    tag: Wire<Local>,
    wanted: Wire<Local>,
    matching: Wire<Local>,
    used: Wire<Local>,
    own: Wire<Local>,
    stride: Wire<Local>,
    extended: Wire<Local>,
    difference: Wire<Local>,
    stride_next: Wire<Local>,
    recency: Recency,
    order: Memory,
    ways: Vec<Memory>,
    set_bits: Param,
    address_width: Param,
    tag_place: Param,
    sign_place: Param,
    above_stride: Param,
    has_stride: Param,
    tagged: Param,
    valid: Param,
    _set_bits: usize,
    _tag_bits: usize,
    _wanted_bits: usize,
    _address_width: usize,
    _stride_bits: usize,
    _entry_bits: usize,
    _ways: usize,
}

impl DataAddressStrideCache {
    /// The cache of `config`, cleared by an index of `clear_bits`.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
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
        Self {
            kind: Kind::new(
                "data_address_stride_cache",
                [
                    ("sets", sets),
                    ("ways", ways),
                    ("tagged", tagged),
                    ("tag_bits", tag_bits),
                    ("stride_bits", stride_bits),
                    ("address_width", address_width),
                    ("clear_bits", clear_bits),
                ],
            ),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            update: Wire::new(1).describe("an access is made"),
            site: Wire::new(config.site_bits() as usize).describe("set, and above it the tag"),
            address: Wire::new(address_width),
            hit: Wire::new(1),
            set: Wire::new(set_bits),
            tag: Wire::new(tag_bits),
            wanted: Wire::new(wanted_bits).describe("the tag, and valid"),
            matching: Wire::new(ways).describe("the instruction's own way, one hot"),
            used: Wire::new(ways),
            own: Wire::new(entry_bits).describe("its content"),
            stride: Wire::new(stride_bits),
            extended: Wire::new(address_width).describe("the stride with its sign"),
            difference: Wire::new(address_width).describe("from the last address"),
            stride_next: Wire::new(stride_bits),
            recency: Recency::new(ways),
            order: Memory::new(sets, config.recency_bits() as usize),
            ways: (0..ways).map(|_| Memory::new(sets, entry_bits)).collect(),
            set_bits: Param::new(set_bits),
            address_width: Param::new(address_width),
            tag_place: Param::new(address_width + stride_bits),
            sign_place: Param::new(stride_bits.saturating_sub(1)),
            above_stride: Param::new(
                Word::new(address_width, above_stride) << Word::new(7, stride_bits as u64),
            ),
            has_stride: Param::new(usize::from(stride_bits > 0)),
            tagged: Param::new(tagged),
            valid: Param::new(Word::new(wanted_bits, 1u64.unbounded_shl(tag_bits as u32))),
            _set_bits: set_bits,
            _tag_bits: tag_bits,
            _wanted_bits: wanted_bits,
            _address_width: address_width,
            _stride_bits: stride_bits,
            _entry_bits: entry_bits,
            _ways: ways,
        }
    }
}

#[allow(clippy::collapsible_if, reason = "the outer condition is decided at elaboration")]
impl Logic for DataAddressStrideCache {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, domain, order);
        self.set.next = bits_to(self.site.val(), self._set_bits);
        self.tag.next = bits_to(self.site.val() >> self.set_bits.val(), self._tag_bits);
        self.wanted.next = 0.into();
        if self.tagged.val() == 1 {
            self.wanted.next = self.valid.val() | bits_to(self.tag.val(), self._wanted_bits);
        }

        // With tags one way at most is the instruction's own; without there is one, and everybody's.
        self.matching.next = 0.into();
        self.own.next = 0.into();
        for way in 0..self._ways {
            clock!(self, domain, ways[way]);
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
        self.difference.next = self.address.val() - bits_to(self.own.val(), self._address_width);
        self.stride.next = bits_to(self.own.val() >> self.address_width.val(), self._stride_bits);
        self.extended.next = bits_to(self.stride.val(), self._address_width);
        if self.has_stride.val() == 1 {
            if self.stride.val().get_bit(self.sign_place.val()) {
                self.extended.next =
                    self.above_stride.val() | bits_to(self.stride.val(), self._address_width);
            }
        }
        self.hit.next = 0.into();
        if self.matching.val().any() && self.difference.val() == self.extended.val() {
            self.hit.next = 1.into();
        }

        self.order.read_address.next = self.set.val();
        self.recency.order.next = self.order.read_data.val();
        self.used.next = self.matching.val();
        self.stride_next.next = bits_to(self.difference.val(), self._stride_bits);
        if !self.matching.val().any() {
            self.used.next = self.recency.oldest.val();
            self.stride_next.next = 0.into();
        }
        self.recency.used.next = self.used.val();

        self.order.write_enable.next = self.update.val() | self.clear.val();
        self.order.write_address.next = self.set.val();
        self.order.write_data.next = self.recency.order_next.val();
        for way in 0..self._ways {
            self.ways[way].write_enable.next = self.clear.val();
            if self.used.val().get_bit(way) {
                self.ways[way].write_enable.next = self.clear.val() | self.update.val();
            }
            self.ways[way].write_address.next = self.set.val();
            self.ways[way].write_data.next = (bits_to(self.wanted.val(), self._entry_bits)
                << self.tag_place.val())
                | (bits_to(self.stride_next.val(), self._entry_bits) << self.address_width.val())
                | bits_to(self.address.val(), self._entry_bits);
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
