//! How calls and returns match.

use serde::Serialize;

/// How calls and returns match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Matching {
    /// Number of calls.
    pub calls: u64,
    /// Number of returns.
    pub returns: u64,
    /// Returns to the last open call.
    pub matched: u64,
    /// Returns to an earlier open call.
    pub unwound: u64,
    /// Returns to an address that is not after an open call.
    pub unmatched: u64,
    /// The largest number of open calls.
    pub deepest: u64,
}

impl Matching {
    /// Counts a return that closed so many calls; `None` if it is not to an open call.
    pub(super) fn count_return(&mut self, closed: Option<usize>) {
        self.returns += 1;
        match closed {
            Some(1) => self.matched += 1,
            Some(_) => self.unwound += 1,
            None => self.unmatched += 1,
        }
    }
}
