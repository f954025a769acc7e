//! The compressor: memory accesses in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::data_stride::config::Config;

use super::data_address_stride_cache::DataAddressStrideCache;
use super::data_repetitions::DataRepetitions;
use crate::encode::fifo::Fifo;

/// Data address buffer, stride cache and packets; a record leaves in the clock in which its access
/// leaves the buffer.
#[derive(LogicBlock)]
pub struct Encoder {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The tables are being cleared.
    pub clear: Wire<In>,
    /// The entry to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// An access is made; only when `ready`.
    pub access: Wire<In>,
    /// Whose entry it uses.
    pub site: Wire<In>,
    /// Its data address.
    pub address: Wire<In>,
    /// An access is taken; from registers alone.
    pub ready: Wire<Out>,
    /// Make a flush record; only when `flush_ready`.
    pub flush: Wire<In>,
    /// A flush is taken: no access waits.
    pub flush_ready: Wire<Out>,
    /// There is a record.
    pub record_valid: Wire<Out>,
    /// The record.
    pub record: Wire<Out>,
    /// It is taken.
    pub record_ready: Wire<In>,
    buffer: Fifo,
    cache: DataAddressStrideCache,
    repetitions: Opt<DataRepetitions>,
    looked_up: Wire<Local>,
    missed: Wire<Local>,
    buffered_address: Wire<Local>,
    all_ones: Wire<Local>,
    has_repetitions: Param,
    address_width: Param,
    flush_place: Param,
    miss_place: Param,
    address_place: Param,
    repetition_place: Param,
    pattern_place: Param,
    repetition_count_place: Param,
    partial_pattern_place: Param,
    partial_count_place: Param,
    access_place: Param,
    hit_place: Param,
    all_ones_place: Param,
    _site_bits: usize,
    _address_width: usize,
    _buffered_bits: usize,
    _record_bits: usize,
}

impl Encoder {
    /// The compressor of `config`, which is valid, with a clear index of `clear_bits`.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
        let address_width = config.processor.address_width as usize;
        let site_bits = config.site_bits() as usize;
        let buffered_bits = config.buffered_bits() as usize;
        let format = config.format();
        // Each kind of record has places that the other has not.
        let place = |name: &str, with_repetitions: Option<bool>| {
            let has = with_repetitions.is_none_or(|with| with == config.data_repetitions);
            Param::new(if has { format.place(name) as usize } else { 0 })
        };
        Self {
            kind: Kind::plain("encoder"),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            access: Wire::new(1).describe("an access is made; only when ready"),
            site: Wire::new(site_bits).describe("whose entry it uses"),
            address: Wire::new(address_width),
            ready: Wire::new(1).describe("from registers alone"),
            flush: Wire::new(1).describe("make a flush record; only when flush_ready"),
            flush_ready: Wire::new(1),
            record_valid: Wire::new(1),
            record: Wire::new(format.bits() as usize),
            record_ready: Wire::new(1),
            buffer: Fifo::new(config.data_address_buffer_depth as usize, buffered_bits),
            cache: DataAddressStrideCache::new(config, clear_bits),
            repetitions: Opt::new(config.data_repetitions, DataRepetitions::new(config)),
            looked_up: Wire::new(1).describe("an access leaves the buffer"),
            missed: Wire::new(1),
            buffered_address: Wire::new(address_width),
            all_ones: Wire::new(1),
            has_repetitions: Param::new(usize::from(config.data_repetitions)),
            address_width: Param::new(address_width),
            flush_place: place("flush", None),
            miss_place: place("miss", None),
            address_place: place("address", None),
            repetition_place: place("repetition", Some(true)),
            pattern_place: place("pattern", Some(true)),
            repetition_count_place: place("repetition_count", Some(true)),
            partial_pattern_place: place("partial_pattern", Some(true)),
            partial_count_place: place("partial_count", Some(true)),
            access_place: place("access", Some(false)),
            hit_place: place("hit", Some(false)),
            all_ones_place: place("all_ones", Some(false)),
            _site_bits: site_bits,
            _address_width: address_width,
            _buffered_bits: buffered_bits,
            _record_bits: format.bits() as usize,
        }
    }
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.buffer.domain.next = self.domain.val();
        self.cache.domain.next = self.domain.val();

        self.buffer.in_valid.next = self.access.val();
        self.buffer.in_word.next = (bits_to(self.site.val(), self._buffered_bits)
            << self.address_width.val())
            | bits_to(self.address.val(), self._buffered_bits);
        self.ready.next = self.buffer.in_ready.val();
        self.flush_ready.next = self.record_ready.val() & !self.buffer.out_valid.val();
        self.buffer.out_ready.next = self.record_ready.val();
        self.looked_up.next = self.record_ready.val() & self.buffer.out_valid.val();

        self.cache.clear.next = self.clear.val();
        self.cache.clear_index.next = self.clear_index.val();
        self.cache.update.next = self.looked_up.val();
        self.cache.site.next =
            bits_to(self.buffer.out_word.val() >> self.address_width.val(), self._site_bits);
        self.buffered_address.next = bits_to(self.buffer.out_word.val(), self._address_width);
        self.cache.address.next = self.buffered_address.val();
        self.missed.next = self.looked_up.val() & !self.cache.hit.val();

        self.all_ones.next = 0.into();
        if self.has_repetitions.val() == 1 {
            self.repetitions.domain.next = self.domain.val();
            self.repetitions.access.next = self.looked_up.val();
            self.repetitions.hit.next = self.cache.hit.val();
            self.repetitions.flush.next = self.flush.val();
            self.record_valid.next =
                self.repetitions.over.val() | self.missed.val() | self.flush.val();
            self.record.next = (bits_to(self.flush.val(), self._record_bits)
                << self.flush_place.val())
                | (bits_to(self.repetitions.over.val(), self._record_bits)
                    << self.repetition_place.val())
                | (bits_to(self.missed.val(), self._record_bits) << self.miss_place.val())
                | (bits_to(self.repetitions.pattern.val(), self._record_bits)
                    << self.pattern_place.val())
                | (bits_to(self.repetitions.repetition_count.val(), self._record_bits)
                    << self.repetition_count_place.val())
                | (bits_to(self.buffered_address.val(), self._record_bits)
                    << self.address_place.val())
                | (bits_to(self.repetitions.partial_pattern.val(), self._record_bits)
                    << self.partial_pattern_place.val())
                | (bits_to(self.repetitions.partial_count.val(), self._record_bits)
                    << self.partial_count_place.val());
        } else {
            if self.buffered_address.val().all() {
                self.all_ones.next = self.missed.val();
            }
            self.record_valid.next = self.looked_up.val() | self.flush.val();
            self.record.next = (bits_to(self.flush.val(), self._record_bits)
                << self.flush_place.val())
                | (bits_to(self.looked_up.val(), self._record_bits) << self.access_place.val())
                | (bits_to(self.cache.hit.val(), self._record_bits) << self.hit_place.val())
                | (bits_to(self.missed.val(), self._record_bits) << self.miss_place.val())
                | (bits_to(self.all_ones.val(), self._record_bits) << self.all_ones_place.val())
                | (bits_to(self.buffered_address.val(), self._record_bits)
                    << self.address_place.val());
        }
    }
}
