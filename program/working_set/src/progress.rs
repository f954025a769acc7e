//! Finds a program that does nothing new: all of the machine is as it was some instructions before, and nothing from
//! outside will change it.

use crate::board::{Board, Taken};
use crate::emulator::Emulator;
use crate::error::Error;
use crate::machine::{Machine, Sink};
use crate::program::Program;

/// The most instructions of a loop that is found.
const MOST: u64 = 1 << 12;

/// A loop without an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The address of one of its instructions, the lowest one.
    pub program_counter: u64,
    /// Its instructions.
    pub instructions: u64,
    /// The address that it loads from, one of a device before others.
    pub polled: Option<u64>,
    /// Instructions retired before the first turn that was looked at.
    time: u64,
}

impl Stuck {
    /// The error of a loop that waits for what does not come; `None` if it waits for nothing, as firmware does at its
    /// end.
    pub(crate) fn polled<const DATA: bool>(
        &self,
        program: &Program,
        board: &Board<'_, DATA>,
    ) -> Option<Error> {
        let address = self.polled?;
        let what = match board.layout().device(address, 1) {
            Some(_) => "of a device",
            None => "in memory",
        };
        Some(Error::Polls {
            program_counter: self.program_counter,
            function: program.function(self.program_counter).map(str::to_owned),
            address,
            what,
            instructions: self.time,
        })
    }
}

/// Looks for a loop from the current instruction on, with steps that are a part of the run; `until` becomes the time
/// after them.
pub(crate) fn stuck<'w, E, S, const DATA: bool>(
    machine: &mut Machine<E>,
    sink: &mut S,
    until: &mut u64,
) -> Result<Option<Stuck>, S::Error>
where
    E: Emulator<Bus = Board<'w, DATA>>,
    S: Sink,
{
    let time = machine.board().time;
    let Some(length) = same_again(machine, sink, until)? else { return Ok(None) };
    // All the memory before and after one more time.
    let lines = machine.board().lines().clone();
    let mut stuck = Stuck { program_counter: u64::MAX, instructions: length, polled: None, time };
    for _ in 0..length {
        let registers = machine.registers();
        stuck.program_counter = stuck.program_counter.min(registers.program_counter);
        if let Some(address) = loaded(machine, registers.program_counter) {
            let is_device = |address| machine.board().layout().device(address, 1).is_some();
            if !stuck.polled.is_some_and(is_device) {
                stuck.polled = Some(address);
            }
        }
        *until += 1;
        if machine.run(sink, *until)? {
            return Ok(None);
        }
    }
    Ok(lines.same(machine.board().lines()).then_some(stuck))
}

/// The instructions after which all registers are as they were, and which have not read the time.
fn same_again<'w, E, S, const DATA: bool>(
    machine: &mut Machine<E>,
    sink: &mut S,
    until: &mut u64,
) -> Result<Option<u64>, S::Error>
where
    E: Emulator<Bus = Board<'w, DATA>>,
    S: Sink,
{
    let before = machine.registers();
    let outside = seen_outside(machine);
    for length in 1..=MOST {
        *until += 1;
        if machine.run(sink, *until)? || machine.awaits_interrupt() {
            return Ok(None);
        }
        if seen_outside(machine) != outside {
            return Ok(None);
        }
        let is_there = machine.program_counter() == before.program_counter;
        if is_there && machine.registers() == before {
            return Ok(Some(length));
        }
    }
    Ok(None)
}

/// What changes with each access that something else may come of: reads of the time, of the input, and output.
fn seen_outside<'w, E, const DATA: bool>(machine: &Machine<E>) -> (u64, Taken, usize)
where
    E: Emulator<Bus = Board<'w, DATA>>,
{
    let board = machine.board();
    (board.clock_reads, board.world.taken(), board.console.len())
}

/// The address that an instruction loads from, if it is a load of an integer.
fn loaded<'w, E, const DATA: bool>(machine: &mut Machine<E>, program_counter: u64) -> Option<u64>
where
    E: Emulator<Bus = Board<'w, DATA>>,
{
    let word = machine.board_mut().peek_word(program_counter, 2).ok()? as u32;
    let word = match word & 3 {
        3 => word | (machine.board_mut().peek_word(program_counter + 2, 2).ok()? as u32) << 16,
        _ => word,
    };
    let compressed = match word >> 13 & 7 {
        2 => Some((word >> 6 & 1) << 2 | (word >> 5 & 1) << 6),
        3 => Some((word >> 5 & 3) << 6),
        _ => None,
    };
    let (base, offset) = match (word & 3, word >> 13 & 7) {
        (3, _) if word & 0x7f == 0x03 => (word >> 15 & 31, i64::from(word as i32 >> 20)),
        // Atomic operations and load-reserved.
        (3, _) if word & 0x7f == 0x2f => (word >> 15 & 31, 0),
        (0, _) => (8 + (word >> 7 & 7), i64::from((word >> 10 & 7) << 3 | compressed?)),
        (2, 2) => {
            let offset = (word >> 12 & 1) << 5 | (word >> 4 & 7) << 2 | (word >> 2 & 3) << 6;
            (2, i64::from(offset))
        }
        (2, 3) => {
            let offset = (word >> 12 & 1) << 5 | (word >> 5 & 3) << 3 | (word >> 2 & 7) << 6;
            (2, i64::from(offset))
        }
        _ => return None,
    };
    let base = machine.registers().integers[base as usize];
    Some(base.wrapping_add(offset as u64) & u64::MAX >> (64 - E::BITS))
}
