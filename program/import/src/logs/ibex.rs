//! The tracer of Ibex, `trace_core_*.log` (`rtl/ibex_tracer.sv`; "Tracer" in Ibex' documentation): six columns between
//! tabs, of which the address is the third, the instruction's word the fourth, its name the fifth, and the accesses are
//! in the last one: `PA:0x00011234 store:0x00000001`.
//!
//! The log has an instruction that trapped like any other. Ibex enters the handler of an exception at a multiple of 256
//! and that of an interrupt elsewhere, because its vector table begins at one and the first entry is that of the
//! exceptions. So an instruction that can trap, and is followed by such an address without leading there, trapped.

use tracewright_sim::event::Kind;

use super::LogReader;
use crate::error::Problem;
use crate::flow::DataAccess;
use crate::follower::{Follower, Logged};
use crate::words::Words;

/// The beginning of the line with the names of the columns.
pub(crate) const HEADER: &[u8] = b"Time\tCycle\tPC\tInsn";

/// Bytes of Ibex' vector table.
const TABLE_BYTES: u64 = 256;

/// An instruction, until the next one says whether it trapped.
#[derive(Clone, Copy)]
struct Last {
    program_counter: u64,
    word: u32,
    /// The tracer does not know it.
    is_invalid: bool,
}

/// Reads lines of Ibex' tracer.
#[derive(Default)]
pub(crate) struct Ibex {
    last: Option<Last>,
    /// Those of the last instruction.
    accesses: Vec<DataAccess>,
}

impl LogReader for Ibex {
    fn line(&mut self, line: &[u8], follower: &mut Follower<'_>) -> Result<bool, Problem> {
        if line.starts_with(HEADER) {
            return Ok(true);
        }
        let mut columns = line.split(|byte| *byte == b'\t');
        let (_time, cycle) = (columns.next(), columns.next());
        if cycle.is_none() {
            return Ok(false);
        }
        let mut column = |expected| {
            let text = columns.next().unwrap_or_default();
            let mut words = Words(text);
            let value = words
                .hexadecimal()
                .filter(|(_, digits)| words.0.is_empty() && matches!(digits, 4 | 8));
            value.ok_or_else(|| Problem::expected(expected, text))
        };
        let (program_counter, _) = column("an address, such as 00100080, in the third column")?;
        let (word, digits) =
            column("an instruction's word, such as 00000013, in the fourth column")?;
        let word = word as u32;
        if digits != if word & 3 == 3 { 8 } else { 4 } {
            let expected = "four digits of a compressed instruction, or eight of another one, in the fourth column";
            return Err(Problem::expected(expected, format!("{word:0digits$x}").as_bytes()));
        }
        let name = columns.next().unwrap_or_default();
        // The operands of the instruction may have a column of their own.
        let contents = columns
            .next_back()
            .ok_or_else(|| Problem::expected("six columns between tabs", line))?;
        // The number of the hart is in the name of the file.
        let Some(thread) = follower.thread(0)? else { return Ok(true) };
        self.settle(thread, Some(program_counter), follower)?;
        follower.code.at(program_counter, Some(word))?;
        let is_invalid = name.starts_with(b"INVALID") || name.starts_with(b"c.unimp");
        self.last = Some(Last { program_counter, word, is_invalid });
        self.accesses.clear();
        self.read_accesses(contents)?;
        Ok(true)
    }

    fn finish(&mut self, follower: &mut Follower<'_>) -> Result<(), Problem> {
        self.settle(0, None, follower)
    }
}

impl Ibex {
    /// Takes the last instruction, which was followed by that at `next`.
    fn settle(
        &mut self,
        thread: u8,
        next: Option<u64>,
        follower: &mut Follower<'_>,
    ) -> Result<(), Problem> {
        let Some(Last { program_counter, word, is_invalid }) = self.last.take() else {
            return Ok(());
        };
        let found = follower.code.at(program_counter, Some(word))?;
        let traps = match (found.instruction, next) {
            (None, _) => true,
            (Some(_), None) => is_invalid,
            (Some(instruction), Some(next)) => {
                let follows = next == program_counter + u64::from(instruction.length);
                let is_vector = next.is_multiple_of(TABLE_BYTES);
                // A load of the target that traps is not told from a jump to the vector.
                let jumps =
                    instruction.branch.is_some_and(|branch| branch.kind == Kind::IndirectJump);
                is_invalid || is_vector && !follows && !jumps && can_trap(found.word)
            }
        };
        let accesses = if traps { &[][..] } else { &self.accesses };
        let logged =
            Logged { program_counter, word: Some(word), traps, accesses, ..Logged::default() };
        follower.instruction(thread, &logged)
    }

    /// `PA:0x00011234 store:0x00000001`, after registers.
    fn read_accesses(&mut self, contents: &[u8]) -> Result<(), Problem> {
        let Some(place) = contents.windows(3).position(|part| part == b"PA:") else {
            return Ok(());
        };
        let mut words = Words(&contents[place + 3..]);
        let (address, _) =
            words.prefixed().ok_or_else(|| Problem::expected("an address after `PA:`", words.0))?;
        words.skip_blanks();
        for (name, store) in [(&b"store:"[..], true), (b"load:", false)] {
            if words.take(name) {
                self.accesses.push(DataAccess { store, address });
                words.word();
                words.skip_blanks();
            }
        }
        Ok(())
    }
}

/// True for loads, stores, and instructions of the system.
fn can_trap(word: u32) -> bool {
    match word & 3 {
        3 => matches!(word & 0x7f, 0x03 | 0x07 | 0x23 | 0x27 | 0x2f | 0x73),
        // Compressed loads and stores, and c.ebreak.
        0 => true,
        2 => matches!(word >> 13, 1..=3 | 5..=7) || word == 0x9002,
        _ => false,
    }
}
