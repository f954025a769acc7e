//! The compressor: memory accesses in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::data_stride::config::Config;
use tracewright_sim::encode::record::RecordFormat;

use super::data_address_stride_cache::DataAddressStrideCache;
use super::data_repetitions::DataRepetitions;
use crate::encode::fifo::Fifo;
use crate::encode::record::word_layout;
use crate::parts::ports::{Clear, Stream};

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

packed! {
    /// An access as it waits in the data address buffer.
    Buffered of (site_bits: usize, address_width: usize);
    address: address_width;
    site: site_bits;
}

block! {
    /// Data address buffer, stride cache and packets; a record leaves in the cycle in which its access
    /// leaves the buffer.
    ///
    /// Where the stride cache is read at the clock edge, a stage after the buffer holds the access for that cycle.
    pub Encoder("encoder") of (config: &Config, clear_bits: usize) {
        let address_width = config.processor.address_width as usize;
        let site_bits = config.site_bits() as usize;
        let buffered_bits = config.buffered_bits() as usize;
        let format = config.format();
        let held = |bits: usize| if config.is_synchronous() { bits } else { 0 };
    }

    in clear: Clear(clear_bits);
    /// an access is made; only when ready
    in access: 1;
    /// site of the access, which selects the entry
    in site: site_bits;
    /// data address of the access
    in address: address_width;
    /// from registers alone
    out ready: 1;
    /// make a flush record; only when flush_ready
    in flush: 1;
    /// a flush can be taken: no access waits
    out flush_ready: 1;
    out record: Stream(format.bits());
    local formed: Record(&format);
    local arriving: Buffered(site_bits, address_width);
    view oldest: Buffered(site_bits, address_width);
    block buffer: Fifo(config.data_address_buffer_depth as usize, 0, buffered_bits, false);
    block cache: DataAddressStrideCache(config, clear_bits);
    block repetitions: DataRepetitions(config) if config.data_repetitions;
    /// an access leaves the buffer
    local looked_up: 1;
    reg held_valid: held(1);
    reg held: held(buffered_bits) = undefined;
    /// the access that is in the stage in the next cycle
    local early: held(buffered_bits);
    view coming: Buffered(held(site_bits), held(address_width));
    local stage_ready: held(1);
    local missed: 1;
    local buffered_address: address_width;
    local all_ones: 1;
    param is_synchronous = usize::from(config.is_synchronous());
    param has_repetitions = usize::from(config.data_repetitions);
}

impl Logic for Encoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.buffer.in_.valid.next = self.access.val();
        self.arriving.site.next = self.site.val();
        self.arriving.address.next = self.address.val();
        self.buffer.in_.word.next = self.arriving.val();
        self.ready.next = self.buffer.in_.ready.val();
        if self.is_synchronous.val() == 1 {
            self.flush_ready.next =
                self.record.ready.val() & !self.buffer.out_.valid.val() & !self.held_valid.q.val();
            self.stage_ready.next = self.record.ready.val() | !self.held_valid.q.val();
            self.buffer.out_.ready.next = self.stage_ready.val();
            self.early.next = self.held.q.val();
            if self.stage_ready.val().any() {
                self.held_valid.d.next = self.buffer.out_.valid.val();
                self.early.next = self.buffer.out_.word.val();
            }
            self.held.d.next = self.early.val();
            self.coming.next = self.early.val();
            self.cache.early_set.next =
                bits_to(self.coming.site.val(), self.cache.early_set.width());
            self.looked_up.next = self.record.ready.val() & self.held_valid.q.val();
            self.oldest.next = self.held.q.val();
        } else {
            self.flush_ready.next = self.record.ready.val() & !self.buffer.out_.valid.val();
            self.buffer.out_.ready.next = self.record.ready.val();
            self.looked_up.next = self.record.ready.val() & self.buffer.out_.valid.val();
            self.oldest.next = self.buffer.out_.word.val();
        }

        connect::join(&mut self.clear, &mut self.cache.clear);
        self.cache.update.next = self.looked_up.val();
        self.cache.site.next = self.oldest.site.val();
        self.buffered_address.next = self.oldest.address.val();
        self.cache.address.next = self.buffered_address.val();
        self.missed.next = self.looked_up.val() & !self.cache.hit.val();

        self.all_ones.next = 0.into();
        if self.has_repetitions.val() == 1 {
            self.repetitions.access.next = self.looked_up.val();
            self.repetitions.hit.next = self.cache.hit.val();
            self.repetitions.flush.next = self.flush.val();
            self.record.valid.next =
                self.repetitions.over.val() | self.missed.val() | self.flush.val();
            self.formed.flush.next = self.flush.val();
            self.formed.repetition.next = self.repetitions.over.val();
            self.formed.miss.next = self.missed.val();
            self.formed.pattern.next = self.repetitions.pattern.val();
            self.formed.repetition_count.next = self.repetitions.repetition_count.val();
            self.formed.address.next = self.buffered_address.val();
            self.formed.partial_pattern.next = self.repetitions.partial_pattern.val();
            self.formed.partial_count.next = self.repetitions.partial_count.val();
        } else {
            if self.buffered_address.val().all() {
                self.all_ones.next = self.missed.val();
            }
            self.record.valid.next = self.looked_up.val() | self.flush.val();
            self.formed.flush.next = self.flush.val();
            self.formed.access.next = self.looked_up.val();
            self.formed.hit.next = self.cache.hit.val();
            self.formed.miss.next = self.missed.val();
            self.formed.all_ones.next = self.all_ones.val();
            self.formed.address.next = self.buffered_address.val();
        }
        self.record.word.next = self.formed.val();
    }
}
