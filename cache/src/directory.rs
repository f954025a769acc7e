//! The directory of a cache, its lock files and its entries: none of them may be another user's.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

use tempfile::NamedTempFile;
use tracewright_interrupt::Temporary;

use crate::error::Error;
use crate::open_without_links;

/// Write permission of the group and of everybody else.
const OTHERS_WRITE: u32 = 0o022;

/// Creates the directory for its owner alone, or checks the one that exists.
pub(crate) fn prepare(directory: &Path) -> Result<(), Error> {
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700).create(directory).map_err(Error::of(directory))?;
    let metadata = fs::symlink_metadata(directory).map_err(Error::of(directory))?;
    let refuse = |reason: String| Err(Error::Untrusted { path: directory.to_path_buf(), reason });
    if metadata.is_symlink() {
        // A link of the user's own, as to a larger disk, leads to a directory that is checked instead.
        if metadata.uid() != user() {
            return refuse(format!("it is a link of user {}", metadata.uid()));
        }
        let target = fs::canonicalize(directory).map_err(Error::of(directory))?;
        return prepare(&target);
    }
    if metadata.uid() != user() {
        return refuse(format!("it belongs to user {}", metadata.uid()));
    }
    match metadata.mode() & OTHERS_WRITE {
        0 => Ok(()),
        _ => refuse(format!("others can write to it (mode {:03o})", metadata.mode() & 0o777)),
    }
}

/// A file for its owner alone, which is to become an entry.
pub(crate) fn temporary(directory: &Path) -> io::Result<Temporary<NamedTempFile>> {
    Temporary::file_in(directory, ".new-", Some(0o600))
}

fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Opens a lock file, which is made if it does not exist and never changed.
pub(crate) fn open_lock(path: &Path) -> Result<File, Error> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    open_without_links(path, &mut options).map_err(Error::of(path))
}

/// Opens an entry for reading, if it is a plain file that only the user can have written.
pub(crate) fn open_entry(path: &Path) -> io::Result<File> {
    let file = open_without_links(path, OpenOptions::new().read(true))?;
    let metadata = file.metadata()?;
    let is_own = metadata.uid() == user() && metadata.mode() & OTHERS_WRITE == 0;
    match metadata.is_file() && is_own {
        true => Ok(file),
        false => Err(io::ErrorKind::PermissionDenied.into()),
    }
}
