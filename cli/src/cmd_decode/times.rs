//! The file of times.

use std::io::Write;

use anyhow::Result;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::scheme::{Design, Encoder};

use super::Arguments;
use crate::pipeline::failure::usage;
use crate::pipeline::output::Output;
use crate::pipeline::paths::OutputFile;

/// Opens the file of time stamps, if --times is given.
pub(super) fn open_times(arguments: &Arguments, design: &Design) -> Result<Option<Output>> {
    let Some(path) = &arguments.times else { return Ok(None) };
    let has_headers = design.protocol().time_bits > 0;
    if !has_headers && !Encoder::new(design)?.is_timed() {
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
