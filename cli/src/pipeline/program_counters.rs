//! Writes the address of every retired instruction, one per line. A line that begins with `#` says what is between
//! them: a gap, or an exception before an instruction, which did not retire.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use tracewright_image::Image;
use tracewright_sim::code::Code;
use tracewright_sim::event::{Event, ExecutionState};
use tracewright_sim::packet::part::Gap;
use tracewright_view::address_lines::AddressLines;
use tracewright_view::{Step, Walker};

use super::aside::{Aside, Ended};
use super::contexts::Contexts;
use super::failure::usage;
use super::output::Output;
use super::paths::OutputFile;
use super::program_files::Followed;

/// The writer of addresses, from events and code, in a thread of its own.
pub struct ProgramCounters {
    /// `None` after an error.
    lines: Option<Aside<Told, Lines, anyhow::Error>>,
}

/// What the writer is told.
enum Told {
    Event(Event),
    State(ExecutionState),
    Gap(Box<Gap>),
}

impl ProgramCounters {
    /// Creates the file; a line has the thread too if there are `threads`.
    ///
    /// # Errors
    /// When the program was learned from a trace and has no instructions, or the file cannot be written.
    pub fn create(
        path: &OutputFile,
        contexts: &Contexts,
        threads: bool,
        cause_bits: u32,
    ) -> Result<Self> {
        let lines = Lines::create(path, contexts, threads, cause_bits)?;
        let take =
            |lines: &mut Lines, told: &[Told]| told.iter().try_for_each(|one| lines.take(one));
        Ok(Self { lines: Some(Aside::new(lines, take)) })
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// When the code cannot produce an event before, or the file cannot be written.
    #[inline]
    pub fn event(&mut self, event: &Event) -> Result<()> {
        self.tell(Told::Event(*event))
    }

    /// Takes in what the execution goes on, which may say why the last exception was taken.
    ///
    /// # Errors
    /// Those of [`event`](Self::event).
    pub fn state(&mut self, state: &ExecutionState) -> Result<()> {
        self.tell(Told::State(*state))
    }

    /// Takes a place where the execution is not known.
    ///
    /// # Errors
    /// Those of [`event`](Self::event).
    pub fn gap(&mut self, gap: &Gap) -> Result<()> {
        self.tell(Told::Gap(Box::new(gap.clone())))
    }

    #[inline]
    fn tell(&mut self, told: Told) -> Result<()> {
        match self.lines.as_mut().map(|lines| lines.push(told)) {
            Some(Err(Ended)) => self.lines.take().map_or(Ok(()), |lines| lines.finish().1),
            _ => Ok(()),
        }
    }

    /// True after an error.
    pub fn has_failed(&self) -> bool {
        self.lines.is_none()
    }

    /// Writes the instructions after the last event and returns the file.
    ///
    /// # Errors
    /// Those of [`event`](Self::event).
    pub fn finish(self, trailing: u64) -> Result<Output> {
        let lines = self.lines.ok_or_else(|| anyhow!("the program counters cannot be written"))?;
        let (lines, result) = lines.finish();
        result.and_then(|()| lines.finish(trailing))
    }
}

/// What makes lines of events.
struct Lines {
    walker: Walker,
    /// The programs, the first of which is that of all contexts without one of their own.
    images: Vec<Arc<Image>>,
    /// The numbers of the programs of contexts.
    own: HashMap<u64, usize>,
    output: AddressLines<Output>,
    /// True if lines begin with the thread.
    threads: bool,
    /// The last event, and the address where its thread continues.
    last: Option<Step>,
    /// The thread and place of an exception whose cause the trace may say next.
    exception: Option<(u8, u64)>,
    /// Width of causes, whose highest bit marks an interrupt; 0 if the trace has none.
    cause_bits: u32,
}

impl Lines {
    fn create(
        path: &OutputFile,
        contexts: &Contexts,
        threads: bool,
        cause_bits: u32,
    ) -> Result<Self> {
        let own = contexts.own.iter().map(|own| &own.followed);
        let programs = std::iter::once(&contexts.other).chain(own).map(|followed| match followed {
            Followed::Image { image, entry } => Ok((image, entry.unwrap_or(image.entry()))),
            Followed::Learned(_) => Err(usage("--program-counters needs an ELF file as --program")),
        });
        let programs: Vec<(&Arc<Image>, u64)> = programs.collect::<Result<_>>()?;
        let code = programs.iter().map(|(image, entry)| -> (Arc<dyn Code>, Option<u64>) {
            (Arc::<Image>::clone(image), Some(*entry))
        });
        let own: HashMap<u64, usize> =
            contexts.own.iter().enumerate().map(|(place, own)| (own.context, place + 1)).collect();
        let mut walker = Walker::of_programs(code);
        walker.go_on_in(own.get(&0).copied().unwrap_or(0));
        Ok(Self {
            walker,
            images: programs.iter().map(|(image, _)| Arc::clone(image)).collect(),
            own,
            output: AddressLines::new(path.create()?),
            threads,
            last: None,
            exception: None,
            cause_bits,
        })
    }

    fn take(&mut self, told: &Told) -> Result<()> {
        match told {
            Told::Event(event) => self.event(event),
            Told::State(state) => self.state(state),
            Told::Gap(gap) => self.gap(gap),
        }
    }

    fn event(&mut self, event: &Event) -> Result<()> {
        self.tell_exception(None)?;
        let step = self.walker.step(event)?;
        self.last = Some(step);
        for address in self.walker.program_counters(&step) {
            if self.threads {
                write!(self.output, "{} ", event.thread)?;
            }
            self.output.address(address)?;
        }
        self.exception = step.exception_at.map(|address| (event.thread, address));
        Ok(())
    }

    fn state(&mut self, state: &ExecutionState) -> Result<()> {
        self.tell_exception(state.cause)?;
        self.go_on_in(state.context);
        Ok(())
    }

    fn go_on_in(&mut self, context: u64) {
        self.walker.go_on_in(self.own.get(&context).copied().unwrap_or(0));
    }

    fn gap(&mut self, gap: &Gap) -> Result<()> {
        self.tell_exception(None)?;
        self.trail(gap.trailing_instructions)?;
        writeln!(self.output, "# gap at bit {}: {}", gap.bits.start, gap.reason)?;
        self.go_on_in(gap.context);
        self.walker.gap(gap.goes_on);
        self.last = None;
        Ok(())
    }

    /// Writes what is known of the last exception. Its highest bit says of a cause that it is an interrupt's.
    fn tell_exception(&mut self, cause: Option<u64>) -> Result<()> {
        let Some((thread, address)) = self.exception.take() else { return Ok(()) };
        let is_interrupt =
            |cause: u64| self.cause_bits > 1 && cause >> (self.cause_bits - 1) & 1 == 1;
        let what = match cause {
            Some(cause) if is_interrupt(cause) => format!("interrupt {cause:#x} before"),
            Some(cause) => format!("attempted, cause {cause:#x}:"),
            None => "exception before".into(),
        };
        let code = match self.images[self.walker.program()].instruction(address) {
            Some(_) => "",
            None => ", where there is no instruction",
        };
        let thread = if self.threads { format!("thread {thread}: ") } else { String::new() };
        writeln!(self.output, "# {thread}{what} {address:#x}{code}")?;
        Ok(())
    }

    /// Writes the instructions after the last event. For several threads they are not written, because the trace has
    /// only their total number.
    fn trail(&mut self, trailing: u64) -> Result<()> {
        if self.threads {
            return Ok(());
        }
        if let Some(step) = self.walker.trail(trailing) {
            for address in self.walker.program_counters(&step) {
                self.output.address(address)?;
            }
        }
        Ok(())
    }

    fn finish(mut self, trailing: u64) -> Result<Output> {
        self.tell_exception(None)?;
        self.trail(trailing)?;
        Ok(self.output.finish()?)
    }
}
