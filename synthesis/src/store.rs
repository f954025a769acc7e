//! A cache of results, under a hash of everything they depend on.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// A directory of results, shared by any number of threads and processes.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    directory: PathBuf,
}

impl Store {
    /// The store in this directory, which need not exist.
    pub(crate) fn at(directory: &Path) -> Store {
        Store { directory: directory.to_path_buf() }
    }

    /// The result for `inputs`, computed by `make` if it is not in the cache.
    ///
    /// Two processes that need the same result at once may both compute it, and get the same. A file appears complete or
    /// not at all, and one that cannot be read is computed again.
    pub(crate) fn get_or_make<T: Serialize + DeserializeOwned>(
        &self,
        kind: &str,
        inputs: &[&str],
        make: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        self.get_or_decide(kind, inputs, || Ok((make()?, true)))
    }

    /// The same, but `make` also returns whether to keep the result.
    pub(crate) fn get_or_decide<T: Serialize + DeserializeOwned>(
        &self,
        kind: &str,
        inputs: &[&str],
        make: impl FnOnce() -> Result<(T, bool)>,
    ) -> Result<T> {
        let path = self.directory.join(format!("{kind}-{}.json", hash(inputs)));
        let kept = fs::read(&path).ok().and_then(|text| serde_json::from_slice(&text).ok());
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let (made, keep) = make()?;
        if !keep {
            return Ok(made);
        }
        fs::create_dir_all(&self.directory).map_err(Error::file(&self.directory))?;
        let failed = |source| Error::File { path: path.clone(), source };
        let mut file = tempfile::NamedTempFile::new_in(&self.directory).map_err(failed)?;
        serde_json::to_writer(&mut file, &made).map_err(|error| failed(error.into()))?;
        file.flush().map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        Ok(made)
    }
}

/// A hash of texts in which no two lists of texts are the same.
fn hash(inputs: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for input in inputs {
        hasher.update(input.len().to_le_bytes());
        hasher.update(input);
    }
    hasher.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_made_once() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::at(&directory.path().join("not").join("there"));
        let first = store.get_or_make("thing", &["a", "b"], || Ok(1)).expect("made");
        let second = store.get_or_make("thing", &["a", "b"], || Ok(2)).expect("kept");
        let other = store.get_or_make("thing", &["ab", ""], || Ok(3)).expect("made");
        assert_eq!([first, second, other], [1, 1, 3]);
    }

    #[test]
    fn a_result_that_is_not_kept_is_made_again() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::at(directory.path());
        let first = store.get_or_decide("thing", &["a"], || Ok((1, false))).expect("made");
        let second = store.get_or_decide("thing", &["a"], || Ok((2, true))).expect("made");
        let third = store.get_or_decide("thing", &["a"], || Ok((3, true))).expect("kept");
        assert_eq!([first, second, third], [1, 2, 2]);
    }

    #[test]
    fn a_damaged_file_is_made_again() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::at(directory.path());
        store.get_or_make("thing", &["a"], || Ok(1)).expect("made");
        let file = fs::read_dir(directory.path()).expect("a directory").flatten().next();
        fs::write(file.expect("a file").path(), "{").expect("written");
        assert_eq!(store.get_or_make("thing", &["a"], || Ok(2)).expect("made"), 2);
    }
}
