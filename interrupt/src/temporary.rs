//! Files and folders that are removed when this process is interrupted.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempDir};

use crate::{left, registry};

/// The permissions of a file that others may read, less the user's mask.
const PLAIN: u32 = 0o666;

/// A file or folder that is removed when it is dropped or the process is interrupted.
#[derive(Debug)]
pub struct Temporary<T> {
    // Dropped before the entry, which is what removes it.
    inner: T,
    entry: Entry,
    /// The lock of a folder. A file has its own.
    _lock: Option<File>,
}

/// The entry in the registry.
#[derive(Debug)]
struct Entry(PathBuf);

impl Drop for Entry {
    fn drop(&mut self) {
        registry::lock().paths.remove(&self.0);
    }
}

impl<T> Temporary<T> {
    /// Makes something and registers its path.
    fn make(
        make: impl FnOnce() -> io::Result<T>,
        path: impl Fn(&T) -> &Path,
    ) -> io::Result<Temporary<T>> {
        let mut registry = registry::lock();
        let inner = make()?;
        let path = path(&inner).to_path_buf();
        registry.paths.insert(path.clone());
        Ok(Temporary { inner, entry: Entry(path), _lock: None })
    }
}

impl Temporary<TempDir> {
    /// An empty folder in another, for its owner alone.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn folder_in(folder: &Path, prefix: &str) -> io::Result<Self> {
        left::collect(folder, prefix);
        let make = || Builder::new().prefix(prefix).tempdir_in(folder);
        let made = Self::make(make, TempDir::path)?;
        Ok(Temporary { _lock: left::lock(made.path()), ..made })
    }

    /// An empty folder in the system's folder for temporary files.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn folder() -> io::Result<Self> {
        Self::folder_in(&std::env::temp_dir(), "tracewright-")
    }
}

impl Temporary<NamedTempFile> {
    /// An empty file in a folder. It has this mode if one is given, else what the user's mask leaves.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn file_in(folder: &Path, prefix: &str, mode: Option<u32>) -> io::Result<Self> {
        let made = Permissions::from_mode(PLAIN);
        let mut builder = Builder::new();
        builder.prefix(prefix).permissions(made);
        left::collect(folder, prefix);
        let file = Self::make(|| builder.tempfile_in(folder), NamedTempFile::path)?;
        // A file system without locks has none, and then nobody removes the file but this process.
        let _ = file.as_file().try_lock();
        if let Some(mode) = mode {
            file.as_file().set_permissions(Permissions::from_mode(mode))?;
        }
        Ok(file)
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn persist(self, path: &Path) -> io::Result<File> {
        let Temporary { inner, entry, .. } = self;
        let persisted = inner.persist(path).map_err(|error| error.error);
        drop(entry);
        persisted
    }
}

impl Temporary<()> {
    /// Registers a file that is made by other means, such as a lock; dropping this does not remove it.
    pub fn registered(path: PathBuf) -> Self {
        registry::lock().paths.insert(path.clone());
        Temporary { inner: (), entry: Entry(path), _lock: None }
    }
}

impl<T> Deref for Temporary<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T> DerefMut for Temporary<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}

impl Write for Temporary<NamedTempFile> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
