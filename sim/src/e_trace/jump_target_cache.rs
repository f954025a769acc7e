//! The targets of jumps that are in the trace since the last start or trap, so that an index stands for one.

/// Addresses in instruction units; the lowest bits of one are its place.
#[derive(Clone, Debug)]
pub struct JumpTargetCache {
    targets: Box<[Option<u64>]>,
}

impl JumpTargetCache {
    /// An empty cache of so many entries, a power of two or 0.
    pub fn new(entries: u32) -> Self {
        Self { targets: vec![None; entries as usize].into() }
    }

    /// A target is sent, and is there from now on; its place, if it has been there.
    pub fn keep(&mut self, target: u64) -> Option<u64> {
        let place = target & (self.targets.len() as u64).wrapping_sub(1);
        let entry = self.targets.get_mut(place as usize)?;
        let is_there = entry.replace(target) == Some(target);
        is_there.then_some(place)
    }

    /// The target at a place, if there is one.
    pub fn target(&self, place: u64) -> Option<u64> {
        self.targets.get(place as usize).copied().flatten()
    }

    /// The trace goes on with a start or a trap.
    pub fn clear(&mut self) {
        self.targets.fill(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_at_its_lowest_bits() {
        let mut cache = JumpTargetCache::new(4);
        assert_eq!((cache.keep(0x13), cache.keep(0x13)), (None, Some(3)));
        assert_eq!((cache.target(3), cache.target(2), cache.target(4)), (Some(0x13), None, None));
        // Another target takes the place.
        assert_eq!((cache.keep(0x17), cache.keep(0x13)), (None, None));
        cache.clear();
        assert_eq!(cache.keep(0x13), None);
    }

    #[test]
    fn no_cache_has_nothing() {
        let mut cache = JumpTargetCache::new(0);
        assert_eq!((cache.keep(0), cache.keep(0), cache.target(0)), (None, None, None));
    }
}
