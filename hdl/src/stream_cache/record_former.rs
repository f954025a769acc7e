//! What is recorded of the streams that wait, one a clock.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::{Config, LastValueStartAddress, MissIndex};
use tracewright_sim::stream_detector::End;
use tracewright_sim::stream_source::BRANCH_CODE;

use super::last_stream_predictor::LastStreamPredictor;
use super::one_length_counter::OneLengthCounter;
use super::start_address_predictor::StartAddressPredictor;
use super::stream_cache::StreamCache;

/// Looks a stream up in the cache and the predictor, updates both, and forms a record if one is due.
#[derive(LogicBlock)]
pub struct RecordFormer {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The tables are being cleared.
    pub clear: Wire<In>,
    /// The entry to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// A stream waits.
    pub stream_valid: Wire<In>,
    /// Where it starts, in instruction units.
    pub start: Wire<In>,
    /// That can be inferred.
    pub inferred: Wire<In>,
    /// How it ends: the code of its end, 3 for a branch.
    pub ending: Wire<In>,
    /// It is not broken off by an exception or a flush.
    pub is_whole: Wire<In>,
    /// Its length, 0 if it is cut.
    pub length: Wire<In>,
    /// There is a record.
    pub record_valid: Wire<Out>,
    /// The record.
    pub record: Wire<Out>,
    /// It is taken.
    pub record_ready: Wire<In>,
    cache: StreamCache,
    predictor: LastStreamPredictor,
    start_addresses: Opt<StartAddressPredictor>,
    counter: Opt<OneLengthCounter>,
    steps: Wire<Local>,
    is_told: Wire<Local>,
    whole_hit: Wire<Local>,
    predicted: Wire<Local>,
    sends_hit: Wire<Local>,
    sends_index: Wire<Local>,
    misses: Wire<Local>,
    lower_suffices: Wire<Local>,
    sends_start: Wire<Local>,
    has_code: Wire<Local>,
    index: Wire<Local>,
    run: Wire<Local>,
    run_bits: Wire<Local>,
    branch_end: Param,
    flush_code: Param,
    has_last_value: Param,
    guards_the_cache: Param,
    has_counter: Param,
    learns_allocated: Param,
    flush_place: Param,
    hit_place: Param,
    index_flag_place: Param,
    whole_start_place: Param,
    lower_start_place: Param,
    sends_length_place: Param,
    sends_end_place: Param,
    sends_partial_place: Param,
    index_place: Param,
    start_place: Param,
    length_place: Param,
    end_place: Param,
    run_place: Param,
    run_bits_place: Param,
    _record_bits: usize,
}

impl RecordFormer {
    /// The record former of `config`.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
        let format = config.format();
        let place = |name: &str| Param::new(format.place(name) as usize);
        let run_bits_place =
            if config.one_length_counter { format.place("run_bits") as usize } else { 0 };
        let start_bits = config.processor.instruction_address_bits() as usize;
        let length_bits = config.cache.stream_length_bits as usize;
        let index_bits = config.cache.index_bits() as usize;
        let last_value = config.last_value_start_address;
        let has_last_value = last_value != LastValueStartAddress::None;
        Self {
            kind: Kind::plain("record_former"),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            stream_valid: Wire::new(1),
            start: Wire::new(start_bits).describe("in instruction units"),
            inferred: Wire::new(1),
            ending: Wire::new(2).describe("0 cut, 1 exception, 2 flush, 3 branch"),
            is_whole: Wire::new(1).describe("not broken off by an exception or a flush"),
            length: Wire::new(length_bits),
            record_valid: Wire::new(1),
            record: Wire::new(format.bits() as usize),
            record_ready: Wire::new(1),
            cache: StreamCache::new(
                &config.cache,
                &config.processor,
                config.entry_start_bits() as usize,
                clear_bits,
            ),
            predictor: LastStreamPredictor::new(index_bits, clear_bits),
            start_addresses: Opt::new(has_last_value, StartAddressPredictor::new(config)),
            counter: Opt::new(config.one_length_counter, OneLengthCounter::new(config)),
            steps: Wire::new(1),
            is_told: Wire::new(1).describe("an index says where the stream starts"),
            whole_hit: Wire::new(1),
            predicted: Wire::new(1),
            sends_hit: Wire::new(1),
            sends_index: Wire::new(1),
            misses: Wire::new(1),
            lower_suffices: Wire::new(1),
            sends_start: Wire::new(1),
            has_code: Wire::new(1),
            index: Wire::new(index_bits),
            run: Wire::new(config.one_length_most_bits as usize),
            run_bits: Wire::new(config.one_length_size_bits() as usize),
            branch_end: Param::new(BRANCH_CODE as usize),
            flush_code: Param::new(End::Flush.code().unwrap_or_default() as usize),
            has_last_value: Param::new(has_last_value),
            guards_the_cache: Param::new(last_value == LastValueStartAddress::Every),
            has_counter: Param::new(config.one_length_counter),
            learns_allocated: Param::new(config.miss_index == MissIndex::Allocated),
            flush_place: place("flush"),
            hit_place: place("hit"),
            index_flag_place: place("sends_index"),
            whole_start_place: place("sends_whole_start"),
            lower_start_place: place("sends_lower_start"),
            sends_length_place: place("sends_length"),
            sends_end_place: place("sends_end"),
            sends_partial_place: place("sends_partial"),
            index_place: Param::new(format.place("index") as usize + 1),
            start_place: place("start"),
            length_place: place("length"),
            end_place: place("end"),
            run_place: Param::new(format.place("hit") as usize + 1),
            run_bits_place: Param::new(run_bits_place),
            _record_bits: format.bits() as usize,
        }
    }
}

impl Logic for RecordFormer {
    #[hdl_gen]
    fn update(&mut self) {
        self.cache.domain.next = self.domain.val();
        self.predictor.domain.next = self.domain.val();
        self.steps.next = self.stream_valid.val() & self.record_ready.val();

        self.cache.clear.next = self.clear.val();
        self.cache.clear_index.next = self.clear_index.val();
        self.cache.start.next = self.start.val();
        self.cache.length.next = self.length.val();
        self.cache.update.next = self.steps.val() & self.is_whole.val();

        // A stored start without its upper bits says where to go only if those are of late.
        self.lower_suffices.next = 0.into();
        self.is_told.next = 1.into();
        if self.has_last_value.val() == 1 {
            self.start_addresses.domain.next = self.domain.val();
            self.start_addresses.start.next = self.start.val();
            self.lower_suffices.next = self.start_addresses.matching.val();
            if self.guards_the_cache.val() == 1 {
                self.is_told.next = self.inferred.val() | self.lower_suffices.val();
            }
        }
        self.whole_hit.next = self.is_whole.val() & self.cache.found.val() & self.is_told.val();
        self.predictor.clear.next = self.clear.val();
        self.predictor.clear_index.next = self.clear_index.val();
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
            self.counter.domain.next = self.domain.val();
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
        if self.ending.val() == self.branch_end.val() {
            self.has_code.next = 0.into();
        }
        self.index.next = self.cache.index.val();
        if self.misses.val().any() {
            self.index.next = 0.into();
        }

        self.record_valid.next =
            self.stream_valid.val() & (self.sends_hit.val() | self.sends_index.val());
        self.record.next = bits_to(self.sends_hit.val(), self._record_bits) << self.hit_place.val()
            | (bits_to(self.sends_index.val(), self._record_bits) << self.index_flag_place.val())
            | (bits_to(self.sends_start.val() & !self.lower_suffices.val(), self._record_bits)
                << self.whole_start_place.val())
            | (bits_to(self.sends_start.val() & self.lower_suffices.val(), self._record_bits)
                << self.lower_start_place.val())
            | (bits_to(self.misses.val() & !self.has_code.val(), self._record_bits)
                << self.sends_length_place.val())
            | (bits_to(self.misses.val() & self.has_code.val(), self._record_bits)
                << self.sends_end_place.val())
            | (bits_to(self.misses.val() & !self.is_whole.val(), self._record_bits)
                << self.sends_partial_place.val())
            | (bits_to(self.index.val(), self._record_bits) << self.index_place.val())
            | (bits_to(self.start.val(), self._record_bits) << self.start_place.val())
            | (bits_to(self.length.val(), self._record_bits) << self.length_place.val())
            | (bits_to(self.ending.val(), self._record_bits) << self.end_place.val());
        if self.ending.val() == self.flush_code.val() {
            self.record.next =
                self.record.val() | (bits_to(1, self._record_bits) << self.flush_place.val());
        }
        if self.has_counter.val() == 1 {
            self.record.next = self.record.val()
                | (bits_to(self.run.val(), self._record_bits) << self.run_place.val())
                | (bits_to(self.run_bits.val(), self._record_bits) << self.run_bits_place.val());
        }
    }
}
