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

impl Logic for TraceOutputController {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_flush.next = bits_to(self.end_code.val() == self.flush_code.val(), 1);
        self.index.next = 0.into();
        if self.cache_hit.val().any() {
            self.index.next = self.cache_index.val();
        }
        self.collects.next = self.stream_valid.val() & self.is_whole.val();
        self.is_last.next = bits_to(self.count.q.val() == self.last_place.val(), 1);
        self.completes.next = self.collects.val() & self.is_last.val();
        self.misses.next = self.collects.val() & !self.cache_hit.val();
        self.broken.next = self.stream_valid.val() & !self.is_whole.val();

        // The indices so far, zeros after them; the last one of a full tuple has just come.
        self.tuple.next = 0.into();
        if self.completes.val().any() {
            self.tuple.next =
                bits_to(self.index.val(), self.tuple.width()) << self.last_offset.val();
        }
        self.clears.next =
            self.take.val() & (self.completes.val() | (self.broken.val() & self.is_flush.val()));
        for at in 0..self.indices.len() {
            self.placed[at].next = unsigned_cast_to_fit(self.indices[at].q.val());
            self.tuple.next =
                self.tuple.val() | (self.placed[at].val() << self.place_offset[at].val());
            if self.clears.val().any() {
                self.indices[at].d.next = 0.into();
            } else if self.take.val().any()
                && self.collects.val().any()
                && self.count.q.val() == self.place_number[at].val()
            {
                self.indices[at].d.next = self.index.val();
            }
        }
        if self.clears.val().any() {
            self.count.d.next = 0.into();
            self.pending_bits.d.next = 0.into();
        } else if self.take.val().any() && self.collects.val().any() {
            self.count.d.next = self.count.q.val() + 1;
            self.pending_bits.d.next = self.pending_bits.q.val() + self.index_step.val();
        }

        if self.searches.val() == 1 {
            self.search.clear.valid.next = self.clear_valid.val();
            self.search.clear.index.next = self.clear_index.val();
            self.search.seeks.next = self.completes.val();
            self.search.tuple.next = self.tuple.val();
            self.search.learn.next = self.take.val() & self.completes.val();
            self.age.next = self.search.age.val();
            self.is_formed.next = !self.completes.val() | self.search.found.val();
            self.is_found.next = self.is_formed.val();
        } else {
            self.history.valid.next = self.collects.val();
            self.history.update.next = self.take.val() & self.collects.val();
            self.history.index.next = self.index.val();
            self.history.place.next = self.count.q.val();
            self.history.learn.next = self.take.val() & self.completes.val();
            self.history.tuple.next = self.tuple.val();
            self.age.next = self.history.age.val();
        }
        self.sends_tuple.next = self.completes.val();
        if self.age.val().any() {
            self.sends_tuple.next = 0.into();
        }

        self.record_valid.next = self.misses.val() | self.completes.val() | self.broken.val();
        if self.searches.val() == 1 {
            self.record_valid.next = self.is_formed.val()
                & (self.misses.val() | self.completes.val() | self.broken.val());
        }
        self.record.flush.next = self.broken.val() & self.is_flush.val();
        self.record.exception.next = self.broken.val() & !self.is_flush.val();
        self.record.sends_miss.next = self.misses.val();
        self.record.sends_age.next = self.completes.val();
        self.record.sends_tuple.next = self.sends_tuple.val();
        self.record.broken.next = self.broken.val();
        self.record.start.next = self.start.val();
        self.record.length.next = self.length.val();
        self.record.age.next = self.age.val();
        self.record.count.next = self.count.q.val();
        self.record.tuple.next = self.tuple.val();
        self.record.pending_bits.next = self.pending_bits.q.val();
    }
}
