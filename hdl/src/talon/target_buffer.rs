//! The indirect branch target buffer: sets of two tagged entries with two targets each.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;

use crate::parts::ports::Clear;
use crate::parts::predictor_table::Reading;

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
        let early = Reading::of(config.memory_style, &config.port);
    }
    parameters {
        sets,
        tag_bits,
        target_bits,
        address_bits,
        clear_bits,
        is_synchronous = early if early,
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
    stage held_set: set_bits = undefined if early;
    stage held_tag: tag_bits = undefined if early;
    stage held_hits: 2 = undefined if early;
    stage held_victim: 1 = undefined if early;
    /// the branch before it was in this set
    reg same_set: early = undefined;
    /// the branch before it had this tag
    reg same_tag: early = undefined;
    /// the branch before it was learned
    reg did_learn: early;
    /// the branch before it took an entry
    reg did_replace: early;
    /// the way of the branch before it
    reg last_way: early = undefined;
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
    param is_early = early;
    param set_bits = set_bits;
    param tag_bits = tag_bits;
    param most_confidence = 3usize;
}

#[kernel]
impl Logic for TargetBuffer {
    fn update(&mut self) {
        above = address >> set_bits;
        lookup_set = resized(address) ^ resized(above) ^ resized(above >> set_bits);
        lookup_tag = resized(above) ^ resized(above >> tag_bits);
        victims.read_address = lookup_set;
        for each in 0..way_hits.width() {
            tags[each].read_address = lookup_set;
        }
        first_way = tags[0].read_data;
        second_way = tags[1].read_data;
        lookup_hits = 0;
        if first_way.valid && first_way.tag == lookup_tag {
            lookup_hits = 1;
        }
        if second_way.valid && second_way.tag == lookup_tag {
            lookup_hits = lookup_hits | 2;
        }
        held_set.d = lookup_set;
        held_tag.d = lookup_tag;
        held_hits.d = lookup_hits;
        held_victim.d = victims.read_data;
        set = held_set.q;
        tag = held_tag.q;
        way_hits = held_hits.q;
        victim = held_victim.q;
        if when(is_early) {
            if same_set.q & did_learn.q {
                victim = !last_way.q;
            }
            if same_set.q & did_replace.q {
                if last_way.q {
                    way_hits = resized(held_hits.q) & 1 | (resized(same_tag.q) << 1);
                } else {
                    way_hits = resized(held_hits.q) & 2 | resized(same_tag.q);
                }
            }
        }
        hit = way_hits.any();
        way = victim;
        if hit {
            way = !resized(way_hits, 1);
        }
        place = (resized(set) << 1) | resized(way);
        entries.read_address = place;
        entry = entries.read_data;
        has_two = entry.has_two;
        recent = entry.recent;
        confidence = entry.confidence;
        recent_target = entry.first;
        if entry.recent {
            recent_target = entry.second;
        }
        has_first_bits = entry.first == target;
        has_second_bits = entry.has_two & bit(entry.second == target);
        is_first = is_near & has_first_bits;
        is_second = is_near & has_second_bits;
        is_known = is_first | is_second;

        // What the entry becomes.
        goes_second = !(entry.has_two & entry.recent);
        replaces = !(hit | bit(entry.confidence));
        learned = Entry {
            has_two: entry.has_two,
            recent: entry.recent,
            first: entry.first,
            second: entry.second,
            confidence: entry.confidence,
        };
        if !hit {
            if entry.confidence {
                learned.confidence = entry.confidence - 1;
            } else {
                learned = Entry { has_two: 0, recent: 0, first: target };
            }
        } else if is_known {
            learned.recent = !is_first;
            if entry.confidence != most_confidence {
                learned.confidence = entry.confidence + 1;
            }
        } else {
            learned.confidence = entry.confidence >> 1;
            // Two targets with the same bits could not be told apart.
            if !(has_first_bits | has_second_bits) {
                learned = Entry { has_two: 1, recent: goes_second };
                if goes_second {
                    learned.second = target;
                } else {
                    learned.first = target;
                }
            }
        }
        learned_tag = Tag { valid: !clear.valid, tag };
        write_set = set;
        writes = learn | clear.valid;
        entries.write_address = place;
        if clear.valid {
            learned.confidence = 0;
            write_set = resized(clear.index);
            entries.write_address = resized(clear.index);
        }
        entries.write_enable = writes;
        entries.write_data = learned;
        for each in 0..way_hits.width() {
            tags[each].write_enable = clear.valid;
            tags[each].write_address = write_set;
            tags[each].write_data = learned_tag;
            if way == each && replaces {
                tags[each].write_enable = writes;
            }
        }
        // The way that was not used is replaced next.
        victims.write_enable = writes;
        victims.write_address = write_set;
        victims.write_data = !way & !clear.valid;
        if when(is_early) {
            same_set.d = lookup_set == set;
            same_tag.d = lookup_tag == tag;
            did_learn.d = learn;
            did_replace.d = learn & replaces;
            last_way.d = way;
        }
    }
}
