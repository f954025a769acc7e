//! The trace output controller: collects indices into tuples and forms the packets.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::encode::record::RecordFormat;
use tracewright_sim::ntuple::config::Config;
use tracewright_sim::stream_detector::{End, STREAM_CODE_BITS};

use super::tuple_history_buffer::TupleHistoryBuffer;
use super::tuple_history_buffer::search::TupleSearch;
use crate::encode::record::word_layout;

packed! {
    /// A record on its way to the encoder (`tracewright_sim::ntuple::layout`).
    pub Record of (format: &RecordFormat) {
        let layout = word_layout(format, Self::FIELDS);
    }
    flush;
    exception;
    sends_miss;
    sends_age;
    sends_tuple;
    broken;
    start;
    length;
    age;
    count;
    tuple;
    pending_bits;
}

block! {
    /// Takes a stream and what the stream cache says of it; a packet of the stream and one of the tuple that
    /// it fills leave as one record.
    pub TraceOutputController("trace_output_controller") of (config: &Config, clear_bits: usize) {
        let format = config.format();
        let index_width = config.cache.index_bits() as usize;
        let (length, count_bits) = (config.tuple_length as usize, config.count_bits() as usize);
        let tuple_bits = config.tuple_bits() as usize;
        let pending_width = index_bits(config.tuple_bits() + 1) as usize;
        let held = length - 1;
        let searches = usize::from(config.searches());
        let swept_bits = if config.searches() { clear_bits } else { 0 };
    }

    /// the tables are being cleared
    in clear_valid: searches;
    /// the entry to clear, in the lower bits
    in clear_index: swept_bits;
    /// a stream is at the inputs
    in stream_valid: 1;
    /// code of the end; 3: a branch
    in end_code: STREAM_CODE_BITS as usize;
    /// it goes through the stream cache
    in is_whole: 1;
    /// instructions of the stream
    in length: config.cache.stream_length_bits as usize;
    /// in instruction units
    in start: config.processor.instruction_address_bits() as usize;
    /// the stream is in the stream cache
    in cache_hit: 1;
    /// index of the stream, once it is in the stream cache
    in cache_index: index_width;
    /// never without a stream
    in take: 1;
    /// a record is formed
    out record_valid: 1;
    /// the record in the format of the layout
    out record: Record(&format);
    /// the stream completes no tuple whose age is still sought
    out is_found: searches;
    block history: TupleHistoryBuffer(config) if !config.searches();
    block search: TupleSearch(config, clear_bits) if config.searches();
    block indices: Reg(index_width, 0) for _ in 0..held;
    /// indices of the tuple at hand
    reg count: count_bits;
    /// bits they have
    reg pending_bits: pending_width;
    local is_flush: 1;
    /// 0: not in the stream cache
    local index: index_width;
    /// of the tuple
    local is_last: 1;
    local collects: 1;
    /// the tuple is full
    local completes: 1;
    local misses: 1;
    local sends_tuple: 1;
    /// an exception or the flush
    local broken: 1;
    /// the tuple at hand is over
    local clears: 1;
    local age: config.age_bits() as usize;
    /// nothing is to be waited for
    local is_formed: 1;
    local tuple: tuple_bits;
    local placed: tuple_bits for _ in 0..held;
    param place_number = Word::new(count_bits, at as u64) for at in 0..held;
    param place_offset = at * index_width for at in 0..held;
    param last_place = Word::new(count_bits, held as u64);
    param last_offset = held * index_width;
    param index_step = Word::new(pending_width, index_width as u64);
    param searches = searches;
    constant flush_code: 2 = End::Flush.code().unwrap_or_default() as usize;
}

#[kernel]
impl Logic for TraceOutputController {
    fn update(&mut self) {
        is_flush = end_code == flush_code;
        index = 0;
        if cache_hit {
            index = cache_index;
        }
        collects = stream_valid & is_whole;
        is_last = count.q == last_place;
        completes = collects & is_last;
        misses = collects & !cache_hit;
        broken = stream_valid & !is_whole;

        // The indices so far, zeros after them; the last one of a full tuple has just come.
        tuple = 0;
        if completes {
            tuple = resized(index) << last_offset;
        }
        clears = take & (completes | (broken & is_flush));
        for at in 0..indices.len() {
            placed[at] = fitted(indices[at].q);
            tuple = tuple | (placed[at] << place_offset[at]);
            if clears {
                indices[at].d = 0;
            } else if take && collects && count.q == place_number[at] {
                indices[at].d = index;
            }
        }
        if clears {
            count.d = 0;
            pending_bits.d = 0;
        } else if take && collects {
            count.d = count.q + 1;
            pending_bits.d = pending_bits.q + index_step;
        }

        if when(searches) {
            search.clear.valid = clear_valid;
            search.clear.index = clear_index;
            search = TupleSearch { seeks: completes, tuple, learn: take & completes };
            age = search.age;
            is_formed = !completes | search.found;
            is_found = is_formed;
        } else {
            history = TupleHistoryBuffer {
                valid: collects,
                update: take & collects,
                index,
                place: count.q,
                learn: take & completes,
                tuple,
            };
            age = history.age;
        }
        sends_tuple = completes;
        if age {
            sends_tuple = 0;
        }

        record_valid = misses | completes | broken;
        if when(searches) {
            record_valid = is_formed & (misses | completes | broken);
        }
        record = Record {
            flush: broken & is_flush,
            exception: broken & !is_flush,
            sends_miss: misses,
            sends_age: completes,
            sends_tuple,
            broken,
            start,
            length,
            age,
            count: count.q,
            tuple,
            pending_bits: pending_bits.q,
        };
    }
}
