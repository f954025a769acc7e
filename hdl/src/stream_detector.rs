//! Instruction streams: counts every block, and says which streams end in it.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;

use crate::parts::ports::RetiredBlock;

block! {
    /// At most one cut and one other end a block, as long as a block has no more instructions than the
    /// longest stream.
    pub StreamDetector("stream_detector") of (processor: &Processor, length_bits: usize, jumps_end: bool);
    parameters {
        length_bits,
        count_bits = processor.retire_count_bits,
    }

    in retire: RetiredBlock(processor);

    /// the trace is flushed; never together with a block
    in flush: 1;
    /// a longest stream goes first
    out cut: 1;
    /// a stream ends with the branch of the block
    out branch_ends: 1;
    /// a stream ends with an exception
    out excepts: 1;
    /// instructions of the stream that ends or is flushed
    out length: length_bits;
    /// instructions of the stream at hand
    reg counted: length_bits;
    /// instructions so far, all of the block's
    local total: length_bits + 1;
    local is_longest: 1;
    param top = length_bits;
    param jumps_end = jumps_end;
}

#[kernel]
impl Logic for StreamDetector {
    fn update(&mut self) {
        branch_ends = retire.valid & retire.taken & (retire.direct | retire.indirect);
        if when(!jumps_end) {
            branch_ends = retire.valid & retire.taken & (retire.conditional | retire.indirect);
        }
        excepts = retire.valid & retire.exception;

        total = resized(counted.q);
        if retire.valid {
            total = resized(counted.q) + resized(retire.count);
        }
        // The branch that ends a stream is not counted where a stream may be cut.
        is_longest = 0;
        if resized(total, length.width()).all() {
            is_longest = !branch_ends;
        }
        cut = resized(total >> top, 1) | is_longest;
        // Less the longest is, in so many bits, one more.
        length = resized(total) + resized(cut);
        counted.d = length;
        if branch_ends || excepts || flush {
            counted.d = 0;
        }
    }
}
