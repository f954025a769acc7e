//! Traces as the commands read them: from files or standard input, with a progress bar.

use std::path::Path;

use anyhow::anyhow;
use tracewright_sim::trace_io::{self, Reader};
use tracewright_verification::Error;
use tracewright_verification::trace::{self, Learned};

use super::failure::usage;
use super::limits;
use super::memory;
use super::paths::is_stdin;
use super::progress::{self, Progress};

/// Opens a trace, `-` being standard input, and counts the bytes read.
///
/// # Errors
/// Those of the trace reader.
pub fn open(path: &Path, progress: &Progress) -> Result<Reader, trace_io::Error> {
    memory::reading(path);
    if is_stdin(path) {
        let mut reader = Reader::named(progress.reader(std::io::stdin()), "<stdin>")?;
        reader.limit(limits::events().of_bytes(0));
        return Ok(reader);
    }
    trace::open(path, limits::events(), progress)
}

/// A progress bar for reading each of these files `times` times.
pub fn progress_of(paths: impl IntoIterator<Item: AsRef<Path>>, passes: u64) -> Progress {
    let bytes = paths
        .into_iter()
        .filter_map(|path| path.as_ref().metadata().ok())
        .map(|metadata| metadata.len())
        .sum::<u64>();
    progress::bar(passes * bytes, "bytes")
}

/// Refuses standard input and pipes as traces that are read twice.
///
/// # Errors
/// When one of the paths is `-` or a pipe.
pub fn rereadable(paths: impl IntoIterator<Item: AsRef<Path>>) -> anyhow::Result<()> {
    for path in paths {
        let path = path.as_ref();
        memory::reading(path);
        if is_stdin(path) {
            return Err(usage(
                "the trace is read twice, so it cannot come from standard input; expected a file",
            ));
        }
        if is_pipe(path) {
            return Err(usage(format_args!(
                "{}: the trace is read twice, so it cannot come from a pipe; expected a file",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Refuses traces of which none has an event, so that there is nothing to measure or compare.
///
/// # Errors
/// When there is none, or a trace cannot be read.
pub fn not_all_empty(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> anyhow::Result<()> {
    let mut names = Vec::new();
    for path in paths {
        let path = path.as_ref();
        if open(path, &Progress::silent())?.next_event()?.is_some() {
            return Ok(());
        }
        names.push(path.display().to_string());
    }
    match names.as_slice() {
        [] => Ok(()),
        [one] => Err(anyhow!("{one}: expected a trace of a program, found one without an event")),
        [one, ..] => {
            let more = names.len() - 1;
            Err(anyhow!(
                "{one} and {more} more: expected traces of programs, found none with an event"
            ))
        }
    }
}

/// True for what can be read only once, such as a pipe; false for what does not exist.
pub fn is_pipe(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Reads a trace to learn its program.
///
/// # Errors
/// When the trace cannot be read or is not of one fixed program.
pub fn learn(path: &Path, progress: &Progress) -> anyhow::Result<Learned> {
    rereadable([path])?;
    match trace::learn(path, u64::MAX, limits::events(), progress) {
        Err(error @ Error::Program { .. }) => Err(anyhow!(
            "{error}; a trace cannot be the program of code that changes: expected --images with the list that capture writes"
        )),
        learned => Ok(learned?),
    }
}
