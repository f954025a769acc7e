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

    // The trace is flushed; never together with `retire`.
    in flush: 1;
    /// a longest stream goes first
    out cut: 1;
    // A stream ends with the block's branch.
    out branch_ends: 1;
    // A stream ends with an exception.
    out excepts: 1;
    // Instructions of the stream that ends, or of the one at hand in a flush.
    out length: length_bits;
    /// instructions of the stream at hand
    reg counted: length_bits;
    /// instructions so far, all of the block's
    local total: length_bits + 1;
    local is_longest: 1;
    param top = length_bits;
    param jumps_end = jumps_end;
}

impl Logic for StreamDetector {
    #[hdl_gen]
    fn update(&mut self) {
        self.branch_ends.next = self.retire.valid.val()
            & self.retire.taken.val()
            & (self.retire.direct.val() | self.retire.indirect.val());
        if self.jumps_end.val() == 0 {
            self.branch_ends.next = self.retire.valid.val()
                & self.retire.taken.val()
                & (self.retire.conditional.val() | self.retire.indirect.val());
        }
        self.excepts.next = self.retire.valid.val() & self.retire.exception.val();

        self.total.next = bits_to(self.counted.q.val(), self.total.width());
        if self.retire.valid.val().any() {
            self.total.next = bits_to(self.counted.q.val(), self.total.width())
                + bits_to(self.retire.count.val(), self.total.width());
        }
        // The branch that ends a stream is not counted where a stream may be cut.
        self.is_longest.next = 0.into();
        if bits_to(self.total.val(), self.length.width()).all() {
            self.is_longest.next = !self.branch_ends.val();
        }
        self.cut.next = bits_to(self.total.val() >> self.top.val(), 1) | self.is_longest.val();
        // Less the longest is, in so many bits, one more.
        self.length.next = bits_to(self.total.val(), self.length.width())
            + bits_to(self.cut.val(), self.length.width());
        self.counted.d.next = self.length.val();
        if self.branch_ends.val().any() || self.excepts.val().any() || self.flush.val().any() {
            self.counted.d.next = 0.into();
        }
    }
}
