//! The file of times.

use std::io::Write;

use anyhow::Result;
use tracewright_sim::decode::summary::TimeStamp;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::session::Session;

use super::Arguments;
use crate::pipeline::addresses::say;
use crate::pipeline::failure::usage;
use crate::pipeline::output::Output;
use crate::pipeline::paths::OutputFile;

/// Opens the file of time stamps, if --times is given.
pub(super) fn open_times(arguments: &Arguments, design: &Design) -> Result<Option<Output>> {
    let Some(path) = &arguments.times else { return Ok(None) };
    let has_headers = design.protocol().time_bits > 0;
    let terms = Encoder::new(design)?.terms();
    if !has_headers && !terms.has_time_stamps && !terms.times_events {
        return Err(usage(format!(
            "--times: traces of {} have no time stamps, expected a design with time stamps",
            design.name
        )));
    }
    create_times(path, if has_headers { "time" } else { "cycle" }).map(Some)
}

/// Creates a file of times, which have this name in its first line.
pub(super) fn create_times(path: &OutputFile, time: &str) -> Result<Output> {
    let mut output = path.create()?;
    writeln!(output, "core,{time},events")?;
    Ok(output)
}

/// The time stamps of a trace without packets.
pub(super) struct Times {
    file: Option<Output>,
    /// A stamp was only the earliest time that it can be.
    saturates: bool,
}

impl Times {
    /// Stamps go into this file, if there is one.
    pub(super) fn new(file: Option<Output>) -> Self {
        Self { file, saturates: false }
    }

    /// Takes a stamp.
    pub(super) fn add(&mut self, stamp: &TimeStamp) -> Result<()> {
        let TimeStamp { core, clock, events, at_least } = *stamp;
        let Some(file) = &mut self.file else { return Ok(()) };
        if at_least && !self.saturates {
            self.saturates = true;
            say(&format!(
                "the time of event {events} and those after it are the earliest possible: more cycles went by before it than \
                 cycle_bits can hold"
            ));
        }
        writeln!(file, "{core},{clock},{events}")?;
        Ok(())
    }

    /// The file.
    pub(super) fn finish(self) -> Option<Output> {
        self.file
    }
}
