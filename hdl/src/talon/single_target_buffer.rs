//! The indirect branch target buffer with one target in each entry: a branch with two has an entry in each way.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;

use super::counter::VictimBits;
use super::target_buffer::Tag;
use crate::parts::ports::Clear;
use crate::parts::predictor_table::Reading;

block! {
    /// Looks a branch up, compares its target and learns it, all in one cycle.
    ///
    /// The clear sweep writes whether an entry is valid, its confidence, and which way was used last. A target is not used
    /// before it is learned.
    ///
    /// In the synchronous style the tags are read and compared in the cycle before, with an address that comes early.
    /// What that lookup could not see yet is the entry that the block before it took, so that is kept for one cycle. A
    /// second way with an index of its own is read in the cycle of the branch, whose history is not complete before.
    pub SingleTargetBuffer("single_target_buffer") of (config: &Config, clear_bits: usize) {
        let sets = config.target_buffer_sets as usize;
        let set_bits = index_bits(config.target_buffer_sets) as usize;
        let tag_bits = config.target_buffer_tag_bits as usize;
        let target_bits = config.table_target_bits() as usize;
        let address_bits = config.processor.instruction_address_bits() as usize;
        let early = Reading::of(config.memory_style, &config.port);
        let ages = config.target_buffer_ages;
        let random_victim = config.target_buffer_random_victim;
        let is_skewed = config.target_buffer_skewed;
        let has_history = config.has_target_history();
        let history_bits = config.target_history_bits as usize;
        let history_shift = config.target_history_shift as usize;
        let is_split = is_skewed || has_history;
        let history_parts = if set_bits > 0 { history_bits.div_ceil(set_bits) } else { 0 };
        let skew_bits = if is_skewed { set_bits.min(tag_bits) } else { 0 };
        // Those whose tags are read at once.
        let early_ways = if is_split { 1 } else { 2 };
        let split = |bits: usize| if is_split { bits } else { 0 };
    }
    parameters {
        sets,
        tag_bits,
        target_bits,
        address_bits,
        clear_bits,
        is_synchronous = early if early,
        ages if ages,
        random_victim if random_victim,
        is_skewed if is_skewed,
        history_bits if has_history,
        history_shift if has_history,
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
    stage held_set: set_bits = undefined if early;
    stage held_tag: tag_bits = undefined if early;
    stage held_hits: early_ways = undefined if early;
    /// the branch before it was in this set
    reg same_set: early = undefined;
    /// the branch before it had this tag
    reg same_tag: early = undefined;
    /// the ways that the branch before it took
    reg did_replace: early_ways * early.count();
    block victim_bits: VictimBits() if random_victim;
    /// the latest targets
    reg history: history_bits;
    local lookup_set: set_bits;
    local lookup_tag: tag_bits;
    local lookup_hits: early_ways;
    /// the first way has the branch
    local first_hits: split(1);
    local set: set_bits;
    local tag: tag_bits;
    memory tags: [tag_bits + 1; sets] { cleared: 0 } for _ in 0..2;
    memory targets: [target_bits; sets] for _ in 0..2;
    memory confidences: [2; sets] { cleared: 0 } for _ in 0..2;
    memory recents: [1; sets] { cleared: 1 };
    /// by the set of the first way: its branch has more than two targets
    memory polymorphic: [1; sets] { cleared: 0 } if has_history;
    /// the set of the second way
    local second_set: split(set_bits);
    local second_write_set: split(set_bits);
    local by_history: usize::from(has_history);
    local folded_history: if has_history { set_bits } else { 0 };
    /// the branch shows that it has more than two targets
    local becomes_polymorphic: usize::from(has_history);
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
    param is_early = early;
    param set_bits = set_bits;
    param tag_bits = tag_bits;
    param most_confidence = 3usize;
    param ages = usize::from(ages);
    param is_split = usize::from(is_split);
    param has_history = usize::from(has_history);
    param history_bits = history_bits;
    param history_shift = history_shift;
    param history_place = part * set_bits for part in 1..history_parts;
    param skew_place = tag_bits - 1 - bit for bit in 0..skew_bits;
    param random_victim = usize::from(random_victim);
}

#[kernel]
impl Logic for SingleTargetBuffer {
    fn update(&mut self) {
        above = address >> set_bits;
        lookup_set = resized(address) ^ resized(above) ^ resized(above >> set_bits);
        lookup_tag = resized(above) ^ resized(above >> tag_bits);
        for each in 0..lookup_hits.width() {
            tags[each].read_address = lookup_set;
        }
        first_way = tags[0].read_data;
        second_way = tags[1].read_data;
        lookup_hits = 0;
        if first_way.valid && first_way.tag == lookup_tag {
            lookup_hits = 1;
        }
        if when(!is_split) {
            if second_way.valid && second_way.tag == lookup_tag {
                lookup_hits = lookup_hits | 2;
            }
        }
        held_set.d = lookup_set;
        held_tag.d = lookup_tag;
        held_hits.d = lookup_hits;
        set = held_set.q;
        tag = held_tag.q;
        if when(is_split) {
            first_hits = resized(held_hits.q, 1);
        } else {
            hits = resized(held_hits.q);
        }
        if when(is_early) {
            if when(is_split) {
                if did_replace.q.get_bit(0) && same_set.q {
                    first_hits = same_tag.q;
                }
            } else {
                for each in 0..lookup_hits.width() {
                    if did_replace.q.get_bit(each) && same_set.q {
                        hits = hits.replace_bit(each, same_tag.q.any());
                    }
                }
            }
        }
        if when(is_split) {
            // A reversed tag differs in the lowest bits between distant branches, too.
            second_set = set;
            for bit in 0..skew_place.len() {
                if tag.get_bit(skew_place[bit]) {
                    second_set = second_set.replace_bit(bit, !second_set.get_bit(bit));
                }
            }
            if when(has_history) {
                polymorphic.read_address = set;
                by_history = first_hits & polymorphic.read_data;
                folded_history = 0;
                if by_history {
                    folded_history = resized(history.q);
                    for part in 0..history_place.len() {
                        folded_history = folded_history ^ fitted(history.q >> history_place[part]);
                    }
                }
                second_set = second_set ^ folded_history;
            }
            tags[1].read_address = second_set;
            hits = resized(first_hits);
            if second_way.valid && second_way.tag == tag {
                hits = hits | 2;
            }
        }

        recents.read_address = set;
        for each in 0..hits.width() {
            targets[each].read_address = set;
            confidences[each].read_address = set;
        }
        if when(is_split) {
            targets[1].read_address = second_set;
            confidences[1].read_address = second_set;
        }
        hit = hits.any();
        has_two = hits.all();
        way = resized(hits >> 1, 1);
        if has_two {
            way = recents.read_data;
        } else if !hit {
            way = !recents.read_data;
            if when(random_victim) {
                way = victim_bits.victim;
            }
        }
        if when(random_victim) {
            victim_bits.step = learn;
        }
        recent = way;
        confidence = confidences[0].read_data;
        recent_target = targets[0].read_data;
        other_is_sure = confidences[1].read_data.any();
        if way {
            confidence = confidences[1].read_data;
            recent_target = targets[1].read_data;
            other_is_sure = confidences[0].read_data.any();
        }
        same_bits = 0;
        for each in 0..hits.width() {
            if hits.get_bit(each) && targets[each].read_data == target {
                same_bits = same_bits.replace_bit(each, true);
            }
        }
        known = 0;
        if is_near {
            known = same_bits;
        }
        is_first = resized(known, 1);
        is_second = resized(known >> 1, 1);

        // Two targets with the same bits could not be told apart, so nothing is replaced then.
        takes_other = hit & (has_two | !other_is_sure);
        taken_way = way ^ takes_other;
        may_replace = learn & !bit(same_bits) & (takes_other | !bit(confidence));
        replaces = 0;
        judged = known;
        for each in 0..hits.width() {
            if may_replace && taken_way == each {
                replaces = replaces.replace_bit(each, true);
            }
            if !known && way == each {
                judged = judged.replace_bit(each, true);
            }
        }
        next_recent = way;
        if known {
            next_recent = is_second;
        } else if may_replace {
            next_recent = taken_way;
        }

        learned_tag = Tag { valid: !clear.valid, tag };
        write_set = set;
        if clear.valid {
            write_set = resized(clear.index);
        }
        for each in 0..hits.width() {
            tags[each].write_address = write_set;
            tags[each].write_data = learned_tag;
            tags[each].write_enable = clear.valid;
            targets[each].write_address = set;
            targets[each].write_data = target;
            targets[each].write_enable = 0;
            confidences[each].write_address = write_set;
            confidences[each].write_enable = clear.valid;
            if judged.get_bit(each) {
                confidences[each].write_enable = clear.valid | learn;
            }
            if replaces.get_bit(each) {
                tags[each].write_enable = 1;
                targets[each].write_enable = 1;
                confidences[each].write_enable = 1;
            }
            confidences[each].write_data = confidences[each].read_data >> 1;
            if known {
                if confidences[each].read_data != most_confidence {
                    confidences[each].write_data = confidences[each].read_data + 1;
                } else {
                    confidences[each].write_data = most_confidence;
                }
            }
            if when(ages) {
                other_ages = learn & hit & !takes_other & !bit(known);
                if other_ages && way != each {
                    confidences[each].write_enable = 1;
                    confidences[each].write_data = confidences[each].read_data - 1;
                }
            }
            if clear.valid || replaces.get_bit(each) {
                confidences[each].write_data = 0;
            }
        }
        if when(is_split) {
            second_write_set = second_set;
            if clear.valid {
                second_write_set = resized(clear.index);
            }
            tags[1].write_address = second_write_set;
            targets[1].write_address = second_set;
            confidences[1].write_address = second_write_set;
        }
        if when(has_history) {
            becomes_polymorphic = has_two & !bit(confidence);
            polymorphic.write_address = write_set;
            polymorphic.write_enable = clear.valid | may_replace;
            polymorphic.write_data =
                !clear.valid & first_hits & (polymorphic.read_data | becomes_polymorphic);
            if learn {
                history.d = (history.q << history_shift)
                    ^ resized(target)
                    ^ resized(target >> history_bits);
            }
        }
        recents.write_enable = learn | clear.valid;
        recents.write_address = write_set;
        recents.write_data = next_recent | clear.valid;
        if when(is_early) {
            same_set.d = lookup_set == set;
            same_tag.d = lookup_tag == tag;
            did_replace.d = resized(replaces);
        }
    }
}
