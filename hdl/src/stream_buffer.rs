//! The stream buffer: a FIFO, and a place aside for the second stream of a block.

use tracewright_elaborate::prelude::*;

use crate::encode::fifo::Fifo;

/// Takes up to two streams a clock, as long as no two such clocks follow each other without one that
/// brings none; shows one.
#[derive(LogicBlock)]
pub struct StreamBuffer {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// A stream ends.
    pub first_valid: Wire<In>,
    /// That stream.
    pub first: Wire<In>,
    /// Another ends behind it.
    pub second_valid: Wire<In>,
    /// That one.
    pub second: Wire<In>,
    /// Streams are taken in; from registers alone.
    pub in_ready: Wire<Out>,
    /// There is a stream.
    pub out_valid: Wire<Out>,
    /// The oldest one.
    pub out: Wire<Out>,
    /// It is taken.
    pub out_ready: Wire<In>,
    /// Nothing is inside.
    pub is_empty: Wire<Out>,
    fifo: Fifo,
    aside_valid: Reg,
    aside: Reg,
}

impl StreamBuffer {
    /// A buffer of `depth` streams of `width` bits.
    pub fn new(depth: usize, width: usize) -> Self {
        Self {
            kind: Kind::new("stream_buffer", [("depth", depth), ("width", width)]),
            domain: Domain::new(),
            first_valid: Wire::new(1),
            first: Wire::new(width),
            second_valid: Wire::new(1).describe("never without the first"),
            second: Wire::new(width),
            in_ready: Wire::new(1),
            out_valid: Wire::new(1),
            out: Wire::new(width),
            out_ready: Wire::new(1),
            is_empty: Wire::new(1),
            fifo: Fifo::new(depth, width),
            aside_valid: Reg::new(1, 0),
            aside: Reg::new(width, 0),
        }
    }
}

impl Logic for StreamBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, aside_valid, aside);
        self.fifo.domain.next = self.domain.val();
        self.in_ready.next = self.fifo.in_ready.val();
        self.out_valid.next = self.fifo.out_valid.val();
        self.out.next = self.fifo.out_word.val();
        self.fifo.out_ready.next = self.out_ready.val();
        self.is_empty.next = !self.fifo.out_valid.val() & !self.aside_valid.q.val();

        self.fifo.in_valid.next = self.first_valid.val() | self.aside_valid.q.val();
        self.fifo.in_word.next = self.first.val();
        if self.aside_valid.q.val().any() {
            self.fifo.in_word.next = self.aside.q.val();
        }
        if self.fifo.in_ready.val().any() {
            // While one stands aside a block brings at most one more.
            if self.aside_valid.q.val().any() {
                self.aside_valid.d.next = self.first_valid.val();
                self.aside.d.next = self.first.val();
            } else {
                self.aside_valid.d.next = self.second_valid.val();
                self.aside.d.next = self.second.val();
            }
        }
    }
}
