//! The indirect branch target buffer (iBTB; paper C, section 5.1): path history, tags, replacement.

use super::config::{Config, Replacement};
use crate::config::{index_bits, mask};
use crate::recency::Recency;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    tag: u64,
    target: u64,
}

/// A set-associative table of targets, looked up by the path that led to the branch.
///
/// No entry has a valid bit: reset clears tags and targets to 0, and a match with such an entry
/// predicts address 0 of the current upper bits.
#[derive(Clone, Debug)]
pub struct IndirectBranchTargetBuffer {
    entries: Box<[Entry]>,
    /// Ways of every set, most recently used first.
    order: Box<[u8]>,
    replacement: Replacement,
    /// The way that is replaced next, where the ways are replaced in turn.
    next_victim: usize,
    ways: usize,
    set_mask: u64,
    tag_bits: u32,
    path_history: u64,
    path_mask: u64,
    pc_shift: u32,
    tag_shift: u32,
}

/// Where a branch looks: its set, its tag, and the way that matched.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    set: usize,
    tag: u64,
    way: Option<usize>,
    /// The lower target bits that the matching entry holds.
    pub target: Option<u64>,
}

impl IndirectBranchTargetBuffer {
    /// The buffer as reset leaves it.
    pub fn new(config: &Config) -> Self {
        let sets = config.indirect_branch_target_buffer_sets();
        let ways = config.indirect_branch_target_buffer_ways;
        Self {
            entries: vec![Entry::default(); (sets * ways) as usize].into(),
            order: Recency::after_reset(ways).repeat(sets as usize).into(),
            replacement: config.indirect_branch_target_buffer_replacement,
            next_victim: 0,
            ways: ways as usize,
            set_mask: mask(index_bits(sets)),
            tag_bits: config.indirect_branch_target_buffer_tag_bits,
            path_history: 0,
            path_mask: mask(config.path_history()),
            pc_shift: config.pc_shift,
            tag_shift: config.indirect_branch_target_buffer_tag_shift,
        }
    }

    /// Looks the branch at `program_counter` up.
    #[inline]
    pub fn look_up(&self, program_counter: u64) -> Lookup {
        let address = program_counter.checked_shr(self.tag_shift).unwrap_or(0);
        let tag = (self.path_history ^ address) & mask(self.tag_bits);
        let set = ((self.path_history >> self.tag_bits ^ program_counter >> self.pc_shift)
            & self.set_mask) as usize;
        let ways = &self.entries[set * self.ways..][..self.ways];
        let way = ways.iter().position(|entry| entry.tag == tag);
        Lookup { set, tag, way, target: way.map(|way| ways[way].target) }
    }

    /// Learns the lower target bits of a taken branch: in the way that matched, else in the one to replace.
    #[inline]
    pub fn update(&mut self, lookup: Lookup, target: u64) {
        let way = match self.replacement {
            Replacement::LeastRecentlyUsed => {
                let mut recency = Recency(&mut self.order[lookup.set * self.ways..][..self.ways]);
                let way = lookup.way.unwrap_or_else(|| recency.oldest());
                recency.touch(way);
                way
            }
            Replacement::RoundRobin => lookup.way.unwrap_or_else(|| {
                let victim = self.next_victim;
                self.next_victim = (victim + 1) % self.ways;
                victim
            }),
        };
        self.entries[lookup.set * self.ways + way] = Entry { tag: lookup.tag, target };
    }

    /// Learns the path: every conditional and every indirect branch, with its outcome.
    #[inline]
    pub fn update_path(&mut self, program_counter: u64, taken: bool) {
        let shifted = self.path_history << 2 ^ program_counter >> self.pc_shift;
        self.path_history = (shifted | u64::from(taken)) & self.path_mask;
    }
}
