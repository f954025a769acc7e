//! The contents of a file, field by field, and what they have to be.

use tracewright_sim::event::{Isa, Machine};

use super::stored_machine::StoredMachine;
use super::walk::{Take, Walk};
use crate::error::Error;
use crate::inputs::{Input, What};
use crate::layout::Layout;
use crate::lines::{END, LINE_BYTES};
use crate::registers::Registers;
use crate::trap_unit::TIMER_INTERRUPT;
use crate::working_set::{Line, Totals, WorkingSet};

/// A working set in the form in which it is stored.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    address_bits: u64,
    line_shift: u64,
    registers: Registers,
    totals: Totals,
    stretches: Vec<Stretch>,
    bytes: Vec<u8>,
    inputs: Vec<Stored>,
    /// What files of version 2 have more.
    machine: Option<StoredMachine>,
}

/// Adjacent lines.
#[derive(Clone, Copy, Debug, Default)]
struct Stretch {
    gap: u64,
    lines: u64,
}

/// An input.
#[derive(Clone, Debug, Default)]
struct Stored {
    delay: u64,
    code: u64,
    value: u64,
    address: u64,
    bytes: Vec<u8>,
}

impl Stored {
    /// The definition of an input's fields, in their order.
    fn walk(&mut self, walk: &mut impl Walk) -> Result<(), Error> {
        let any = u64::MAX;
        walk.number("delay", "instructions since the previous input", any, &mut self.delay)?;
        let doc = "0 value, 1 block, 2 timer interrupt, 3 another interrupt";
        walk.number("code", doc, 3, &mut self.code)?;
        match self.code {
            0 => {
                let doc = "for a value: the result of the load or the call";
                walk.number("value", doc, any, &mut self.value)
            }
            3 => {
                let doc = "for another interrupt: its number in `mcause`";
                walk.number("interrupt", doc, 31, &mut self.value)
            }
            1 => {
                walk.number(
                    "address",
                    "for a block: its address in memory",
                    any,
                    &mut self.address,
                )?;
                let mut length = self.bytes.len() as u64;
                walk.number("length", "for a block: its length in bytes", any, &mut length)?;
                walk.bytes("bytes", "for a block: its contents", length, &mut self.bytes)
            }
            _ => Ok(()),
        }
    }
}

impl Contents {
    /// The definition of a file's fields, in their order.
    pub fn walk(&mut self, walk: &mut impl Walk) -> Result<(), Error> {
        walk.number("address_bits", "32 or 64", 64, &mut self.address_bits)?;
        walk.number(
            "line_shift",
            "lines have 2^line_shift bytes, 3 to 12",
            12,
            &mut self.line_shift,
        )?;
        let any = u64::MAX;
        walk.number(
            "program_counter",
            "address of the first instruction",
            any,
            &mut self.registers.program_counter,
        )?;
        let doc = "31 numbers: x1 to x31 at the beginning of the execution";
        for value in &mut self.registers.integers[1..] {
            walk.number("integers", doc, any, value)?;
        }
        let doc = "7 numbers: mstatus, mie, mtvec, mscratch, mepc, mcause, mtval";
        for value in &mut self.registers.control {
            walk.number("control", doc, any, value)?;
        }
        walk.number(
            "instructions",
            "number of instructions retired in the execution",
            any,
            &mut self.totals.instructions,
        )?;
        walk.number("loads", "number of loads of the execution", any, &mut self.totals.loads)?;
        walk.number("stores", "number of stores of the execution", any, &mut self.totals.stores)?;
        let doc =
            "CRC-32 of the registers at the end, 8 bytes each: program counter, integers, control";
        walk.word("last_registers", doc, &mut self.totals.registers)?;
        let doc = "stretches of adjacent lines, from the lowest address";
        walk.list("stretches", doc, &mut self.stretches, |walk, stretch| {
            let most = u64::from(u32::MAX);
            walk.number(
                "gap",
                "lines since the end of the previous stretch, or since address 0",
                most,
                &mut stretch.gap,
            )?;
            walk.number("lines", "lines in the stretch, at least 1", most, &mut stretch.lines)
        })?;
        let lines = self.stretches.iter().map(|stretch| stretch.lines);
        let bytes = lines.fold(0, u64::saturating_add).saturating_mul(1 << self.line_shift);
        walk.bytes(
            "contents",
            "contents of all lines when they were first touched",
            bytes,
            &mut self.bytes,
        )?;
        walk.list("inputs", "external inputs, in order", &mut self.inputs, |walk, input| {
            input.walk(walk)
        })?;
        match &mut self.machine {
            Some(machine) => machine.walk(walk),
            None => Ok(()),
        }
    }

    /// The contents of a file of this version, to be read.
    pub fn of_version(version: u8) -> Contents {
        let machine = (version > 1).then(StoredMachine::default);
        Contents { machine, ..Contents::default() }
    }

    /// The version that has all of it.
    pub fn version(&self) -> u8 {
        if self.machine.is_some() { 2 } else { 1 }
    }

    /// A working set with one item of every kind.
    pub fn example() -> Contents {
        let code = |code| Stored { code, ..Stored::default() };
        Contents {
            stretches: vec![Stretch::default()],
            inputs: vec![code(0), code(1), code(2), code(3)],
            machine: Some(StoredMachine::example()),
            ..Contents::default()
        }
    }

    /// A working set in the form in which it is stored.
    pub fn of(working_set: &WorkingSet) -> Contents {
        let line_shift = working_set.line_bytes.trailing_zeros();
        let mut end = 0;
        let stretches = working_set.stretches().into_iter().map(|(begin, bytes)| {
            let stretch = Stretch { gap: (begin - end) >> line_shift, lines: bytes >> line_shift };
            end = begin + bytes;
            stretch
        });
        let stretches = stretches.collect();
        let mut time = 0;
        let inputs = working_set.inputs.iter().map(|input| {
            let delay = input.time - time;
            time = input.time;
            let code = input.what.code().into();
            let stored = Stored { delay, code, ..Stored::default() };
            match &input.what {
                What::Value(value) => Stored { value: *value, ..stored },
                What::Block { address, bytes } => {
                    Stored { address: *address, bytes: bytes.clone(), ..stored }
                }
                What::Interrupt(number) => Stored { value: *number, ..stored },
            }
        });
        Contents {
            address_bits: working_set.machine.address_bits.into(),
            line_shift: line_shift.into(),
            registers: working_set.registers.clone(),
            totals: working_set.totals,
            stretches,
            bytes: working_set.lines.iter().flat_map(|line| &line.bytes).copied().collect(),
            inputs: inputs.collect(),
            machine: (working_set.layout != Layout::default())
                .then(|| StoredMachine::of(&working_set.layout)),
        }
    }

    /// The working set, if the stored fields are valid.
    pub fn into_working_set(self, take: &Take<'_>) -> Result<WorkingSet, Error> {
        let address_bits = match self.address_bits {
            32 => 32,
            64 => 64,
            other => return Err(take.error("address_bits", "32 or 64", other.to_string())),
        };
        let line_bytes = 1u32 << self.line_shift;
        if !LINE_BYTES.contains(&line_bytes) {
            let expected = format!("lines of {LINE_BYTES:?} bytes");
            return Err(take.error("line_shift", expected, line_bytes.to_string()));
        }
        if self.totals.instructions == 0 {
            return Err(take.error("instructions", "at least 1", "0"));
        }
        let wide = self.registers.named().find(|(_, value)| address_bits == 32 && value >> 32 != 0);
        if let Some((_, value)) = wide {
            return Err(take.error("registers", "32 bits", format!("{value:#x}")));
        }
        let program_counter = self.registers.program_counter;
        if program_counter % 2 == 1 {
            let found = format!("{program_counter:#x}");
            return Err(take.error("program_counter", "an even address", found));
        }
        let layout = match &self.machine {
            Some(machine) => machine.layout(take)?,
            None => Layout::default(),
        };
        let lines = self.lines(take, line_bytes, &layout)?;
        let inputs = self.inputs(take)?;
        Ok(WorkingSet {
            machine: Machine { isa: Isa::RiscV, alignment: layout.alignment(), address_bits },
            line_bytes,
            registers: self.registers.on(&layout),
            layout,
            lines,
            inputs,
            totals: self.totals,
        })
    }

    fn lines(&self, take: &Take<'_>, line_bytes: u32, layout: &Layout) -> Result<Vec<Line>, Error> {
        let mut lines = Vec::new();
        let mut contents = self.bytes.chunks_exact(line_bytes as usize);
        let mut address = 0u64;
        for stretch in &self.stretches {
            address = address.saturating_add(stretch.gap.saturating_mul(line_bytes.into()));
            let bytes = stretch.lines.saturating_mul(line_bytes.into());
            let end = address.saturating_add(bytes);
            let is_memory = |begin: u64| {
                let end = begin + u64::from(line_bytes);
                layout.memory.iter().any(|memory| memory.start < end && begin < memory.end)
            };
            let mut begins = (address..end).step_by(line_bytes as usize);
            if end > END || bytes == 0 || !begins.all(is_memory) {
                let expected = "at least one line in memory";
                let found = format!("{bytes} bytes at {address:#x}");
                return Err(take.error("stretches", expected, found));
            }
            for bytes in contents.by_ref().take(stretch.lines as usize) {
                lines.push(Line { address, bytes: bytes.to_vec() });
                address += u64::from(line_bytes);
            }
        }
        Ok(lines)
    }

    fn inputs(&self, take: &Take<'_>) -> Result<Vec<Input>, Error> {
        let mut time = 0u64;
        let inputs = self.inputs.iter().map(|stored| {
            time = time
                .checked_add(stored.delay)
                .filter(|time| *time < u64::MAX)
                .ok_or_else(|| take.error("delay", "a time of at most 64 bits", "a later one"))?;
            let what = match stored.code {
                0 => What::Value(stored.value),
                1 => What::Block { address: stored.address, bytes: stored.bytes.clone() },
                2 => What::Interrupt(TIMER_INTERRUPT),
                _ => What::Interrupt(stored.value),
            };
            Ok(Input { time, what })
        });
        inputs.collect()
    }
}
