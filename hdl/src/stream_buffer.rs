//! The stream buffer: a FIFO of blocks that end one stream or two.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

block! {
    /// Takes up to two streams per cycle, as long as no two such cycles follow each other without one that
    /// brings none; shows one.
    ///
    /// The two streams of a block share a word, which is shown twice. Counted among those that wait is the
    /// second one cycle later than the first. It stands aside for that cycle, so the buffer has one word more than it counts.
    pub StreamBuffer("stream_buffer") of (depth: usize, width: usize) {
        let pointer_bits = index_bits(depth as u32 + 1) as usize;
    }
    parameters {
        depth,
        width,
    }

    /// a stream ends; only while in_ready
    in first_valid: 1;
    /// never without the first
    in second_valid: 1;
    /// properties of both streams
    in streams: width;
    /// streams can be taken; from registers alone
    out in_ready: 1;
    /// a stream waits
    out out_valid: 1;
    /// properties of both streams of its block
    out out: width;
    /// the first or second of two streams of a block
    out out_first: 1;
    /// the first or second of two streams of a block
    out out_second: 1;
    /// the stream is taken
    in out_ready: 1;
    /// no stream is inside
    out is_empty: 1;
    memory words: [width + 1; depth + 1];
    reg write_pointer: pointer_bits;
    reg read_pointer: pointer_bits;
    reg waiting: pointer_bits;
    reg aside_valid: 1;
    /// the first of the word is out
    reg second: 1;
    local comes: 1;
    local takes: 1;
    param depth = depth;
    param width = width;
}

impl Logic for StreamBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        self.in_ready.next = bits_to(self.waiting.q.val() != self.depth.val(), 1);
        self.out_valid.next = bits_to(self.waiting.q.val().any(), 1);
        self.is_empty.next = !self.out_valid.val() & !self.aside_valid.q.val();

        self.words.write_enable.next = self.first_valid.val();
        self.words.write_address.next = self.write_pointer.q.val();
        self.words.write_data.next = (bits_to(self.second_valid.val(), self.words.width())
            << self.width.val())
            | bits_to(self.streams.val(), self.words.width());
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
        self.out.next = bits_to(self.words.read_data.val(), self.streams.width());
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
