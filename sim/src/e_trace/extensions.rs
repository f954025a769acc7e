//! Payloads of format 0, of which a core has one kind, both or none: an index of the jump target cache instead of an
//! address, and a number of predicted branches instead of a map.

use super::config::Config;
use super::layout::Word;
use super::payload::{Cut, Depth, Ending, map_bits};
use super::slots::{COUNT_BITS, COUNT_FORMAT_BITS};

/// Bits of the format and of how many branches a map has.
const FORMAT_BITS: u32 = 2;
const BRANCHES_BITS: u32 = 5;
/// How wide the fields are.
#[derive(Clone, Copy, Debug)]
pub struct Extensions {
    subformat_bits: u32,
    index_bits: u32,
}

impl Extensions {
    /// Those of `config`.
    pub fn new(config: &Config) -> Self {
        Self { subformat_bits: config.subformat_bits(), index_bits: config.index_bits() }
    }

    /// Bits before an index without a map, or before a count.
    pub fn head(&self) -> u32 {
        FORMAT_BITS + self.subformat_bits
    }

    /// Bits of an index and of how many branches a map has.
    pub fn index_width(&self) -> u32 {
        self.index_bits + BRANCHES_BITS
    }

    /// Bits before the address after a count.
    pub fn counted_head(&self) -> u32 {
        self.head() + COUNT_BITS + COUNT_FORMAT_BITS
    }

    /// Cuts an index with a map, which comes last; without branches their number does, which is 0.
    pub fn cut_index(&self, index: u64, (branches, map): (u32, u64)) -> Cut {
        let whole = self.index_width();
        match branches {
            0 => Cut::new(self.head(), index, whole, Ending::Plain),
            _ => Cut::new(self.head() + whole, map, map_bits(branches), Ending::Plain),
        }
    }

    /// Cuts a count after which a branch was not predicted.
    pub fn cut_count(&self, count: u64) -> Cut {
        Cut::new(self.head(), count, COUNT_BITS + COUNT_FORMAT_BITS, Ending::Plain)
    }

    /// Cuts an address of `width` bits after a count.
    pub fn cut_counted(
        &self,
        difference: u64,
        width: u32,
        ending: Ending,
        depth: Option<Depth>,
    ) -> Cut {
        Cut::with_depth(self.counted_head(), difference, width, ending, depth)
    }

    /// A place of the cache after so many branches with their outcomes.
    pub fn index(&self, index: u64, branches: (u32, u64)) -> Word {
        let cut = self.cut_index(index, branches);
        let (count, map) = branches;
        let word = Word {
            index_alone: count == 0,
            index_map: count > 0,
            branch_count: count.into(),
            index,
            ..Word::default()
        };
        word.ends_in(if count == 0 { index } else { map }, cut)
    }

    /// A count after which a branch was not predicted.
    pub fn count(&self, count: u64) -> Word {
        let word = Word { count_alone: true, ..Word::default() };
        word.ends_in(count, self.cut_count(count))
    }

    /// An address of `width` bits by its difference from the last one, after a count; `fails` if a branch that was not
    /// predicted is there.
    pub fn counted(
        &self,
        difference: u64,
        width: u32,
        (count, fails): (u64, bool),
        ending: Ending,
        depth: Option<Depth>,
    ) -> Word {
        let cut = self.cut_counted(difference, width, ending, depth);
        let word = Word { counted: true, fails, count, ..Word::default() };
        Word { sends_address: true, ..word.ends_in(difference, cut) }
    }
}
