//! The indirect branch target buffer (iBTB) with one target in each entry: a branch with two has an entry in each way.

use super::block::Fold;
use super::config::Config;
use super::counter::VictimBits;
use super::target_buffer::{MOST_CONFIDENCE, Place, Targets, tag};
use super::target_history::TargetHistory;

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
    ways: [Box<[Entry]>; 2],
    /// By the set of the first way.
    recent: Box<[bool]>,
    /// By the set of the first way: its branch has more than two targets.
    polymorphic: Box<[bool]>,
    fold: Fold,
    tag_bits: u32,
    ages: bool,
    /// Low bits of the reversed tag in the second way's index.
    skew_mask: u64,
    history: Option<TargetHistory>,
    /// They choose the entry that a new branch may take, if that is not the one that was not used last.
    random: Option<VictimBits>,
}

impl SingleTargetBuffer {
    /// The buffer as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        let sets = config.target_buffer_sets as usize;
        let fold = Fold::new(config.target_buffer_sets);
        Self {
            ways: [(); 2].map(|()| vec![Entry::default(); sets].into()),
            recent: vec![true; sets].into(),
            polymorphic: vec![false; sets].into(),
            fold,
            tag_bits: config.target_buffer_tag_bits,
            ages: config.target_buffer_ages,
            skew_mask: if config.target_buffer_skewed { fold.mask } else { 0 },
            history: (config.target_history_bits > 0).then(|| TargetHistory::new(config)),
            random: config.target_buffer_random_victim.then(VictimBits::new),
        }
    }

    /// Looks for a branch.
    #[inline]
    pub fn look_up(&self, address: u64) -> (Place, Option<Targets>) {
        let set = self.fold.index(address);
        let tag = tag(address >> self.fold.bits, self.tag_bits);
        let first = &self.ways[0][set as usize];
        let first_hits = first.valid && first.tag == tag;
        let mut second_set = set ^ (tag.reverse_bits() >> (64 - self.tag_bits) & self.skew_mask);
        if let Some(history) = &self.history
            && first_hits
            && self.polymorphic[set as usize]
        {
            second_set ^= history.folded();
        }
        let sets = [set as usize, second_set as usize];
        let entries = [0, 1].map(|way| self.ways[way][sets[way]]);
        let place = Place { sets, tag, hits: entries.map(|entry| entry.valid && entry.tag == tag) };
        let [first, second] = entries.map(|entry| entry.target);
        let recent = self.way(&place);
        let targets = (place.hits[0] || place.hits[1]).then(|| Targets {
            targets: if place.hits[0] { [first, second] } else { [second, second] },
            has_two: place.hits[0] && place.hits[1],
            recent,
            confidence: entries[usize::from(recent)].confidence,
        });
        (place, targets)
    }

    /// The way that was used last of those that hit; if none does, the one that may be replaced.
    fn way(&self, place: &Place) -> bool {
        match place.hits {
            [false, false] => !self.recent[place.sets[0]],
            [true, true] => self.recent[place.sets[0]],
            [_, second] => second,
        }
    }

    /// Learns the target, of which the buffer keeps these bits; says which of two targets it was, if it was one.
    ///
    /// A new target takes the other entry of the branch, if the branch has that one too or it is not sure; else its
    /// own entry, if that is not sure. Where it finds the other entry sure, that one ages. No entry stands for a
    /// target that is not `near`, because its other bits are not the branch's.
    ///
    /// A branch that has both entries, goes elsewhere and was not sure has more than two targets. From then on its entry
    /// in the second way is found by the history of targets, as long as it has one in the first way.
    #[inline]
    pub fn learn(&mut self, place: &Place, target: u64, near: bool) -> Option<bool> {
        let known = self.learn_entries(place, target, near);
        if let Some(history) = &mut self.history {
            history.update(target);
        }
        known
    }

    fn learn_entries(&mut self, place: &Place, target: u64, near: bool) -> Option<bool> {
        let Place { sets, tag, hits } = *place;
        let set = sets[0];
        let random = self.random.as_mut().map(VictimBits::step);
        let way = match random {
            Some(random) if hits == [false, false] => usize::from(random & 1),
            _ => usize::from(self.way(place)),
        };
        let [first, second] = &mut self.ways;
        let entries = [&mut first[sets[0]], &mut second[sets[1]]];
        let same = [0, 1].map(|way: usize| hits[way] && entries[way].target == target);
        if near && same != [false, false] {
            // With a history in its index, the second way may have the target of the first.
            for (entry, same) in entries.into_iter().zip(same) {
                entry.confidence = (entry.confidence + u8::from(same)).min(MOST_CONFIDENCE);
            }
            self.recent[set] = same[1];
            return (hits == [true, true]).then_some(same[1]);
        }
        let is_sure = entries[way].confidence > 0;
        let takes_other = hits[way] && (hits[1 - way] || entries[1 - way].confidence == 0);
        let taken = if takes_other { 1 - way } else { way };
        let replaces = takes_other || !is_sure;
        entries[way].confidence >>= 1;
        if self.ages && hits[way] && !takes_other {
            entries[1 - way].confidence -= 1;
        }
        self.recent[set] = way == 1;
        // Two targets with the same bits could not be told apart.
        if replaces && same == [false, false] {
            *entries[taken] = Entry { valid: true, tag, target, confidence: 0 };
            self.recent[set] = taken == 1;
            let becomes_polymorphic = hits == [true, true] && !is_sure;
            self.polymorphic[set] = hits[0] && (self.polymorphic[set] || becomes_polymorphic);
        }
        None
    }
}
