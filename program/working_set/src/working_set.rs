//! What is kept of a run.

use tracewright_sim::event::Machine;

use crate::inputs::Input;
use crate::layout::Layout;
use crate::registers::Registers;

/// Everything that a run needs to be run again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkingSet {
    /// RISC-V with C, of 32 or 64 bits.
    pub machine: Machine,
    /// Memory, devices and instruction set.
    pub layout: Layout,
    /// Bytes of a line.
    pub line_bytes: u32,
    /// The registers before the first instruction.
    pub registers: Registers,
    /// The lines that were touched, in the order of their addresses, as they were then.
    pub lines: Vec<Line>,
    /// What came from outside, in the order of time.
    pub inputs: Vec<Input>,
    /// What a replay has to come to.
    pub totals: Totals,
}

/// A line of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The address of its first byte.
    pub address: u64,
    /// Its contents when it was first touched.
    pub bytes: Vec<u8>,
}

/// How much a run was, and how it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Instructions retired.
    pub instructions: u64,
    /// Loads of these.
    pub loads: u64,
    /// Stores.
    pub stores: u64,
    /// [`Registers::checksum`] at the end.
    pub registers: u32,
}

impl WorkingSet {
    /// Adjacent lines as one: where each such stretch of memory begins, and its bytes.
    pub fn stretches(&self) -> Vec<(u64, u64)> {
        let mut stretches: Vec<(u64, u64)> = Vec::new();
        for line in &self.lines {
            let bytes = line.bytes.len() as u64;
            match stretches.last_mut() {
                Some((begin, length)) if *begin + *length == line.address => *length += bytes,
                _ => stretches.push((line.address, bytes)),
            }
        }
        stretches
    }

    /// Bytes of a plain trace of the run: an address for every instruction, load and store.
    pub fn plain_trace_bytes(&self) -> u64 {
        let Totals { instructions, loads, stores, .. } = self.totals;
        let addresses = instructions.saturating_add(loads).saturating_add(stores);
        addresses.saturating_mul(u64::from(self.machine.address_bits) / 8)
    }
}
