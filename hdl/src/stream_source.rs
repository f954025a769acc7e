//! Blocks into buffered streams: what a compressor of streams begins with.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;
use tracewright_sim::stream_cache::config::StreamCacheShape;
use tracewright_sim::stream_detector::{End, STREAM_CODE_BITS};
use tracewright_sim::stream_source::BRANCH_CODE;

use crate::parts::ports::RetiredBlock;
use crate::stream_buffer::StreamBuffer;
use crate::stream_detector::StreamDetector;
use crate::stream_start::{CutStart, StreamStart};

packed! {
    /// What the buffer keeps of the streams of a block.
    pub Streams of (length_bits: usize, start_bits: usize, inferred_bits: usize);
    end_code: STREAM_CODE_BITS;
    length: length_bits;
    start: start_bits;
    inferred: inferred_bits;
}

block! {
    /// Stream detector, starts and stream buffer; one stream leaves per cycle.
    pub StreamSource("stream_source") of (shape: &StreamCacheShape, processor: &Processor, infers: bool) {
        let length_bits = shape.stream_length_bits as usize;
        let end_bits = STREAM_CODE_BITS as usize;
        let start_bits = processor.instruction_address_bits() as usize;
        let word_bits = shape.stream_bits(processor, infers) as usize;
        let inferred_bits = usize::from(infers);
        let code = |end: End| end.code().unwrap_or(BRANCH_CODE) as usize;
    }

    /// valid is high only while the source is ready
    in retire: RetiredBlock(processor);
    /// the trace is flushed; only while ready, never together with a block
    in flush: 1;
    /// a block or a flush can be taken; from registers alone
    out ready: 1;
    /// no stream is inside
    out is_empty: 1;
    /// a stream waits
    out stream_valid: 1;
    /// code of the end; 3: a branch
    out end_code: end_bits;
    /// it ends with a branch or a cut
    out is_whole: 1;
    /// 0: cut
    out length: length_bits;
    /// in instruction units
    out start: start_bits;
    /// the decoder can infer the start
    out inferred: inferred_bits;
    /// the stream is taken
    in stream_ready: 1;
    block detector: StreamDetector(processor, length_bits, !infers);
    block starts: StreamStart(processor, length_bits, infers);
    block buffer: StreamBuffer(shape.stream_buffer_depth as usize, word_bits);
    block second_start: CutStart(start_bits, length_bits);
    /// a stream besides a cut one
    local ends: 1;
    local ending: end_bits;
    local streams: Streams(length_bits, start_bits, inferred_bits);
    view stored: Streams(length_bits, start_bits, inferred_bits);
    param alignment = processor.alignment as usize;
    constant branch_code: end_bits = code(End::Branch);
    constant cut_code: end_bits = code(End::Cut);
    constant exception_code: end_bits = code(End::Exception);
    constant flush_code: end_bits = code(End::Flush);
}

impl Logic for StreamSource {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.buffer.in_ready.val();
        self.is_empty.next = self.buffer.is_empty.val();

        connect::join(&mut self.retire, &mut self.detector.retire);
        self.detector.flush.next = self.flush.val();
        self.starts.cut.next = self.detector.cut.val();
        self.starts.branch_ends.next = self.detector.branch_ends.val();
        self.starts.excepts.next = self.detector.excepts.val();
        self.starts.flush.next = self.flush.val();
        self.starts.direct.next = self.retire.direct.val();
        self.starts.target.next =
            bits_to(self.retire.target.val() >> self.alignment.val(), self.start.width());

        // A cut stream goes first; what else ends in the block starts after it.
        self.ends.next =
            self.detector.branch_ends.val() | self.detector.excepts.val() | self.flush.val();
        self.ending.next = self.cut_code.val();
        if self.detector.branch_ends.val().any() {
            self.ending.next = self.branch_code.val();
        } else if self.detector.excepts.val().any() {
            self.ending.next = self.exception_code.val();
        } else if self.flush.val().any() {
            self.ending.next = self.flush_code.val();
        }
        self.buffer.first_valid.next = self.detector.cut.val() | self.ends.val();
        self.buffer.second_valid.next = self.detector.cut.val() & self.ends.val();
        self.streams.end_code.next = self.ending.val();
        self.streams.length.next = self.detector.length.val();
        self.streams.start.next = self.starts.first.val();
        self.streams.inferred.next = self.starts.first_inferred.val();
        self.buffer.streams.next = self.streams.val();

        self.stream_valid.next = self.buffer.out_valid.val();
        self.buffer.out_ready.next = self.stream_ready.val();
        self.stored.next = self.buffer.out.val();
        self.end_code.next = self.stored.end_code.val();
        if self.buffer.out_first.val().any() {
            self.end_code.next = self.cut_code.val();
        }
        self.is_whole.next = bits_to(self.end_code.val() == self.branch_code.val(), 1)
            | bits_to(self.end_code.val() == self.cut_code.val(), 1);
        self.length.next = 0.into();
        if self.end_code.val() != self.cut_code.val() {
            self.length.next = self.stored.length.val();
        }
        self.second_start.start.next = self.stored.start.val();
        self.second_start.goes_on.next = self.buffer.out_second.val();
        self.start.next = self.second_start.place.val();
        self.inferred.next = self.stored.inferred.val()
            | bits_to(self.buffer.out_second.val(), self.inferred.width());
    }
}
