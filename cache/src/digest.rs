//! Digests of entries, each in a file beside its entry.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use crate::directory::{self, open_entry};
use crate::error::Error;

/// Large files that this process has checked, which it reads once: path, inode, size and time of change.
static CHECKED: LazyLock<Mutex<HashSet<Identity>>> = LazyLock::new(Mutex::default);

/// The size in bytes of a large file: a precompiled header has 60 megabytes, a model one or two.
const LARGE: u64 = 1 << 24;

type Identity = (PathBuf, u64, u64, i64, i64);

/// A hash of a sequence of parts, each with its length, so that different sequences have different hashes.
#[derive(Default)]
pub struct Hash(Sha256);

impl Hash {
    /// The first half of the hash in hexadecimal.
    pub fn finish(self) -> String {
        hexadecimal(&self.0.finalize()[..16])
    }

    /// Adds a part.
    pub fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// Adds a list as one part.
    pub fn list(&mut self, parts: &[impl AsRef<[u8]>]) {
        self.add((parts.len() as u64).to_le_bytes());
        for part in parts {
            self.add(part);
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The file with the digest of an entry.
fn beside(entry: &Path) -> PathBuf {
    let mut name = entry.as_os_str().to_owned();
    name.push(".sha256");
    name.into()
}

/// Whether the entry is the user's and as it was when it was written.
pub(crate) fn is_good(entry: &Path) -> bool {
    let Ok(file) = open_entry(entry) else { return false };
    let Ok(metadata) = file.metadata() else { return false };
    let identity = (
        entry.to_path_buf(),
        metadata.ino(),
        metadata.len(),
        metadata.mtime(),
        metadata.mtime_nsec(),
    );
    let checked = || CHECKED.lock().unwrap_or_else(PoisonError::into_inner);
    if checked().contains(&identity) {
        return true;
    }
    let is_good = of_file(file).is_ok_and(|found| found == expected(entry));
    if is_good && metadata.len() >= LARGE {
        checked().insert(identity);
    }
    is_good
}

/// Whether these are the bytes that an entry was written with.
pub(crate) fn matches(entry: &Path, bytes: &[u8]) -> bool {
    hexadecimal(&Sha256::digest(bytes)) == expected(entry)
}

/// The digest beside an entry; nothing if there is none.
fn expected(entry: &Path) -> String {
    let mut text = String::new();
    let read = open_entry(&beside(entry)).and_then(|file| file.take(65).read_to_string(&mut text));
    if read.is_ok() { text } else { String::new() }
}

fn of_file(mut file: File) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&digest.finalize())),
            size => digest.update(&buffer[..size]),
        }
    }
}

/// Writes the digest that an entry will have when `made` has taken its place.
pub(crate) fn write(entry: &Path, made: &Path) -> Result<(), Error> {
    let digest = File::open(made).and_then(of_file).map_err(Error::of(made))?;
    let path = beside(entry);
    let folder = entry.parent().unwrap_or(Path::new("."));
    let mut file = directory::temporary(folder).map_err(Error::of(&path))?;
    file.write_all(digest.as_bytes()).map_err(Error::of(&path))?;
    file.persist(&path).map_err(Error::of(&path))?;
    Ok(())
}
