//! The tracers of CVA6: `trace_hart_*.log` (`common/local/util/instr_trace_item.svh` and `ex_trace_item.svh`) and
//! `trace_rvfi_hart_*.dasm` (`corev_apu/tb/rvfi_tracer.sv`), which has lines of Spike.
//!
//! | line | says |
//! |---|---|
//! | `     185ns       14 M 0000000000010000 0 00000297 auipc ...  VA: 0000000000010008 PA: 00000000010008` | an instruction has retired: time, cycle, privilege level, address, whether it was mispredicted, word |
//! | `Exception @       315, PC: 0000000000010014, Cause: Illegal Instruction, ` | an exception or interrupt, where the flow had led to |
//! | `tval: 0000000000000000` after tabs | nothing of the flow |
//! | `ILLEGAL_INSTR exception @ 0x0000000000010014` | the second tracer's exception |

use tracewright_sim::rvfi::Extensions;

use super::LogReader;
use super::spike::{Spike, is_bare_commit};
use crate::error::Problem;
use crate::flow::DataAccess;
use crate::follower::Follower;
use crate::words::Words;

/// Reads lines of CVA6's tracers.
#[derive(Default)]
pub(crate) struct Cva6 {
    /// Keeps the last instruction until it is known that no exception is at it.
    spike: Spike,
    /// The log has lines of the tracer of instructions, which has those of exceptions and interrupts too.
    has_instructions: bool,
}

impl LogReader for Cva6 {
    fn line(&mut self, line: &[u8], follower: &mut Follower<'_>) -> Result<bool, Problem> {
        if line.starts_with(b"core") || is_bare_commit(line) {
            return self.spike.line(line, follower);
        }
        let Some(thread) = follower.thread(0)? else { return Ok(true) };
        let mut words = Words(line);
        if words.take(b"Exception @") {
            let after = |text: &[u8]| {
                let place = line.windows(text.len()).position(|part| part == text)?;
                Some(Words(&line[place + text.len()..]))
            };
            let at = after(b"PC: ").and_then(|mut words| words.hexadecimal());
            let (at, digits) =
                at.ok_or_else(|| Problem::expected("`PC: ` and an address", line))?;
            let cause = after(b"Cause: ").ok_or_else(|| Problem::expected("`Cause: `", line))?;
            let is_interrupt = cause.0.windows(9).any(|part| part == b"Interrupt");
            self.spike.divert(thread, extended(at, digits), is_interrupt, follower)?;
            return Ok(true);
        }
        if let Some(place) = line.windows(13).position(|part| part == b" exception @ ") {
            let mut words = Words(&line[place + 13..]);
            let (at, _) = words
                .prefixed()
                .ok_or_else(|| Problem::expected("the address of an exception", words.0))?;
            self.spike.divert(thread, at, false, follower)?;
            return Ok(true);
        }
        if !is_instruction(line) {
            words.skip_blanks();
            return Ok(words.take(b"tval: "));
        }
        self.has_instructions = true;
        self.instruction(thread, words, follower).map(|()| true)
    }

    fn marks_exceptions(&self) -> bool {
        self.has_instructions
    }

    fn finish(&mut self, follower: &mut Follower<'_>) -> Result<(), Problem> {
        self.spike.finish(follower)
    }
}

/// True for a line whose first word is a time, such as `185ns`.
pub(crate) fn is_instruction(line: &[u8]) -> bool {
    let time = Words(line).word().strip_suffix(b"ns");
    time.is_some_and(|time| !time.is_empty() && time.iter().all(u8::is_ascii_digit))
}

/// The address that a core with virtual addresses of 39 bits means by ten digits.
fn extended(address: u64, digits: usize) -> u64 {
    const BITS: u32 = 39;
    let is_high = digits == BITS.div_ceil(4) as usize && address >> (BITS - 1) & 1 == 1;
    if is_high { address | u64::MAX << BITS } else { address }
}

impl Cva6 {
    fn instruction(
        &mut self,
        thread: u8,
        mut words: Words<'_>,
        follower: &mut Follower<'_>,
    ) -> Result<(), Problem> {
        let (_time, _cycle, _privilege) = (words.word(), words.word(), words.word());
        let mut number = |expected| {
            let word = words.word();
            let mut digits = Words(word);
            let value = digits.hexadecimal().filter(|_| digits.0.is_empty());
            value.ok_or_else(|| Problem::expected(expected, word))
        };
        let (at, digits) = number("an address, such as 0000000080000000, after the privilege")?;
        number("0 or 1 after the address")?;
        let expected = "an instruction's word of eight digits, such as 00000013";
        let (word, digits_of_word) = number(expected)?;
        if digits_of_word != 8 {
            return Err(Problem::expected(expected, words.0));
        }
        let access = access_of(words.0, word as u32, follower.code.set().extensions());
        let attempt = (extended(at, digits), word as u32);
        self.spike.attempted(thread, attempt, access, follower)
    }
}

/// The access of `VA: 0000000000010008 PA: 00000000010008` at the end of a line, which an instruction of this word makes.
fn access_of(text: &[u8], word: u32, extensions: Extensions) -> Option<DataAccess> {
    let place = text.windows(4).rposition(|part| part == b"VA: ")?;
    let (address, digits) = Words(&text[place + 4..]).hexadecimal()?;
    let store = match word & 3 {
        3 => matches!(word & 0x7f, 0x23 | 0x27),
        // cm.pop and those that return load, where a store of floating point would be.
        _ if extensions.zcmp && matches!(word >> 8, 0xba | 0xbc | 0xbe) && word & 3 == 2 => false,
        _ => word >> 15 & 1 == 1,
    };
    Some(DataAccess { store, address: extended(address, digits) })
}
