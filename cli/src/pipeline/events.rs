//! Reads traces for the commands: opens them with a progress bar, learns their programs, adds lengths of calls.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, anyhow};
use tracewright_sim::event::{Event, Item, Machine};
use tracewright_sim::program::{Program, ProgramBuilder};
use tracewright_sim::trace_io::{self, Extensions, Reader};

use super::failure::usage;
use super::output::is_stdout;
use super::progress::Progress;

/// Opens a trace, `-` being standard input, and counts the bytes read.
///
/// # Errors
/// Those of the trace reader.
pub fn open(path: &Path, progress: &Progress) -> Result<Reader, trace_io::Error> {
    if is_stdout(path) {
        return Reader::named(progress.reader(std::io::stdin()), "<stdin>");
    }
    match File::open(path) {
        Ok(file) => Reader::named(progress.reader(file), &path.display().to_string()),
        // The reader reports a file that cannot be opened.
        Err(_) => Reader::open(path),
    }
}

/// A progress bar for reading each of these files `passes` times.
pub fn progress_of<'a>(paths: impl IntoIterator<Item = &'a Path>, passes: u64) -> Progress {
    let bytes = paths
        .into_iter()
        .filter_map(|path| path.metadata().ok())
        .map(|metadata| metadata.len())
        .sum::<u64>();
    Progress::new(passes * bytes, "bytes")
}

/// A trace that has been read once, and the program learned from it.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The program of the trace.
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
    /// The processor of the trace.
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

    /// Adds to an item the length that a call needs to be encoded.
    #[inline]
    pub fn complete_item(&self, item: Item) -> Item {
        match item {
            Item::Event(event) => Item::Event(self.complete(event)),
            access => access,
        }
    }

    /// True if the reader, at its end, has read the same counts as the first time.
    pub fn is_all_of(&self, reader: &Reader) -> bool {
        let given = (reader.events(), reader.accesses(), reader.instructions());
        given == (self.events, self.accesses, self.instructions)
    }
}

/// Reads at most `limit` events of a trace to learn its program.
///
/// # Errors
/// When the trace cannot be read or is not of one fixed program.
pub fn learn(path: &Path, limit: u64, progress: &Progress) -> anyhow::Result<Learned> {
    if is_stdout(path) {
        return Err(usage(
            "the trace is read twice, so it cannot come from standard input; expected a file",
        ));
    }
    let mut reader = open(path, progress)?;
    let mut builder = ProgramBuilder::new(reader.machine());
    let named = || path.display().to_string();
    while reader.events() < limit {
        let Some(event) = reader.next_event()? else { break };
        builder.event(&event).with_context(named)?;
    }
    Ok(Learned {
        program: builder.finish().with_context(named)?,
        events: reader.events(),
        accesses: reader.accesses(),
        instructions: reader.instructions(),
        extensions: reader.extensions(),
    })
}

/// The error of a trace that was different when it was read again.
pub fn changed(path: &Path) -> anyhow::Error {
    anyhow!("{} changed while it was read", path.display())
}
