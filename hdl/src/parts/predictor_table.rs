//! Tables of predictor entries that hide how their memory is read.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::{Memories, MemoryStyle, TracePort, index_bits};

use super::ports::Clear;

/// When and into what a table is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// In the cycle of the index.
    WithinCycle,
    /// At the clock edge, into a register beside the cells, which is kept where an entry is written that is read.
    IntoRegister,
    /// At the clock edge, by the module that has the cells.
    AtEdge,
}

impl Reading {
    /// That of a design: modules for macros have the register that macros have.
    pub fn of(style: MemoryStyle, port: &TracePort) -> Self {
        match (style, port.memories) {
            (MemoryStyle::Asynchronous, _) => Self::WithinCycle,
            (MemoryStyle::Synchronous, Memories::Inferred) => Self::IntoRegister,
            (MemoryStyle::Synchronous, Memories::Wrappers) => Self::AtEdge,
        }
    }

    /// True where the entry comes in the next cycle.
    pub fn is_synchronous(self) -> bool {
        self != Self::WithinCycle
    }
}

block! {
    /// A memory with one read port and one write port, cleared entry by entry.
    ///
    /// `entry` is that of `index`, in the same cycle, or in the next one where it is read at the clock edge. Where it is
    /// written in the cycle in which it is read, which block RAMs and SRAM macros do not define, it is not used: its user
    /// has what was written.
    pub TableMemory("table_memory") of (entries: usize, width: usize, reading: Reading, cleared: u64) {
        let synchronous = reading.is_synchronous();
        let index_bits = index_bits(entries as u32) as usize;
    }
    parameters {
        entries,
        width,
        synchronous if synchronous,
    }

    in clear: Clear(index_bits);
    /// what a cleared entry holds
    in clear_entry: width;
    /// the entry to read
    in index: index_bits;
    out entry: width;
    in write: 1;
    in write_index: index_bits;
    in written: width;
    local writes: 1;
    /// the entry that is written
    local changed_index: index_bits;
    memory entries: [width; entries] { synchronous: reading == Reading::AtEdge, cleared: cleared };
    reg read_entry: if reading == Reading::IntoRegister { width } else { 0 } = undefined;
    param has_register = usize::from(reading == Reading::IntoRegister);
}

impl Logic for TableMemory {
    #[hdl_gen]
    fn update(&mut self) {
        self.writes.next = self.write.val() | self.clear.valid.val();
        self.changed_index.next = self.write_index.val();
        self.entries.write_data.next = self.written.val();
        if self.clear.valid.val().any() {
            self.changed_index.next = self.clear.index.val();
            self.entries.write_data.next = self.clear_entry.val();
        }
        self.entries.write_enable.next = self.writes.val();
        self.entries.write_address.next = self.changed_index.val();
        self.entries.read_address.next = self.index.val();
        self.entry.next = self.entries.read_data.val();
        if self.has_register.val() == 1 {
            if !(self.writes.val().any() && self.changed_index.val() == self.index.val()) {
                self.read_entry.d.next = self.entries.read_data.val();
            }
            self.entry.next = self.read_entry.q.val();
        }
    }
}

block! {
    /// A table whose entries are learned from what they say of a block.
    ///
    /// `entry` is that of `index`: in the same cycle, or two cycles later where it is read at the clock edge. `learn`
    /// comes in the cycle of `entry`. What the two blocks before learned in the meantime is forwarded.
    pub PredictorTable("predictor_table") of (entries: usize, width: usize, reading: Reading, cleared: u64) {
        let synchronous = reading.is_synchronous();
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
    /// the entry takes a new value
    in learn: 1;
    /// the new value
    in learned: width;
    block memory: TableMemory(entries, width, reading, cleared);
    reg read_index: held(index_bits) = undefined;
    reg learn_index: held(index_bits) = undefined;
    reg past_index: held(index_bits) = undefined;
    reg held_entry: held(width) = undefined;
    /// the block before learned
    reg learned_last: held(1);
    /// the block before learned the entry of this one
    reg forwards_last: held(1);
    /// the block before that one learned it
    reg forwards_earlier: held(1);
    /// what the block before learned
    reg last: held(width) = undefined;
    /// what the block before that one learned
    reg earlier: held(width) = undefined;
    param is_synchronous = usize::from(synchronous);
}

impl Logic for PredictorTable {
    #[hdl_gen]
    fn update(&mut self) {
        connect::join(&mut self.clear, &mut self.memory.clear);
        self.memory.clear_entry.next = self.clear_entry.val();
        self.memory.index.next = self.index.val();
        self.memory.write.next = self.learn.val();
        self.memory.write_index.next = self.index.val();
        self.memory.written.next = self.learned.val();
        self.entry.next = self.memory.entry.val();
        if self.is_synchronous.val() == 1 {
            self.read_index.d.next = self.index.val();
            self.learn_index.d.next = self.read_index.q.val();
            self.past_index.d.next = self.learn_index.q.val();
            self.held_entry.d.next = self.memory.entry.val();
            self.memory.write_index.next = self.learn_index.q.val();
            self.learned_last.d.next = self.learn.val();
            self.forwards_last.d.next = 0.into();
            if self.read_index.q.val() == self.learn_index.q.val() {
                self.forwards_last.d.next = self.learn.val();
            }
            self.forwards_earlier.d.next = 0.into();
            if self.read_index.q.val() == self.past_index.q.val() {
                self.forwards_earlier.d.next = self.learned_last.q.val();
            }
            self.last.d.next = self.learned.val();
            self.earlier.d.next = self.last.q.val();
            self.entry.next = self.held_entry.q.val();
            if self.forwards_last.q.val().any() {
                self.entry.next = self.last.q.val();
            } else if self.forwards_earlier.q.val().any() {
                self.entry.next = self.earlier.q.val();
            }
        }
    }
}
