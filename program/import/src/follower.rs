//! What the readers of logs have in common: which harts are taken, what the instructions are, and their events.

use tracewright_sim::code::Instruction;
use tracewright_sim::config::mask as mask_of;

use crate::code::{Found, LoggedCode};
use crate::error::Problem;
use crate::flow::{Counts, DataAccess, FlowFollower, Said, retired};
use crate::format::Format;
use crate::import::Summary;

/// Harts whose numbers are remembered, by the bits of a word.
const HARTS: u32 = 64;

/// Takes what a log says of instructions.
pub(crate) struct Follower<'s> {
    pub code: LoggedCode,
    pub flow: FlowFollower<'s>,
    /// The hart that is taken, if it is only one.
    wanted: Option<u32>,
    /// The highest thread of the trace.
    most: u8,
    /// The most events of the trace.
    events_max: u64,
    /// The line at whose end a waveform is cut.
    pub cut_line: Option<u64>,
    /// The simulation was ended before the waveform was.
    pub is_unfinished: bool,
    /// A bit for each hart that the log has, below 64.
    seen: u64,
    /// Lines of the format, or rows.
    pub lines: u64,
    /// Lines that say nothing of the execution.
    pub other_lines: u64,
    /// Instructions of the last blocks, of which it is not known whether they ran.
    pub last_blocks: u64,
    /// The log marks exceptions and interrupts, where its format may also leave them out.
    pub marks_exceptions: bool,
    /// Instructions that do not lead to the next one as the log itself says.
    pub other_next: u64,
}

/// An instruction as a log has it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Logged<'a> {
    pub program_counter: u64,
    pub word: Option<u32>,
    pub leads_to: Option<u64>,
    /// The log says that it trapped.
    pub traps: bool,
    pub is_handler: bool,
    /// It has retired nevertheless if it leads where the log says.
    pub checks_trap: bool,
    /// Its word is expanded to 32 bits, and may be that of an instruction of two bytes.
    pub is_expanded: bool,
    /// Its bytes, where the log says them and the word does not.
    pub length: Option<u8>,
    pub accesses: &'a [DataAccess],
}

impl<'s> Follower<'s> {
    pub(crate) fn new(
        code: LoggedCode,
        flow: FlowFollower<'s>,
        wanted: Option<u32>,
        most: u8,
        events_max: u64,
    ) -> Self {
        Follower {
            code,
            flow,
            wanted,
            most,
            events_max,
            cut_line: None,
            is_unfinished: false,
            seen: 0,
            lines: 0,
            other_lines: 0,
            last_blocks: 0,
            marks_exceptions: false,
            other_next: 0,
        }
    }

    /// The thread of a hart; `None` for one that is not taken.
    #[inline]
    pub(crate) fn thread(&mut self, hart: u32) -> Result<Option<u8>, Problem> {
        self.seen |= 1 << hart.min(HARTS - 1);
        self.check_events()?;
        match self.wanted {
            Some(wanted) if wanted == hart => Ok(Some(0)),
            Some(_) => Ok(None),
            None => match u8::try_from(hart) {
                Ok(thread) if thread <= self.most => Ok(Some(thread)),
                _ => Err(Problem::Hart { most: self.most, found: hart }),
            },
        }
    }

    /// Takes an instruction: it retires, or it traps because it is none or because the log says so.
    pub(crate) fn instruction(&mut self, thread: u8, logged: &Logged<'_>) -> Result<(), Problem> {
        let Logged { program_counter, word, leads_to, is_handler, accesses, .. } = *logged;
        self.check_width(program_counter)?;
        if let Some(next) = leads_to.filter(|_| !logged.traps) {
            self.check_width(next)?;
        }
        let mut said = Said { program_counter, leads_to, is_handler, accesses, is_expanded: false };
        if logged.traps && !logged.checks_trap {
            return Ok(self.flow.trap(thread, &said)?);
        }
        // The program says what was expanded.
        let is_known = (logged.is_expanded || logged.length.is_some())
            && self.code.is_in_program(program_counter);
        if let (Some(word), true) = (word, is_known) {
            self.code.check_expanded(program_counter, word)?;
        }
        let word = word.filter(|_| !is_known);
        said.is_expanded = logged.is_expanded && !is_known;
        let Found { mut instruction, returns_from_trap, .. } =
            self.code.at(program_counter, word)?;
        if let (Some(instruction), Some(length)) = (&mut instruction, logged.length) {
            instruction.length = length;
        }
        let leads = |instruction: &Instruction| {
            let mask = self.code.set().address_bits();
            retired(&said, instruction, returns_from_trap, mask_of(mask.into()))
                .leads_where_it_says()
        };
        if logged.traps && !instruction.as_ref().is_some_and(leads) {
            return Ok(self.flow.trap(thread, &said)?);
        }
        match instruction {
            Some(instruction) => {
                Ok(self.flow.retire(thread, &said, &instruction, returns_from_trap)?)
            }
            None => Ok(self.flow.trap(thread, &said)?),
        }
    }

    /// Takes an instruction whose code is known.
    pub(crate) fn known(
        &mut self,
        thread: u8,
        program_counter: u64,
        instruction: &Instruction,
    ) -> Result<(), Problem> {
        let said = Said { program_counter, ..Said::default() };
        Ok(self.flow.retire(thread, &said, instruction, false)?)
    }

    /// Takes an attempt to execute what is no instruction.
    pub(crate) fn trap(&mut self, thread: u8, program_counter: u64) -> Result<(), Problem> {
        Ok(self.flow.trap(thread, &Said { program_counter, ..Said::default() })?)
    }

    /// Refuses an address that is wider than those of the processor; one of 32 bits may be extended by its highest bit.
    #[inline]
    fn check_width(&self, address: u64) -> Result<(), Problem> {
        let bits = self.code.set().address_bits();
        let is_extended = |address: u64| address as i64 == i64::from(address as i32);
        match bits == 64 || address <= mask_of(bits.into()) || is_extended(address) {
            true => Ok(()),
            false => Err(Problem::WideAddress { address, bits }),
        }
    }

    #[inline]
    fn check_events(&self) -> Result<(), Problem> {
        match self.flow.written > self.events_max {
            true => Err(Problem::ManyEvents(self.events_max)),
            false => Ok(()),
        }
    }

    /// Ends the trace.
    pub(crate) fn finish(mut self, format: Format) -> Result<Summary, Problem> {
        self.check_harts()?;
        if self.lines == 0 {
            return Err(match format.is_waveform() {
                true => Problem::NoRetirement,
                false => Problem::NothingOfFormat(format),
            });
        }
        self.flow.finish()?;
        self.check_events()?;
        let Counts { instructions, exceptions, left_out } = self.flow.counts;
        let Follower { last_blocks, marks_exceptions, other_lines, other_next, .. } = self;
        let Follower { cut_line, is_unfinished, .. } = self;
        Ok(Summary {
            instructions: instructions + last_blocks,
            exceptions,
            left_out: left_out + last_blocks,
            last_blocks,
            other_lines,
            other_next,
            cut_line,
            is_unfinished,
            outside: self.code.outside,
            marks_exceptions,
        })
    }

    /// Fails if the log had no instruction of the hart that was asked for.
    fn check_harts(&self) -> Result<(), Problem> {
        let Some(wanted) = self.wanted else { return Ok(()) };
        if self.flow.counts.instructions > 0 || self.seen >> wanted.min(HARTS - 1) & 1 == 1 {
            return Ok(());
        }
        let harts = (0..HARTS).filter(|hart| self.seen >> hart & 1 == 1);
        let harts: Vec<String> = harts.map(|hart| hart.to_string()).collect();
        let found = match harts.as_slice() {
            [] => "none".to_owned(),
            [one] => format!("only hart {one}"),
            more => format!("harts {}", more.join(", ")),
        };
        Err(Problem::NoHart { wanted, found })
    }
}
