//! The indirect branch target buffer: sets of two tagged entries with two targets each.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;

use crate::parts::ports::Clear;

packed! {
    /// What marks an entry as that of a branch.
    pub Tag of (tag_bits: usize);
    valid: 1;
    tag: tag_bits;
}

packed! {
    /// The targets of an entry.
    pub Entry of (target_bits: usize);
    has_two: 1;
    /// the target of the last time is the second
    recent: 1;
    confidence: 2;
    first: target_bits;
    second: target_bits;
}

block! {
    /// Looks a branch up, compares its target and learns it, all in one cycle.
    ///
    /// The tags of both ways are read at once, and then the targets of the way that hits or may be replaced. The clear
    /// sweep writes whether an entry is valid and its confidence; nothing else of an entry is used before it is learned.
    ///
    /// In the synchronous style the tags are read and compared in the cycle before, with an address that comes early.
    /// What that lookup could not see yet is what the block before it learned, so that is kept for one cycle.
    pub TargetBuffer("target_buffer") of (config: &Config, clear_bits: usize) {
        let sets = config.target_buffer_sets as usize;
        let set_bits = index_bits(config.target_buffer_sets) as usize;
        let tag_bits = config.target_buffer_tag_bits as usize;
        let target_bits = config.table_target_bits() as usize;
        let address_bits = config.processor.instruction_address_bits() as usize;
        let entry_bits = Entry::<View>::new(target_bits).width();
        let is_synchronous = config.is_synchronous();
        let held = |bits: usize| if is_synchronous { bits } else { 0 };
    }
    parameters {
        sets,
        tag_bits,
        target_bits,
        address_bits,
        clear_bits,
        is_synchronous if is_synchronous,
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
    /// the target of the last time is the second
    out recent: 1;
    /// the entry's confidence
    out confidence: 2;
    /// the target of the last time
    out recent_target: target_bits;
    /// the target is the first one known
    out is_first: 1;
    /// the target is the second one known
    out is_second: 1;
    reg held_set: held(set_bits) = undefined;
    reg held_tag: held(tag_bits) = undefined;
    reg held_hits: held(2) = undefined;
    reg held_victim: held(1) = undefined;
    /// the branch before it was in this set
    reg same_set: held(1) = undefined;
    /// the branch before it had this tag
    reg same_tag: held(1) = undefined;
    /// the branch before it was learned
    reg did_learn: held(1);
    /// the branch before it took an entry
    reg did_replace: held(1);
    /// the way of the branch before it
    reg last_way: held(1) = undefined;
    local lookup_set: set_bits;
    local lookup_tag: tag_bits;
    local lookup_hits: 2;
    local set: set_bits;
    local victim: 1;
    memory tags: [tag_bits + 1; sets] { cleared: 0 } for _ in 0..2;
    memory entries: [entry_bits; 2 * sets] { cleared: 0 };
    memory victims: [1; sets] { cleared: 0 };
    local above: address_bits;
    local tag: tag_bits;
    view first_way: Tag(tag_bits);
    view second_way: Tag(tag_bits);
    view entry: Entry(target_bits);
    local learned_tag: Tag(tag_bits);
    local learned: Entry(target_bits);
    local replaces: 1;
    local writes: 1;
    local write_set: set_bits;
    local place: set_bits + 1;
    local way_hits: 2;
    /// the second way is used
    local way: 1;
    /// the target has the bits of the first one known
    local has_first_bits: 1;
    /// the target has the bits of the second one known
    local has_second_bits: 1;
    local is_known: 1;
    local goes_second: 1;
    param is_synchronous = usize::from(is_synchronous);
    param set_bits = set_bits;
    param tag_bits = tag_bits;
    param most_confidence = 3usize;
}

impl Logic for TargetBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        self.above.next = self.address.val() >> self.set_bits.val();
        self.lookup_set.next = bits_to(self.address.val(), self.set.width())
            ^ bits_to(self.above.val(), self.set.width())
            ^ bits_to(self.above.val() >> self.set_bits.val(), self.set.width());
        self.lookup_tag.next = bits_to(self.above.val(), self.tag.width())
            ^ bits_to(self.above.val() >> self.tag_bits.val(), self.tag.width());
        self.victims.read_address.next = self.lookup_set.val();
        for each in 0..self.way_hits.width() {
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
        if self.is_synchronous.val() == 1 {
            self.held_set.d.next = self.lookup_set.val();
            self.held_tag.d.next = self.lookup_tag.val();
            self.held_hits.d.next = self.lookup_hits.val();
            self.held_victim.d.next = self.victims.read_data.val();
            self.set.next = self.held_set.q.val();
            self.tag.next = self.held_tag.q.val();
            self.way_hits.next = self.held_hits.q.val();
            self.victim.next = self.held_victim.q.val();
            if (self.same_set.q.val() & self.did_learn.q.val()).any() {
                self.victim.next = !self.last_way.q.val();
            }
            if (self.same_set.q.val() & self.did_replace.q.val()).any() {
                if self.last_way.q.val().any() {
                    self.way_hits.next = bits_to(self.held_hits.q.val(), self.way_hits.width()) & 1
                        | (bits_to(self.same_tag.q.val(), self.way_hits.width()) << 1);
                } else {
                    self.way_hits.next = bits_to(self.held_hits.q.val(), self.way_hits.width()) & 2
                        | bits_to(self.same_tag.q.val(), self.way_hits.width());
                }
            }
        } else {
            self.set.next = self.lookup_set.val();
            self.tag.next = self.lookup_tag.val();
            self.way_hits.next = self.lookup_hits.val();
            self.victim.next = self.victims.read_data.val();
        }
        self.hit.next = bits_to(self.way_hits.val().any(), 1);
        self.way.next = self.victim.val();
        if self.hit.val().any() {
            self.way.next = !bits_to(self.way_hits.val(), 1);
        }
        self.place.next = (bits_to(self.set.val(), self.place.width()) << 1)
            | bits_to(self.way.val(), self.place.width());
        self.entries.read_address.next = self.place.val();
        self.entry.next = self.entries.read_data.val();
        self.has_two.next = self.entry.has_two.val();
        self.recent.next = self.entry.recent.val();
        self.confidence.next = self.entry.confidence.val();
        self.recent_target.next = self.entry.first.val();
        if self.entry.recent.val().any() {
            self.recent_target.next = self.entry.second.val();
        }
        self.has_first_bits.next = bits_to(self.entry.first.val() == self.target.val(), 1);
        self.has_second_bits.next =
            self.entry.has_two.val() & bits_to(self.entry.second.val() == self.target.val(), 1);
        self.is_first.next = self.is_near.val() & self.has_first_bits.val();
        self.is_second.next = self.is_near.val() & self.has_second_bits.val();
        self.is_known.next = self.is_first.val() | self.is_second.val();

        // What the entry becomes.
        self.goes_second.next = !(self.entry.has_two.val() & self.entry.recent.val());
        self.replaces.next = !(self.hit.val() | bits_to(self.entry.confidence.val().any(), 1));
        self.learned.has_two.next = self.entry.has_two.val();
        self.learned.recent.next = self.entry.recent.val();
        self.learned.first.next = self.entry.first.val();
        self.learned.second.next = self.entry.second.val();
        self.learned.confidence.next = self.entry.confidence.val();
        if !self.hit.val().any() {
            if self.entry.confidence.val().any() {
                self.learned.confidence.next = self.entry.confidence.val() - 1;
            } else {
                self.learned.has_two.next = 0.into();
                self.learned.recent.next = 0.into();
                self.learned.first.next = self.target.val();
            }
        } else if self.is_known.val().any() {
            self.learned.recent.next = !self.is_first.val();
            if self.entry.confidence.val() != self.most_confidence.val() {
                self.learned.confidence.next = self.entry.confidence.val() + 1;
            }
        } else {
            self.learned.confidence.next = self.entry.confidence.val() >> 1;
            // Two targets with the same bits could not be told apart.
            if !(self.has_first_bits.val() | self.has_second_bits.val()).any() {
                self.learned.has_two.next = 1.into();
                self.learned.recent.next = self.goes_second.val();
                if self.goes_second.val().any() {
                    self.learned.second.next = self.target.val();
                } else {
                    self.learned.first.next = self.target.val();
                }
            }
        }
        self.learned_tag.valid.next = !self.clear.valid.val();
        self.learned_tag.tag.next = self.tag.val();
        self.write_set.next = self.set.val();
        self.writes.next = self.learn.val() | self.clear.valid.val();
        self.entries.write_address.next = self.place.val();
        if self.clear.valid.val().any() {
            self.learned.confidence.next = 0.into();
            self.write_set.next = bits_to(self.clear.index.val(), self.set.width());
            self.entries.write_address.next = bits_to(self.clear.index.val(), self.place.width());
        }
        self.entries.write_enable.next = self.writes.val();
        self.entries.write_data.next = self.learned.val();
        for each in 0..self.way_hits.width() {
            self.tags[each].write_enable.next = self.clear.valid.val();
            self.tags[each].write_address.next = self.write_set.val();
            self.tags[each].write_data.next = self.learned_tag.val();
            if self.way.val() == each && self.replaces.val().any() {
                self.tags[each].write_enable.next = self.writes.val();
            }
        }
        // The way that was not used is replaced next.
        self.victims.write_enable.next = self.writes.val();
        self.victims.write_address.next = self.write_set.val();
        self.victims.write_data.next = !self.way.val() & !self.clear.valid.val();
        if self.is_synchronous.val() == 1 {
            self.same_set.d.next = bits_to(self.lookup_set.val() == self.set.val(), 1);
            self.same_tag.d.next = bits_to(self.lookup_tag.val() == self.tag.val(), 1);
            self.did_learn.d.next = self.learn.val();
            self.did_replace.d.next = self.learn.val() & self.replaces.val();
            self.last_way.d.next = self.way.val();
        }
    }
}
