//! A directory of results that can be made again: compiled models, which are executed, and figures of synthesis, which
//! are printed.
//!
//! Nothing in it is trusted until it is checked. The directory must belong to the user and be writable by nobody else.
//! Every entry has a digest beside it, and an entry that does not match its digest, or that is not a plain file of the
//! user's, is made again.
//!
//! ```
//! use tracewright_cache::{Cache, Error};
//!
//! let folder = tempfile::tempdir()?;
//! let cache = Cache::at(folder.path().join("cache"));
//! let made = cache.get_or_build("answer", |room| -> Result<_, Error> {
//!     std::fs::write(room.join("made"), "42").map_err(Error::of(room))?;
//!     Ok(room.join("made"))
//! })?;
//! assert_eq!(std::fs::read(made)?, b"42");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod digest;
mod directory;
mod error;

use std::env;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

pub use digest::Hash;
pub use error::Error;
use tracewright_interrupt::Temporary;

/// A directory of results, shared by any number of threads and processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// The cache in this directory, which need not exist.
    pub fn at(directory: impl Into<PathBuf>) -> Cache {
        Cache { directory: directory.into() }
    }

    /// The user's cache: `$TRACEWRIGHT_CACHE`, `$XDG_CACHE_HOME/tracewright` or `~/.cache/tracewright`.
    ///
    /// # Errors
    /// When none of these variables is set.
    pub fn of_user() -> Result<Cache, Error> {
        let variable =
            |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        variable("TRACEWRIGHT_CACHE")
            .or_else(|| variable("XDG_CACHE_HOME").map(|path| path.join("tracewright")))
            .or_else(|| variable("HOME").map(|path| path.join(".cache").join("tracewright")))
            .map(Cache::at)
            .ok_or(Error::NoDirectory)
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The cache in a directory of this one.
    pub fn within(&self, name: &str) -> Cache {
        Cache { directory: self.directory.join(name) }
    }

    /// The file of this name, made by `build` if there is none that is good.
    ///
    /// `build` works in a directory of its own and returns the file in it to keep. The file appears under its name
    /// complete or not at all. If several processes need the same file, one builds it and the others wait.
    ///
    /// # Errors
    /// When the directory cannot be trusted or used, and those of `build`.
    pub fn get_or_build<E: From<Error>>(
        &self,
        name: &str,
        build: impl FnOnce(&Path) -> Result<PathBuf, E>,
    ) -> Result<PathBuf, E> {
        directory::prepare(&self.directory)?;
        let path = self.directory.join(name);
        if digest::is_good(&path) {
            return Ok(path);
        }
        let lock_path = self.directory.join(format!("{name}.lock"));
        let _removed = Temporary::registered(lock_path.clone());
        let lock = directory::open_lock(&lock_path)?;
        // On a file system without locks, two processes may build the same file, which takes longer and is not wrong.
        let _ = lock.lock();
        if digest::is_good(&path) {
            return Ok(path);
        }
        let room =
            Temporary::folder_in(&self.directory, ".build-").map_err(Error::of(&self.directory))?;
        let built = build(room.path())?;
        digest::write(&path, &built)?;
        fs::rename(&built, &path).map_err(Error::of(&path))?;
        // A process that waits for the lock finds the file; a lock file that stays does no harm.
        let _ = fs::remove_file(&lock_path);
        Ok(path)
    }

    /// The bytes kept under a name, or `None` if there are none that are good.
    ///
    /// # Errors
    /// When the directory cannot be trusted or used.
    pub fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        directory::prepare(&self.directory)?;
        let path = self.directory.join(name);
        // Read before the check, so that what was checked is what is used.
        let bytes = directory::open_entry(&path).and_then(|mut file| {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut file, &mut bytes).map(|_| bytes)
        });
        Ok(bytes.ok().filter(|bytes| digest::matches(&path, bytes)))
    }

    /// Keeps bytes under a name.
    ///
    /// # Errors
    /// When the directory cannot be trusted or written.
    pub fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        directory::prepare(&self.directory)?;
        let path = self.directory.join(name);
        let mut file = directory::temporary(&self.directory).map_err(Error::of(&path))?;
        file.write_all(bytes).map_err(Error::of(&path))?;
        digest::write(&path, file.path())?;
        file.persist(&path).map_err(Error::of(&path))?;
        Ok(())
    }
}

/// Opens a file without following a link in its last component.
fn open_without_links(path: &Path, options: &mut fs::OpenOptions) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    options.custom_flags(flags.bits() as i32).open(path)
}

#[cfg(test)]
mod tests;
