//! Temporary files and folders of processes that were killed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::process::getuid;

/// Random characters after the prefix of a name.
const RANDOM: usize = 6;

/// The age from which on something without a lock is nobody's: a process makes it before it locks it.
const AGE: Duration = Duration::from_secs(60);

/// What was looked at before, by folder and prefix.
static COLLECTED: Mutex<BTreeSet<(PathBuf, String)>> = Mutex::new(BTreeSet::new());

/// A lock on a file or folder, which ends with the process that has it; `None` if another one has it, or on a file
/// system without locks.
pub(crate) fn lock(path: &Path) -> Option<File> {
    let opened = File::open(path).ok()?;
    opened.try_lock().ok()?;
    Some(opened)
}

/// Removes what a killed process has left in a folder, once in this process. Only hidden names are surely not a user's.
pub(crate) fn collect(folder: &Path, prefix: &str) {
    let mut collected = COLLECTED.lock().unwrap_or_else(PoisonError::into_inner);
    if !prefix.starts_with('.') || !collected.insert((folder.into(), prefix.into())) {
        return;
    }
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(prefix));
        let is_temporary = |random: &str| {
            random.len() == RANDOM && random.chars().all(|one| one.is_ascii_alphanumeric())
        };
        if random.is_some_and(is_temporary) && is_left(&entry.path()) {
            // What cannot be removed stays, as before.
            let _ = match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => fs::remove_dir_all(entry.path()),
                false => fs::remove_file(entry.path()),
            };
        }
    }
}

/// True if no process has it any more.
fn is_left(path: &Path) -> bool {
    let Ok(metadata) = path.symlink_metadata() else { return false };
    let is_old = metadata.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age > AGE));
    let is_own = metadata.uid() == getuid().as_raw();
    is_own && is_old && !metadata.is_symlink() && lock(path).is_some()
}
