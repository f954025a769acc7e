//! The stream buffer: a FIFO of blocks that end one stream or two.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

/// Takes up to two streams a clock, as long as no two such clocks follow each other without one that
/// brings none; shows one.
///
/// The two streams of a block share a word, which is shown twice. Counted among those that wait is the
/// second a clock later than the first: it stands aside, and so there is a word more than are counted.
#[derive(LogicBlock)]
pub struct StreamBuffer {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// A stream ends; only when `in_ready`.
    pub first_valid: Wire<In>,
    /// Another ends behind it.
    pub second_valid: Wire<In>,
    /// What is known of both.
    pub streams: Wire<In>,
    /// Streams are taken in; from registers alone.
    pub in_ready: Wire<Out>,
    /// There is a stream.
    pub out_valid: Wire<Out>,
    /// What is known of it and of the other in its block.
    pub out: Wire<Out>,
    /// Another stream of its block is behind it.
    pub out_first: Wire<Out>,
    /// It is that other stream.
    pub out_second: Wire<Out>,
    /// It is taken.
    pub out_ready: Wire<In>,
    /// Nothing is inside.
    pub is_empty: Wire<Out>,
    words: Memory,
    write_pointer: Reg,
    read_pointer: Reg,
    waiting: Reg,
    aside_valid: Reg,
    second: Reg,
    comes: Wire<Local>,
    takes: Wire<Local>,
    depth: Param,
    width: Param,
    _width: usize,
    _word_bits: usize,
}

impl StreamBuffer {
    /// A buffer of `depth` streams; `width` bits are known of those of a block.
    pub fn new(depth: usize, width: usize) -> Self {
        let pointer_bits = index_bits(depth as u32 + 1) as usize;
        Self {
            kind: Kind::new("stream_buffer", [("depth", depth), ("width", width)]),
            domain: Domain::new(),
            first_valid: Wire::new(1),
            second_valid: Wire::new(1).describe("never without the first"),
            streams: Wire::new(width),
            in_ready: Wire::new(1),
            out_valid: Wire::new(1),
            out: Wire::new(width),
            out_first: Wire::new(1).describe("of two of a block"),
            out_second: Wire::new(1).describe("of two of a block"),
            out_ready: Wire::new(1),
            is_empty: Wire::new(1),
            words: Memory::new(depth + 1, width + 1),
            write_pointer: Reg::new(pointer_bits, 0),
            read_pointer: Reg::new(pointer_bits, 0),
            waiting: Reg::new(pointer_bits, 0),
            aside_valid: Reg::new(1, 0),
            second: Reg::new(1, 0).describe("the first of the word is out"),
            comes: Wire::new(1),
            takes: Wire::new(1),
            depth: Param::new(depth),
            width: Param::new(width),
            _width: width,
            _word_bits: width + 1,
        }
    }
}

impl Logic for StreamBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, write_pointer, read_pointer, waiting, aside_valid, second);
        clock!(self, domain, words);
        self.in_ready.next = bits_to(self.waiting.q.val() != self.depth.val(), 1);
        self.out_valid.next = bits_to(self.waiting.q.val().any(), 1);
        self.is_empty.next = !self.out_valid.val() & !self.aside_valid.q.val();

        self.words.write_enable.next = self.first_valid.val();
        self.words.write_address.next = self.write_pointer.q.val();
        self.words.write_data.next = (bits_to(self.second_valid.val(), self._word_bits)
            << self.width.val())
            | bits_to(self.streams.val(), self._word_bits);
        if self.first_valid.val().any() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
            if self.write_pointer.q.val() == self.depth.val() {
                self.write_pointer.d.next = 0.into();
            }
        }
        // While one stands aside a block brings at most one more.
        self.comes.next = (self.first_valid.val() | self.aside_valid.q.val()) & self.in_ready.val();
        if self.in_ready.val().any() {
            self.aside_valid.d.next =
                self.second_valid.val() | (self.first_valid.val() & self.aside_valid.q.val());
        }

        self.words.read_address.next = self.read_pointer.q.val();
        self.out.next = bits_to(self.words.read_data.val(), self._width);
        self.out_second.next = self.second.q.val();
        self.out_first.next =
            bits_to(self.words.read_data.val() >> self.width.val(), 1) & !self.second.q.val();
        self.takes.next = self.out_ready.val() & self.out_valid.val();
        if self.takes.val().any() {
            self.second.d.next = self.out_first.val();
            if !self.out_first.val().any() {
                self.read_pointer.d.next = self.read_pointer.q.val() + 1;
                if self.read_pointer.q.val() == self.depth.val() {
                    self.read_pointer.d.next = 0.into();
                }
            }
        }
        if self.comes.val() > self.takes.val() {
            self.waiting.d.next = self.waiting.q.val() + 1;
        } else if self.takes.val() > self.comes.val() {
            self.waiting.d.next = self.waiting.q.val() - 1;
        }
    }
}
