//! Where streams start: a register that follows how they end.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Processor, mask};

/// The start of the stream at hand, and of one that a block begins behind a cut.
#[derive(LogicBlock)]
pub struct StreamStart {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// A stream is cut, before anything else that ends in the block.
    pub cut: Wire<In>,
    /// A stream ends with a branch.
    pub branch_ends: Wire<In>,
    /// A stream ends with an exception.
    pub excepts: Wire<In>,
    /// The trace is flushed.
    pub flush: Wire<In>,
    /// The branch is direct.
    pub direct: Wire<In>,
    /// Where branch or exception lead, in instruction units.
    pub target: Wire<In>,
    /// Where the first stream starts that ends.
    pub first: Wire<Out>,
    /// That can be inferred.
    pub first_inferred: Wire<Out>,
    /// Where the stream starts that ends behind a cut.
    pub second: Wire<Out>,
    start: Reg,
    inferred: Reg,
    step: Param,
    _inferred_bits: usize,
}

impl StreamStart {
    /// The starts of streams of up to 2^`length_bits` - 1 instructions; whether they can be inferred
    /// has a bit where a scheme `infers` them.
    pub fn new(processor: &Processor, length_bits: usize, infers: bool) -> Self {
        let start_bits = processor.instruction_address_bits() as usize;
        let inferred_bits = usize::from(infers);
        Self {
            kind: Kind::new(
                "stream_start",
                [
                    ("start_bits", start_bits),
                    ("length_bits", length_bits),
                    ("infers", inferred_bits),
                ],
            ),
            domain: Domain::new(),
            cut: Wire::new(1).describe("goes before any other end"),
            branch_ends: Wire::new(1),
            excepts: Wire::new(1),
            flush: Wire::new(1),
            direct: Wire::new(1).describe("the branch is direct"),
            target: Wire::new(start_bits).describe("in instruction units"),
            first: Wire::new(start_bits),
            first_inferred: Wire::new(inferred_bits),
            second: Wire::new(start_bits).describe("behind a cut"),
            start: Reg::new(start_bits, 0),
            inferred: Reg::new(inferred_bits, 1),
            step: Param::new(Word::new(start_bits, mask(length_bits as u32))),
            _inferred_bits: inferred_bits,
        }
    }
}

impl Logic for StreamStart {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, start, inferred);
        self.first.next = self.start.q.val();
        self.first_inferred.next = self.inferred.q.val();
        // It only tells streams apart: the decoder is there already.
        self.second.next = self.start.q.val() + self.step.val();
        if self.branch_ends.val().any() || self.excepts.val().any() {
            self.start.d.next = self.target.val();
            self.inferred.d.next =
                bits_to(self.branch_ends.val() & self.direct.val(), self._inferred_bits);
        } else if self.cut.val().any() {
            self.start.d.next = self.second.val();
            self.inferred.d.next = bits_to(self.cut.val(), self._inferred_bits);
        } else if self.flush.val().any() {
            self.inferred.d.next = bits_to(self.flush.val(), self._inferred_bits);
        }
    }
}
