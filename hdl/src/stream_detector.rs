//! Instruction streams: counts every block, and says which streams end in it.

use tracewright_elaborate::prelude::*;

block! {
    /// At most one cut and one other end a block, as long as a block has no more instructions than the
    /// longest stream.
    pub StreamDetector("stream_detector") of (length_bits: usize, count_bits: usize, jumps_end: bool);
    parameters {
        length_bits,
        count_bits,
    }

    // A block retires.
    in retire: 1;
    // Its instructions.
    in count: count_bits;
    // What its last instruction is.
    in branch_kind: 3;
    // That is taken; read for branches.
    in taken: 1;
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
    local is_exception: 1;
    /// instructions so far, all of the block's
    local total: length_bits + 1;
    local is_longest: 1;
    param top = length_bits;
    param jumps_end = jumps_end;
}

impl Logic for StreamDetector {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_exception.next = bits_to(self.branch_kind.val() == 5, 1);
        self.branch_ends.next = 0.into();
        if self.branch_kind.val().any() && !self.is_exception.val().any() {
            self.branch_ends.next = self.retire.val() & self.taken.val();
        }
        if self.jumps_end.val() == 0 && self.branch_kind.val() == 1 {
            self.branch_ends.next = 0.into();
        }
        self.excepts.next = self.retire.val() & self.is_exception.val();

        self.total.next = bits_to(self.counted.q.val(), self.total.width());
        if self.retire.val().any() {
            self.total.next = bits_to(self.counted.q.val(), self.total.width())
                + bits_to(self.count.val(), self.total.width());
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
