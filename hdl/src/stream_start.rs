//! Where streams start: a register that follows how they end.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;

block! {
    /// Where a stream goes on after a cut: as many instruction units on as the longest has instructions.
    ///
    /// It only tells streams apart: the decoder is there already.
    pub CutStart("cut_start") of (start_bits: usize, length_bits: usize) {
        let upper_bits = start_bits - length_bits;
    }
    parameters {
        start_bits,
        length_bits,
    }

    /// in instruction units
    in start: start_bits;
    /// it continues after the cut
    in goes_on: 1;
    /// start of the next stream, or of this one if it is not cut
    out place: start_bits;
    local lower: length_bits;
    local carry: 1;
    local upper: upper_bits;
    param length_bits = length_bits;
}

impl Logic for CutStart {
    #[hdl_gen]
    fn update(&mut self) {
        // 2^length_bits more and one less, so that no sum has to be chosen.
        self.lower.next = bits_to(self.start.val(), self.lower.width())
            - bits_to(self.goes_on.val(), self.lower.width());
        self.carry.next = 0.into();
        if bits_to(self.start.val(), self.lower.width()).any() {
            self.carry.next = self.goes_on.val();
        }
        self.upper.next = bits_to(self.start.val() >> self.length_bits.val(), self.upper.width())
            + bits_to(self.carry.val(), self.upper.width());
        self.place.next = (bits_to(self.upper.val(), self.start.width()) << self.length_bits.val())
            | bits_to(self.lower.val(), self.start.width());
    }
}

block! {
    /// The start of the stream at hand.
    pub StreamStart("stream_start") of (processor: &Processor, length_bits: usize, infers: bool) {
        let start_bits = processor.instruction_address_bits() as usize;
        let inferred_bits = usize::from(infers);
    }
    parameters {
        start_bits,
        length_bits,
        infers = inferred_bits,
    }

    /// comes before any other end in the block
    in cut: 1;
    /// a stream ends with a branch
    in branch_ends: 1;
    /// a stream ends with an exception
    in excepts: 1;
    /// the trace is flushed
    in flush: 1;
    /// the branch is direct
    in direct: 1;
    /// in instruction units
    in target: start_bits;
    /// start of the first stream that ends in the block
    out first: start_bits;
    /// the decoder can infer that start
    out first_inferred: inferred_bits;
    reg start: start_bits;
    reg inferred: inferred_bits = 1;
    block cut_start: CutStart(start_bits, length_bits);
}

impl Logic for StreamStart {
    #[hdl_gen]
    fn update(&mut self) {
        self.first.next = self.start.q.val();
        self.first_inferred.next = self.inferred.q.val();
        self.cut_start.start.next = self.start.q.val();
        self.cut_start.goes_on.next = self.cut.val();
        self.start.d.next = self.cut_start.place.val();
        if self.branch_ends.val().any() || self.excepts.val().any() {
            self.start.d.next = self.target.val();
            self.inferred.d.next =
                bits_to(self.branch_ends.val() & self.direct.val(), self.first_inferred.width());
        } else if self.cut.val().any() || self.flush.val().any() {
            self.inferred.d.next = 1.into();
        }
    }
}
