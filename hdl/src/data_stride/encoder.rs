//! The compressor: memory accesses in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::data_stride::config::Config;

use super::data_address_stride_cache::DataAddressStrideCache;
use super::data_repetitions::DataRepetitions;
use crate::encode::fifo::Fifo;

block! {
    /// Data address buffer, stride cache and packets; a record leaves in the clock in which its access
    /// leaves the buffer.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let address_width = config.processor.address_width as usize;
        let site_bits = config.site_bits() as usize;
        let buffered_bits = config.buffered_bits() as usize;
        let format = config.format();
        // Each kind of record has places that the other has not.
        let place = |name: &str, with_repetitions: Option<bool>| {
            let has = with_repetitions.is_none_or(|with| with == config.data_repetitions);
            if has { format.place(name) } else { 0 }
        };
    }

    // The tables are being cleared.
    in clear: 1;
    // The entry to clear, in its lower bits.
    in clear_index: clear_bits;
    /// an access is made; only when ready
    in access: 1;
    /// whose entry it uses
    in site: site_bits;
    // Its data address.
    in address: address_width;
    /// from registers alone
    out ready: 1;
    /// make a flush record; only when flush_ready
    in flush: 1;
    // A flush is taken: no access waits.
    out flush_ready: 1;
    // There is a record.
    out record_valid: 1;
    // The record.
    out record: format.bits() as usize;
    // It is taken.
    in record_ready: 1;
    block buffer: Fifo(config.data_address_buffer_depth as usize, 0, buffered_bits);
    block cache: DataAddressStrideCache(config, clear_bits);
    block repetitions: DataRepetitions(config) if config.data_repetitions;
    /// an access leaves the buffer
    local looked_up: 1;
    local missed: 1;
    local buffered_address: address_width;
    local all_ones: 1;
    param has_repetitions = usize::from(config.data_repetitions);
    param address_width = address_width;
    param flush_place = place("flush", None);
    param miss_place = place("miss", None);
    param address_place = place("address", None);
    param repetition_place = place("repetition", Some(true));
    param pattern_place = place("pattern", Some(true));
    param repetition_count_place = place("repetition_count", Some(true));
    param partial_pattern_place = place("partial_pattern", Some(true));
    param partial_count_place = place("partial_count", Some(true));
    param access_place = place("access", Some(false));
    param hit_place = place("hit", Some(false));
    param all_ones_place = place("all_ones", Some(false));
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.buffer.in_valid.next = self.access.val();
        self.buffer.in_word.next = (bits_to(self.site.val(), self.buffer.in_word.width())
            << self.address_width.val())
            | bits_to(self.address.val(), self.buffer.in_word.width());
        self.ready.next = self.buffer.in_ready.val();
        self.flush_ready.next = self.record_ready.val() & !self.buffer.out_valid.val();
        self.buffer.out_ready.next = self.record_ready.val();
        self.looked_up.next = self.record_ready.val() & self.buffer.out_valid.val();

        self.cache.clear.next = self.clear.val();
        self.cache.clear_index.next = self.clear_index.val();
        self.cache.update.next = self.looked_up.val();
        self.cache.site.next =
            bits_to(self.buffer.out_word.val() >> self.address_width.val(), self.site.width());
        self.buffered_address.next = bits_to(self.buffer.out_word.val(), self.address.width());
        self.cache.address.next = self.buffered_address.val();
        self.missed.next = self.looked_up.val() & !self.cache.hit.val();

        self.all_ones.next = 0.into();
        if self.has_repetitions.val() == 1 {
            self.repetitions.access.next = self.looked_up.val();
            self.repetitions.hit.next = self.cache.hit.val();
            self.repetitions.flush.next = self.flush.val();
            self.record_valid.next =
                self.repetitions.over.val() | self.missed.val() | self.flush.val();
            self.record.next = (bits_to(self.flush.val(), self.record.width())
                << self.flush_place.val())
                | (bits_to(self.repetitions.over.val(), self.record.width())
                    << self.repetition_place.val())
                | (bits_to(self.missed.val(), self.record.width()) << self.miss_place.val())
                | (bits_to(self.repetitions.pattern.val(), self.record.width())
                    << self.pattern_place.val())
                | (bits_to(self.repetitions.repetition_count.val(), self.record.width())
                    << self.repetition_count_place.val())
                | (bits_to(self.buffered_address.val(), self.record.width())
                    << self.address_place.val())
                | (bits_to(self.repetitions.partial_pattern.val(), self.record.width())
                    << self.partial_pattern_place.val())
                | (bits_to(self.repetitions.partial_count.val(), self.record.width())
                    << self.partial_count_place.val());
        } else {
            if self.buffered_address.val().all() {
                self.all_ones.next = self.missed.val();
            }
            self.record_valid.next = self.looked_up.val() | self.flush.val();
            self.record.next = (bits_to(self.flush.val(), self.record.width())
                << self.flush_place.val())
                | (bits_to(self.looked_up.val(), self.record.width()) << self.access_place.val())
                | (bits_to(self.cache.hit.val(), self.record.width()) << self.hit_place.val())
                | (bits_to(self.missed.val(), self.record.width()) << self.miss_place.val())
                | (bits_to(self.all_ones.val(), self.record.width()) << self.all_ones_place.val())
                | (bits_to(self.buffered_address.val(), self.record.width())
                    << self.address_place.val());
        }
    }
}
