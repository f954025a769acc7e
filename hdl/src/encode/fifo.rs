//! A FIFO of words: the record queue and the output buffer.

use crate::parts::ports::Stream;
use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

block! {
    /// Words in their order, the oldest shown at once: `depth` words of `width` bits.
    ///
    /// `reserve` words more may come after `in_ready` has fallen.
    pub Fifo("fifo") of (depth: usize, reserve: usize, width: usize) {
        let all = depth + reserve;
        let pointer_bits = index_bits(all as u32) as usize;
        let level_bits = Self::level_bits(all);
    }
    parameters {
        depth,
        width,
        reserve if reserve > 0,
    }

    in in_: Stream(width);
    out out_: Stream(width);
    /// words held
    out level: level_bits;
    memory words: [width; all];
    reg write_pointer: pointer_bits;
    reg read_pointer: pointer_bits;
    reg held: level_bits;
    local puts: 1;
    local takes: 1;
    param has_reserve = reserve > 0;
    param depth = depth;
    param last = all - 1;
}

impl Fifo {
    /// Width of `level` for `depth` words.
    pub fn level_bits(depth: usize) -> usize {
        index_bits(depth as u32 + 1) as usize
    }
}

impl Logic for Fifo {
    #[hdl_gen]
    fn update(&mut self) {
        self.out_.valid.next = bits_to(self.held.q.val().any(), 1);
        if self.has_reserve.val() == 1 {
            self.in_.ready.next = bits_to(self.held.q.val() < self.depth.val(), 1);
            self.puts.next = self.in_.valid.val();
        } else {
            self.in_.ready.next = bits_to(self.held.q.val() != self.depth.val(), 1);
            self.puts.next = self.in_.valid.val() & self.in_.ready.val();
        }
        self.takes.next = self.out_.ready.val() & self.out_.valid.val();
        self.level.next = self.held.q.val();

        self.words.read_address.next = self.read_pointer.q.val();
        self.out_.word.next = self.words.read_data.val();
        self.words.write_enable.next = self.puts.val();
        self.words.write_address.next = self.write_pointer.q.val();
        self.words.write_data.next = self.in_.word.val();

        if self.puts.val().any() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
            if self.write_pointer.q.val() == self.last.val() {
                self.write_pointer.d.next = 0.into();
            }
        }
        if self.takes.val().any() {
            self.read_pointer.d.next = self.read_pointer.q.val() + 1;
            if self.read_pointer.q.val() == self.last.val() {
                self.read_pointer.d.next = 0.into();
            }
        }
        if self.puts.val() > self.takes.val() {
            self.held.d.next = self.held.q.val() + 1;
        } else if self.takes.val() > self.puts.val() {
            self.held.d.next = self.held.q.val() - 1;
        }
    }
}
