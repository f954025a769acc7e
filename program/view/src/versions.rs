//! Blocks of code that changes: one for each version of the code.

use rustc_hash::FxHashMap;
use tracewright_image::Owner;
use tracewright_sim::code::{CurrentCode, FoundIn};

use crate::blocks::{Block, BlockIndex};

/// What a block consists of.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    pub lengths: Box<[u8]>,
    pub bytes: Box<[u8]>,
    /// The file that it is from.
    pub file: Owner,
    /// In which states of the code it is known to be there.
    found: FoundIn,
    is_complete: bool,
}

impl Own {
    /// Reads the block that starts at an address.
    #[cold]
    pub(crate) fn read(address: u64, code: &CurrentCode) -> (Block, Own) {
        let mut lengths = Vec::new();
        let block = Block::read(0, address, |at| {
            let instruction = code.instruction(at)?;
            lengths.push(instruction.length);
            Some(instruction)
        });
        let size = lengths.iter().map(|length| usize::from(*length)).sum();
        let is_complete = block.branch.is_some();
        let is_fixed = is_complete && code.is_fixed(address..block.next);
        let own = Own {
            lengths: lengths.into(),
            bytes: code.read(address, size).into(),
            file: code.file(address),
            found: if is_fixed { FoundIn::ALL_STATES } else { FoundIn::state(code.state()) },
            is_complete,
        };
        (block, own)
    }

    fn is_current(&self, address: u64, code: &CurrentCode) -> bool {
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

    /// True if a block is known to be there now.
    #[inline]
    pub(crate) fn is_known(&self, index: BlockIndex, code: &CurrentCode) -> bool {
        self.own(index).is_some_and(|own| own.found.is_in(code.state()))
    }

    /// True if a block is there now.
    #[inline]
    pub(crate) fn is_current(
        &mut self,
        index: BlockIndex,
        address: u64,
        code: &CurrentCode,
    ) -> bool {
        let Some(own) = self.own.get_mut(index.place()) else { return false };
        if own.found.is_in(code.state()) {
            return true;
        }
        let is_current = own.is_current(address, code);
        if is_current {
            own.found = FoundIn::state(code.state());
        }
        is_current
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
