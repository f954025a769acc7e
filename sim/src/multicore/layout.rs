//! What every record of several cores begins with, stated once (paper E, Table 3 and Figure 7).

use super::config::Sharing;
use crate::encode::variable_length::Chunks;
use crate::field::Walker;

/// Fields in front of a module's record.
pub mod fields {
    use crate::field::Field;

    /// Ti.
    pub const THREAD: Field = Field { name: "thread", doc: "the core that the record is of" };
    /// diffCC.
    pub const CLOCKS: Field =
        Field { name: "clocks", doc: "clocks since the last record of the same core" };
}

/// The beginning of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefix {
    /// The core.
    pub thread: u64,
    /// Clocks since its last record; `None` is the escape: the counter was full, and nothing follows.
    pub clocks: Option<u64>,
}

/// The layout under one configuration.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    thread_bits: u32,
    clocks: Option<Chunks>,
}

impl Layout {
    /// The layout that `sharing` makes.
    pub fn new(sharing: &Sharing) -> Self {
        Self {
            thread_bits: sharing.thread_bits(),
            clocks: sharing.time_stamps.then(|| sharing.time_stamp_chunks()),
        }
    }

    /// Walks over the beginning of a record.
    #[inline]
    pub fn prefix<W: Walker>(&self, prefix: &mut Prefix, walker: &mut W) -> Result<(), W::Error> {
        if self.thread_bits > 0 {
            walker.bits(&fields::THREAD, self.thread_bits, &mut prefix.thread)?;
        }
        match &self.clocks {
            Some(chunks) => walker.number_or_escape(&fields::CLOCKS, chunks, &mut prefix.clocks),
            None => Ok(()),
        }
    }
}
