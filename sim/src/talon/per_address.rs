//! What is computed from the address of a branch alone, kept for the latest branches.
//!
//! Hardware folds an address in a few gates. A model folds it for each of its tables, which takes longer than looking
//! all of them up; yet a program has few branches that run often.

/// Addresses that are kept at most; a power of two.
const ENTRIES: usize = 512;

/// A direct-mapped table of what was computed from addresses.
#[derive(Clone, Debug)]
pub struct PerAddress<T> {
    entries: Box<[(u64, T); ENTRIES]>,
}

impl<T: Copy> PerAddress<T> {
    /// A table that knows what belongs to address 0.
    pub fn new(of_zero: T) -> Self {
        Self { entries: Box::new([(0, of_zero); ENTRIES]) }
    }

    /// What belongs to an address; `compute` says it where the table does not.
    #[inline]
    pub fn get(&mut self, address: u64, compute: impl FnOnce(u64) -> T) -> T {
        let entry = &mut self.entries[address as usize % ENTRIES];
        if entry.0 != address {
            *entry = (address, compute(address));
        }
        entry.1
    }
}
