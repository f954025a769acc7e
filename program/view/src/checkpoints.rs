//! Places in long straight runs, so that a run is not read again from every address where a block starts.

use rustc_hash::FxHashMap;

use crate::blocks::BlockIndex;

/// Instructions between two places.
const DISTANCE: u64 = 256;

/// A place in a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The block.
    pub(crate) block: BlockIndex,
    /// Its instructions before the place.
    pub(crate) before: u64,
}

/// Places in the blocks that have been read, by address.
#[derive(Debug, Default)]
pub(crate) struct Checkpoints(FxHashMap<u64, Place>);

impl Checkpoints {
    /// The place at an address.
    pub(crate) fn get(&self, address: u64) -> Option<Place> {
        self.0.get(&address).copied()
    }

    /// True if the address after this many instructions of a block is to be a place.
    pub(crate) fn is_due(before: u64) -> bool {
        before > 0 && before.is_multiple_of(DISTANCE)
    }

    /// Adds the places that were passed while a block was read.
    pub(crate) fn add(&mut self, block: BlockIndex, passed: Vec<(u64, u64)>) {
        let places = passed.into_iter();
        self.0.extend(places.map(|(address, before)| (address, Place { block, before })));
    }
}
