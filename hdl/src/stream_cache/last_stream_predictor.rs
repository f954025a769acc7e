//! The last stream predictor: the stream that followed the previous one.

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{Reading, TableMemory};
use tracewright_elaborate::prelude::*;

block! {
    /// A table of stream indices, looked up by the previous index.
    ///
    /// Where it is read at the clock edge, it is read as soon as that index is known, and the prediction is there one cycle later.
    pub LastStreamPredictor("last_stream_predictor") of (index_bits: usize, reading: Reading, clear_bits: usize) {
    }
    parameters {
        index_bits,
        ..reading.stated(),
    }

    in clear: Clear(clear_bits);
    /// index of the stream
    in index: index_bits;
    /// the table learns the index
    in update: 1;
    /// 0 is none
    out prediction: index_bits;
    reg previous_index: index_bits;
    memory entries: [index_bits; 1 << index_bits] { cleared: 0 } if reading.count() == 0;
    block memory: TableMemory(1 << index_bits, index_bits, reading, 0) if reading;
    /// the index by which the next stream is predicted
    local later_index: index_bits * reading.count();
    /// the entry that is read was written when it was read
    reg forwards: reading;
    param reads_early = reading;
}

#[kernel]
impl Logic for LastStreamPredictor {
    fn update(&mut self) {
        if update {
            previous_index.d = index;
        }
        if when(reads_early) {
            later_index = previous_index.q;
            forwards.d = 0;
            if update {
                later_index = index;
                forwards.d = index == previous_index.q;
            }
            join(clear, memory.clear);
            memory = TableMemory {
                clear_entry: 0,
                index: later_index,
                write: update,
                write_index: previous_index.q,
                written: index,
            };
            // An entry is written where it is read if a stream follows itself: then the entry is its own index.
            prediction = memory.entry;
            if forwards.q {
                prediction = previous_index.q;
            }
        } else {
            entries.read_address = previous_index.q;
            prediction = entries.read_data;
            entries.write_enable = update | clear.valid;
            entries.write_address = previous_index.q;
            entries.write_data = index;
            if clear.valid {
                entries.write_address = resized(clear.index);
                entries.write_data = 0;
            }
        }
    }
}
