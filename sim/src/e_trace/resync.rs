//! When a start is due without being asked for.

use super::config::Config;
use crate::config::mask;

/// Counts jumps and branches. Starts and traps for other reasons do not restart the count: that they come with the first of the
/// blocks of a run would make it depend on the division into blocks.
#[derive(Clone, Copy, Debug)]
pub struct Resync {
    is_there: bool,
    /// The count with which a start is due.
    last: u64,
    count: u64,
}

impl Resync {
    /// The counter as reset leaves it.
    pub fn new(config: &Config) -> Self {
        Self { is_there: config.resynchronises(), last: mask(config.resync_max), count: 0 }
    }

    /// A jump or a branch retires; true if a start is due after the next one.
    pub fn pass(&mut self) -> bool {
        let is_last = self.count == self.last;
        self.count = if is_last { 0 } else { self.count + 1 };
        self.is_there && is_last
    }

    /// What is in the module is discarded.
    pub fn restart(&mut self) {
        self.count = 0;
    }
}
