//! Spike, `-l` and `--log-commits` (riscv-isa-sim, `riscv/execute.cc` and `processor.cc`), and what prints the same
//! lines: CVA6's `rvfi_tracer.sv` and `spikeCommitLog`.
//!
//! | line after `core   0: ` | says |
//! |---|---|
//! | `0x80000050 (0x00000073) ecall` | `-l`: an instruction is attempted |
//! | `3 0x80000050 (0x02028593) x11 0x1020 mem 0x1018` | `--log-commits`: an instruction has retired, and what it wrote and accessed |
//! | `exception trap_machine_ecall, epc 0x80000050` | `-l`: an exception or interrupt, where the flow had led to |
//! | `          tval 0x00000000`, `>>>>  main` | nothing of the flow |
//!
//! With `-l` alone an instruction has retired unless an exception follows that is at it; with both it has retired if
//! its second line follows.

use super::LogReader;
use crate::error::Problem;
use crate::flow::DataAccess;
use crate::follower::{Follower, Logged};
use crate::words::Words;

/// An instruction that was attempted, with the access that it makes if it retires, where its line has one.
#[derive(Clone, Copy)]
struct Attempt {
    program_counter: u64,
    word: u32,
    access: Option<DataAccess>,
}

/// Reads lines of Spike.
#[derive(Default)]
pub(crate) struct Spike {
    /// By thread: the instruction of the last line with one, unless it is known whether it retired.
    attempts: [Option<Attempt>; 8],
    /// The log has lines of instructions that retired.
    has_commits: bool,
    /// The log has lines of `-l`, which has those of exceptions too.
    has_attempts: bool,
    /// The lines of `-l` have all exceptions and interrupts.
    has_all_exceptions: bool,
    /// Accesses of an instruction.
    accesses: Vec<DataAccess>,
}

impl LogReader for Spike {
    fn line(&mut self, line: &[u8], follower: &mut Follower<'_>) -> Result<bool, Problem> {
        let mut words = Words(line);
        let mut hart = 0;
        if words.take(b"core") {
            words.skip_blanks();
            hart = words
                .decimal()
                .ok_or_else(|| Problem::expected("the number of a hart after `core`", words.0))?;
            words.require(b":", "a colon after the number of a hart")?;
        } else if !is_bare_commit(line) {
            return Ok(false);
        }
        let Some(thread) = follower.thread(hart)? else { return Ok(true) };
        words.skip_blanks();
        if words.0.starts_with(b"0x") {
            self.has_attempts = true;
            self.attempt(thread, words, follower)?;
        } else if matches!(words.0, [b'0'..=b'9', b' ', ..]) {
            self.commit(thread, words, follower)?;
        } else if words.take(b"exception ") {
            self.exception(thread, words, follower)?;
        } else if !words.take(b"tval ") && !words.take(b">>>>") {
            let expected = "an instruction (0x...), its privilege level, or an exception";
            return Err(Problem::expected(expected, words.0));
        }
        Ok(true)
    }

    fn marks_exceptions(&self) -> bool {
        self.has_attempts
    }

    fn finish(&mut self, follower: &mut Follower<'_>) -> Result<(), Problem> {
        (0..8).try_for_each(|thread| self.settle(thread, follower))
    }
}

/// Where Spike enters debug mode, of which it has no line.
const DEBUG_ENTRY: u64 = 0x800;

/// True for a line of an instruction that retired as early versions and CVA6 print it, without `core   0: `.
pub(crate) fn is_bare_commit(line: &[u8]) -> bool {
    matches!(line, [b'0'..=b'3', b' ', b'0', b'x', ..])
}

/// The number of the hart of a line.
pub(crate) fn hart_of(line: &[u8]) -> Option<u32> {
    let mut words = Words(line.strip_prefix(b"core")?);
    words.skip_blanks();
    words.decimal()
}

/// True for a line of an instruction that retired.
pub(crate) fn is_commit(line: &[u8]) -> bool {
    let after = line.iter().position(|byte| *byte == b':').map_or(&[][..], |at| &line[at + 1..]);
    is_bare_commit(line) || hart_of(line).is_some() && is_bare_commit(after.trim_ascii_start())
}

/// The address and the word of `0x80000050 (0x00000073)`.
fn instruction(words: &mut Words<'_>) -> Result<Attempt, Problem> {
    let expected =
        "an address, such as 0x80000000, and an instruction's word, such as (0x00000013)";
    let mut parse = || {
        let (program_counter, _) = words.prefixed()?;
        let (word, digits) = words.take(b" (").then(|| words.prefixed())??;
        // A word that is illegal may have the first bits of a long one, of which Spike prints up to 64 bits.
        let is_whole = words.take(b")")
            && match digits {
                4 => word & 3 != 3,
                _ => matches!(digits, 8 | 12 | 16),
            };
        is_whole.then_some(Attempt { program_counter, word: word as u32, access: None })
    };
    parse().ok_or_else(|| Problem::expected(expected, words.0))
}

impl Spike {
    /// A reader of Spike's own logs.
    pub(crate) fn new() -> Self {
        Spike { has_all_exceptions: true, ..Spike::default() }
    }

    /// Refuses what neither the last instruction nor a line of an exception explains.
    fn check(&self, follower: &mut Follower<'_>) -> Result<(), Problem> {
        match follower.flow.unexplained.take() {
            Some((from, to)) if self.has_all_exceptions && self.has_attempts => {
                // An instruction may have accessed memory in part, and have a line of both kinds.
                let is_known = from == to || to == DEBUG_ENTRY;
                if is_known { Ok(()) } else { Err(Problem::Unexplained { from, to }) }
            }
            _ => Ok(()),
        }
    }

    /// An instruction is attempted.
    fn attempt(
        &mut self,
        thread: u8,
        mut words: Words<'_>,
        follower: &mut Follower<'_>,
    ) -> Result<(), Problem> {
        let attempt = instruction(&mut words)?;
        follower.code.at(attempt.program_counter, Some(attempt.word))?;
        self.settle(thread, follower)?;
        self.attempts[usize::from(thread)] = Some(attempt);
        Ok(())
    }

    /// The last instruction was not in an exception.
    fn settle(&mut self, thread: u8, follower: &mut Follower<'_>) -> Result<(), Problem> {
        match self.attempts[usize::from(thread)].take() {
            Some(attempt) if !self.has_commits => {
                follower.instruction(thread, &attempt.logged(attempt.access.as_slice()))?;
                self.check(follower)
            }
            _ => Ok(()),
        }
    }

    /// An instruction has retired.
    fn commit(
        &mut self,
        thread: u8,
        mut words: Words<'_>,
        follower: &mut Follower<'_>,
    ) -> Result<(), Problem> {
        words.word();
        words.skip_blanks();
        let retired = instruction(&mut words)?;
        self.has_commits = true;
        self.attempts[usize::from(thread)] = None;
        self.accesses.clear();
        self.read_accesses(words)?;
        follower.instruction(thread, &retired.logged(&self.accesses))?;
        self.check(follower)
    }

    /// `mem ADDRESS` for a load, `mem ADDRESS VALUE` for a store, among what was written to registers.
    fn read_accesses(&mut self, mut words: Words<'_>) -> Result<(), Problem> {
        loop {
            let word = words.word();
            if word.is_empty() {
                return Ok(());
            }
            if word != b"mem" {
                continue;
            }
            words.skip_blanks();
            let (address, _) = words
                .prefixed()
                .ok_or_else(|| Problem::expected("an address after `mem`", words.0))?;
            words.skip_blanks();
            let store = words.0.starts_with(b"0x");
            self.accesses.push(DataAccess { store, address });
        }
    }

    /// `trap_machine_ecall, epc 0x80000050` or `interrupt #7, epc 0x80000050`.
    fn exception(
        &mut self,
        thread: u8,
        words: Words<'_>,
        follower: &mut Follower<'_>,
    ) -> Result<(), Problem> {
        let place = words.0.windows(6).position(|part| part == b", epc ");
        let mut address = Words(place.map_or(&[], |place| &words.0[place + 6..]));
        let (at, _) = address.prefixed().ok_or_else(|| {
            Problem::expected("the name of an exception and `, epc 0x...`", words.0)
        })?;
        self.divert(thread, at, words.0.starts_with(b"interrupt"), follower)
    }

    /// An exception or interrupt where the flow has led to an address.
    pub(crate) fn divert(
        &mut self,
        thread: u8,
        at: u64,
        is_interrupt: bool,
        follower: &mut Follower<'_>,
    ) -> Result<(), Problem> {
        let attempt = &mut self.attempts[usize::from(thread)];
        let has_trapped = !is_interrupt && attempt.is_some_and(|one| one.program_counter == at);
        if has_trapped || self.has_commits {
            *attempt = None;
        }
        self.settle(thread, follower)?;
        follower.flow.divert(thread, at)?;
        self.check(follower)
    }

    /// Takes an instruction that has retired unless an exception at it follows.
    pub(crate) fn attempted(
        &mut self,
        thread: u8,
        (program_counter, word): (u64, u32),
        access: Option<DataAccess>,
        follower: &mut Follower<'_>,
    ) -> Result<(), Problem> {
        follower.code.at(program_counter, Some(word))?;
        self.settle(thread, follower)?;
        self.attempts[usize::from(thread)] = Some(Attempt { program_counter, word, access });
        Ok(())
    }
}

impl Attempt {
    fn logged(self, accesses: &[DataAccess]) -> Logged<'_> {
        let Attempt { program_counter, word, .. } = self;
        Logged { program_counter, word: Some(word), accesses, ..Logged::default() }
    }
}
