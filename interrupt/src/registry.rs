//! What exists and must not stay, and the end of the process.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

/// The time that children get after SIGTERM, before SIGKILL.
const GRACE: Duration = Duration::from_secs(2);

/// The time that the end of the process waits for a lock that a thread without memory may hold for ever.
const PATIENCE: Duration = Duration::from_secs(2);

/// The time between two looks at what others do.
const PAUSE: Duration = Duration::from_millis(1);

/// Attempts to remove a folder in which another thread still makes files.
const ATTEMPTS: u32 = 100;

/// What exists and must not stay.
pub(crate) struct Registry {
    /// Children, each the leader of a process group of its own.
    pub(crate) children: Vec<Pid>,
    /// The child that gets the signals instead of this process.
    pub(crate) foreground: Option<Pid>,
    /// Temporary files and folders.
    pub(crate) paths: BTreeSet<PathBuf>,
}

static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { children: Vec::new(), foreground: None, paths: BTreeSet::new() });

/// The registry. Nobody gets it again once the process is being ended.
pub(crate) fn lock() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something that must not be interrupted in the middle, such as two renames that belong together.
///
/// No child or temporary file can be made meanwhile.
pub fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let _registry = lock();
    work()
}

/// Says that the process ends by itself: a signal no longer changes its exit status.
///
/// Does not return if the process is already being ended.
pub fn finish() {
    std::mem::forget(lock());
}

/// Ends the children, removes what is temporary, and exits.
pub(crate) fn end(status: i32) -> ! {
    let begin = Instant::now();
    let registry = loop {
        match REGISTRY.try_lock() {
            Ok(registry) => break Some(registry),
            Err(TryLockError::Poisoned(error)) => break Some(error.into_inner()),
            Err(TryLockError::WouldBlock) if begin.elapsed() > PATIENCE => break None,
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
        }
    };
    if let Some(registry) = &registry {
        end_groups(&registry.children);
        registry.paths.iter().for_each(|path| remove(path));
    }
    if io::stderr().is_terminal() {
        // A progress bar may be on the line.
        let _ = io::stderr().write_all(b"\r\x1b[K");
    }
    signal_hook::low_level::exit(status)
}

/// Ends process groups and waits until they are gone, so that none writes to a folder that is being removed.
///
/// SIGTERM comes first, because compilers remove their own temporary files then.
pub(crate) fn end_groups(groups: &[Pid]) {
    for (signal, patience) in [(Signal::TERM, GRACE), (Signal::KILL, PATIENCE)] {
        for group in groups {
            // It may have ended meanwhile.
            let _ = kill_process_group(*group, signal);
        }
        let begin = Instant::now();
        while groups.iter().any(|group| test_kill_process_group(*group).is_ok()) {
            if begin.elapsed() > patience {
                break;
            }
            thread::sleep(PAUSE);
        }
    }
}

/// Removes a file or a folder with everything in it, as far as that is possible.
fn remove(path: &Path) {
    for _ in 0..ATTEMPTS {
        let removed = match path.symlink_metadata() {
            Err(_) => return,
            Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
            Ok(_) => fs::remove_file(path),
        };
        if removed.is_ok() {
            return;
        }
        thread::sleep(PAUSE);
    }
}
