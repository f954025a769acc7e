//! The last stream predictor: a table of stream indices, looked up by the one before.

use tracewright_elaborate::prelude::*;

/// Predicts, and in the same clock learns, one index.
#[derive(LogicBlock)]
pub struct LastStreamPredictor {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// The table is being cleared.
    pub clear: Wire<In>,
    /// The entry to clear, in its lower bits.
    pub clear_index: Wire<In>,
    /// Learn an index.
    pub update: Wire<In>,
    /// That index.
    pub index: Wire<In>,
    /// The index predicted; 0 is none.
    pub predicted: Wire<Out>,
    previous: Reg,
    indices: Memory,
    _index_bits: usize,
}

impl LastStreamPredictor {
    /// A predictor of indices of `index_bits`, cleared by an index of `clear_bits`.
    pub fn new(index_bits: usize, clear_bits: usize) -> Self {
        Self {
            kind: Kind::new(
                "last_stream_predictor",
                [("index_bits", index_bits), ("clear_bits", clear_bits)],
            ),
            domain: Domain::new(),
            clear: Wire::new(1),
            clear_index: Wire::new(clear_bits),
            update: Wire::new(1),
            index: Wire::new(index_bits),
            predicted: Wire::new(index_bits).describe("0: none"),
            previous: Reg::new(index_bits, 0),
            indices: Memory::new(1 << index_bits, index_bits),
            _index_bits: index_bits,
        }
    }
}

impl Logic for LastStreamPredictor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, previous);
        clock!(self, domain, indices);
        self.indices.read_address.next = self.previous.q.val();
        self.predicted.next = self.indices.read_data.val();
        self.indices.write_enable.next = self.update.val() | self.clear.val();
        self.indices.write_address.next = self.previous.q.val();
        self.indices.write_data.next = self.index.val();
        if self.clear.val().any() {
            self.indices.write_address.next = bits_to(self.clear_index.val(), self._index_bits);
            self.indices.write_data.next = 0.into();
        }
        if self.update.val().any() {
            self.previous.d.next = self.index.val();
        }
    }
}
