//! A FIFO of words: the record queue and the output buffer.

use crate::parts::ports::Stream;
use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

block! {
    /// Words in their order, the oldest shown at once: `depth` words of `width` bits.
    ///
    /// `reserve` words more may come after `in_ready` has fallen. The words are counted only where `has_level` or a
    /// reserve asks for it; otherwise one bit tells a full FIFO from an empty one, whose pointers are equal too.
    pub Fifo("fifo") of (depth: usize, reserve: usize, width: usize, has_level: bool) {
        let all = depth + reserve;
        let pointer_bits = index_bits(all as u32) as usize;
        let level_bits = Self::level_bits(all);
        let is_counted = has_level || reserve > 0;
    }
    parameters {
        depth,
        width,
        reserve if reserve > 0,
        has_level if has_level,
    }

    in in_: Stream(width);
    out out_: Stream(width);
    /// words held
    out level: if has_level { level_bits } else { 0 };
    memory words: [width; all];
    reg write_pointer: pointer_bits;
    reg read_pointer: pointer_bits;
    reg held: if is_counted { level_bits } else { 0 };
    /// more words came than went since the pointers were equal last
    reg is_filled: usize::from(!is_counted);
    local is_full: 1;
    local puts: 1;
    local takes: 1;
    param is_counted = is_counted;
    param has_level = has_level;
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
        self.is_full.next = 0.into();
        if self.is_counted.val() == 1 {
            self.out_.valid.next = bits_to(self.held.q.val().any(), 1);
            self.is_full.next = bits_to(self.held.q.val() == self.depth.val(), 1);
        } else {
            self.out_.valid.next = 1.into();
            if self.write_pointer.q.val() == self.read_pointer.q.val() {
                self.out_.valid.next = self.is_filled.q.val();
                self.is_full.next = self.is_filled.q.val();
            }
        }
        if self.has_reserve.val() == 1 {
            self.in_.ready.next = bits_to(self.held.q.val() < self.depth.val(), 1);
            self.puts.next = self.in_.valid.val();
        } else {
            self.in_.ready.next = !self.is_full.val();
            self.puts.next = self.in_.valid.val() & self.in_.ready.val();
        }
        self.takes.next = self.out_.ready.val() & self.out_.valid.val();
        if self.has_level.val() == 1 {
            self.level.next = self.held.q.val();
        }

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
        if self.is_counted.val() == 1 {
            if self.puts.val() > self.takes.val() {
                self.held.d.next = self.held.q.val() + 1;
            } else if self.takes.val() > self.puts.val() {
                self.held.d.next = self.held.q.val() - 1;
            }
        } else if (self.puts.val() ^ self.takes.val()).any() {
            self.is_filled.d.next = self.puts.val();
        }
    }
}
