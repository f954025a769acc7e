//! Errors of the cache.

use std::io;
use std::path::{Path, PathBuf};

/// The reason why the cache cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or directory of the cache cannot be read or written.
    #[error("the cache cannot be used: {}: {source} (set TRACEWRIGHT_CACHE to another directory)", .path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Another user could have put something into the directory.
    #[error("the cache {} cannot be trusted: {reason} (set TRACEWRIGHT_CACHE to another directory)", .path.display())]
    Untrusted {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no directory to keep results in.
    #[error(
        "no directory for the cache: none of TRACEWRIGHT_CACHE, XDG_CACHE_HOME and HOME is set"
    )]
    NoDirectory,
}

impl Error {
    /// An error of the operating system about this path.
    pub fn of(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::File { path: path.to_path_buf(), source }
    }
}
