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
        let early = |bits: usize| bits * reading.count();
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
    param reads_early = reading;
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

#[kernel]
impl Logic for RecordFormer {
    fn update(&mut self) {
        steps = stream_valid & record_ready;

        join(clear, cache.clear);
        cache = StreamCache { start, length };
        if when(reads_early) {
            cache = StreamCache { start: early_start, length: early_length };
        }
        cache.update = steps & is_whole;

        // A stored start without its upper bits says where to go only if those are recent.
        lower_suffices = 0;
        is_told = 1;
        if when(has_last_value) {
            start_addresses.start = start;
            lower_suffices = start_addresses.matching;
            if when(guards_the_cache) {
                is_told = inferred | lower_suffices;
            }
        }
        whole_hit = is_whole & cache.found & is_told;
        join(clear, predictor.clear);
        predicted = 0;
        if predictor.prediction == cache.index {
            predicted = whole_hit;
        }
        predictor = LastStreamPredictor { update: steps & is_whole, index: cache.index };
        if learns_allocated == 0 && !whole_hit {
            predictor.index = 0;
        }

        sends_index = !predicted;
        misses = !whole_hit;
        run = 0;
        run_bits = 0;
        if when(has_counter) {
            counter = OneLengthCounter { hit: steps & predicted, ends: steps & !predicted };
            sends_hit = counter.sends;
            run = counter.run;
            run_bits = counter.run_bits;
        } else {
            sends_hit = predicted;
        }
        sends_start = misses & !inferred;
        if when(has_last_value) {
            start_addresses = StartAddressPredictor { update: steps, sent: sends_start };
        }
        has_code = 1;
        if end_code == branch_code {
            has_code = 0;
        }
        index = cache.index;
        if misses {
            index = 0;
        }

        record_valid = stream_valid & (sends_hit | sends_index);
        record = resized(sends_hit) << hit_place
            | (resized(sends_index) << index_flag_place)
            | (resized(sends_start & !lower_suffices) << whole_start_place)
            | (resized(sends_start & lower_suffices) << lower_start_place)
            | (resized(misses & !has_code) << sends_length_place)
            | (resized(misses & has_code) << sends_end_place)
            | (resized(misses & !is_whole) << sends_partial_place)
            | (resized(index) << index_place)
            | (resized(start) << start_place)
            | (resized(length) << length_place)
            | (resized(end_code) << end_place);
        if end_code == flush_code {
            record = record | (resized(1) << flush_place);
        }
        if when(has_counter) {
            record = record | (resized(run) << run_place) | (resized(run_bits) << run_bits_place);
        }
    }
}
