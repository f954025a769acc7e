//! The indirect branch target buffer (iBTB): sets of two tagged entries, each with up to two targets.

use super::block::Fold;
use super::config::Config;
use crate::config::mask;

/// The highest confidence of an entry.
pub const MOST_CONFIDENCE: u8 = 3;

/// An indirect branch: its targets, which of the two came last, and how well it was predicted.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    valid: bool,
    tag: u64,
    targets: [u64; 2],
    has_two: bool,
    recent: bool,
    confidence: u8,
}

/// The targets of a branch that the buffer knows.
#[derive(Clone, Copy, Debug)]
pub struct Targets {
    /// One target or two, their kept bits.
    pub targets: [u64; 2],
    /// There are two.
    pub has_two: bool,
    /// The target of the last time: false for the first, true for the second.
    pub recent: bool,
    /// The entry's confidence, 0 to 3.
    pub confidence: u8,
}

/// Where a branch was looked for.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The set of each way: one and the same, unless the second way has an index of its own.
    pub(super) sets: [usize; 2],
    pub(super) tag: u64,
    /// The ways that have the branch.
    pub(super) hits: [bool; 2],
}

/// The tag of an address without the bits of the index.
#[inline]
pub(super) fn tag(above: u64, bits: u32) -> u64 {
    (above ^ above >> bits) & mask(bits)
}

/// The way that has the branch: no two have it.
#[inline]
fn way(hits: [bool; 2]) -> Option<usize> {
    hits.iter().position(|hits| *hits)
}

/// Two ways of entries, and the way that is replaced next in each set.
#[derive(Clone, Debug)]
pub struct TargetBuffer {
    sets: Box<[[Entry; 2]]>,
    victims: Box<[bool]>,
    fold: Fold,
    tag_bits: u32,
}

impl TargetBuffer {
    /// The buffer as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        let sets = config.target_buffer_sets as usize;
        Self {
            sets: vec![[Entry::default(); 2]; sets].into(),
            victims: vec![false; sets].into(),
            fold: Fold::new(config.target_buffer_sets),
            tag_bits: config.target_buffer_tag_bits,
        }
    }

    /// Looks for a branch.
    #[inline]
    pub fn look_up(&self, address: u64) -> (Place, Option<Targets>) {
        let set = self.fold.index(address) as usize;
        let tag = tag(address >> self.fold.bits, self.tag_bits);
        let hits = self.sets[set].map(|entry| entry.valid && entry.tag == tag);
        let targets = way(hits).map(|way| {
            let Entry { targets, has_two, recent, confidence, .. } = self.sets[set][way];
            Targets { targets, has_two, recent, confidence }
        });
        (Place { sets: [set; 2], tag, hits }, targets)
    }

    /// Learns the target, of which the buffer keeps these bits; says which of two targets it was, if it was one.
    ///
    /// No entry stands for a target that is not `near`, because its other bits are not the branch's.
    #[inline]
    pub fn learn(&mut self, place: &Place, target: u64, near: bool) -> Option<bool> {
        let Place { sets: [set, _], tag, hits } = *place;
        let victim = &mut self.victims[set];
        let Some(way) = way(hits) else {
            let entry = &mut self.sets[set][usize::from(*victim)];
            if entry.confidence > 0 {
                entry.confidence -= 1;
            } else {
                *entry = Entry { valid: true, tag, targets: [target, 0], ..Entry::default() };
            }
            *victim = !*victim;
            return None;
        };
        *victim = way == 0;
        let entry = &mut self.sets[set][way];
        let known = &entry.targets[..if entry.has_two { 2 } else { 1 }];
        let slot = known.iter().position(|known| *known == target);
        if let Some(slot) = slot.filter(|_| near) {
            entry.recent = slot == 1;
            entry.confidence = (entry.confidence + 1).min(MOST_CONFIDENCE);
            return entry.has_two.then_some(entry.recent);
        }
        entry.confidence >>= 1;
        // Two targets with the same bits could not be told apart.
        if slot.is_none() {
            entry.recent = !(entry.has_two && entry.recent);
            entry.has_two = true;
            entry.targets[usize::from(entry.recent)] = target;
        }
        None
    }
}
