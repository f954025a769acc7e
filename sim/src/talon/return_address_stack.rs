//! The return address stack (RAS) with a count of its entries.

use super::config::Config;

/// A circular stack that knows how many of its entries are addresses.
///
/// Pushing onto a full stack overwrites the oldest entry; popping an empty one changes nothing.
#[derive(Clone, Debug)]
pub struct ReturnAddressStack {
    entries: Box<[u64]>,
    top: usize,
    count: usize,
}

impl ReturnAddressStack {
    /// An empty stack.
    pub fn new(config: &Config) -> Self {
        let entries = vec![0; config.return_address_stack_depth as usize].into();
        Self { entries, top: 0, count: 0 }
    }

    fn below(&self) -> usize {
        if self.top == 0 { self.entries.len() - 1 } else { self.top - 1 }
    }

    /// The address on top, if there is one.
    #[inline]
    pub fn top(&self) -> Option<u64> {
        (self.count > 0).then(|| self.entries[self.top])
    }

    /// The address below the top, if there is one.
    #[inline]
    pub fn second(&self) -> Option<u64> {
        (self.count > 1).then(|| self.entries[self.below()])
    }

    /// Takes the top off.
    #[inline]
    pub fn pop(&mut self) {
        if self.count > 0 {
            self.top = self.below();
            self.count -= 1;
        }
    }

    /// Puts an address on top.
    #[inline]
    pub fn push(&mut self, address: u64) {
        self.top = if self.top + 1 == self.entries.len() { 0 } else { self.top + 1 };
        self.entries[self.top] = address;
        self.count = (self.count + 1).min(self.entries.len());
    }
}
