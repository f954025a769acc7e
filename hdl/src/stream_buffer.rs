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

#[kernel]
impl Logic for StreamBuffer {
    fn update(&mut self) {
        in_ready = waiting.q != depth;
        out_valid = waiting.q.any();
        is_empty = !out_valid & !aside_valid.q;

        words.write_enable = first_valid;
        words.write_address = write_pointer.q;
        words.write_data =
            (resized(second_valid, words.width()) << width) | resized(streams, words.width());
        if first_valid {
            write_pointer.d = write_pointer.q + 1;
            if write_pointer.q == depth {
                write_pointer.d = 0;
            }
        }
        // While one stands aside a block brings at most one more.
        comes = (first_valid | aside_valid.q) & in_ready;
        if in_ready {
            aside_valid.d = second_valid | (first_valid & aside_valid.q);
        }

        words.read_address = read_pointer.q;
        out = resized(words.read_data);
        out_second = second.q;
        out_first = resized(words.read_data >> width, 1) & !second.q;
        takes = out_ready & out_valid;
        if takes {
            second.d = out_first;
            if !out_first {
                read_pointer.d = read_pointer.q + 1;
                if read_pointer.q == depth {
                    read_pointer.d = 0;
                }
            }
        }
        if comes > takes {
            waiting.d = waiting.q + 1;
        } else if takes > comes {
            waiting.d = waiting.q - 1;
        }
    }
}
