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

#[kernel]
impl Logic for Fifo {
    fn update(&mut self) {
        is_full = 0;
        if when(is_counted) {
            out_.valid = held.q.any();
            is_full = held.q == depth;
        } else {
            out_.valid = 1;
            if write_pointer.q == read_pointer.q {
                out_.valid = is_filled.q;
                is_full = is_filled.q;
            }
        }
        if when(has_reserve) {
            in_.ready = held.q < depth;
            puts = in_.valid;
        } else {
            in_.ready = !is_full;
            puts = in_.valid & in_.ready;
        }
        takes = out_.ready & out_.valid;
        if when(has_level) {
            level = held.q;
        }

        words.read_address = read_pointer.q;
        out_.word = words.read_data;
        words.write_enable = puts;
        words.write_address = write_pointer.q;
        words.write_data = in_.word;

        if puts {
            write_pointer.d = write_pointer.q + 1;
            if write_pointer.q == last {
                write_pointer.d = 0;
            }
        }
        if takes {
            read_pointer.d = read_pointer.q + 1;
            if read_pointer.q == last {
                read_pointer.d = 0;
            }
        }
        if when(is_counted) {
            if puts > takes {
                held.d = held.q + 1;
            } else if takes > puts {
                held.d = held.q - 1;
            }
        } else if puts ^ takes {
            is_filled.d = puts;
        }
    }
}
