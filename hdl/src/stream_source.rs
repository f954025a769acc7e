//! Blocks into buffered streams: what a compressor of streams begins with.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;
use tracewright_sim::stream_cache::config::StreamCacheShape;
use tracewright_sim::stream_detector::{End, STREAM_CODE_BITS};
use tracewright_sim::stream_source::BRANCH_CODE;

use crate::stream_buffer::StreamBuffer;
use crate::stream_detector::StreamDetector;
use crate::stream_start::{CutStart, StreamStart};

/// Stream detector, starts and stream buffer; one stream a clock leaves.
#[derive(LogicBlock)]
pub struct StreamSource {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// A block retires; only when `ready`.
    pub retire: Wire<In>,
    /// Its instructions.
    pub count: Wire<In>,
    /// What its last instruction is.
    pub branch_kind: Wire<In>,
    /// The flow changed.
    pub taken: Wire<In>,
    /// Where to, a byte address.
    pub target: Wire<In>,
    /// The trace is flushed; only when `ready`, and never together with `retire`.
    pub flush: Wire<In>,
    /// A block or a flush is taken; from registers alone.
    pub ready: Wire<Out>,
    /// Nothing is inside.
    pub is_empty: Wire<Out>,
    /// There is a stream.
    pub stream_valid: Wire<Out>,
    /// The code of its end; 3 is a branch.
    pub code: Wire<Out>,
    /// It ends with a branch or a cut.
    pub is_whole: Wire<Out>,
    /// Its instructions, 0 of a cut one.
    pub length: Wire<Out>,
    /// Where it starts, in instruction units.
    pub start: Wire<Out>,
    /// That can be inferred.
    pub inferred: Wire<Out>,
    /// It is taken.
    pub stream_ready: Wire<In>,
    detector: StreamDetector,
    starts: StreamStart,
    buffer: StreamBuffer,
    second_start: CutStart,
    ends: Wire<Local>,
    end_code: Wire<Local>,
    stored_code: Wire<Local>,
    alignment: Param,
    branch_code: Param,
    cut_code: Param,
    exception_code: Param,
    flush_code: Param,
    length_place: Param,
    start_place: Param,
    inferred_place: Param,
    _end_bits: usize,
    _length_bits: usize,
    _start_bits: usize,
    _inferred_bits: usize,
    _word_bits: usize,
}

impl StreamSource {
    /// The source of streams of `shape`; where a scheme `infers` starts it knows direct branches, and a
    /// direct jump ends no stream.
    pub fn new(shape: &StreamCacheShape, processor: &Processor, infers: bool) -> Self {
        let length_bits = shape.stream_length_bits as usize;
        let end_bits = STREAM_CODE_BITS as usize;
        let start_bits = processor.instruction_address_bits() as usize;
        let word_bits = shape.stream_bits(processor, infers) as usize;
        let inferred_bits = usize::from(infers);
        let retired_bits = processor.retire_count_bits as usize;
        let code = |end: End| Param::new(end.code().unwrap_or(BRANCH_CODE) as usize);
        Self {
            kind: Kind::plain("stream_source"),
            domain: Domain::new(),
            retire: Wire::new(1),
            count: Wire::new(retired_bits),
            branch_kind: Wire::new(3),
            taken: Wire::new(1),
            target: Wire::new(processor.address_width as usize),
            flush: Wire::new(1),
            ready: Wire::new(1),
            is_empty: Wire::new(1),
            stream_valid: Wire::new(1),
            code: Wire::new(end_bits).describe("code of the end; 3: a branch"),
            is_whole: Wire::new(1).describe("it ends with a branch or a cut"),
            length: Wire::new(length_bits).describe("0: cut"),
            start: Wire::new(start_bits).describe("in instruction units"),
            inferred: Wire::new(inferred_bits).describe("the start is"),
            stream_ready: Wire::new(1),
            detector: StreamDetector::new(length_bits, retired_bits, !infers),
            starts: StreamStart::new(processor, length_bits, infers),
            buffer: StreamBuffer::new(shape.stream_buffer_depth as usize, word_bits),
            second_start: CutStart::new(start_bits, length_bits),
            ends: Wire::new(1).describe("a stream besides a cut one"),
            end_code: Wire::new(end_bits),
            stored_code: Wire::new(end_bits),
            alignment: Param::new(processor.alignment as usize),
            branch_code: code(End::Branch),
            cut_code: code(End::Cut),
            exception_code: code(End::Exception),
            flush_code: code(End::Flush),
            length_place: Param::new(end_bits),
            start_place: Param::new(end_bits + length_bits),
            inferred_place: Param::new(end_bits + length_bits + start_bits),
            _end_bits: end_bits,
            _length_bits: length_bits,
            _start_bits: start_bits,
            _inferred_bits: inferred_bits,
            _word_bits: word_bits,
        }
    }
}

impl Logic for StreamSource {
    #[hdl_gen]
    fn update(&mut self) {
        self.detector.domain.next = self.domain.val();
        self.starts.domain.next = self.domain.val();
        self.buffer.domain.next = self.domain.val();
        self.ready.next = self.buffer.in_ready.val();
        self.is_empty.next = self.buffer.is_empty.val();

        self.detector.retire.next = self.retire.val();
        self.detector.count.next = self.count.val();
        self.detector.branch_kind.next = self.branch_kind.val();
        self.detector.taken.next = self.taken.val();
        self.detector.flush.next = self.flush.val();
        self.starts.cut.next = self.detector.cut.val();
        self.starts.branch_ends.next = self.detector.branch_ends.val();
        self.starts.excepts.next = self.detector.excepts.val();
        self.starts.flush.next = self.flush.val();
        self.starts.direct.next =
            bits_to(self.branch_kind.val() == 1, 1) | bits_to(self.branch_kind.val() == 2, 1);
        self.starts.target.next =
            bits_to(self.target.val() >> self.alignment.val(), self._start_bits);

        // A cut stream goes first; what else ends in the block starts behind it.
        self.ends.next =
            self.detector.branch_ends.val() | self.detector.excepts.val() | self.flush.val();
        self.end_code.next = self.cut_code.val();
        if self.detector.branch_ends.val().any() {
            self.end_code.next = self.branch_code.val();
        } else if self.detector.excepts.val().any() {
            self.end_code.next = self.exception_code.val();
        } else if self.flush.val().any() {
            self.end_code.next = self.flush_code.val();
        }
        self.buffer.first_valid.next = self.detector.cut.val() | self.ends.val();
        self.buffer.second_valid.next = self.detector.cut.val() & self.ends.val();
        self.buffer.streams.next = bits_to(self.end_code.val(), self._word_bits)
            | (bits_to(self.detector.length.val(), self._word_bits) << self.length_place.val())
            | (bits_to(self.starts.first.val(), self._word_bits) << self.start_place.val())
            | (bits_to(self.starts.first_inferred.val(), self._word_bits)
                << self.inferred_place.val());

        self.stream_valid.next = self.buffer.out_valid.val();
        self.buffer.out_ready.next = self.stream_ready.val();
        self.stored_code.next = bits_to(self.buffer.out.val(), self._end_bits);
        self.code.next = self.stored_code.val();
        if self.buffer.out_first.val().any() {
            self.code.next = self.cut_code.val();
        }
        self.is_whole.next = bits_to(self.code.val() == self.branch_code.val(), 1)
            | bits_to(self.code.val() == self.cut_code.val(), 1);
        self.length.next = 0.into();
        if self.code.val() != self.cut_code.val() {
            self.length.next =
                bits_to(self.buffer.out.val() >> self.length_place.val(), self._length_bits);
        }
        self.second_start.start.next =
            bits_to(self.buffer.out.val() >> self.start_place.val(), self._start_bits);
        self.second_start.goes_on.next = self.buffer.out_second.val();
        self.start.next = self.second_start.place.val();
        self.inferred.next =
            bits_to(self.buffer.out.val() >> self.inferred_place.val(), self._inferred_bits)
                | bits_to(self.buffer.out_second.val(), self._inferred_bits);
    }
}
