//! Results of synthesis, kept under a hash of everything they depend on.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tracewright_cache::{Cache, Hash};

use crate::error::{Error, Result};

/// Results of synthesis, shared by any number of threads and processes.
#[derive(Clone, Debug)]
pub(crate) struct Store(Cache);

impl Store {
    /// The results in this cache.
    pub(crate) fn of(cache: &Cache) -> Store {
        Store(cache.clone())
    }

    /// The result for `inputs`, computed by `make` if it is not in the cache.
    ///
    /// Two processes that need the same result at once may both compute it, and get the same. A result that is damaged is
    /// computed again.
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
        let mut hash = Hash::default();
        hash.list(inputs);
        let name = format!("{kind}-{}.json", hash.finish());
        let kept = self.0.bytes(&name)?.and_then(|text| serde_json::from_slice(&text).ok());
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let (made, keep) = make()?;
        if keep {
            let failed = |source| Error::Result { name: name.clone(), source };
            self.0.keep(&name, &serde_json::to_vec(&made).map_err(failed)?)?;
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_made_once() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::of(&Cache::at(directory.path().join("not").join("there")));
        let first = store.get_or_make("thing", &["a", "b"], || Ok(1)).expect("made");
        let second = store.get_or_make("thing", &["a", "b"], || Ok(2)).expect("kept");
        let other = store.get_or_make("thing", &["ab", ""], || Ok(3)).expect("made");
        assert_eq!([first, second, other], [1, 1, 3]);
    }

    #[test]
    fn a_result_that_is_not_kept_is_made_again() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::of(&Cache::at(directory.path()));
        let first = store.get_or_decide("thing", &["a"], || Ok((1, false))).expect("made");
        let second = store.get_or_decide("thing", &["a"], || Ok((2, true))).expect("made");
        let third = store.get_or_decide("thing", &["a"], || Ok((3, true))).expect("kept");
        assert_eq!([first, second, third], [1, 2, 2]);
    }

    #[test]
    fn a_damaged_file_is_made_again() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::of(&Cache::at(directory.path()));
        store.get_or_make("thing", &["a"], || Ok(1)).expect("made");
        let files = std::fs::read_dir(directory.path()).expect("a directory").flatten();
        for file in files.filter(|file| file.path().extension().is_some_and(|end| end == "json")) {
            // A number as well as the one that was computed.
            std::fs::write(file.path(), "3").expect("written");
        }
        assert_eq!(store.get_or_make("thing", &["a"], || Ok(2)).expect("made"), 2);
    }
}
