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

    /// What the header of a module says of it: nothing where a table is read within a cycle.
    pub fn stated(self) -> Option<(&'static str, usize)> {
        self.is_synchronous().then_some(("synchronous", 1))
    }
}

/// Clocks from an index to the entry. A `stage` of a block is there `if` there are any, and waits with what belongs to the entry.
impl Count for Reading {
    fn count(self) -> usize {
        self.is_synchronous().into()
    }
}

impl From<Reading> for Word {
    fn from(reading: Reading) -> Word {
        reading.count().into()
    }
}

block! {
    /// A memory with one read port and one write port, cleared entry by entry.
    ///
    /// `entry` is that of `index`, in the same cycle, or in the next one where it is read at the clock edge. Where it is
    /// written in the cycle in which it is read, which block RAMs and SRAM macros do not define, it is not used: its user
    /// has what was written.
    pub TableMemory("table_memory") of (entries: usize, width: usize, reading: Reading, cleared: u64) {
        let index_bits = index_bits(entries as u32) as usize;
    }
    parameters {
        entries,
        width,
        ..reading.stated(),
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

#[kernel]
impl Logic for TableMemory {
    fn update(&mut self) {
        writes = write | clear.valid;
        changed_index = write_index;
        entries.write_data = written;
        if clear.valid {
            changed_index = clear.index;
            entries.write_data = clear_entry;
        }
        entries.write_enable = writes;
        entries.write_address = changed_index;
        entries.read_address = index;
        entry = entries.read_data;
        if when(has_register) {
            if !(writes && changed_index == index) {
                read_entry.d = entries.read_data;
            }
            entry = read_entry.q;
        }
    }
}

block! {
    /// A table whose entries are learned from what they say of a block.
    ///
    /// `entry` is that of `index`: in the same cycle, or two cycles later where it is read at the clock edge. `learn`
    /// comes in the cycle of `entry`. What the two blocks before learned in the meantime is forwarded.
    pub PredictorTable("predictor_table") of (entries: usize, width: usize, reading: Reading, cleared: u64) {
        let index_bits = index_bits(entries as u32) as usize;
        let held = |width| width * reading.count();
    }
    parameters {
        entries,
        width,
        ..reading.stated(),
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
    param forwards = reading;
}

#[kernel]
impl Logic for PredictorTable {
    fn update(&mut self) {
        join(clear, memory.clear);
        memory =
            TableMemory { clear_entry, index, write: learn, write_index: index, written: learned };
        entry = memory.entry;
        if when(forwards) {
            read_index.d = index;
            learn_index.d = read_index.q;
            past_index.d = learn_index.q;
            held_entry.d = memory.entry;
            memory.write_index = learn_index.q;
            learned_last.d = learn;
            forwards_last.d = 0;
            if read_index.q == learn_index.q {
                forwards_last.d = learn;
            }
            forwards_earlier.d = 0;
            if read_index.q == past_index.q {
                forwards_earlier.d = learned_last.q;
            }
            last.d = learned;
            earlier.d = last.q;
            entry = held_entry.q;
            if forwards_last.q {
                entry = last.q;
            } else if forwards_earlier.q {
                entry = earlier.q;
            }
        }
    }
}
