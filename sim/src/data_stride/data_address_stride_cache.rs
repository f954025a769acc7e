//! The data address stride cache (DASC; paper B, Figures 5 and 6): last address and stride by
//! instruction.

use super::config::Config;
use crate::config::{index_bits, mask};
use crate::recency::Recency;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// True once it was written; without tags it counts as such from the beginning.
    valid: bool,
    tag: u64,
    last_address: u64,
    /// The lower bits of the last difference.
    stride: u64,
}

/// A table of last data addresses and strides; direct-mapped without tags, or set-associative.
///
/// Reset clears it. Without tags an instruction finds what any other left there, at first an address
/// and a stride of 0; with tags it finds its own entry or none.
#[derive(Clone, Debug)]
pub struct DataAddressStrideCache {
    entries: Box<[Entry]>,
    /// Ways of every set, most recently used first.
    order: Box<[u8]>,
    ways: usize,
    tagged: bool,
    set_bits: u32,
    tag_bits: u32,
    pc_shift: u32,
    address_mask: u64,
    stride_bits: u32,
}

/// Where an instruction looks: its set, its tag, and the way that is its own.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    set: usize,
    tag: u64,
    way: Option<usize>,
    /// The data address that its entry predicts.
    pub predicted: Option<u64>,
}

impl DataAddressStrideCache {
    /// The cache as reset leaves it.
    pub fn new(config: &Config) -> Self {
        let (sets, ways) = (config.sets(), config.stride_cache_ways);
        Self {
            entries: vec![Entry::default(); (sets * ways) as usize].into(),
            order: Recency::after_reset(ways).repeat(sets as usize).into(),
            ways: ways as usize,
            tagged: config.stride_cache_tagged,
            set_bits: index_bits(sets),
            tag_bits: config.entry_tag_bits(),
            pc_shift: config.index_shift(),
            address_mask: mask(config.processor.address_width),
            stride_bits: config.stride_bits,
        }
    }

    /// Looks the instruction at `program_counter` up.
    #[inline]
    pub fn look_up(&self, program_counter: u64) -> Lookup {
        let index = program_counter >> self.pc_shift;
        let set = (index & mask(self.set_bits)) as usize;
        let tag = index >> self.set_bits & mask(self.tag_bits);
        let ways = &self.entries[set * self.ways..][..self.ways];
        let is_own = |entry: &Entry| !self.tagged || entry.valid && entry.tag == tag;
        let way = ways.iter().position(is_own);
        let predicted = way.map(|way| {
            let Entry { last_address, stride, .. } = ways[way];
            last_address.wrapping_add(self.extended(stride)) & self.address_mask
        });
        Lookup { set, tag, way, predicted }
    }

    /// Learns the data address: in the instruction's own entry, else, with a stride of 0, in the least
    /// recently used one.
    #[inline]
    pub fn update(&mut self, lookup: Lookup, address: u64) {
        let mut recency = Recency(&mut self.order[lookup.set * self.ways..][..self.ways]);
        let way = lookup.way.unwrap_or_else(|| recency.oldest());
        recency.touch(way);
        let entry = &mut self.entries[lookup.set * self.ways + way];
        let stride = match lookup.way {
            Some(_) => address.wrapping_sub(entry.last_address) & mask(self.stride_bits),
            None => 0,
        };
        *entry = Entry { valid: true, tag: lookup.tag, last_address: address, stride };
    }

    /// A stride with its sign repeated above it.
    fn extended(&self, stride: u64) -> u64 {
        match 64 - self.stride_bits {
            64 => 0,
            above => ((stride << above) as i64 >> above) as u64,
        }
    }
}
