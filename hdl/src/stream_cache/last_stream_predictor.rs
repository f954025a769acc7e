//! The last stream predictor: the stream that followed the previous one.

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{Reading, TableMemory};
use tracewright_elaborate::prelude::*;

block! {
    /// A table of stream indices, looked up by the previous index.
    ///
    /// Where it is read at the clock edge, it is read as soon as that index is known, and the prediction is there one cycle later.
    pub LastStreamPredictor("last_stream_predictor") of (index_bits: usize, reading: Reading, clear_bits: usize) {
        let synchronous = reading.is_synchronous();
    }
    parameters {
        index_bits,
        synchronous if synchronous,
    }

    in clear: Clear(clear_bits);
    /// index of the stream
    in index: index_bits;
    /// the table learns the index
    in update: 1;
    /// 0 is none
    out prediction: index_bits;
    reg previous_index: index_bits;
    memory entries: [index_bits; 1 << index_bits] { cleared: 0 } if !synchronous;
    block memory: TableMemory(1 << index_bits, index_bits, reading, 0) if synchronous;
    /// the index by which the next stream is predicted
    local later_index: if synchronous { index_bits } else { 0 };
    /// the entry that is read was written when it was read
    reg forwards: usize::from(synchronous);
    param is_synchronous = usize::from(synchronous);
}

impl Logic for LastStreamPredictor {
    #[hdl_gen]
    fn update(&mut self) {
        if self.update.val().any() {
            self.previous_index.d.next = self.index.val();
        }
        if self.is_synchronous.val() == 1 {
            self.later_index.next = self.previous_index.q.val();
            self.forwards.d.next = 0.into();
            if self.update.val().any() {
                self.later_index.next = self.index.val();
                self.forwards.d.next = bits_to(self.index.val() == self.previous_index.q.val(), 1);
            }
            connect::join(&mut self.clear, &mut self.memory.clear);
            self.memory.clear_entry.next = 0.into();
            self.memory.index.next = self.later_index.val();
            self.memory.write.next = self.update.val();
            self.memory.write_index.next = self.previous_index.q.val();
            self.memory.written.next = self.index.val();
            // An entry is written where it is read if a stream follows itself: then the entry is its own index.
            self.prediction.next = self.memory.entry.val();
            if self.forwards.q.val().any() {
                self.prediction.next = self.previous_index.q.val();
            }
        } else {
            self.entries.read_address.next = self.previous_index.q.val();
            self.prediction.next = self.entries.read_data.val();
            self.entries.write_enable.next = self.update.val() | self.clear.valid.val();
            self.entries.write_address.next = self.previous_index.q.val();
            self.entries.write_data.next = self.index.val();
            if self.clear.valid.val().any() {
                self.entries.write_address.next =
                    bits_to(self.clear.index.val(), self.index.width());
                self.entries.write_data.next = 0.into();
            }
        }
    }
}
