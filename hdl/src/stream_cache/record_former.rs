//! What is recorded of the streams that wait, one a clock.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::{Config, LastValueStartAddress, MissIndex};
use tracewright_sim::stream_detector::End;
use tracewright_sim::stream_source::BRANCH_CODE;

use super::last_stream_predictor::LastStreamPredictor;
use super::one_length_counter::OneLengthCounter;
use super::start_address_predictor::StartAddressPredictor;
use super::stream_cache::StreamCache;
use crate::parts::ports::Clear;
use crate::parts::predictor_table::Reading;

block! {
    /// Looks a stream up in the cache and the predictor, updates both, and forms a record if one is due.
    pub RecordFormer("record_former") of (config: &Config, clear_bits: usize) {
        let format = config.format();
        let place = |name: &str| format.offset(name);
        let run_bits_place =
            if config.one_length_counter { format.offset("run_bits") as usize } else { 0 };
        let start_bits = config.processor.instruction_address_bits() as usize;
        let length_bits = config.cache.stream_length_bits as usize;
        let index_bits = config.cache.index_bits() as usize;
        let last_value = config.last_value_start_address;
        let reading = Reading::of(config.cache.memory_style, &config.port);
        let early = |bits: usize| if config.cache.is_synchronous() { bits } else { 0 };
        let has_last_value = last_value != LastValueStartAddress::None;
    }

    in clear: Clear(clear_bits);
    /// a stream waits
    in stream_valid: 1;
    /// in instruction units
    in start: start_bits;
    /// the decoder can infer the start
    in inferred: 1;
    /// 0 cut, 1 exception, 2 flush, 3 branch
    in end_code: 2;
    /// it does not end with an exception or a flush
    in is_whole: 1;
    /// length of the stream, 0 if it is cut
    in length: length_bits;
    /// start of the next cycle's stream, where tables are read through registers
    in early_start: early(start_bits);
    /// its length
    in early_length: early(length_bits);
    /// a record is formed
    out record_valid: 1;
    /// the record in the format of the layout
    out record: format.bits() as usize;
    /// the record is taken
    in record_ready: 1;
    block cache: StreamCache(&config.cache, &config.processor, config.entry_start_bits() as usize, reading, clear_bits);
    block predictor: LastStreamPredictor(index_bits, reading, clear_bits);
    block start_addresses: StartAddressPredictor(config) if has_last_value;
    block counter: OneLengthCounter(config) if config.one_length_counter;
    local steps: 1;
    /// an index says where the stream starts
    local is_told: 1;
    local whole_hit: 1;
    local predicted: 1;
    local sends_hit: 1;
    local sends_index: 1;
    local misses: 1;
    local lower_suffices: 1;
    local sends_start: 1;
    local has_code: 1;
    local index: index_bits;
    local run: config.one_length_most_bits as usize;
    local run_bits: config.one_length_size_bits() as usize;
    constant branch_code: 2 = BRANCH_CODE;
    constant flush_code: 2 = End::Flush.code().unwrap_or_default() as usize;
    param is_synchronous = config.cache.is_synchronous();
    param has_last_value = has_last_value;
    param guards_the_cache = last_value == LastValueStartAddress::Every;
    param has_counter = config.one_length_counter;
    param learns_allocated = config.miss_index == MissIndex::Allocated;
    param flush_place = place("flush");
    param hit_place = place("hit");
    param index_flag_place = place("sends_index");
    param whole_start_place = place("sends_whole_start");
    param lower_start_place = place("sends_lower_start");
    param sends_length_place = place("sends_length");
    param sends_end_place = place("sends_end");
    param sends_partial_place = place("sends_partial");
    param index_place = format.offset("index") as usize + 1;
    param start_place = place("start");
    param length_place = place("length");
    param end_place = place("end");
    param run_place = format.offset("hit") as usize + 1;
    param run_bits_place = run_bits_place;
}

impl Logic for RecordFormer {
    #[hdl_gen]
    fn update(&mut self) {
        self.steps.next = self.stream_valid.val() & self.record_ready.val();

        connect::join(&mut self.clear, &mut self.cache.clear);
        self.cache.start.next = self.start.val();
        self.cache.length.next = self.length.val();
        if self.is_synchronous.val() == 1 {
            self.cache.start.next = self.early_start.val();
            self.cache.length.next = self.early_length.val();
        }
        self.cache.update.next = self.steps.val() & self.is_whole.val();

        // A stored start without its upper bits says where to go only if those are recent.
        self.lower_suffices.next = 0.into();
        self.is_told.next = 1.into();
        if self.has_last_value.val() == 1 {
            self.start_addresses.start.next = self.start.val();
            self.lower_suffices.next = self.start_addresses.matching.val();
            if self.guards_the_cache.val() == 1 {
                self.is_told.next = self.inferred.val() | self.lower_suffices.val();
            }
        }
        self.whole_hit.next = self.is_whole.val() & self.cache.found.val() & self.is_told.val();
        connect::join(&mut self.clear, &mut self.predictor.clear);
        self.predicted.next = 0.into();
        if self.predictor.prediction.val() == self.cache.index.val() {
            self.predicted.next = self.whole_hit.val();
        }
        self.predictor.update.next = self.steps.val() & self.is_whole.val();
        self.predictor.index.next = self.cache.index.val();
        if self.learns_allocated.val() == 0 && !self.whole_hit.val().any() {
            self.predictor.index.next = 0.into();
        }

        self.sends_index.next = !self.predicted.val();
        self.misses.next = !self.whole_hit.val();
        self.run.next = 0.into();
        self.run_bits.next = 0.into();
        if self.has_counter.val() == 1 {
            self.counter.hit.next = self.steps.val() & self.predicted.val();
            self.counter.ends.next = self.steps.val() & !self.predicted.val();
            self.sends_hit.next = self.counter.sends.val();
            self.run.next = self.counter.run.val();
            self.run_bits.next = self.counter.run_bits.val();
        } else {
            self.sends_hit.next = self.predicted.val();
        }
        self.sends_start.next = self.misses.val() & !self.inferred.val();
        if self.has_last_value.val() == 1 {
            self.start_addresses.update.next = self.steps.val();
            self.start_addresses.sent.next = self.sends_start.val();
        }
        self.has_code.next = 1.into();
        if self.end_code.val() == self.branch_code.val() {
            self.has_code.next = 0.into();
        }
        self.index.next = self.cache.index.val();
        if self.misses.val().any() {
            self.index.next = 0.into();
        }

        self.record_valid.next =
            self.stream_valid.val() & (self.sends_hit.val() | self.sends_index.val());
        self.record.next = bits_to(self.sends_hit.val(), self.record.width())
            << self.hit_place.val()
            | (bits_to(self.sends_index.val(), self.record.width()) << self.index_flag_place.val())
            | (bits_to(self.sends_start.val() & !self.lower_suffices.val(), self.record.width())
                << self.whole_start_place.val())
            | (bits_to(self.sends_start.val() & self.lower_suffices.val(), self.record.width())
                << self.lower_start_place.val())
            | (bits_to(self.misses.val() & !self.has_code.val(), self.record.width())
                << self.sends_length_place.val())
            | (bits_to(self.misses.val() & self.has_code.val(), self.record.width())
                << self.sends_end_place.val())
            | (bits_to(self.misses.val() & !self.is_whole.val(), self.record.width())
                << self.sends_partial_place.val())
            | (bits_to(self.index.val(), self.record.width()) << self.index_place.val())
            | (bits_to(self.start.val(), self.record.width()) << self.start_place.val())
            | (bits_to(self.length.val(), self.record.width()) << self.length_place.val())
            | (bits_to(self.end_code.val(), self.record.width()) << self.end_place.val());
        if self.end_code.val() == self.flush_code.val() {
            self.record.next =
                self.record.val() | (bits_to(1, self.record.width()) << self.flush_place.val());
        }
        if self.has_counter.val() == 1 {
            self.record.next = self.record.val()
                | (bits_to(self.run.val(), self.record.width()) << self.run_place.val())
                | (bits_to(self.run_bits.val(), self.record.width()) << self.run_bits_place.val());
        }
    }
}
