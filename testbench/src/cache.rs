//! A directory of compiled models, each under the hash of everything that went into it.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A directory of compiled models, shared by any number of processes.
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
    pub fn of_user() -> Result<Cache> {
        let variable =
            |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        variable("TRACEWRIGHT_CACHE")
            .or_else(|| variable("XDG_CACHE_HOME").map(|path| path.join("tracewright")))
            .or_else(|| variable("HOME").map(|path| path.join(".cache").join("tracewright")))
            .map(Cache::at)
            .ok_or(Error::NoCache)
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The file of this name, made by `build` if it is not there.
    ///
    /// `build` works in a directory of its own and returns the file in it to keep. The file appears
    /// under its name complete or not at all; of several that want the same, one builds it and the
    /// others wait.
    pub(crate) fn get_or_build(
        &self,
        name: &str,
        build: impl FnOnce(&Path) -> Result<PathBuf>,
    ) -> Result<PathBuf> {
        let path = self.directory.join(name);
        if path.is_file() {
            return Ok(path);
        }
        fs::create_dir_all(&self.directory).map_err(Error::cache(&self.directory))?;
        let lock_path = self.directory.join(format!("{name}.lock"));
        let lock = File::create(&lock_path).map_err(Error::cache(&lock_path))?;
        // Without the lock, on a file system that has none, two may build the same: slower, not wrong.
        let _ = lock.lock();
        if path.is_file() {
            return Ok(path);
        }
        let room = tempfile::Builder::new()
            .prefix(".build-")
            .tempdir_in(&self.directory)
            .map_err(Error::cache(&self.directory))?;
        let built = build(room.path())?;
        fs::rename(&built, &path).map_err(Error::cache(&path))?;
        // A lock file that stays costs nothing; one waiting on it finds the model.
        let _ = fs::remove_file(&lock_path);
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn of_many_one_builds() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(directory.path().join("not").join("there"));
        let builds = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let path = cache
                        .get_or_build("thing", |room| {
                            builds.fetch_add(1, Ordering::Relaxed);
                            thread::sleep(Duration::from_millis(20));
                            let file = room.join("made");
                            fs::write(&file, "made").map_err(Error::cache(&file))?;
                            Ok(file)
                        })
                        .expect("built");
                    assert_eq!(fs::read_to_string(path).expect("there"), "made");
                });
            }
        });
        assert_eq!(builds.into_inner(), 1);
        let left = fs::read_dir(cache.directory()).expect("a directory").count();
        assert_eq!(left, 1, "only the file is left");
    }

    #[test]
    fn a_failed_build_leaves_nothing_under_the_name() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(directory.path());
        let failed = cache.get_or_build("thing", |room| {
            fs::write(room.join("half"), "half").map_err(Error::cache(room))?;
            Err(Error::NoCache)
        });
        assert!(matches!(failed, Err(Error::NoCache)));
        assert!(!directory.path().join("thing").exists());
    }

    #[test]
    fn a_directory_that_cannot_be_is_an_error() {
        let cache = Cache::at("/dev/null/cache");
        let error =
            cache.get_or_build("thing", |room| Ok(room.join("thing"))).expect_err("no directory");
        assert!(matches!(error, Error::Cache { .. }), "{error}");
        assert!(error.to_string().contains("TRACEWRIGHT_CACHE"), "{error}");
    }
}
