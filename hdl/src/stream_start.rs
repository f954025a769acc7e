//! Where streams start: a register that follows how they end.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::Processor;

/// Where a stream goes on behind a cut: as many instruction units on as the longest has instructions.
///
/// It only tells streams apart: the decoder is there already.
#[derive(LogicBlock)]
pub struct CutStart {
    kind: Kind,
    /// Where the cut stream starts, in instruction units.
    pub start: Wire<In>,
    /// It goes on behind the cut.
    pub goes_on: Wire<In>,
    /// Where it does; else where it starts.
    pub place: Wire<Out>,
    lower: Wire<Local>,
    carry: Wire<Local>,
    upper: Wire<Local>,
    length_bits: Param,
    _length_bits: usize,
    _upper_bits: usize,
    _start_bits: usize,
}

impl CutStart {
    /// Of streams of up to 2^`length_bits` - 1 instructions.
    pub fn new(start_bits: usize, length_bits: usize) -> Self {
        let upper_bits = start_bits - length_bits;
        Self {
            kind: Kind::new(
                "cut_start",
                [("start_bits", start_bits), ("length_bits", length_bits)],
            ),
            start: Wire::new(start_bits).describe("in instruction units"),
            goes_on: Wire::new(1).describe("behind the cut"),
            place: Wire::new(start_bits),
            lower: Wire::new(length_bits),
            carry: Wire::new(1),
            upper: Wire::new(upper_bits),
            length_bits: Param::new(length_bits),
            _length_bits: length_bits,
            _upper_bits: upper_bits,
            _start_bits: start_bits,
        }
    }
}

impl Logic for CutStart {
    #[hdl_gen]
    fn update(&mut self) {
        // 2^length_bits more and one less, so that no sum has to be chosen.
        self.lower.next = bits_to(self.start.val(), self._length_bits)
            - bits_to(self.goes_on.val(), self._length_bits);
        self.carry.next = 0.into();
        if bits_to(self.start.val(), self._length_bits).any() {
            self.carry.next = self.goes_on.val();
        }
        self.upper.next = bits_to(self.start.val() >> self.length_bits.val(), self._upper_bits)
            + bits_to(self.carry.val(), self._upper_bits);
        self.place.next = (bits_to(self.upper.val(), self._start_bits) << self.length_bits.val())
            | bits_to(self.lower.val(), self._start_bits);
    }
}

/// The start of the stream at hand.
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
    start: Reg,
    inferred: Reg,
    cut_start: CutStart,
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
            start: Reg::new(start_bits, 0),
            inferred: Reg::new(inferred_bits, 1),
            cut_start: CutStart::new(start_bits, length_bits),
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
        self.cut_start.start.next = self.start.q.val();
        self.cut_start.goes_on.next = self.cut.val();
        self.start.d.next = self.cut_start.place.val();
        if self.branch_ends.val().any() || self.excepts.val().any() {
            self.start.d.next = self.target.val();
            self.inferred.d.next =
                bits_to(self.branch_ends.val() & self.direct.val(), self._inferred_bits);
        } else if self.cut.val().any() || self.flush.val().any() {
            self.inferred.d.next = 1.into();
        }
    }
}
