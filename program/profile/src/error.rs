//! Why a profile cannot be made.

use std::io;
use std::path::PathBuf;

/// Why a profile cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is none of the program's.
    #[error("the program has no file {name}: expected one of {known}")]
    NoSuchFile {
        /// What was asked for.
        name: String,
        /// The files of the program.
        known: String,
    },
    /// Nothing of the file ran.
    #[error("no code of {path} ran: there is nothing to write")]
    NothingRan {
        /// The file.
        path: PathBuf,
    },
    /// The file has no segment with code, so addresses cannot be made relative to it.
    #[error("{path}: expected an ELF file with a segment of code")]
    NoCode {
        /// The file.
        path: PathBuf,
    },
    /// The file has no debugging information.
    #[error(
        "{path}: expected a program with debugging information (-g): a sample profile has lines of source"
    )]
    NoLines {
        /// The file.
        path: PathBuf,
    },
    /// The profile cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}
