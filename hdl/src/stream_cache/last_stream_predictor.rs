//! What came after the stream before.

use tracewright_elaborate::prelude::*;

/// A table of stream indices, looked up by the index before.
#[derive(LogicBlock)]
pub struct LastStreamPredictor {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The table is being cleared.
    pub clear: Wire<In>,
    /// The entry to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// What it learns of the stream at hand.
    pub index: Wire<In>,
    /// It learns that.
    pub update: Wire<In>,
    /// The index of the stream at hand; 0 is no prediction.
    pub prediction: Wire<Out>,
    previous_index: Reg,
    entries: Memory,
    _index_bits: usize,
}

impl LastStreamPredictor {
    /// A predictor of indices of `index_bits`.
    pub fn new(index_bits: usize, clear_bits: usize) -> Self {
        Self {
            kind: Kind::new("last_stream_predictor", [("index_bits", index_bits)]),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            index: Wire::new(index_bits),
            update: Wire::new(1),
            prediction: Wire::new(index_bits).describe("0 is none"),
            previous_index: Reg::new(index_bits, 0),
            entries: Memory::new(1 << index_bits, index_bits),
            _index_bits: index_bits,
        }
    }
}

impl Logic for LastStreamPredictor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, previous_index);
        clock!(self, domain, entries);
        self.entries.read_address.next = self.previous_index.q.val();
        self.prediction.next = self.entries.read_data.val();
        self.entries.write_enable.next = self.update.val() | self.clear.val();
        self.entries.write_address.next = self.previous_index.q.val();
        self.entries.write_data.next = self.index.val();
        if self.clear.val().any() {
            self.entries.write_address.next = bits_to(self.clear_index.val(), self._index_bits);
            self.entries.write_data.next = 0.into();
        }
        if self.update.val().any() {
            self.previous_index.d.next = self.index.val();
        }
    }
}
