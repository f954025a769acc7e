//! Last stream predictor, one length counter and last value of the start address: what is recorded of
//! a stream.

use tracewright_elaborate::prelude::*;
use tracewright_sim::stream_cache::config::{Config, LastValueStartAddress, MissIndex};
use tracewright_sim::stream_detector::{End, STREAM_CODE_BITS};

use super::last_stream_predictor::LastStreamPredictor;
use super::one_length_counter::OneLengthCounter;
use super::start_address_predictor::StartAddressPredictor;

/// Takes a stream and what the stream cache says of it, and forms at most one record.
#[derive(LogicBlock)]
pub struct RecordFormer {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The tables are being cleared.
    pub clear: Wire<In>,
    /// The entry to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// There is a stream.
    pub stream_valid: Wire<In>,
    /// The code of its end; 3 is a branch.
    pub code: Wire<In>,
    /// It goes through the stream cache.
    pub is_whole: Wire<In>,
    /// Its instructions.
    pub length: Wire<In>,
    /// Where it starts, in instruction units.
    pub start: Wire<In>,
    /// That can be inferred.
    pub inferred: Wire<In>,
    /// It is in the stream cache.
    pub cache_hit: Wire<In>,
    /// Where it is there, or comes to be.
    pub cache_index: Wire<In>,
    /// The stream is taken.
    pub take: Wire<In>,
    /// There is a record.
    pub record_valid: Wire<Out>,
    /// The record, as the layout's format has it.
    pub record: Wire<Out>,
    predictor: LastStreamPredictor,
    counter: Opt<OneLengthCounter>,
    start_addresses: Opt<StartAddressPredictor>,
    is_cut: Wire<Local>,
    is_flush: Wire<Local>,
    upper_matches: Wire<Local>,
    is_told: Wire<Local>,
    found: Wire<Local>,
    predicted: Wire<Local>,
    other: Wire<Local>,
    missed: Wire<Local>,
    sends_start: Wire<Local>,
    sends_hit: Wire<Local>,
    index: Wire<Local>,
    run_fields: Wire<Local>,
    has_counter: Param,
    has_start_addresses: Param,
    follows_every: Param,
    learns_allocated: Param,
    cut_code: Param,
    flush_code: Param,
    flush_place: Param,
    hit_place: Param,
    index_flag_place: Param,
    whole_start_place: Param,
    lower_start_place: Param,
    length_flag_place: Param,
    end_flag_place: Param,
    partial_place: Param,
    index_place: Param,
    start_place: Param,
    length_place: Param,
    end_place: Param,
    run_place: Param,
    run_bits_place: Param,
    _record_bits: usize,
}

impl RecordFormer {
    /// The record former of `config`, with a clear index of `clear_bits`.
    pub fn new(config: &Config, clear_bits: usize) -> Self {
        let format = config.format();
        let place = |name: &str| Param::new(format.place(name) as usize);
        let code = |end: End| Param::new(end.code().unwrap_or_default() as usize);
        let index_bits = config.cache.index_bits() as usize;
        let start_bits = config.processor.instruction_address_bits() as usize;
        let length_bits = config.cache.stream_length_bits as usize;
        let (counts, of) = (config.one_length_counter, config.last_value_start_address);
        let run_place =
            |name: &str| Param::new(if counts { format.place(name) as usize } else { 0 });
        let shortens = of != LastValueStartAddress::None;
        let allocated = config.miss_index == MissIndex::Allocated;
        Self {
            kind: Kind::plain("record_former"),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            stream_valid: Wire::new(1),
            code: Wire::new(STREAM_CODE_BITS as usize).describe("code of the end; 3: a branch"),
            is_whole: Wire::new(1).describe("it goes through the stream cache"),
            length: Wire::new(length_bits),
            start: Wire::new(start_bits).describe("in instruction units"),
            inferred: Wire::new(1).describe("the start is"),
            cache_hit: Wire::new(1),
            cache_index: Wire::new(index_bits),
            take: Wire::new(1).describe("never without a stream"),
            record_valid: Wire::new(1),
            record: Wire::new(format.bits() as usize),
            predictor: LastStreamPredictor::new(index_bits, clear_bits),
            counter: Opt::new(counts, OneLengthCounter::new(config)),
            start_addresses: Opt::new(shortens, StartAddressPredictor::new(config)),
            is_cut: Wire::new(1),
            is_flush: Wire::new(1),
            upper_matches: Wire::new(1),
            is_told: Wire::new(1).describe("start or upper bits are known"),
            found: Wire::new(1),
            predicted: Wire::new(1),
            other: Wire::new(1).describe("a record but a hit or a run"),
            missed: Wire::new(1).describe("the descriptor is sent"),
            sends_start: Wire::new(1),
            sends_hit: Wire::new(1),
            index: Wire::new(index_bits),
            run_fields: Wire::new(format.bits() as usize),
            has_counter: Param::new(usize::from(counts)),
            has_start_addresses: Param::new(usize::from(shortens)),
            follows_every: Param::new(usize::from(of == LastValueStartAddress::Every)),
            learns_allocated: Param::new(usize::from(allocated)),
            cut_code: code(End::Cut),
            flush_code: code(End::Flush),
            flush_place: place("flush"),
            hit_place: place("hit"),
            index_flag_place: place("sends_index"),
            whole_start_place: place("sends_whole_start"),
            lower_start_place: place("sends_lower_start"),
            length_flag_place: place("sends_length"),
            end_flag_place: place("sends_end"),
            partial_place: place("sends_partial"),
            index_place: place("index"),
            start_place: place("start"),
            length_place: place("length"),
            end_place: place("end"),
            run_place: run_place("run"),
            run_bits_place: run_place("run_bits"),
            _record_bits: format.bits() as usize,
        }
    }
}

impl Logic for RecordFormer {
    #[hdl_gen]
    fn update(&mut self) {
        self.predictor.domain.next = self.domain.val();
        self.is_cut.next = bits_to(self.code.val() == self.cut_code.val(), 1);
        self.is_flush.next = bits_to(self.code.val() == self.flush_code.val(), 1);

        // A stored start without its upper bits says where to go only if those are of late.
        self.upper_matches.next = 0.into();
        self.is_told.next = 1.into();
        if self.has_start_addresses.val() == 1 {
            self.start_addresses.domain.next = self.domain.val();
            self.start_addresses.start.next = self.start.val();
            self.upper_matches.next = self.start_addresses.is_upper.val();
            if self.follows_every.val() == 1 {
                self.is_told.next = self.inferred.val() | self.upper_matches.val();
            }
        }
        self.found.next = self.is_whole.val() & self.cache_hit.val() & self.is_told.val();
        self.missed.next = !self.found.val();
        self.sends_start.next = self.missed.val() & !self.inferred.val();
        if self.has_start_addresses.val() == 1 {
            self.start_addresses.update.next = self.take.val() & self.sends_start.val();
            if self.follows_every.val() == 1 {
                self.start_addresses.update.next = self.take.val();
            }
        }

        self.predictor.clear.next = self.clear.val();
        self.predictor.clear_index.next = self.clear_index.val();
        self.predictor.update.next = self.take.val() & self.is_whole.val();
        self.predictor.index.next = self.cache_index.val();
        if self.learns_allocated.val() == 0 {
            if !self.found.val().any() {
                self.predictor.index.next = 0.into();
            }
        }
        self.predicted.next = 0.into();
        if self.predictor.predicted.val() == self.cache_index.val() {
            self.predicted.next = self.found.val();
        }
        self.other.next = self.stream_valid.val() & !self.predicted.val();

        // Hits leave one by one, or as runs.
        self.run_fields.next = 0.into();
        if self.has_counter.val() == 1 {
            self.counter.domain.next = self.domain.val();
            self.counter.hit.next = self.take.val() & self.predicted.val();
            self.counter.ends.next = self.take.val() & !self.predicted.val();
            self.sends_hit.next = self.counter.run_valid.val();
            self.run_fields.next = (bits_to(self.counter.run.val(), self._record_bits)
                << self.run_place.val())
                | (bits_to(self.counter.run_bits.val(), self._record_bits)
                    << self.run_bits_place.val());
        } else {
            self.sends_hit.next = self.stream_valid.val() & self.predicted.val();
        }

        self.index.next = 0.into();
        if self.found.val().any() {
            self.index.next = self.cache_index.val();
        }
        self.record_valid.next = self.other.val() | self.sends_hit.val();
        self.record.next = (bits_to(self.other.val() & self.is_flush.val(), self._record_bits)
            << self.flush_place.val())
            | (bits_to(self.sends_hit.val(), self._record_bits) << self.hit_place.val())
            | (bits_to(self.other.val(), self._record_bits) << self.index_flag_place.val())
            | (bits_to(self.sends_start.val() & !self.upper_matches.val(), self._record_bits)
                << self.whole_start_place.val())
            | (bits_to(self.sends_start.val() & self.upper_matches.val(), self._record_bits)
                << self.lower_start_place.val())
            | (bits_to(
                self.missed.val() & self.is_whole.val() & !self.is_cut.val(),
                self._record_bits,
            ) << self.length_flag_place.val())
            | (bits_to(
                self.missed.val() & (self.is_cut.val() | !self.is_whole.val()),
                self._record_bits,
            ) << self.end_flag_place.val())
            | (bits_to(!self.is_whole.val(), self._record_bits) << self.partial_place.val())
            | (bits_to(self.index.val(), self._record_bits) << self.index_place.val())
            | (bits_to(self.start.val(), self._record_bits) << self.start_place.val())
            | (bits_to(self.length.val(), self._record_bits) << self.length_place.val())
            | (bits_to(self.code.val(), self._record_bits) << self.end_place.val())
            | self.run_fields.val();
    }
}
