//! The stack of return addresses, from which returns are inferred.

/// Return addresses; the oldest falls out of a full stack.
#[derive(Clone, Debug)]
pub struct ReturnStack {
    entries: Box<[u64]>,
    /// Where the next address goes.
    next: usize,
    depth: u64,
}

impl ReturnStack {
    /// An empty stack of so many entries, a power of two or 0.
    pub fn new(entries: u32) -> Self {
        Self { entries: vec![0; entries as usize].into(), next: 0, depth: 0 }
    }

    /// Addresses on it.
    pub fn depth(&self) -> u64 {
        self.depth
    }

    /// The address that a return should go to.
    #[inline]
    pub fn top(&self) -> Option<u64> {
        let last = self.next.wrapping_sub(1) & self.entries.len().wrapping_sub(1);
        (self.depth > 0).then(|| self.entries[last])
    }

    /// A call retires.
    pub fn push(&mut self, address: u64) {
        let entries = self.entries.len();
        if entries > 0 {
            self.entries[self.next] = address;
            self.next = (self.next + 1) & (entries - 1);
            self.depth = (self.depth + 1).min(entries as u64);
        }
    }

    /// A return retires that went to the top.
    pub fn pop(&mut self) {
        self.next = self.next.wrapping_sub(1) & self.entries.len().wrapping_sub(1);
        self.depth -= 1;
    }

    /// The trace goes on with a start or a trap.
    pub fn clear(&mut self) {
        (self.next, self.depth) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_address_falls_out() {
        let mut stack = ReturnStack::new(2);
        (1..=3).for_each(|address| stack.push(address));
        assert_eq!((stack.depth(), stack.top()), (2, Some(3)));
        stack.pop();
        assert_eq!((stack.depth(), stack.top()), (1, Some(2)));
        stack.pop();
        assert_eq!((stack.depth(), stack.top()), (0, None));
    }

    #[test]
    fn no_stack_has_nothing() {
        let mut stack = ReturnStack::new(0);
        stack.push(1);
        assert_eq!((stack.depth(), stack.top()), (0, None));
    }
}
