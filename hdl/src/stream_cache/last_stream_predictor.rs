//! The last stream predictor: the stream that followed the previous one.

use crate::parts::ports::Clear;
use tracewright_elaborate::prelude::*;

block! {
    /// A table of stream indices, looked up by the previous index.
    pub LastStreamPredictor("last_stream_predictor") of (index_bits: usize, clear_bits: usize);
    parameters {
        index_bits,
    }

    in clear: Clear(clear_bits);
    /// index of the stream
    in index: index_bits;
    /// the table learns the index
    in update: 1;
    /// 0 is none
    out prediction: index_bits;
    reg previous_index: index_bits;
    memory entries: [index_bits; 1 << index_bits] { cleared: 0 };
}

impl Logic for LastStreamPredictor {
    #[hdl_gen]
    fn update(&mut self) {
        self.entries.read_address.next = self.previous_index.q.val();
        self.prediction.next = self.entries.read_data.val();
        self.entries.write_enable.next = self.update.val() | self.clear.valid.val();
        self.entries.write_address.next = self.previous_index.q.val();
        self.entries.write_data.next = self.index.val();
        if self.clear.valid.val().any() {
            self.entries.write_address.next = bits_to(self.clear.index.val(), self.index.width());
            self.entries.write_data.next = 0.into();
        }
        if self.update.val().any() {
            self.previous_index.d.next = self.index.val();
        }
    }
}
