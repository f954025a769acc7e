//! Payloads of format 0, of which a core has one kind, both or none: an index of the jump target cache instead of an
//! address, and a number of predicted branches instead of a map.

use super::config::Config;
use super::layout::Word;
use super::payload::{Cut, Depth, Ending, map_bits};

/// Bits of the format and of how many branches a map has.
const FORMAT_BITS: u32 = 2;
const BRANCHES_BITS: u32 = 5;
/// Bits of a number of predicted branches.
pub const COUNT_BITS: u32 = 32;
/// Bits of what says whether an address follows it.
pub const COUNT_FORMAT_BITS: u32 = 2;

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

/// The slots of these payloads, by their places among those of the others.
pub mod slots {
    use super::{COUNT_BITS, Config};
    use crate::e_trace::layout::fields;
    use crate::encode::piece::{Piece, Pieces};
    use crate::encode::record::RecordFormat;

    /// What both kinds begin with.
    pub fn heads(format: RecordFormat, config: &Config, header: Piece) -> RecordFormat {
        let format_bits = fields::FORMAT.bits(0, 2);
        let head = |subformat| match config.subformat_bits() {
            0 => Pieces::from([header, format_bits]),
            bits => [header, format_bits, fields::EXTENSION.bits(subformat, bits)].into(),
        };
        let format = match config.caches_targets() {
            true => format.constant("index_alone", head(1)).constant("index_map", head(1)),
            false => format,
        };
        match config.predicts_branches() {
            true => format.constant("count_alone", head(0)).constant("counted", head(0)),
            false => format,
        }
    }

    /// An index before a map.
    pub fn before_branches(format: RecordFormat, config: &Config) -> RecordFormat {
        match config.caches_targets() {
            true => format.plain(fields::INDEX, "index_map", "index"),
            false => format,
        }
    }

    /// How many branches the map has, or the lower bits of a count.
    pub fn branches(format: RecordFormat, config: &Config) -> RecordFormat {
        let format = match config.caches_targets() {
            true => format.plain(fields::BRANCHES, "index_map", "branch_count"),
            false => format,
        };
        match config.predicts_branches() {
            true => format.plain(fields::BRANCH_COUNT, "counted", "count"),
            false => format,
        }
    }

    /// The upper bits of a count.
    pub fn upper_count(format: RecordFormat, config: &Config) -> RecordFormat {
        let bits = fields::BRANCH_COUNT.bits(0, COUNT_BITS - config.branch_count_bits);
        match config.predicts_branches() {
            true => format.constant("counted", [bits]),
            false => format,
        }
    }

    /// The lower bit of what says that an address follows a count.
    pub fn count_format(format: RecordFormat, config: &Config) -> RecordFormat {
        match config.predicts_branches() {
            true => format.plain(fields::BRANCH_FORMAT, "counted", "fails"),
            false => format,
        }
    }

    /// The upper bit of that.
    pub fn before_address(format: RecordFormat, config: &Config) -> RecordFormat {
        match config.predicts_branches() {
            true => format.constant("counted", [fields::BRANCH_FORMAT.bits(1, 1)]),
            false => format,
        }
    }

    /// What comes last where there is no address.
    pub fn last(format: RecordFormat, config: &Config) -> RecordFormat {
        let format = match config.caches_targets() {
            true => format.sized(fields::INDEX, "index_alone", "value", "value_bits").sized(
                fields::BRANCH_MAP,
                "index_map",
                "value",
                "value_bits",
            ),
            false => format,
        };
        match config.predicts_branches() {
            true => format.sized(fields::BRANCH_COUNT, "count_alone", "value", "value_bits"),
            false => format,
        }
    }
}
