//! Blocks into buffered streams: what a compressor of streams begins with.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;
use tracewright_sim::stream_cache::config::StreamCacheShape;
use tracewright_sim::stream_detector::{End, STREAM_CODE_BITS};
use tracewright_sim::stream_source::BRANCH_CODE;

use crate::stream_buffer::StreamBuffer;
use crate::stream_detector::StreamDetector;
use crate::stream_start::{CutStart, StreamStart};

block! {
    /// Stream detector, starts and stream buffer; one stream a clock leaves.
    pub StreamSource("stream_source") of (shape: &StreamCacheShape, processor: &Processor, infers: bool) {
        let length_bits = shape.stream_length_bits as usize;
        let end_bits = STREAM_CODE_BITS as usize;
        let start_bits = processor.instruction_address_bits() as usize;
        let word_bits = shape.stream_bits(processor, infers) as usize;
        let inferred_bits = usize::from(infers);
        let retired_bits = processor.retire_count_bits as usize;
        let code = |end: End| end.code().unwrap_or(BRANCH_CODE) as usize;
    }

    // A block retires; only when `ready`.
    in retire: 1;
    // Its instructions.
    in count: retired_bits;
    // What its last instruction is.
    in branch_kind: 3;
    // The flow changed.
    in taken: 1;
    // Where to, a byte address.
    in target: processor.address_width as usize;
    // The trace is flushed; only when `ready`, and never together with `retire`.
    in flush: 1;
    // A block or a flush is taken; from registers alone.
    out ready: 1;
    // Nothing is inside.
    out is_empty: 1;
    // There is a stream.
    out stream_valid: 1;
    /// code of the end; 3: a branch
    out code: end_bits;
    /// it ends with a branch or a cut
    out is_whole: 1;
    /// 0: cut
    out length: length_bits;
    /// in instruction units
    out start: start_bits;
    /// the start is
    out inferred: inferred_bits;
    // It is taken.
    in stream_ready: 1;
    block detector: StreamDetector(length_bits, retired_bits, !infers);
    block starts: StreamStart(processor, length_bits, infers);
    block buffer: StreamBuffer(shape.stream_buffer_depth as usize, word_bits);
    block second_start: CutStart(start_bits, length_bits);
    /// a stream besides a cut one
    local ends: 1;
    local end_code: end_bits;
    local stored_code: end_bits;
    param alignment = processor.alignment as usize;
    param branch_code = code(End::Branch);
    param cut_code = code(End::Cut);
    param exception_code = code(End::Exception);
    param flush_code = code(End::Flush);
    param length_place = end_bits;
    param start_place = end_bits + length_bits;
    param inferred_place = end_bits + length_bits + start_bits;
}

impl Logic for StreamSource {
    #[hdl_gen]
    fn update(&mut self) {
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
            bits_to(self.target.val() >> self.alignment.val(), self.start.width());

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
        self.buffer.streams.next = bits_to(self.end_code.val(), self.buffer.streams.width())
            | (bits_to(self.detector.length.val(), self.buffer.streams.width())
                << self.length_place.val())
            | (bits_to(self.starts.first.val(), self.buffer.streams.width())
                << self.start_place.val())
            | (bits_to(self.starts.first_inferred.val(), self.buffer.streams.width())
                << self.inferred_place.val());

        self.stream_valid.next = self.buffer.out_valid.val();
        self.buffer.out_ready.next = self.stream_ready.val();
        self.stored_code.next = bits_to(self.buffer.out.val(), self.code.width());
        self.code.next = self.stored_code.val();
        if self.buffer.out_first.val().any() {
            self.code.next = self.cut_code.val();
        }
        self.is_whole.next = bits_to(self.code.val() == self.branch_code.val(), 1)
            | bits_to(self.code.val() == self.cut_code.val(), 1);
        self.length.next = 0.into();
        if self.code.val() != self.cut_code.val() {
            self.length.next =
                bits_to(self.buffer.out.val() >> self.length_place.val(), self.length.width());
        }
        self.second_start.start.next =
            bits_to(self.buffer.out.val() >> self.start_place.val(), self.start.width());
        self.second_start.goes_on.next = self.buffer.out_second.val();
        self.start.next = self.second_start.place.val();
        self.inferred.next =
            bits_to(self.buffer.out.val() >> self.inferred_place.val(), self.inferred.width())
                | bits_to(self.buffer.out_second.val(), self.inferred.width());
    }
}
