//! What can go wrong between Verilog and a figure.

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
        /// Why.
        source: io::Error,
    },

    /// A program refused its input.
    #[error("{tool} fails on `{design}`: {message}")]
    ToolFailed {
        /// The program's name.
        tool: String,
        /// What it worked on.
        design: String,
        /// The first error it printed.
        message: String,
    },

    /// A program takes too long.
    #[error("{tool} is not done with `{design}` after {seconds} s")]
    TimeOut {
        /// The program's name.
        tool: &'static str,
        /// What it worked on.
        design: String,
        /// How long it was given.
        seconds: u64,
    },

    /// A program's output is not what it should be.
    #[error("cannot make sense of what {tool} says of `{design}`: {reason}")]
    Output {
        /// The program's name.
        tool: &'static str,
        /// What it worked on.
        design: String,
        /// What is wrong.
        reason: String,
    },

    /// A cell library is not one.
    #[error("{}: not a usable Liberty library: {reason}", .path.display())]
    Liberty {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },

    /// A file cannot be read or written.
    #[error("{}", .path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl Error {
    /// An error about this path.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::File { path: path.to_path_buf(), source }
    }
}

/// The result of most functions here.
pub type Result<T, E = Error> = std::result::Result<T, E>;
