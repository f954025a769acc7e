//! The return address stack (RAS), which knows which of its entries are addresses.

use super::config::Config;

/// A circular stack. Pushing onto a full stack overwrites the oldest entry.
///
/// A stack that wraps goes on popping: below its oldest entry it finds the addresses that it popped before, which are
/// the right ones where a recursion is deeper than the stack. One that does not wrap is empty then. Popping changes
/// nothing where there is no address.
#[derive(Clone, Debug)]
pub struct ReturnAddressStack {
    entries: Box<[u64]>,
    top: usize,
    /// Addresses from the top down that are not popped.
    count: usize,
    /// Every entry was written.
    is_full: bool,
    wraps: bool,
}

impl ReturnAddressStack {
    /// An empty stack.
    pub fn new(config: &Config) -> Self {
        let entries = vec![0; config.return_address_stack_depth as usize].into();
        let wraps = config.return_address_stack_wraps;
        Self { entries, top: 0, count: 0, is_full: false, wraps }
    }

    fn below(&self) -> usize {
        if self.top == 0 { self.entries.len() - 1 } else { self.top - 1 }
    }

    /// Addresses from the top down that can be popped. The first push writes entry 1.
    fn available(&self) -> usize {
        match (self.wraps, self.is_full) {
            (false, _) => self.count,
            (true, false) => self.top,
            (true, true) => self.entries.len(),
        }
    }

    /// The address on top, if there is one.
    #[inline]
    pub fn top(&self) -> Option<u64> {
        (self.available() > 0).then(|| self.entries[self.top])
    }

    /// The address below the top, if there is one.
    #[inline]
    pub fn second(&self) -> Option<u64> {
        (self.available() > 1).then(|| self.entries[self.below()])
    }

    /// Takes the top off.
    #[inline]
    pub fn pop(&mut self) {
        if self.available() > 0 {
            self.top = self.below();
            self.count = self.count.saturating_sub(1);
        }
    }

    /// Puts an address on top.
    #[inline]
    pub fn push(&mut self, address: u64) {
        self.top = if self.top + 1 == self.entries.len() { 0 } else { self.top + 1 };
        self.entries[self.top] = address;
        self.is_full |= self.top == 0;
        self.count = (self.count + 1).min(self.entries.len());
    }
}
