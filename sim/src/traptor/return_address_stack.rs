//! The return address stack (RAS; paper C, section 5.1).

/// A circular stack of return addresses.
///
/// Pushing onto a full stack overwrites the oldest entry; popping an empty one gives whatever the
/// slot holds, 0 after reset. Neither end is detected, as neither costs more than a misprediction.
#[derive(Clone, Debug)]
pub struct ReturnAddressStack {
    entries: Box<[u64]>,
    top: usize,
}

impl ReturnAddressStack {
    /// An empty stack of `depth` entries, a power of two.
    pub fn new(depth: u32) -> Self {
        Self { entries: vec![0; depth as usize].into(), top: 0 }
    }

    /// The entry a return would go to.
    #[inline]
    pub fn top(&self) -> u64 {
        self.entries[self.top]
    }

    /// A return, a call, or both at once: first the pop, then the push.
    #[inline]
    pub fn update(&mut self, pop: bool, push: Option<u64>) {
        let depth_mask = self.entries.len() - 1;
        if pop {
            self.top = self.top.wrapping_sub(1) & depth_mask;
        }
        if let Some(address) = push {
            self.top = (self.top + 1) & depth_mask;
            self.entries[self.top] = address;
        }
    }
}
