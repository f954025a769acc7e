//! Traces that are read more than once: first to learn the program, then to run.

mod addresses;
mod blocks;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use tracewright_sim::event::{Event, Item, Machine};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::program::{CallLengths, Program, ProgramBuilder};
use tracewright_sim::scheme::Design;
use tracewright_sim::trace_io::{self, Extensions, Learner, Reader, Repeated};

use crate::error::{Error, Result};
use crate::progress::Progress;
pub use addresses::Addresses;
pub use blocks::{Blocks, Prepare};

/// Opens a trace, from which at most `limit` records are taken, and reports the bytes read.
///
/// # Errors
/// Those of the trace reader.
pub fn open(
    path: &Path,
    limit: EventLimit,
    progress: &Progress,
) -> Result<Reader, trace_io::Error> {
    let Ok(file) = File::open(path) else {
        // The reader reports a file that cannot be opened.
        return Reader::open(path);
    };
    let bytes = file.metadata().map_or(0, |metadata| metadata.len());
    let mut reader = Reader::named(progress.reader(file), &path.display().to_string())?;
    reader.limit(limit.of_bytes(bytes));
    Ok(reader)
}

/// A trace that has been read once.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The program that was traced.
    pub program: Arc<Program>,
    /// Events in the trace.
    pub events: u64,
    /// Memory accesses in the trace.
    pub accesses: u64,
    /// Instructions in the trace.
    pub instructions: u64,
    /// The extensions of the format that the trace uses.
    pub extensions: Extensions,
    /// By thread: the events, accesses and instructions of each.
    pub threads: Vec<Counts>,
}

/// What a thread has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events.
    pub events: u64,
    /// Memory accesses.
    pub accesses: u64,
    /// Instructions.
    pub instructions: u64,
}

impl Counts {
    /// Counts an item in the entry of its thread.
    pub(crate) fn add(threads: &mut Vec<Counts>, item: &Item) {
        let thread = usize::from(item.thread());
        if thread >= threads.len() {
            threads.resize_with(thread + 1, Counts::default);
        }
        let counts = &mut threads[thread];
        match item {
            Item::Event(event) => {
                counts.events += 1;
                counts.instructions += event.instructions;
            }
            Item::Access(_) => counts.accesses += 1,
            Item::State(_) | Item::Cycles(_) => {}
        }
    }
}

impl Learned {
    fn of(program: Program, extensions: Extensions, threads: Vec<Counts>) -> Self {
        let sum = |of: fn(&Counts) -> u64| threads.iter().map(of).sum();
        Self {
            program: Arc::new(program),
            events: sum(|counts| counts.events),
            accesses: sum(|counts| counts.accesses),
            instructions: sum(|counts| counts.instructions),
            extensions,
            threads,
        }
    }

    /// What is known of one thread: its counts, and the program of all.
    pub(crate) fn of_thread(&self, thread: u8) -> Self {
        let Counts { events, accesses, instructions } =
            self.threads.get(usize::from(thread)).copied().unwrap_or_default();
        Self { events, accesses, instructions, ..self.clone() }
    }

    /// The processor that was traced.
    pub fn machine(&self) -> Machine {
        self.program.machine()
    }

    /// Adds to an event the length that a call needs to be encoded.
    #[inline]
    pub fn complete(&self, mut event: Event) -> Event {
        if event.call && event.length == 0 {
            event.length = self.program.call_length(event.program_counter).unwrap_or(0);
        }
        event
    }

    /// The item; an event gets the length that a call needs to be encoded.
    #[inline]
    pub fn complete_item(&self, item: Item) -> Item {
        match item {
            Item::Event(event) => Item::Event(self.complete(event)),
            other => other,
        }
    }
}

/// The lengths of a trace's calls: all that an encoder needs to know besides the events. And what was seen where the
/// trace was read for them.
#[derive(Clone, Debug)]
pub struct Calls {
    lengths: Option<CallLengths>,
    /// Events, accesses and instructions, if the trace was read for the lengths.
    counts: Option<(u64, u64, u64)>,
    /// The addresses of its code, if the trace was read for the lengths.
    code: Option<Addresses>,
    /// The program, from which all events get their lengths.
    program: Option<Arc<Program>>,
}

impl Calls {
    /// The same for a trace whose program is known, from which all events get their lengths, and not only calls.
    #[must_use]
    pub fn of_program(self, program: Program) -> Self {
        Self { program: Some(Arc::new(program)), ..self }
    }

    /// The event with the length that a call needs to be encoded, or that its program knows.
    #[inline]
    pub fn complete(&self, event: Event) -> Event {
        let event = match &self.program {
            Some(program) => program.with_length(event),
            None => event,
        };
        match &self.lengths {
            Some(lengths) => lengths.complete(event),
            None => event,
        }
    }

    /// What the trace says about a design: known from the addresses of code, if the trace was read for the lengths, or
    /// read from it.
    ///
    /// # Errors
    /// When the trace cannot be read.
    pub fn addresses(&self, path: &Path, design: &Design, limit: EventLimit) -> Result<Addresses> {
        match self.code(std::slice::from_ref(design)) {
            Some(code) => Ok(code),
            None => Addresses::of(path, [design].into_iter(), limit),
        }
    }

    /// All that the trace says about designs, if it was read for the lengths and none of them traces data.
    pub fn code(&self, designs: &[Design]) -> Option<Addresses> {
        self.code.filter(|_| !designs.iter().any(Design::traces_data))
    }

    /// Fails unless the reader, at its end, has read as much as the first time.
    ///
    /// # Errors
    /// When it has not.
    pub fn check(&self, path: &Path, reader: &Reader) -> Result<()> {
        let counts = (reader.events(), reader.accesses(), reader.instructions());
        match self.counts.is_none_or(|first| first == counts) {
            true => Ok(()),
            false => Err(Error::Changed(path.into())),
        }
    }
}

/// Completes the events.
impl Prepare for Calls {
    fn begin(&mut self, reader: &mut Reader) {
        if let (Some(lengths), None) = (&self.lengths, &self.program) {
            reader.complete_calls(lengths.clone());
        }
    }

    fn prepare(&mut self, items: &mut [Item]) {
        for item in items.iter_mut().filter(|_| self.program.is_some()) {
            if let Item::Event(event) = item {
                *event = self.complete(*event);
            }
        }
    }
}

/// What is learned of a trace before it is encoded.
struct FirstLook {
    lengths: CallLengths,
    code: Addresses,
}

impl Learner for FirstLook {
    type Error = trace_io::Error;

    fn item(&mut self, item: &Item) -> std::result::Result<(), trace_io::Error> {
        self.lengths.items(std::slice::from_ref(item));
        self.code.code(item);
        Ok(())
    }

    fn repeated(&mut self, _: &Repeated) {}

    /// Where code changes, the last call at an address counts.
    fn takes_each(&self, event: &Event) -> bool {
        event.call
    }
}

/// Opens a trace to encode it. A trace that has no lengths of calls is read once to infer them, and opened again; of
/// another, a pass over the file counts as done in `progress`.
///
/// # Errors
/// When the trace cannot be read.
pub fn open_for_encoding<E: From<trace_io::Error>>(
    path: &Path,
    progress: &Progress,
    mut open: impl FnMut() -> Result<Reader, E>,
) -> Result<(Calls, Reader), E> {
    let mut reader = open()?;
    if reader.extensions().lengths {
        progress.add(path.metadata().map_or(0, |metadata| metadata.len()));
        return Ok((Calls { lengths: None, counts: None, code: None, program: None }, reader));
    }
    let lengths = CallLengths::new(reader.machine());
    let mut look = FirstLook { lengths, code: Addresses::default() };
    reader.learn(&mut look)?;
    let FirstLook { lengths, code } = look;
    let counts = (reader.events(), reader.accesses(), reader.instructions());
    let (lengths, counts, code) = (Some(lengths), Some(counts), Some(code));
    Ok((Calls { lengths, counts, code, program: None }, open()?))
}

/// Reads the first events of a trace to learn its program. `progress` is in bytes.
///
/// # Errors
/// When the trace cannot be read or is not of one fixed program.
pub fn learn(path: &Path, first: u64, limit: EventLimit, progress: &Progress) -> Result<Learned> {
    let mut reader = open(path, limit, progress)?;
    let extensions = reader.extensions();
    let mut builder = ProgramBuilder::new(reader.machine());
    let of_program = Error::program(|| path.display().to_string());
    let threads = if first == u64::MAX {
        let mut learning = Learning { builder, threads: Vec::new(), path };
        reader.learn(&mut learning)?;
        builder = learning.builder;
        learning.threads
    } else {
        first_events(reader, first, |event| builder.event(event).map_err(&of_program))?
    };
    let program = builder.finish().map_err(&of_program)?;
    Ok(Learned::of(program, extensions, threads))
}

/// What is learned of a whole trace.
struct Learning<'p> {
    builder: ProgramBuilder,
    threads: Vec<Counts>,
    path: &'p Path,
}

impl Learner for Learning<'_> {
    type Error = Error;

    fn item(&mut self, item: &Item) -> Result<()> {
        Counts::add(&mut self.threads, item);
        match item {
            Item::Event(event) => {
                let of_program = Error::program(|| self.path.display().to_string());
                self.builder.event(event).map_err(of_program)
            }
            Item::Access(_) | Item::State(_) | Item::Cycles(_) => Ok(()),
        }
    }

    fn repeated(&mut self, repeated: &Repeated) {
        if let Some(counts) = self.threads.get_mut(usize::from(repeated.last.thread)) {
            counts.events += repeated.events;
            counts.instructions += repeated.instructions;
        }
        self.builder.pass_over(repeated.events, &repeated.last);
    }
}

/// Reads the first events of a trace that is not of one fixed program: the lengths of its calls, and a program of no
/// code. `progress` is in bytes.
///
/// # Errors
/// When the trace cannot be read.
pub(crate) fn learn_calls(
    path: &Path,
    first: u64,
    limit: EventLimit,
    progress: &Progress,
) -> Result<(Learned, CallLengths)> {
    let reader = open(path, limit, progress)?;
    let extensions = reader.extensions();
    let mut lengths = CallLengths::new(reader.machine());
    let nothing = ProgramBuilder::new(reader.machine());
    let threads = first_events(reader, first, |event| {
        lengths.event(event);
        Ok(())
    })?;
    let program = nothing.finish().map_err(Error::program(|| path.display().to_string()))?;
    Ok((Learned::of(program, extensions, threads), lengths))
}

/// Reads so many events, and what is between them; gives what each thread has.
fn first_events(
    reader: Reader,
    first: u64,
    mut learn: impl FnMut(&Event) -> Result<()>,
) -> Result<Vec<Counts>> {
    let (mut threads, mut events) = (Vec::new(), 0);
    let mut blocks = Blocks::new(reader);
    while events < first
        && let Some(block) = blocks.next_block()?
    {
        for item in block {
            if events == first {
                break;
            }
            Counts::add(&mut threads, item);
            if let Item::Event(event) = item {
                learn(event)?;
                events += 1;
            }
        }
    }
    Ok(threads)
}

/// Adapts the design to the machine of a trace.
///
/// # Errors
/// When a parameter was set for another machine.
pub fn design_for(design: &Design, machine: Machine) -> Result<Design> {
    let name = || design.name.clone();
    design.for_machine(machine).map_err(|source| Error::Machine { design: name(), source })
}
