//! Blocks of code that changes: one for each version of the code.

use rustc_hash::FxHashMap;
use tracewright_image::Owner;
use tracewright_sim::code::ChangingCode;

use crate::blocks::{Block, BlockIndex};

/// What a block consists of.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    pub lengths: Box<[u8]>,
    pub bytes: Box<[u8]>,
    /// The file that it is from.
    pub file: Owner,
    /// True if the code never changes there.
    pub is_fixed: bool,
    is_complete: bool,
}

impl Own {
    /// Reads the block that starts at an address.
    #[cold]
    pub(crate) fn read(address: u64, code: &dyn ChangingCode) -> (Block, Own) {
        let mut lengths = Vec::new();
        let block = Block::read(0, address, |at| {
            let instruction = code.instruction(at)?;
            lengths.push(instruction.length);
            Some(instruction)
        });
        let size = lengths.iter().map(|length| usize::from(*length)).sum();
        let is_complete = block.branch.is_some();
        let own = Own {
            lengths: lengths.into(),
            bytes: code.read(address, size).into(),
            file: code.file(address),
            is_fixed: is_complete && code.is_fixed(address..block.next),
            is_complete,
        };
        (block, own)
    }

    /// True if the block is there now.
    pub(crate) fn is_current(&self, address: u64, code: &dyn ChangingCode) -> bool {
        self.is_complete && code.is(address, &self.bytes) && code.file(address) == self.file
    }
}

/// What makes a version of a block one of its own.
type Key = (u64, Box<[u8]>, Owner, bool);

/// The versions of all blocks, empty if the code does not change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Versions {
    own: Vec<Own>,
    numbers: FxHashMap<Key, BlockIndex>,
}

impl Versions {
    #[inline]
    pub(crate) fn own(&self, index: BlockIndex) -> Option<&Own> {
        self.own.get(index.place())
    }

    /// The number of a version: `fresh` if it is new.
    pub(crate) fn number(&mut self, address: u64, own: Own, fresh: BlockIndex) -> BlockIndex {
        let key = (address, own.bytes.clone(), own.file, own.is_complete);
        let index = *self.numbers.entry(key).or_insert(fresh);
        if index == fresh {
            self.own.push(own);
        }
        index
    }
}
