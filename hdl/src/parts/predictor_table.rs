//! A table of predictor entries that hides how its memory is read.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{MemoryStyle, index_bits};

use super::ports::Clear;

block! {
    /// A table whose entry is written in the cycle in which its prediction is checked.
    ///
    /// It hides how its memory is read: `entry` belongs to `index` of the same cycle, or of the cycle before where
    /// the memory is synchronous, and `learn` comes with `entry`. A value learned one cycle ago is forwarded.
    pub PredictorTable("predictor_table") of (entries: usize, width: usize, style: MemoryStyle) {
        let synchronous = style == MemoryStyle::Synchronous;
        let index_bits = index_bits(entries as u32) as usize;
        let held = |width| if synchronous { width } else { 0 };
    }
    parameters {
        entries,
        width,
        synchronous if synchronous,
    }

    in clear: Clear(index_bits);
    /// value of a cleared entry
    in clear_entry: width;
    /// the entry to read
    in index: index_bits;
    /// value of the entry read
    out entry: width;
    /// the entry read takes a new value
    in learn: 1;
    /// the new value
    in learned: width;
    memory entries: [width; entries] { synchronous: synchronous };
    reg read_index: held(index_bits);
    reg forwards: held(1);
    reg forwarded: held(width);
    local learn_index: index_bits;
    param is_synchronous = usize::from(synchronous);
}

impl Logic for PredictorTable {
    #[hdl_gen]
    fn update(&mut self) {
        self.entries.read_address.next = self.index.val();
        self.entry.next = self.entries.read_data.val();
        self.learn_index.next = self.index.val();
        if self.is_synchronous.val() == 1 {
            self.read_index.d.next = self.index.val();
            self.learn_index.next = self.read_index.q.val();
            // The memory is read before what is learned in the same clock arrives.
            self.forwards.d.next = 0.into();
            if self.index.val() == self.read_index.q.val() {
                self.forwards.d.next = self.learn.val();
            }
            self.forwarded.d.next = self.learned.val();
            if self.forwards.q.val().any() {
                self.entry.next = self.forwarded.q.val();
            }
        }
        self.entries.write_enable.next = self.learn.val() | self.clear.valid.val();
        self.entries.write_address.next = self.learn_index.val();
        self.entries.write_data.next = self.learned.val();
        if self.clear.valid.val().any() {
            self.entries.write_address.next = self.clear.index.val();
            self.entries.write_data.next = self.clear_entry.val();
        }
    }
}
