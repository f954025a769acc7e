//! Errors of this crate.

use std::path::PathBuf;

use tracewright_sim::scheme::{DesignError, EncodeError};
use tracewright_sim::trace_io;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No paper has this letter.
    #[error("there is no paper `{0}`: the papers with measurements are a, b, c and e")]
    NoPaper(String),

    /// No table or figure is where the selection says.
    #[error("{wanted} is not one of those that are reproduced: {known}")]
    NoSuchPlace {
        /// What was asked for.
        wanted: String,
        /// Every table and figure of that paper.
        known: String,
    },

    /// Only a paper's tables and figures have numbers.
    #[error("a table or figure needs its paper, as in --paper a --table 2")]
    NumberWithoutPaper,

    /// Nothing can be measured.
    #[error("there is no trace to reproduce the papers with")]
    NoTraces,

    /// A measurement failed.
    #[error(transparent)]
    Measurement(#[from] tracewright_verification::Error),

    /// A trace cannot be read.
    #[error(transparent)]
    Trace(#[from] trace_io::Error),

    /// A design does not exist or breaks a constraint.
    #[error(transparent)]
    Design(#[from] DesignError),

    /// A comparator does not exist.
    #[error(transparent)]
    Comparator(#[from] tracewright_comparators::Unknown),

    /// A design cannot trace an event.
    #[error("{}: {source}", .trace.display())]
    Encode {
        /// The trace.
        trace: PathBuf,
        /// The event and the reason.
        source: EncodeError,
    },

    /// A compressor of the comparison failed.
    #[error("{compressor}: {source}")]
    Compressor {
        /// The compressor.
        compressor: &'static str,
        /// Its error.
        source: std::io::Error,
    },

    /// A page or table could not be written.
    #[error(transparent)]
    Csv(#[from] csv::Error),

    /// The page could not be made.
    #[error(transparent)]
    Page(#[from] minijinja::Error),
}

/// The result of a function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
