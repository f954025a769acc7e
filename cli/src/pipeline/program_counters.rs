//! Writes the address of every retired instruction, one per line.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use tracewright_sim::event::Event;
use tracewright_view::{Step, Walker};

use super::failure::usage;
use super::output::Output;
use super::program_files::Followed;

/// The writer of addresses, from events and code.
pub struct ProgramCounters {
    walker: Walker,
    output: BufWriter<Output>,
    /// True if lines begin with the thread.
    threads: bool,
    /// The last event, and the address where its thread continues.
    last: Option<Step>,
}

impl ProgramCounters {
    /// Creates the file; a line has the thread too if there are `threads`.
    ///
    /// # Errors
    /// When the program was learned from a trace and has no instructions, or the file cannot be written.
    pub fn create(path: &Path, followed: &Followed, threads: bool) -> Result<Self> {
        let Followed::Image { image, entry } = followed else {
            return Err(usage("--program-counters needs an ELF file as --program"));
        };
        let entry = entry.unwrap_or(image.entry());
        let code = Arc::clone(image);
        let output = BufWriter::new(Output::create(path)?);
        Ok(Self { walker: Walker::new(code, Some(entry)), output, threads, last: None })
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// When the code cannot produce the event, or the file cannot be written.
    pub fn event(&mut self, event: &Event) -> Result<()> {
        let step = self.walker.step(event)?;
        self.last = Some(step);
        for address in self.walker.program_counters(&step) {
            if self.threads {
                writeln!(self.output, "{} {address:#x}", event.thread)?;
            } else {
                writeln!(self.output, "{address:#x}")?;
            }
        }
        Ok(())
    }

    /// Writes the instructions after the last event and returns the file. For several threads they are not written,
    /// because the trace has only their total number.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self, trailing: u64) -> Result<Output> {
        if let (false, Some(Step { next, .. })) = (self.threads, self.last) {
            for address in self.walker.blocks().program_counters(next, trailing) {
                writeln!(self.output, "{address:#x}")?;
            }
        }
        self.output.into_inner().map_err(|error| error.into_error().into())
    }
}
