//! Errors of this crate.

use std::io;
use std::path::{Path, PathBuf};

use tracewright_sim::scheme::DesignError;
use tracewright_sim::trace_io;
use tracewright_verification as verification;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A search file is not one.
    #[error("{}{}: {what}", .path.display(), .line.map_or(String::new(), |line| format!(", line {line}")))]
    Search {
        /// The file.
        path: PathBuf,
        /// The line, if the error has one.
        line: Option<usize>,
        /// What was expected.
        what: String,
    },

    /// No combination of parameters in a space is a design.
    #[error("no configuration of the space is valid; the first is refused because {0}")]
    NothingValid(String),

    /// A design has weights, which decide what is predicted, instead of scores.
    #[error("{design}: expected a design with scores, found one with additive = true")]
    Weights {
        /// The design.
        design: String,
    },

    /// A design has no score tables to be fitted.
    #[error("{design}: expected a design of the scheme talon, found one of {scheme}")]
    NoScores {
        /// The design.
        design: String,
        /// Its scheme.
        scheme: &'static str,
    },

    /// A trace lacks what the designs trace.
    #[error("{}: the trace has no memory accesses, which {design} traces", .path.display())]
    NoAccesses {
        /// The trace.
        path: PathBuf,
        /// The design.
        design: String,
    },

    /// A design cannot be made of its parameters.
    #[error(transparent)]
    Design(#[from] DesignError),

    /// A trace cannot be read.
    #[error(transparent)]
    Trace(#[from] trace_io::Error),

    /// A design cannot be measured on a trace.
    #[error(transparent)]
    Measurement(#[from] verification::Error),

    /// A trace is not what it was when the search began.
    #[error("{} changed while the search was running", .0.display())]
    Changed(PathBuf),

    /// A file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },

    /// A file cannot be written.
    #[error("cannot write {}: {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },

    /// A results folder was written by another version of the command.
    #[error(
        "{}: the results are of {found}, and this is {expected}; choose another folder",
        .path.display()
    )]
    Version {
        /// The results folder.
        path: PathBuf,
        /// The version that wrote it.
        found: String,
        /// This version.
        expected: String,
    },

    /// A folder has files, but not those of results.
    #[error("{}: expected an empty folder or the results of a search, found other files", .0.display())]
    NotResults(PathBuf),

    /// Another process writes to the same results folder.
    #[error("{}: another process writes results to this folder", .0.display())]
    Busy(PathBuf),

    /// A file of results is damaged.
    #[error("{}{}: {what}", .path.display(), .line.map_or(String::new(), |line| format!(", line {line}")))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, for a file of lines.
        line: Option<usize>,
        /// What is wrong.
        what: String,
    },

    /// Results that do not belong together.
    #[error("{}: {what}", .path.display())]
    Merge {
        /// The results folder.
        path: PathBuf,
        /// What was expected.
        what: String,
    },

    /// A result cannot be written as text.
    #[error("cannot write results as text: {0}")]
    Text(String),
}

impl Error {
    /// Makes the error of a file that cannot be read.
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Error + use<> {
        let path = path.to_owned();
        move |source| Error::Read { path, source }
    }

    /// Makes the error of a file that cannot be written.
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Error + use<> {
        let path = path.to_owned();
        move |source| Error::Write { path, source }
    }
}

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
