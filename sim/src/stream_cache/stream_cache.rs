//! The stream cache (SC; paper A, section II): a short index for every recent stream.

use super::config::StreamCacheShape;
use crate::config::{index_bits, mask};
use crate::recency::Recency;

/// A stream as the cache knows it: start address and length.
///
/// A cut stream has length 0 here and in the trace, so that the longest length is left to a stream
/// that ends there with a branch; the set index is made of its true length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Descriptor {
    /// Byte address of the first instruction (SA).
    pub start: u64,
    /// Instructions (SL), or 0.
    pub length: u64,
}

/// A set-associative table of descriptors with true least recently used replacement.
///
/// Set 0, way 0 is never used, as its index is the reserved one. No entry has a valid bit: reset
/// clears them to the cut stream of their set that is nearest to address 0, which both ends know as
/// well as any other. All entries of a set agree in the start address bits that set and length imply,
/// so that the hardware need not store these.
#[derive(Clone, Debug)]
pub struct StreamCache {
    entries: Box<[Descriptor]>,
    /// Ways of every set, most recently used first.
    order: Box<[u8]>,
    ways: usize,
    way_bits: u32,
    set_mask: u64,
    hash_shift: u32,
    longest: u64,
    start_mask: u64,
}

impl StreamCache {
    /// The cache as reset leaves it, which stores the start address bits of `start_mask`.
    pub fn new(shape: &StreamCacheShape, start_mask: u64) -> Self {
        let set_mask = mask(index_bits(shape.sets()));
        let longest = mask(shape.stream_length_bits);
        let entries = (0..shape.stream_cache_entries).map(|entry| {
            let set = u64::from(entry / shape.stream_cache_ways);
            let start = ((set ^ longest) & set_mask) << shape.hash_shift & start_mask;
            Descriptor { start, length: 0 }
        });
        Self {
            entries: entries.collect(),
            order: Recency::after_reset(shape.stream_cache_ways)
                .repeat(shape.sets() as usize)
                .into(),
            ways: shape.stream_cache_ways as usize,
            way_bits: shape.way_bits(),
            set_mask,
            hash_shift: shape.hash_shift,
            longest,
            start_mask,
        }
    }

    /// The set of a stream (paper A, equation 3, with the shift to the right).
    #[inline]
    fn set(&self, stream: Descriptor) -> usize {
        let length = if stream.length == 0 { self.longest } else { stream.length };
        ((stream.start >> self.hash_shift ^ length) & self.set_mask) as usize
    }

    /// The first way of a set that is ever used.
    #[inline]
    fn first_way(set: usize) -> usize {
        usize::from(set == 0)
    }

    /// The index of a stream that is in the cache.
    #[inline]
    pub fn find(&self, stream: Descriptor) -> Option<u32> {
        let set = self.set(stream);
        let wanted = Descriptor { start: stream.start & self.start_mask, ..stream };
        let ways = &self.entries[set * self.ways..][..self.ways];
        let first = Self::first_way(set);
        let way = first + ways[first..].iter().position(|entry| *entry == wanted)?;
        Some((set << self.way_bits | way) as u32)
    }

    /// Makes the stream at this index of the cache the most recently used one of its set.
    #[inline]
    pub fn touch(&mut self, index: u32) {
        let (set, way) = self.place(index);
        Recency(&mut self.order[set * self.ways..][..self.ways]).touch(way);
    }

    /// Stores a stream in place of the least recently used one of its set and gives its index; 0
    /// where the set has no way but the reserved one.
    pub fn insert(&mut self, stream: Descriptor) -> u32 {
        let set = self.set(stream);
        let order = &self.order[set * self.ways..][..self.ways];
        // The reserved way is never used, and so stays the oldest of its set.
        let Some(way) = order.iter().rev().nth(Self::first_way(set)) else { return 0 };
        let way = usize::from(*way);
        let index = (set << self.way_bits | way) as u32;
        self.entries[set * self.ways + way] =
            Descriptor { start: stream.start & self.start_mask, ..stream };
        self.touch(index);
        index
    }

    /// What is stored at an index, `None` for the reserved one and one of no way.
    #[inline]
    pub fn get(&self, index: u32) -> Option<Descriptor> {
        let (set, way) = self.place(index);
        if index == 0 || way >= self.ways {
            return None;
        }
        self.entries.get(set * self.ways + way).copied()
    }

    /// True if an entry with this `stored` start may be of a stream that starts at `start`.
    #[inline]
    pub fn stores(&self, stored: u64, start: u64) -> bool {
        start & self.start_mask == stored
    }

    #[inline]
    fn place(&self, index: u32) -> (usize, usize) {
        let index = u64::from(index);
        ((index >> self.way_bits) as usize, (index & mask(self.way_bits)) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(stream_cache_entries: u32, stream_cache_ways: u32) -> StreamCache {
        let shape = StreamCacheShape {
            stream_cache_entries,
            stream_cache_ways,
            ..StreamCacheShape::default()
        };
        StreamCache::new(&shape, u64::MAX)
    }

    fn stream(start: u64) -> Descriptor {
        Descriptor { start, length: 4 }
    }

    #[test]
    fn the_set_is_the_shifted_start_and_the_length() {
        let mut cache = cache(32, 4);
        // 0x120 >> 4 is 18, 18 xor 5 is 23, of which 8 sets leave 7; way 0 is the first.
        assert_eq!(cache.insert(Descriptor { start: 0x120, length: 5 }), 7 << 2);
        assert_eq!(cache.find(Descriptor { start: 0x120, length: 5 }), Some(28));
        assert_eq!(cache.find(Descriptor { start: 0x120, length: 13 }), None);
    }

    #[test]
    fn a_full_set_loses_its_least_recently_used_stream() {
        let mut cache = cache(4, 4);
        // One set: way 0 is reserved, three are left.
        let indices = [0x10, 0x20, 0x30].map(|start| cache.insert(stream(start)));
        assert_eq!(indices, [1, 2, 3]);
        cache.touch(1);
        assert_eq!(cache.insert(stream(0x40)), 2);
        assert_eq!(cache.find(stream(0x20)), None);
        assert_eq!(cache.find(stream(0x10)), Some(1));
        assert_eq!(cache.get(0), None);
    }

    #[test]
    fn a_lone_reserved_way_holds_nothing() {
        let mut cache = cache(1, 1);
        assert_eq!(cache.insert(stream(0x10)), 0);
        assert_eq!(cache.find(stream(0x10)), None);
        // With two sets of one way the other set is used.
        let mut cache = self::cache(2, 1);
        assert_eq!(cache.insert(stream(0x10)), 1);
        assert_eq!(cache.insert(stream(0x20)), 0);
    }

    #[test]
    fn ways_that_are_no_power_of_two_leave_indices_out() {
        let mut cache = cache(6, 3);
        assert_eq!(cache.insert(stream(0x10)), 4);
        assert_eq!(cache.get(4), Some(stream(0x10)));
        assert_eq!(cache.get(7), None);
    }
}
