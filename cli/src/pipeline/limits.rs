//! The limits that all commands have.

use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Result, anyhow};
use bytesize::ByteSize;
use clap::Args;
use tracewright_sim::event_limit::EventLimit;

use super::count;
use super::memory;
use super::print::grouped;

/// The options of the limits.
#[derive(Args, Clone, Copy, Debug)]
pub struct Limits {
    /// Fail if more memory than this is needed
    #[arg(
        long,
        global = true,
        value_name = "SIZE",
        default_value = "4GiB",
        help_heading = "Limits"
    )]
    memory: ByteSize,
    /// Fail after this many events of an input, and ten times as many instructions of a working set; the default is a
    /// thousand million events, or a thousand for each byte of the input if that is more
    #[arg(long, global = true, value_name = "N", help_heading = "Limits", value_parser = count::parse)]
    max_events: Option<u64>,
}

static EVENTS: OnceLock<EventLimit> = OnceLock::new();

impl Limits {
    /// Puts the limits into force.
    pub fn enforce(self) {
        memory::limit(self.memory);
        // The command line is read once.
        let _ = EVENTS.set(EventLimit { events: self.max_events });
    }
}

/// The limit on the events of each input.
pub fn events() -> EventLimit {
    EVENTS.get().copied().unwrap_or_default()
}

/// The bytes of a file, 0 for anything else.
pub fn bytes_of(path: &Path) -> u64 {
    path.metadata().ok().filter(|metadata| metadata.is_file()).map_or(0, |metadata| metadata.len())
}

/// Checks the events decoded from a file so far, or the `instructions` of a run.
///
/// # Errors
/// When there are more than `most`.
pub fn check(path: &Path, found: u64, most: u64, what: &str) -> Result<()> {
    match found > most {
        false => Ok(()),
        true => Err(anyhow!(
            "{}: expected at most {} {what}, found more; --max-events sets the limit",
            path.display(),
            grouped(most)
        )),
    }
}
