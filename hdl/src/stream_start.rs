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

#[kernel]
impl Logic for CutStart {
    fn update(&mut self) {
        // 2^length_bits more and one less, so that no sum has to be chosen.
        lower = resized(start) - resized(goes_on);
        carry = 0;
        if resized(start, lower.width()).any() {
            carry = goes_on;
        }
        upper = resized(start >> length_bits) + resized(carry);
        place = (resized(upper) << length_bits) | resized(lower);
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

#[kernel]
impl Logic for StreamStart {
    fn update(&mut self) {
        first = start.q;
        first_inferred = inferred.q;
        cut_start = CutStart { start: start.q, goes_on: cut };
        start.d = cut_start.place;
        if branch_ends || excepts {
            start.d = target;
            inferred.d = resized(branch_ends & direct);
        } else if cut || flush {
            inferred.d = 1;
        }
    }
}
