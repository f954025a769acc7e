//! Errors of synthesis.

use std::io;
use std::path::{Path, PathBuf};

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A program is not installed.
    #[error("`{tool}` is not installed; {remedy}")]
    ToolMissing {
        /// The program's name.
        tool: String,
        /// How to install it.
        remedy: &'static str,
    },

    /// A program is installed but could not be run.
    #[error("`{tool}` could not be run")]
    ToolStart {
        /// The program's name.
        tool: String,
        /// The reason.
        source: io::Error,
    },

    /// A program refused its input.
    #[error("{tool} fails on `{design}`: {message}")]
    ToolFailed {
        /// The program's name.
        tool: String,
        /// The design it worked on.
        design: String,
        /// The first error it printed.
        message: String,
    },

    /// A program did not finish in time.
    #[error("{tool} did not finish `{design}` within {seconds} s of processor time")]
    TimeOut {
        /// The program's name.
        tool: &'static str,
        /// The design it worked on.
        design: String,
        /// The limit of its processor time.
        seconds: u64,
    },

    /// A program's output cannot be read.
    #[error("cannot read the output of {tool} for `{design}`: {reason}")]
    Output {
        /// The program's name.
        tool: &'static str,
        /// The design it worked on.
        design: String,
        /// What is wrong with it.
        reason: String,
    },

    /// A cell library is not valid.
    #[error("{}: not a usable Liberty library: {reason}", .path.display())]
    Liberty {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },

    /// The cache of results cannot be used.
    #[error(transparent)]
    Cache(#[from] tracewright_cache::Error),

    /// A result cannot be written as JSON.
    #[error("cannot keep the result {name}")]
    Result {
        /// The name of its file.
        name: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },

    /// A file cannot be read or written.
    #[error("{}", .path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl Error {
    /// An error about this path.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::File { path: path.to_path_buf(), source }
    }
}

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
