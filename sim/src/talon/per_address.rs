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

    /// What belongs to an address, if that is kept.
    #[inline]
    pub fn get(&self, address: u64) -> Option<T> {
        let (of, what) = self.entries[address as usize % ENTRIES];
        (of == address).then_some(what)
    }

    /// Keeps what belongs to an address.
    pub fn keep(&mut self, address: u64, what: T) {
        self.entries[address as usize % ENTRIES] = (address, what);
    }
}
