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

    /// A class of traces is none.
    #[error("{}: {what}", .path.display())]
    Class {
        /// The trace, or the path that was to have traces.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },

    /// A class that is to be left out does not exist.
    #[error("no class is called {0}, which is to be left out")]
    NoClass(String),

    /// Every class is left out.
    #[error("every trace is left out: expected one to choose designs by")]
    AllLeftOut,

    /// Ratios to a baseline without one.
    #[error("a ratio is an objective, and there are several presets: expected a baseline")]
    NoBaseline,

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

    /// There is no trace to choose a design by.
    #[error("expected a trace, found none")]
    NoTraces,

    /// A trace has no instruction to choose a design by.
    #[error("{}: expected a trace of a program, found one without an instruction", .0.display())]
    Empty(PathBuf),

    /// A design does not trace control flow.
    #[error(
        "{design}: expected a design that traces control flow, found one that traces data addresses"
    )]
    TracesData {
        /// The design.
        design: String,
    },

    /// A design traces fewer cores than the traces have.
    #[error(
        "{design} traces {has} core{}, and the traces are of {needed}: expected a design for {needed} cores",
        if *has == 1 { "" } else { "s" }
    )]
    Cores {
        /// The design.
        design: String,
        /// Cores that it traces.
        has: u32,
        /// Cores of the traces.
        needed: u32,
    },

    /// No design is within a budget.
    #[error(
        "no design is within{}{}{}: the smallest, {smallest}, has {smallest_gates:.0} GE, and {fewest} has the fewest bits per \
         instruction, {fewest_bits:.4}",
        .gates.map_or(String::new(), |gates| format!(" {gates} GE")),
        if gates.is_some() && bits.is_some() { " and" } else { "" },
        .bits.map_or(String::new(), |bits| format!(" {bits} bits per instruction"))
    )]
    NothingFits {
        /// The most gate equivalents.
        gates: Option<f64>,
        /// The most bits per instruction.
        bits: Option<f64>,
        /// The design of the fewest gates.
        smallest: String,
        /// Its gate equivalents.
        smallest_gates: f64,
        /// The design of the fewest bits.
        fewest: String,
        /// Its bits per instruction.
        fewest_bits: f64,
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

    /// A design cannot trace a synthetic program.
    #[error("a synthetic program: {0}")]
    Adversary(String),

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
