//! The compressor: memory accesses in, records out.

use tracewright_elaborate::prelude::*;
use tracewright_sim::data_stride::config::Config;
use tracewright_sim::encode::record::RecordFormat;

use super::data_address_stride_cache::DataAddressStrideCache;
use super::data_repetitions::DataRepetitions;
use crate::encode::fifo::Fifo;
use crate::encode::record::word_layout;
use crate::parts::ports::{Clear, Stream};
use crate::parts::predictor_table::Reading;

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
        let reading = Reading::of(config.memory_style, &config.port);
        let held = |bits: usize| bits * reading.count();
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
    param has_stage = reading;
    param has_repetitions = usize::from(config.data_repetitions);
}

#[kernel]
impl Logic for Encoder {
    fn update(&mut self) {
        buffer.in_.valid = access;
        arriving = Buffered { site, address };
        buffer.in_.word = arriving;
        ready = buffer.in_.ready;
        if when(has_stage) {
            flush_ready = record.ready & !buffer.out_.valid & !held_valid.q;
            stage_ready = record.ready | !held_valid.q;
            buffer.out_.ready = stage_ready;
            early = held.q;
            if stage_ready {
                held_valid.d = buffer.out_.valid;
                early = buffer.out_.word;
            }
            held.d = early;
            coming = early;
            cache.early_set = resized(coming.site);
            looked_up = record.ready & held_valid.q;
            oldest = held.q;
        } else {
            flush_ready = record.ready & !buffer.out_.valid;
            buffer.out_.ready = record.ready;
            looked_up = record.ready & buffer.out_.valid;
            oldest = buffer.out_.word;
        }

        join(clear, cache.clear);
        cache = DataAddressStrideCache { update: looked_up, site: oldest.site };
        buffered_address = oldest.address;
        cache.address = buffered_address;
        missed = looked_up & !cache.hit;

        all_ones = 0;
        if when(has_repetitions) {
            repetitions = DataRepetitions { access: looked_up, hit: cache.hit, flush };
            record.valid = repetitions.over | missed | flush;
            formed = Record {
                flush,
                repetition: repetitions.over,
                miss: missed,
                pattern: repetitions.pattern,
                repetition_count: repetitions.repetition_count,
                address: buffered_address,
                partial_pattern: repetitions.partial_pattern,
                partial_count: repetitions.partial_count,
            };
        } else {
            if buffered_address.all() {
                all_ones = missed;
            }
            record.valid = looked_up | flush;
            formed = Record {
                flush,
                access: looked_up,
                hit: cache.hit,
                miss: missed,
                all_ones,
                address: buffered_address,
            };
        }
        record.word = formed;
    }
}
