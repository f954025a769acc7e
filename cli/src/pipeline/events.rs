//! Traces as the commands read them: from files or standard input, with a progress bar.

use std::path::Path;

use tracewright_sim::trace_io::{self, Reader};
use tracewright_verification::trace::{self, Learned};

use super::failure::usage;
use super::output::is_stdout;
use super::progress::{self, Progress};

/// Opens a trace, `-` being standard input, and counts the bytes read.
///
/// # Errors
/// Those of the trace reader.
pub fn open(path: &Path, progress: &Progress) -> Result<Reader, trace_io::Error> {
    if is_stdout(path) {
        return Reader::named(progress.reader(std::io::stdin()), "<stdin>");
    }
    trace::open(path, progress)
}

/// A progress bar for reading each of these files `times` times.
pub fn progress_of<'a>(paths: impl IntoIterator<Item = &'a Path>, passes: u64) -> Progress {
    let bytes = paths
        .into_iter()
        .filter_map(|path| path.metadata().ok())
        .map(|metadata| metadata.len())
        .sum::<u64>();
    progress::bar(passes * bytes, "bytes")
}

/// Refuses standard input as a trace that is read twice.
///
/// # Errors
/// When one of the paths is `-`.
pub fn rereadable<'a>(paths: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<()> {
    match paths.into_iter().any(is_stdout) {
        true => Err(usage(
            "the trace is read twice, so it cannot come from standard input; expected a file",
        )),
        false => Ok(()),
    }
}

/// Reads a trace to learn its program.
///
/// # Errors
/// When the trace cannot be read or is not of one fixed program.
pub fn learn(path: &Path, progress: &Progress) -> anyhow::Result<Learned> {
    rereadable([path])?;
    Ok(trace::learn(path, u64::MAX, progress)?)
}
