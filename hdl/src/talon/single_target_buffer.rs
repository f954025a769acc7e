//! The indirect branch target buffer with one target in each entry: a branch with two has both entries of its set.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;

use super::counter::RandomBits;
use super::target_buffer::Tag;
use crate::parts::ports::Clear;

block! {
    /// Looks a branch up, compares its target and learns it, all in one cycle.
    ///
    /// The clear sweep writes whether an entry is valid, its confidence, and which way was used last. A target is not used
    /// before it is learned.
    ///
    /// In the synchronous style the tags are read and compared in the cycle before, with an address that comes early.
    /// What that lookup could not see yet is the entry that the block before it took, so that is kept for one cycle.
    pub SingleTargetBuffer("single_target_buffer") of (config: &Config, clear_bits: usize) {
        let sets = config.target_buffer_sets as usize;
        let set_bits = index_bits(config.target_buffer_sets) as usize;
        let tag_bits = config.target_buffer_tag_bits as usize;
        let target_bits = config.table_target_bits() as usize;
        let address_bits = config.processor.instruction_address_bits() as usize;
        let is_synchronous = config.is_synchronous();
        let held = |bits: usize| if is_synchronous { bits } else { 0 };
        let ages = config.target_buffer_ages;
        let random_victim = config.target_buffer_random_victim;
    }
    parameters {
        sets,
        tag_bits,
        target_bits,
        address_bits,
        clear_bits,
        is_synchronous if is_synchronous,
        ages if ages,
        random_victim if random_victim,
    }

    in clear: Clear(clear_bits);
    /// address of the branch in instruction units; in the synchronous style that of the next cycle's branch
    in address: address_bits;
    /// its target: the bits that an entry keeps
    in target: target_bits;
    /// the other bits of the target are those of the address
    in is_near: 1;
    in learn: 1;
    /// the buffer knows the branch
    out hit: 1;
    /// it knows two targets
    out has_two: 1;
    /// the target of the last time is in the second way
    out recent: 1;
    /// the confidence of that target's entry
    out confidence: 2;
    /// the target of the last time
    out recent_target: target_bits;
    /// the target is the one in the first way
    out is_first: 1;
    /// the target is the one in the second way
    out is_second: 1;
    reg held_set: held(set_bits) = undefined;
    reg held_tag: held(tag_bits) = undefined;
    reg held_hits: held(2) = undefined;
    /// the branch before it was in this set
    reg same_set: held(1) = undefined;
    /// the branch before it had this tag
    reg same_tag: held(1) = undefined;
    /// the ways that the branch before it took
    reg did_replace: held(2);
    block random_bits: RandomBits() if random_victim;
    local lookup_set: set_bits;
    local lookup_tag: tag_bits;
    local lookup_hits: 2;
    local set: set_bits;
    local tag: tag_bits;
    memory tags: [tag_bits + 1; sets] { cleared: 0 } for _ in 0..2;
    memory targets: [target_bits; sets] for _ in 0..2;
    memory confidences: [2; sets] { cleared: 0 } for _ in 0..2;
    memory recents: [1; sets] { cleared: 1 };
    local above: address_bits;
    view first_way: Tag(tag_bits);
    view second_way: Tag(tag_bits);
    local learned_tag: Tag(tag_bits);
    local write_set: set_bits;
    local hits: 2;
    /// the way that was used last of those that hit; if none does, the one that may be replaced
    local way: 1;
    /// the ways that hit and have the target's bits
    local same_bits: 2;
    local known: 2;
    local other_is_sure: 1;
    local takes_other: 1;
    /// the way that the target takes
    local taken_way: 1;
    local replaces: 2;
    local may_replace: 1;
    /// the ways whose confidence changes
    local judged: 2;
    /// the branch's only entry is wrong, and the other one sure
    local other_ages: usize::from(ages);
    local next_recent: 1;
    param is_synchronous = usize::from(is_synchronous);
    param set_bits = set_bits;
    param tag_bits = tag_bits;
    param most_confidence = 3usize;
    param ages = usize::from(ages);
    param random_victim = usize::from(random_victim);
}

impl Logic for SingleTargetBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        self.above.next = self.address.val() >> self.set_bits.val();
        self.lookup_set.next = bits_to(self.address.val(), self.set.width())
            ^ bits_to(self.above.val(), self.set.width())
            ^ bits_to(self.above.val() >> self.set_bits.val(), self.set.width());
        self.lookup_tag.next = bits_to(self.above.val(), self.tag.width())
            ^ bits_to(self.above.val() >> self.tag_bits.val(), self.tag.width());
        for each in 0..self.hits.width() {
            self.tags[each].read_address.next = self.lookup_set.val();
        }
        self.first_way.next = self.tags[0].read_data.val();
        self.second_way.next = self.tags[1].read_data.val();
        self.lookup_hits.next = 0.into();
        if self.first_way.valid.val().any() && self.first_way.tag.val() == self.lookup_tag.val() {
            self.lookup_hits.next = 1.into();
        }
        if self.second_way.valid.val().any() && self.second_way.tag.val() == self.lookup_tag.val() {
            self.lookup_hits.next = self.lookup_hits.val() | 2;
        }
        self.set.next = self.lookup_set.val();
        self.tag.next = self.lookup_tag.val();
        self.hits.next = self.lookup_hits.val();
        if self.is_synchronous.val() == 1 {
            self.held_set.d.next = self.lookup_set.val();
            self.held_tag.d.next = self.lookup_tag.val();
            self.held_hits.d.next = self.lookup_hits.val();
            self.set.next = self.held_set.q.val();
            self.tag.next = self.held_tag.q.val();
            self.hits.next = self.held_hits.q.val();
            for each in 0..self.hits.width() {
                if self.did_replace.q.val().get_bit(each) && self.same_set.q.val().any() {
                    self.hits.next = self.hits.val().replace_bit(each, self.same_tag.q.val().any());
                }
            }
        }

        self.recents.read_address.next = self.set.val();
        for each in 0..self.hits.width() {
            self.targets[each].read_address.next = self.set.val();
            self.confidences[each].read_address.next = self.set.val();
        }
        self.hit.next = bits_to(self.hits.val().any(), 1);
        self.has_two.next = bits_to(self.hits.val().all(), 1);
        self.way.next = bits_to(self.hits.val() >> 1, 1);
        if self.has_two.val().any() {
            self.way.next = self.recents.read_data.val();
        } else if !self.hit.val().any() {
            self.way.next = !self.recents.read_data.val();
            if self.random_victim.val() == 1 {
                self.way.next = bits_to(self.random_bits.random.val(), 1);
            }
        }
        if self.random_victim.val() == 1 {
            self.random_bits.step.next = self.learn.val();
        }
        self.recent.next = self.way.val();
        self.confidence.next = self.confidences[0].read_data.val();
        self.recent_target.next = self.targets[0].read_data.val();
        self.other_is_sure.next = bits_to(self.confidences[1].read_data.val().any(), 1);
        if self.way.val().any() {
            self.confidence.next = self.confidences[1].read_data.val();
            self.recent_target.next = self.targets[1].read_data.val();
            self.other_is_sure.next = bits_to(self.confidences[0].read_data.val().any(), 1);
        }
        self.same_bits.next = 0.into();
        for each in 0..self.hits.width() {
            if self.hits.val().get_bit(each)
                && self.targets[each].read_data.val() == self.target.val()
            {
                self.same_bits.next = self.same_bits.val().replace_bit(each, true);
            }
        }
        self.known.next = 0.into();
        if self.is_near.val().any() {
            self.known.next = self.same_bits.val();
        }
        self.is_first.next = bits_to(self.known.val(), 1);
        self.is_second.next = bits_to(self.known.val() >> 1, 1);

        // Two targets with the same bits could not be told apart, so nothing is replaced then.
        self.takes_other.next = self.hit.val() & (self.has_two.val() | !self.other_is_sure.val());
        self.taken_way.next = self.way.val() ^ self.takes_other.val();
        self.may_replace.next = self.learn.val()
            & !bits_to(self.same_bits.val().any(), 1)
            & (self.takes_other.val() | !bits_to(self.confidence.val().any(), 1));
        self.replaces.next = 0.into();
        self.judged.next = self.known.val();
        for each in 0..self.hits.width() {
            if self.may_replace.val().any() && self.taken_way.val() == each {
                self.replaces.next = self.replaces.val().replace_bit(each, true);
            }
            if !self.known.val().any() && self.way.val() == each {
                self.judged.next = self.judged.val().replace_bit(each, true);
            }
        }
        self.next_recent.next = self.way.val();
        if self.known.val().any() {
            self.next_recent.next = self.is_second.val();
        } else if self.may_replace.val().any() {
            self.next_recent.next = self.taken_way.val();
        }

        self.learned_tag.valid.next = !self.clear.valid.val();
        self.learned_tag.tag.next = self.tag.val();
        self.write_set.next = self.set.val();
        if self.clear.valid.val().any() {
            self.write_set.next = bits_to(self.clear.index.val(), self.set.width());
        }
        for each in 0..self.hits.width() {
            self.tags[each].write_address.next = self.write_set.val();
            self.tags[each].write_data.next = self.learned_tag.val();
            self.tags[each].write_enable.next = self.clear.valid.val();
            self.targets[each].write_address.next = self.set.val();
            self.targets[each].write_data.next = self.target.val();
            self.targets[each].write_enable.next = 0.into();
            self.confidences[each].write_address.next = self.write_set.val();
            self.confidences[each].write_enable.next = self.clear.valid.val();
            if self.judged.val().get_bit(each) {
                self.confidences[each].write_enable.next =
                    self.clear.valid.val() | self.learn.val();
            }
            if self.replaces.val().get_bit(each) {
                self.tags[each].write_enable.next = 1.into();
                self.targets[each].write_enable.next = 1.into();
                self.confidences[each].write_enable.next = 1.into();
            }
            self.confidences[each].write_data.next = self.confidences[each].read_data.val() >> 1;
            if self.known.val().any() {
                if self.confidences[each].read_data.val() != self.most_confidence.val() {
                    self.confidences[each].write_data.next =
                        self.confidences[each].read_data.val() + 1;
                } else {
                    self.confidences[each].write_data.next = self.most_confidence.val();
                }
            }
            if self.ages.val() == 1 {
                self.other_ages.next = self.learn.val()
                    & self.hit.val()
                    & !self.takes_other.val()
                    & !bits_to(self.known.val().any(), 1);
                if self.other_ages.val().any() && self.way.val() != each {
                    self.confidences[each].write_enable.next = 1.into();
                    self.confidences[each].write_data.next =
                        self.confidences[each].read_data.val() - 1;
                }
            }
            if self.clear.valid.val().any() || self.replaces.val().get_bit(each) {
                self.confidences[each].write_data.next = 0.into();
            }
        }
        self.recents.write_enable.next = self.learn.val() | self.clear.valid.val();
        self.recents.write_address.next = self.write_set.val();
        self.recents.write_data.next = self.next_recent.val() | self.clear.valid.val();
        if self.is_synchronous.val() == 1 {
            self.same_set.d.next = bits_to(self.lookup_set.val() == self.set.val(), 1);
            self.same_tag.d.next = bits_to(self.lookup_tag.val() == self.tag.val(), 1);
            self.did_replace.d.next = self.replaces.val();
        }
    }
}
