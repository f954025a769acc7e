//! Instruction streams: counts every block, and says which streams end in it.

use tracewright_elaborate::prelude::*;

/// At most one cut and one other end a block, as long as a block has no more instructions than the
/// longest stream.
#[derive(LogicBlock)]
pub struct StreamDetector {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// A block retires.
    pub retire: Wire<In>,
    /// Its instructions.
    pub count: Wire<In>,
    /// What its last instruction is.
    pub branch_kind: Wire<In>,
    /// That is taken; read for branches.
    pub taken: Wire<In>,
    /// The trace is flushed; never together with `retire`.
    pub flush: Wire<In>,
    /// A stream of the longest length is cut, before anything else that ends in the block.
    pub cut: Wire<Out>,
    /// A stream ends with the block's branch.
    pub branch_ends: Wire<Out>,
    /// A stream ends with an exception.
    pub excepts: Wire<Out>,
    /// Instructions of the stream that ends, or of the one at hand in a flush.
    pub length: Wire<Out>,
    counted: Reg,
    is_exception: Wire<Local>,
    total: Wire<Local>,
    is_longest: Wire<Local>,
    top: Param,
    jumps_end: Param,
    _length_bits: usize,
    _total_bits: usize,
}

impl StreamDetector {
    /// A detector of streams of up to 2^`length_bits` - 1 instructions, in blocks of up to
    /// 2^`count_bits` - 1, `count_bits` being at most `length_bits`; with `jumps_end` direct jumps end
    /// streams too.
    pub fn new(length_bits: usize, count_bits: usize, jumps_end: bool) -> Self {
        Self {
            kind: Kind::new(
                "stream_detector",
                [("length_bits", length_bits), ("count_bits", count_bits)],
            ),
            domain: Domain::new(),
            retire: Wire::new(1),
            count: Wire::new(count_bits),
            branch_kind: Wire::new(3),
            taken: Wire::new(1),
            flush: Wire::new(1),
            cut: Wire::new(1).describe("a longest stream goes first"),
            branch_ends: Wire::new(1),
            excepts: Wire::new(1),
            length: Wire::new(length_bits),
            counted: Reg::new(length_bits, 0).describe("instructions of the stream at hand"),
            is_exception: Wire::new(1),
            total: Wire::new(length_bits + 1).describe("instructions so far, all of the block's"),
            is_longest: Wire::new(1),
            top: Param::new(length_bits),
            jumps_end: Param::new(jumps_end),
            _length_bits: length_bits,
            _total_bits: length_bits + 1,
        }
    }
}

impl Logic for StreamDetector {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, counted);
        self.is_exception.next = bits_to(self.branch_kind.val() == 5, 1);
        self.branch_ends.next = 0.into();
        if self.branch_kind.val().any() && !self.is_exception.val().any() {
            self.branch_ends.next = self.retire.val() & self.taken.val();
        }
        if self.jumps_end.val() == 0 && self.branch_kind.val() == 1 {
            self.branch_ends.next = 0.into();
        }
        self.excepts.next = self.retire.val() & self.is_exception.val();

        self.total.next = bits_to(self.counted.q.val(), self._total_bits);
        if self.retire.val().any() {
            self.total.next = bits_to(self.counted.q.val(), self._total_bits)
                + bits_to(self.count.val(), self._total_bits);
        }
        // The branch that ends a stream is not counted where a stream may be cut.
        self.is_longest.next = 0.into();
        if bits_to(self.total.val(), self._length_bits).all() {
            self.is_longest.next = !self.branch_ends.val();
        }
        self.cut.next = bits_to(self.total.val() >> self.top.val(), 1) | self.is_longest.val();
        // Less the longest is, in so many bits, one more.
        self.length.next = bits_to(self.total.val(), self._length_bits)
            + bits_to(self.cut.val(), self._length_bits);
        self.counted.d.next = self.length.val();
        if self.branch_ends.val().any() || self.excepts.val().any() || self.flush.val().any() {
            self.counted.d.next = 0.into();
        }
    }
}
