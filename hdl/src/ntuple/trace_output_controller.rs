//! The trace output controller: collects indices into tuples and forms the packets.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::ntuple::config::Config;
use tracewright_sim::stream_detector::{End, STREAM_CODE_BITS};

use super::tuple_history_buffer::TupleHistoryBuffer;

/// Takes a stream and what the stream cache says of it; a packet of the stream and one of the tuple that
/// it fills leave as one record.
#[derive(LogicBlock)]
pub struct TraceOutputController {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
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
    history: TupleHistoryBuffer,
    indices: Vec<Reg>,
    count: Reg,
    pending_bits: Reg,
    is_flush: Wire<Local>,
    index: Wire<Local>,
    is_last: Wire<Local>,
    collects: Wire<Local>,
    completes: Wire<Local>,
    misses: Wire<Local>,
    sends_tuple: Wire<Local>,
    broken: Wire<Local>,
    clears: Wire<Local>,
    tuple: Wire<Local>,
    placed: Vec<Wire<Local>>,
    place_number: Vec<Param>,
    place_offset: Vec<Param>,
    last_place: Param,
    last_offset: Param,
    index_step: Param,
    flush_code: Param,
    flush_place: Param,
    exception_place: Param,
    miss_place: Param,
    age_flag_place: Param,
    tuple_flag_place: Param,
    broken_place: Param,
    start_place: Param,
    length_place: Param,
    age_place: Param,
    count_place: Param,
    tuple_place: Param,
    pending_bits_place: Param,
    _held: usize,
    _tuple_bits: usize,
    _record_bits: usize,
}

impl TraceOutputController {
    /// The controller of `config`.
    pub fn new(config: &Config) -> Self {
        let format = config.format();
        let place = |name: &str| Param::new(format.place(name) as usize);
        let index_width = config.cache.index_bits() as usize;
        let (length, count_bits) = (config.tuple_length as usize, config.count_bits() as usize);
        let tuple_bits = config.tuple_bits() as usize;
        let pending_width = index_bits(config.tuple_bits() + 1) as usize;
        let held = length - 1;
        Self {
            kind: Kind::plain("trace_output_controller"),
            domain: Domain::new(),
            stream_valid: Wire::new(1),
            code: Wire::new(STREAM_CODE_BITS as usize).describe("code of the end; 3: a branch"),
            is_whole: Wire::new(1).describe("it goes through the stream cache"),
            length: Wire::new(config.cache.stream_length_bits as usize),
            start: Wire::new(config.processor.instruction_address_bits() as usize)
                .describe("in instruction units"),
            cache_hit: Wire::new(1),
            cache_index: Wire::new(index_width),
            take: Wire::new(1).describe("never without a stream"),
            record_valid: Wire::new(1),
            record: Wire::new(format.bits() as usize),
            history: TupleHistoryBuffer::new(config),
            indices: (0..held).map(|_| Reg::new(index_width, 0)).collect(),
            count: Reg::new(count_bits, 0).describe("indices of the tuple at hand"),
            pending_bits: Reg::new(pending_width, 0).describe("bits they have"),
            is_flush: Wire::new(1),
            index: Wire::new(index_width).describe("0: not in the stream cache"),
            is_last: Wire::new(1).describe("of the tuple"),
            collects: Wire::new(1),
            completes: Wire::new(1).describe("the tuple is full"),
            misses: Wire::new(1),
            sends_tuple: Wire::new(1),
            broken: Wire::new(1).describe("an exception or the flush"),
            clears: Wire::new(1).describe("the tuple at hand is over"),
            tuple: Wire::new(tuple_bits),
            placed: (0..held).map(|_| Wire::new(tuple_bits)).collect(),
            place_number: (0..held)
                .map(|at| Param::new(Word::new(count_bits, at as u64)))
                .collect(),
            place_offset: (0..held).map(|at| Param::new(at * index_width)).collect(),
            last_place: Param::new(Word::new(count_bits, held as u64)),
            last_offset: Param::new(held * index_width),
            index_step: Param::new(Word::new(pending_width, index_width as u64)),
            flush_code: Param::new(End::Flush.code().unwrap_or_default() as usize),
            flush_place: place("flush"),
            exception_place: place("exception"),
            miss_place: place("sends_miss"),
            age_flag_place: place("sends_age"),
            tuple_flag_place: place("sends_tuple"),
            broken_place: place("broken"),
            start_place: place("start"),
            length_place: place("length"),
            age_place: place("age"),
            count_place: place("count"),
            tuple_place: place("tuple"),
            pending_bits_place: place("pending_bits"),
            _held: held,
            _tuple_bits: tuple_bits,
            _record_bits: format.bits() as usize,
        }
    }
}

impl Logic for TraceOutputController {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, count, pending_bits);
        self.history.domain.next = self.domain.val();
        self.is_flush.next = bits_to(self.code.val() == self.flush_code.val(), 1);
        self.index.next = 0.into();
        if self.cache_hit.val().any() {
            self.index.next = self.cache_index.val();
        }
        self.collects.next = self.stream_valid.val() & self.is_whole.val();
        self.is_last.next = bits_to(self.count.q.val() == self.last_place.val(), 1);
        self.completes.next = self.collects.val() & self.is_last.val();
        self.misses.next = self.collects.val() & !self.cache_hit.val();
        self.broken.next = self.stream_valid.val() & !self.is_whole.val();

        // The indices so far, zeros behind them; the last one of a full tuple has just come.
        self.tuple.next = 0.into();
        if self.completes.val().any() {
            self.tuple.next = bits_to(self.index.val(), self._tuple_bits) << self.last_offset.val();
        }
        self.clears.next =
            self.take.val() & (self.completes.val() | (self.broken.val() & self.is_flush.val()));
        for at in 0..self._held {
            dff_setup!(self, domain, indices[at]);
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

        self.history.valid.next = self.collects.val();
        self.history.update.next = self.take.val() & self.collects.val();
        self.history.index.next = self.index.val();
        self.history.place.next = self.count.q.val();
        self.history.learn.next = self.take.val() & self.completes.val();
        self.history.tuple.next = self.tuple.val();
        self.sends_tuple.next = self.completes.val();
        if self.history.age.val().any() {
            self.sends_tuple.next = 0.into();
        }

        self.record_valid.next = self.misses.val() | self.completes.val() | self.broken.val();
        self.record.next = (bits_to(self.broken.val() & self.is_flush.val(), self._record_bits)
            << self.flush_place.val())
            | (bits_to(self.broken.val() & !self.is_flush.val(), self._record_bits)
                << self.exception_place.val())
            | (bits_to(self.misses.val(), self._record_bits) << self.miss_place.val())
            | (bits_to(self.completes.val(), self._record_bits) << self.age_flag_place.val())
            | (bits_to(self.sends_tuple.val(), self._record_bits) << self.tuple_flag_place.val())
            | (bits_to(self.broken.val(), self._record_bits) << self.broken_place.val())
            | (bits_to(self.start.val(), self._record_bits) << self.start_place.val())
            | (bits_to(self.length.val(), self._record_bits) << self.length_place.val())
            | (bits_to(self.history.age.val(), self._record_bits) << self.age_place.val())
            | (bits_to(self.count.q.val(), self._record_bits) << self.count_place.val())
            | (bits_to(self.tuple.val(), self._record_bits) << self.tuple_place.val())
            | (bits_to(self.pending_bits.q.val(), self._record_bits)
                << self.pending_bits_place.val());
    }
}
