//! The indirect branch target buffer (iBTB) with one target in each entry: a branch with two has both entries of its set.

use super::block::Fold;
use super::config::Config;
use super::counter::VictimBits;
use super::target_buffer::{MOST_CONFIDENCE, Place, Targets, tag};

/// A target of an indirect branch, and how well it was predicted.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    valid: bool,
    tag: u64,
    target: u64,
    confidence: u8,
}

/// Two ways of entries, and which way was used last in each set.
#[derive(Clone, Debug)]
pub struct SingleTargetBuffer {
    sets: Box<[[Entry; 2]]>,
    recent: Box<[bool]>,
    fold: Fold,
    tag_bits: u32,
    ages: bool,
    /// They choose the entry that a new branch may take, if that is not the one that was not used last.
    random: Option<VictimBits>,
}

impl SingleTargetBuffer {
    /// The buffer as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        let sets = config.target_buffer_sets as usize;
        Self {
            sets: vec![[Entry::default(); 2]; sets].into(),
            recent: vec![true; sets].into(),
            fold: Fold::new(config.target_buffer_sets),
            tag_bits: config.target_buffer_tag_bits,
            ages: config.target_buffer_ages,
            random: config.target_buffer_random_victim.then(VictimBits::new),
        }
    }

    /// Looks for a branch.
    #[inline]
    pub fn look_up(&self, address: u64) -> (Place, Option<Targets>) {
        let set = self.fold.index(address) as usize;
        let tag = tag(address >> self.fold.bits, self.tag_bits);
        let entries = &self.sets[set];
        let hits = entries.map(|entry| entry.valid && entry.tag == tag);
        let place = Place { set, tag, hits };
        let [first, second] = entries.map(|entry| entry.target);
        let recent = self.way(&place);
        let targets = (hits[0] || hits[1]).then(|| Targets {
            targets: if hits[0] { [first, second] } else { [second, second] },
            has_two: hits[0] && hits[1],
            recent,
            confidence: entries[usize::from(recent)].confidence,
        });
        (place, targets)
    }

    /// The way that was used last of those that hit; if none does, the one that may be replaced.
    fn way(&self, place: &Place) -> bool {
        match place.hits {
            [false, false] => !self.recent[place.set],
            [true, true] => self.recent[place.set],
            [_, second] => second,
        }
    }

    /// Learns the target, of which the buffer keeps these bits; says which of two targets it was, if it was one.
    ///
    /// A new target takes the other entry of the set, if the branch has that one too or it is not sure; else its
    /// own entry, if that is not sure. Where it finds the other entry sure, that one ages. No entry stands for a
    /// target that is not `near`, because its other bits are not the branch's.
    #[inline]
    pub fn learn(&mut self, place: &Place, target: u64, near: bool) -> Option<bool> {
        let Place { set, tag, hits } = *place;
        let random = self.random.as_mut().map(VictimBits::step);
        let way = match random {
            Some(random) if hits == [false, false] => usize::from(random & 1),
            _ => usize::from(self.way(place)),
        };
        let entries = &mut self.sets[set];
        let slot = (0..2).find(|way| hits[*way] && entries[*way].target == target);
        if let Some(slot) = slot.filter(|_| near) {
            let confidence = &mut entries[slot].confidence;
            *confidence = (*confidence + 1).min(MOST_CONFIDENCE);
            self.recent[set] = slot == 1;
            return (hits == [true, true]).then_some(slot == 1);
        }
        let other = &entries[1 - way];
        let takes_other = hits[way] && (hits[1 - way] || other.confidence == 0);
        let taken = if takes_other { 1 - way } else { way };
        let replaces = takes_other || entries[way].confidence == 0;
        entries[way].confidence >>= 1;
        if self.ages && hits[way] && !takes_other {
            entries[1 - way].confidence -= 1;
        }
        self.recent[set] = way == 1;
        // Two targets with the same bits could not be told apart.
        if replaces && slot.is_none() {
            entries[taken] = Entry { valid: true, tag, target, confidence: 0 };
            self.recent[set] = taken == 1;
        }
        None
    }
}
