//! Reports the progress of long functions to their callers.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

/// A callback that is given what was done since its last call, in the unit that the function names.
///
/// Copies share the callback, and several threads may call it at once.
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(u64) + Send + Sync>);

impl Progress {
    /// Calls `callback`.
    pub fn new(callback: impl Fn(u64) + Send + Sync + 'static) -> Self {
        Self(Arc::new(callback))
    }

    /// Reports to nobody.
    pub fn silent() -> Self {
        Self::new(|_| {})
    }

    /// Reports what was done.
    pub fn add(&self, done: u64) {
        (self.0)(done);
    }

    /// A reader that reports the bytes that are read through it.
    pub fn reader<R: Read>(&self, source: R) -> Counting<R> {
        Counting { source, progress: self.clone() }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").finish_non_exhaustive()
    }
}

/// A reader that reports its bytes.
#[derive(Debug)]
pub struct Counting<R> {
    source: R,
    progress: Progress,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(into)?;
        self.progress.add(count as u64);
        Ok(count)
    }
}
