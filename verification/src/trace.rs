//! Traces that are read more than once: first to learn the program, then to run.

use std::fs::File;
use std::path::Path;

use tracewright_sim::event::{Event, Item, Machine};
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::program::{CallLengths, Program, ProgramBuilder};
use tracewright_sim::scheme::Design;
use tracewright_sim::trace_io::{self, Extensions, Reader};

use crate::error::{Error, Result};
use crate::progress::Progress;

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
    pub program: Program,
    /// Events in the trace.
    pub events: u64,
    /// Memory accesses in the trace.
    pub accesses: u64,
    /// Instructions in the trace.
    pub instructions: u64,
    /// The extensions of the format that the trace uses.
    pub extensions: Extensions,
}

impl Learned {
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

/// The lengths of a trace's calls: all that an encoder needs to know besides the events.
#[derive(Clone, Debug)]
pub struct Calls {
    lengths: Option<CallLengths>,
    /// Events, accesses and instructions, if the trace was read for the lengths.
    counts: Option<(u64, u64, u64)>,
}

impl Calls {
    /// The item; an event gets the length that a call needs to be encoded.
    #[inline]
    pub fn complete(&self, item: Item) -> Item {
        match (item, &self.lengths) {
            (Item::Event(event), Some(lengths)) => Item::Event(lengths.complete(event)),
            (item, _) => item,
        }
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
        return Ok((Calls { lengths: None, counts: None }, reader));
    }
    let mut lengths = CallLengths::new(reader.machine());
    while let Some(event) = reader.next_event()? {
        lengths.event(&event);
    }
    let counts = (reader.events(), reader.accesses(), reader.instructions());
    Ok((Calls { lengths: Some(lengths), counts: Some(counts) }, open()?))
}

/// Reads the first events of a trace to learn its program. `progress` is in bytes.
///
/// # Errors
/// When the trace cannot be read or is not of one fixed program.
pub fn learn(path: &Path, first: u64, limit: EventLimit, progress: &Progress) -> Result<Learned> {
    let mut reader = open(path, limit, progress)?;
    let mut builder = ProgramBuilder::new(reader.machine());
    let of_program = Error::program(|| path.display().to_string());
    while reader.events() < first {
        let Some(event) = reader.next_event()? else { break };
        builder.event(&event).map_err(&of_program)?;
    }
    Ok(Learned {
        program: builder.finish().map_err(&of_program)?,
        events: reader.events(),
        accesses: reader.accesses(),
        instructions: reader.instructions(),
        extensions: reader.extensions(),
    })
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
    let mut reader = open(path, limit, progress)?;
    let mut lengths = CallLengths::new(reader.machine());
    while reader.events() < first {
        let Some(event) = reader.next_event()? else { break };
        lengths.event(&event);
    }
    let nothing = ProgramBuilder::new(reader.machine());
    let learned = Learned {
        program: nothing.finish().map_err(Error::program(|| path.display().to_string()))?,
        events: reader.events(),
        accesses: reader.accesses(),
        instructions: reader.instructions(),
        extensions: reader.extensions(),
    };
    Ok((learned, lengths))
}

/// The bits that the addresses of a trace have, all addresses together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Addresses {
    code: u64,
    data: u64,
}

impl Addresses {
    /// Reads a trace until it is known which of these designs widen for it: nothing of it where none can.
    ///
    /// # Errors
    /// When the trace cannot be read.
    pub fn of<'a>(
        path: &Path,
        designs: impl Iterator<Item = &'a Design> + Clone,
        limit: EventLimit,
    ) -> Result<Addresses> {
        let mut all = Addresses::default();
        let mut reader = open(path, limit, &Progress::silent())?;
        if reader.machine().address_bits <= 32 {
            return Ok(all);
        }
        let everything = Addresses { code: u64::MAX, data: u64::MAX };
        let widening = |all: &Addresses| designs.clone().filter(|one| all.widen(one)).count();
        let most = widening(&everything);
        while widening(&all) < most {
            // Most items have no new bits, and are not worth a look at the designs.
            let seen = all;
            while all == seen {
                let Some(item) = reader.next_item()? else { return Ok(all) };
                all.add(&item);
            }
        }
        Ok(all)
    }

    /// Adds those of an event or access.
    #[inline]
    pub fn add(&mut self, item: &Item) {
        match item {
            Item::Event(event) => self.code |= event.program_counter | event.target,
            Item::Access(access) => self.data |= access.site.program_counter | access.address,
            Item::State(_) => {}
        }
    }

    /// True if the model of a design widens for them.
    pub fn widen(&self, design: &Design) -> bool {
        design.widens_for(self.of_design(design))
    }

    /// The design for a model of it.
    pub fn fit(&self, design: Design) -> Design {
        let addresses = self.of_design(&design);
        design.widened_for(addresses)
    }

    fn of_design(&self, design: &Design) -> u64 {
        if design.traces_data() { self.code | self.data } else { self.code }
    }
}

/// Adapts the design to the machine of a trace.
///
/// # Errors
/// When a parameter was set for another machine.
pub fn design_for(design: &Design, machine: Machine) -> Result<Design> {
    let name = || design.name.clone();
    design.for_machine(machine).map_err(|source| Error::Machine { design: name(), source })
}
