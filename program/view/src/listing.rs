//! A listing of the instructions in the order in which they retired.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tracewright_image::{Image, Owner};
use tracewright_sim::code::Code;
use tracewright_sim::event::{Event, ExecutionState, Kind};
use tracewright_sim::packet::part::Gap;

use crate::blocks::{BlockIndex, Blocks};
use crate::disassembly::{self, Disassembler};
use crate::lines::Lines;
use crate::names;
use crate::walker::Step;

/// Which instructions are listed, counted over all threads from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// Those from an instruction on.
    From {
        /// The first instruction.
        from: u64,
        /// The number of instructions.
        count: u64,
    },
    /// The last ones, so many.
    Last(u64),
}

/// What may be listed when the end is known.
#[derive(Debug)]
enum Kept {
    Step(Step),
    Gap(Box<Gap>),
    /// A state, and the program in which the execution goes on.
    State(ExecutionState, usize),
}

impl Kept {
    fn instructions(&self) -> u64 {
        match self {
            Kept::Step(step) => step.event.instructions,
            Kept::Gap(_) | Kept::State(..) => 0,
        }
    }
}

/// A listing, written during the pass over the execution.
#[derive(Debug)]
pub struct Listing<'a, W> {
    into: W,
    programs: Vec<OfProgram<'a>>,
    /// The first instruction, and the one after the last.
    from: u64,
    end: u64,
    /// Where the end decides what is listed: how much, and what came last.
    last_ones: Option<(u64, VecDeque<Kept>)>,
    kept_instructions: u64,
    instructions: u64,
    /// Thread, program, function and source of the last instruction.
    last: Last,
    /// In what the execution goes on, if the trace says that.
    state: Option<ExecutionState>,
    /// The last exception, until it is known in which program it leads: thread, what it does, target, program before.
    exception: Option<(u8, String, u64, usize)>,
    /// The line of the last exception, until another line follows, and how often it came: a trap that repeats is one line.
    told: Option<(String, u64)>,
}

/// What a listing knows of a program.
#[derive(Debug)]
struct OfProgram<'a> {
    image: &'a Image,
    disassembler: Disassembler,
    lines: Lines,
    /// The text of each instruction, which is the same in every run of it; of code that changes, by its block too.
    known: FxHashMap<(Option<BlockIndex>, u64), Known>,
}

type Last = (u8, usize, Option<u64>, Option<Arc<str>>);

/// Nothing has been listed, or what comes next has its heading again.
const NOTHING: Last = (u8::MAX, 0, None, None);

#[derive(Debug)]
struct Known {
    text: String,
    /// The place in its function.
    name: String,
    function: Option<u64>,
    /// Its line of source, and the functions that the compiler put into others there, in words.
    source: Option<Arc<str>>,
}

/// Code that changes, at an instruction: its block, the block's bytes before and from there, and its file.
type OwnCode<'a> = (BlockIndex, &'a [u8], &'a [u8], Owner);

impl<'a, W: Write> Listing<'a, W> {
    /// A listing of a part of an execution of programs, whose images are in the order of their numbers.
    pub fn new(into: W, images: impl IntoIterator<Item = &'a Image>, window: Window) -> Self {
        let (from, end, last_ones) = match window {
            Window::From { from, count } => (from, from.saturating_add(count), None),
            Window::Last(count) => (0, u64::MAX, Some((count, VecDeque::new()))),
        };
        let programs = images.into_iter().map(|image| OfProgram {
            image,
            disassembler: Disassembler::new(image.instruction_set()),
            lines: Lines::of_image(image),
            known: FxHashMap::default(),
        });
        Self {
            into,
            programs: programs.collect(),
            from,
            end,
            last_ones,
            kept_instructions: 0,
            instructions: 0,
            last: NOTHING,
            state: None,
            exception: None,
            told: None,
        }
    }

    /// True after the last instruction of the window.
    pub fn is_done(&self) -> bool {
        self.instructions >= self.end
    }

    /// Writes the instructions of a step that are in the window.
    ///
    /// # Errors
    /// When they cannot be written.
    #[inline]
    pub fn step(&mut self, blocks: &Blocks, step: &Step) -> io::Result<()> {
        if self.last_ones.is_some() {
            self.keep(Kept::Step(*step));
            return Ok(());
        }
        self.tell_exception(Some(step.program))?;
        let before = self.instructions;
        self.instructions += step.event.instructions;
        if before >= self.end || self.instructions < self.from {
            return Ok(());
        }
        self.write(blocks, step, before)
    }

    /// Keeps what may be among the last instructions.
    fn keep(&mut self, kept: Kept) {
        let Some((count, last)) = &mut self.last_ones else { return };
        self.kept_instructions += kept.instructions();
        last.push_back(kept);
        while let Some(first) = last.front().map(Kept::instructions)
            && self.kept_instructions - first >= *count
        {
            self.kept_instructions -= first;
            self.instructions += first;
            if let Some(Kept::State(state, _)) = last.pop_front() {
                self.state = Some(state);
            }
        }
    }

    /// Writes where the execution is not known, if that is in the window.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn gap(&mut self, gap: &Gap) -> io::Result<()> {
        if self.last_ones.is_some() {
            self.keep(Kept::Gap(Box::new(gap.clone())));
            return Ok(());
        }
        self.tell_exception(None)?;
        // What runs after the gap has its heading again.
        self.last = NOTHING;
        if self.is_done() || self.instructions < self.from {
            return Ok(());
        }
        self.write_exception()?;
        write!(self.into, "-- gap at bit {} of the trace: {}", gap.bits.start, gap.reason)?;
        if gap.unverified_events > 0 {
            write!(self.into, "; the {} events before it are unverified", gap.unverified_events)?;
        }
        if let Some(place) = gap.goes_on {
            write!(self.into, "; goes on at {place}")?;
        }
        writeln!(self.into)
    }

    /// Writes in what the execution goes on, as far as that changes and is in the window; `program` is that in which it does.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn state(&mut self, state: &ExecutionState, program: usize) -> io::Result<()> {
        if self.last_ones.is_some() {
            self.keep(Kept::State(*state, program));
            return Ok(());
        }
        self.tell_exception(Some(program))?;
        let before = self.state.replace(*state);
        if self.is_done() || self.instructions < self.from {
            return Ok(());
        }
        let mut changes = Vec::new();
        if before.is_none_or(|before| before.context != state.context) {
            changes.push(format!("context {:#x}", state.context));
        }
        if before.is_none_or(|before| before.privilege != state.privilege) {
            changes.push(format!("privilege {}", state.privilege));
        }
        changes.extend(state.cause.map(|cause| format!("cause {cause:#x}")));
        if changes.is_empty() {
            return Ok(());
        }
        self.write_exception()?;
        writeln!(self.into, "-- {}", changes.join(", "))
    }

    /// Writes the rest and returns the writer.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self, blocks: &Blocks) -> io::Result<W> {
        if let Some((count, kept)) = self.last_ones.take() {
            self.from = (self.instructions + self.kept_instructions).saturating_sub(count);
            for kept in kept {
                match kept {
                    Kept::Step(step) => self.step(blocks, &step)?,
                    Kept::Gap(gap) => self.gap(&gap)?,
                    Kept::State(state, program) => self.state(&state, program)?,
                }
            }
        }
        self.tell_exception(None)?;
        self.write_exception()?;
        Ok(self.into)
    }

    fn write(&mut self, blocks: &Blocks, step: &Step, before: u64) -> io::Result<()> {
        let (from, end) = (self.from, self.end);
        let event = &step.event;
        if let Some(index) = step.block {
            let start = blocks.get(index).start;
            let addresses = blocks.program_counters(index, event.instructions);
            for (number, address) in (before..).zip(addresses) {
                if number >= from && number < end {
                    let is_last = number + 1 == before + event.instructions;
                    let own = blocks.own_code(index).map(|(bytes, file)| {
                        let at = address.wrapping_sub(start) as usize;
                        let (before, bytes) = bytes.split_at(at.min(bytes.len()));
                        (index, before, bytes, file)
                    });
                    self.instruction(step, number, address, is_last, own)?;
                }
            }
        }
        let is_exception = event.kind == Kind::Exception && event.taken;
        if is_exception && self.instructions >= from && self.instructions < end {
            let what = match step.exception_at {
                _ if step.is_first => "begins".into(),
                None => "exception, continues".into(),
                Some(address) => {
                    let is_fixed = blocks.own_code(step.next).is_none();
                    format!(
                        "exception before {}; continues",
                        self.place(step.program, address, is_fixed)
                    )
                }
            };
            self.exception = Some((event.thread, what, event.target, step.program));
        }
        Ok(())
    }

    /// A place where an exception came, with the instruction there, which has not retired, if the code does not change.
    fn place(&mut self, program: usize, address: u64, is_fixed: bool) -> String {
        let OfProgram { image, disassembler, .. } = &mut self.programs[program];
        let at = format!("{address:x} <{}>", names::spoken(image, address));
        match image.instruction(address) {
            _ if !is_fixed => at,
            Some(_) => format!("{at}: {}", disassembly::line(image, disassembler, address).text),
            None => format!("{at}, where there is no instruction"),
        }
    }

    /// Says where the last exception led, once it is known whether that is another program.
    #[inline]
    fn tell_exception(&mut self, other: Option<usize>) -> io::Result<()> {
        let Some((thread, what, target, program)) = self.exception.take() else { return Ok(()) };
        let at = names::spoken(self.programs[other.unwrap_or(program)].image, target);
        let line = format!("-- thread {thread} {what} at {target:x} <{at}>");
        match &mut self.told {
            Some((told, times)) if *told == line => *times += 1,
            _ => {
                self.write_exception()?;
                self.told = Some((line, 1));
            }
        }
        Ok(())
    }

    /// Writes the line of the last exception, before another line.
    fn write_exception(&mut self) -> io::Result<()> {
        match self.told.take() {
            None => Ok(()),
            Some((line, 1)) => writeln!(self.into, "{line}"),
            Some((line, times)) => writeln!(self.into, "{line}, {times} times in a row"),
        }
    }

    fn instruction(
        &mut self,
        step: &Step,
        number: u64,
        address: u64,
        is_last: bool,
        own: Option<OwnCode<'_>>,
    ) -> io::Result<()> {
        self.write_exception()?;
        let program = step.program;
        let OfProgram { image, disassembler, lines, known } = &mut self.programs[program];
        let block = own.map(|(index, ..)| index);
        let known = known.entry((block, address)).or_insert_with(|| {
            let (line, file) = match own {
                None => (disassembly::line(image, disassembler, address), image.owner_at(address)),
                Some((_, before, bytes, file)) => {
                    let instruction = image.instruction_set().instruction(address, before, bytes);
                    let length = instruction.map_or(0, |instruction| instruction.length.into());
                    let bytes = &bytes[..bytes.len().min(length)];
                    let line = disassembly::line_of(
                        image,
                        disassembler,
                        address,
                        (before, bytes),
                        instruction,
                    );
                    (line, file)
                }
            };
            let byte_address = image.instruction_set().byte_address(address);
            let symbol = file.and_then(|file| image.function_in(file, address));
            Known {
                text: line.to_string(),
                name: names::spoken_in(image, file, address),
                function: symbol.map(|symbol| symbol.address),
                source: lines.spoken(byte_address).filter(|_| file == image.owner_at(address)),
            }
        });
        let event = &step.event;
        let (thread, last_program, function, source) = &self.last;
        let is_same = (*thread, *last_program) == (event.thread, program);
        if !is_same || *function != known.function {
            writeln!(self.into, "thread {}, {}:", event.thread, known.name)?;
        }
        if known.source != *source
            && let Some(source) = &known.source
        {
            writeln!(self.into, "    {source}")?;
        }
        let is_exception = event.kind == Kind::Exception && event.taken;
        let is_flow = is_last && !is_exception && !step.is_trailing;
        let marker = if is_flow { marker(image, event) } else { String::new() };
        writeln!(self.into, "{number:>12}  {}{marker}", known.text)?;
        self.last = (event.thread, program, known.function, known.source.clone());
        Ok(())
    }
}

/// The remark after a control-flow instruction; a direct branch has its target in the text of the instruction.
fn marker(image: &Image, event: &Event) -> String {
    let target = || names::spoken(image, event.target);
    match (event.kind, event.taken) {
        (Kind::Exception, _) => "  ; returned".into(),
        (Kind::IndirectJump | Kind::IndirectConditional, true) => {
            let what = match (event.call, event.is_return) {
                (true, _) => "calls",
                (false, true) => "returns to",
                (false, false) => "goes to",
            };
            format!("  ; {what} {}", target())
        }
        (_, true) if event.call => "  ; call".into(),
        (_, true) => "  ; taken".into(),
        (_, false) => "  ; not taken".into(),
    }
}
