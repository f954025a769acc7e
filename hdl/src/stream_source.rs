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

#[kernel]
impl Logic for StreamSource {
    fn update(&mut self) {
        ready = buffer.in_ready;
        is_empty = buffer.is_empty;

        join(retire, detector.retire);
        detector.flush = flush;
        starts = StreamStart {
            cut: detector.cut,
            branch_ends: detector.branch_ends,
            excepts: detector.excepts,
            flush,
            direct: retire.direct,
            target: resized(retire.target >> alignment),
        };

        // A cut stream goes first; what else ends in the block starts after it.
        ends = detector.branch_ends | detector.excepts | flush;
        ending = cut_code;
        if detector.branch_ends {
            ending = branch_code;
        } else if detector.excepts {
            ending = exception_code;
        } else if flush {
            ending = flush_code;
        }
        buffer =
            StreamBuffer { first_valid: detector.cut | ends, second_valid: detector.cut & ends };
        streams = Streams {
            end_code: ending,
            length: detector.length,
            start: starts.first,
            inferred: starts.first_inferred,
        };
        buffer.streams = streams;

        stream_valid = buffer.out_valid;
        buffer.out_ready = stream_ready;
        stored = buffer.out;
        end_code = stored.end_code;
        if buffer.out_first {
            end_code = cut_code;
        }
        is_whole = bit(end_code == branch_code) | bit(end_code == cut_code);
        length = 0;
        if end_code != cut_code {
            length = stored.length;
        }
        second_start = CutStart { start: stored.start, goes_on: buffer.out_second };
        start = second_start.place;
        inferred = stored.inferred | resized(buffer.out_second);
    }
}
