//! Errors as the command line reports them: one sentence and an exit status.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};

use tracewright_exploration as exploration;
use tracewright_sim::{bits_file, trace_io};
use tracewright_verification as verification;
use tracewright_working_set as working_set;

use super::output::Unwritable;
use super::print;

/// Exit status of a failed check, a bad file or a mismatch.
pub const FAILED: u8 = 1;

/// Exit status of bad arguments.
pub const USAGE: u8 = 2;

/// Characters of an error that is printed whole.
const MOST_CHARACTERS: usize = 1000;

/// Exit status of a result with gaps.
pub const INCOMPLETE: u8 = 3;

/// A result with gaps, which has been written nevertheless.
#[derive(Debug)]
struct Incomplete {
    what: String,
    /// All that is there has been decoded.
    is_note: bool,
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl Error for Incomplete {}

/// What an error is called where it is printed: a result with gaps is no error.
pub fn heading(error: &anyhow::Error) -> &'static str {
    let is_note = error.downcast_ref::<Incomplete>().is_some_and(|incomplete| incomplete.is_note);
    if is_note { "note" } else { "error" }
}

/// Makes the error of a result that ends before the trace does, with exit status 3.
pub fn incomplete(message: impl fmt::Display) -> anyhow::Error {
    Incomplete { what: message.to_string(), is_note: false }.into()
}

/// Makes the note on a result with gaps, with exit status 3.
pub fn with_gaps(message: impl fmt::Display) -> anyhow::Error {
    Incomplete { what: message.to_string(), is_note: true }.into()
}

/// An error in the arguments, as opposed to an error while the command runs.
#[derive(Debug)]
struct Usage(String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Usage {}

/// The end of a program by a signal that this command has passed on to it.
#[derive(Debug)]
struct Interrupted {
    signal: i32,
    what: String,
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interrupted by signal {}: {}", self.signal, self.what)
    }
}

impl Error for Interrupted {}

/// Makes the error of a program that a signal has ended, with the status that a shell gives it; `what` says what there
/// is nevertheless.
pub fn interrupted(signal: i32, what: String) -> anyhow::Error {
    Interrupted { signal, what }.into()
}

/// Makes an error of the arguments, with exit status 2.
pub fn usage(message: impl fmt::Display) -> anyhow::Error {
    Usage(message.to_string()).into()
}

/// An error of a run on the board, with the limit that ends the run before what the machine cannot do.
pub fn before_crash(error: anyhow::Error) -> anyhow::Error {
    let limit = error.downcast_ref::<working_set::Error>();
    match limit.and_then(working_set::Error::limit_before) {
        Some(limit) => {
            anyhow::anyhow!("{error}; --limit {limit} keeps what it did until the last jump before")
        }
        None => error,
    }
}

/// The exit status of an error.
pub fn exit_status(error: &anyhow::Error) -> u8 {
    let of_arguments = error.downcast_ref::<verification::Error>().is_some_and(|error| {
        use verification::Error::{Folder, Machine, NoTraces, Synthetic};
        matches!(error, Folder { .. } | Machine { .. } | NoTraces(_) | Synthetic(_))
    });
    let is_search = error.downcast_ref::<exploration::Error>().is_some_and(|error| {
        use exploration::Error as E;
        let is_of_search = matches!(error, E::NothingValid(_) | E::NotResults(_));
        let is_of_classes =
            matches!(error, E::Class { .. } | E::NoClass(_) | E::AllLeftOut | E::NoBaseline);
        let is_of_fit = matches!(error, E::NoScores { .. } | E::Weights { .. });
        let is_of_advice = matches!(error, E::TracesData { .. } | E::Cores { .. });
        let is_of_design = matches!(error, E::Measurement(verification::Error::Machine { .. }));
        is_of_search || is_of_classes || is_of_fit || is_of_advice || is_of_design
    });
    if let Some(interrupted) = error.downcast_ref::<Interrupted>() {
        return 128 + interrupted.signal as u8;
    }
    if error.is::<Incomplete>() {
        return INCOMPLETE;
    }
    if error.is::<Usage>() || of_arguments || is_search { USAGE } else { FAILED }
}

/// The error and its context in one line.
///
/// A damaged encoded file reaches the decoder as a read error. Then only the file's own error is reported. So it is with
/// an output that cannot be written.
pub fn sentence(error: &anyhow::Error) -> String {
    let inner = error.chain().find_map(|cause| {
        cause.downcast_ref::<io::Error>()?.get_ref()?.downcast_ref::<bits_file::Error>()
    });
    let mut unwritable =
        failed_writes(error).filter_map(|failed| failed.get_ref()?.downcast_ref::<Unwritable>());
    let is_limit = error.chain().any(|cause| {
        let problem = trace_error(cause).map(trace_io::Error::problem);
        matches!(problem, Some(trace_io::Problem::TooLong(_)))
    });
    let sentence = match (inner, unwritable.next()) {
        (Some(inner), _) => inner.to_string(),
        (None, Some(unwritable)) => unwritable.to_string(),
        (None, None) => error.chain().fold(String::new(), |said, cause| {
            let cause = cause.to_string();
            match said.is_empty() {
                true => cause,
                // Many an error already says what its cause does, and many a cause what it is of.
                false if said.contains(&cause) => said,
                false if cause.starts_with(&format!("{said} ")) => cause,
                false => format!("{said}: {cause}"),
            }
        }),
    };
    let sentence = shortened(&sentence.split_whitespace().collect::<Vec<_>>().join(" "));
    if is_limit { sentence + "; --max-events sets the limit" } else { sentence }
}

/// A sentence for a terminal: without control characters, and without its middle if it is very long.
fn shortened(sentence: &str) -> String {
    let plain = print::plain(sentence);
    let characters = plain.chars().count();
    if characters <= MOST_CHARACTERS {
        return plain;
    }
    let part = MOST_CHARACTERS / 2;
    let beginning: String = plain.chars().take(part).collect();
    let end: String = plain.chars().skip(characters - part).collect();
    format!("{beginning} [...] {end}")
}

/// True if the reader of standard output has closed the pipe, which is not an error.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    failed_writes(error).any(|failed| failed.kind() == ErrorKind::BrokenPipe)
}

/// The errors of reads and writes in the error.
fn failed_writes(error: &anyhow::Error) -> impl Iterator<Item = &io::Error> {
    error.chain().filter_map(|cause| {
        if let Some(trace) = trace_error(cause) {
            match trace.problem() {
                trace_io::Problem::Write(error) => Some(error),
                _ => None,
            }
        } else if let Some(bits) = cause.downcast_ref::<bits_file::Error>() {
            match &bits.problem {
                bits_file::Problem::Write(error) => Some(error),
                _ => None,
            }
        } else {
            cause.downcast_ref::<io::Error>()
        }
    })
}

/// The error of a trace, as it is or as that of a function on traces.
fn trace_error<'a>(cause: &'a (dyn Error + 'static)) -> Option<&'a trace_io::Error> {
    let measured = match cause.downcast_ref::<exploration::Error>() {
        Some(exploration::Error::Trace(error)) => return Some(error),
        Some(exploration::Error::Measurement(error)) => Some(error),
        _ => cause.downcast_ref::<verification::Error>(),
    };
    match measured {
        Some(verification::Error::Trace(error)) => Some(error),
        _ => cause.downcast_ref::<trace_io::Error>(),
    }
}
