//! The compressor: memory accesses in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::data_stride::config::Config;
use tracewright_sim::encode::record::RecordFormat;

use super::data_address_stride_cache::DataAddressStrideCache;
use super::data_repetitions::DataRepetitions;
use crate::encode::fifo::Fifo;
use crate::encode::record::word_layout;

packed! {
    /// A record on its way to the encoder (`tracewright_sim::data_stride::layout`).
    pub Record of (format: &RecordFormat) {
        let layout = word_layout(format, Self::FIELDS);
    }
    flush;
    repetition;
    access;
    hit;
    miss;
    all_ones;
    pattern;
    repetition_count;
    address;
    partial_pattern;
    partial_count;
}

block! {
    /// Data address buffer, stride cache and packets; a record leaves in the clock in which its access
    /// leaves the buffer.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let address_width = config.processor.address_width as usize;
        let site_bits = config.site_bits() as usize;
        let buffered_bits = config.buffered_bits() as usize;
        let format = config.format();
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
    out record: Record(&format);
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
            self.record.flush.next = self.flush.val();
            self.record.repetition.next = self.repetitions.over.val();
            self.record.miss.next = self.missed.val();
            self.record.pattern.next = self.repetitions.pattern.val();
            self.record.repetition_count.next = self.repetitions.repetition_count.val();
            self.record.address.next = self.buffered_address.val();
            self.record.partial_pattern.next = self.repetitions.partial_pattern.val();
            self.record.partial_count.next = self.repetitions.partial_count.val();
        } else {
            if self.buffered_address.val().all() {
                self.all_ones.next = self.missed.val();
            }
            self.record_valid.next = self.looked_up.val() | self.flush.val();
            self.record.flush.next = self.flush.val();
            self.record.access.next = self.looked_up.val();
            self.record.hit.next = self.cache.hit.val();
            self.record.miss.next = self.missed.val();
            self.record.all_ones.next = self.all_ones.val();
            self.record.address.next = self.buffered_address.val();
        }
    }
}
