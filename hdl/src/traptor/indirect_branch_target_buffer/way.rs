//! One way of the indirect branch target buffer.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{Reading, TableMemory};

block! {
    /// Says whether the way's entry has the tag, and whether its target is another than the actual one.
    ///
    /// Both are said in the cycle of `set`, or two cycles later where the style is synchronous: then the memory is
    /// read in the first cycle, `tag` and `target` are compared in the second, and `learn`, `learned_tag` and
    /// `learned_target` belong to the third. What the two blocks before learned in the meantime is not in what was
    /// read; how their tag and target compare replaces the result.
    pub Way("way") of (sets: usize, tag_bits: usize, target_bits: usize, reading: Reading) {
        let set_bits = index_bits(sets as u32) as usize;
        let held = reading.count();
    }
    parameters {
        sets,
        tag_bits,
        target_bits,
        ..reading.stated(),
    }

    in clear: Clear(set_bits);
    in set: set_bits;
    in tag: tag_bits;
    /// actual target
    in target: target_bits;
    in learn: 1;
    in learn_set: set_bits;
    in learned_tag: tag_bits;
    in learned_target: target_bits;
    /// the block before has the same set
    in follows_last: held;
    in last_matches: held;
    in last_is_wrong: held;
    /// the block before that one has the same set
    in follows_earlier: held;
    in earlier_matches: held;
    in earlier_is_wrong: held;
    out hits: 1;
    out is_wrong: 1;
    block entries: TableMemory(sets, tag_bits + target_bits, reading, 0);
    local entry_matches: 1;
    local entry_is_wrong: 1;
    /// the block before learned in this way
    reg learned_last: held;
    reg held_matches: held = undefined;
    reg held_is_wrong: held = undefined;
    param target_bits = target_bits;
    param forwards = reading;
}

#[kernel]
impl Logic for Way {
    fn update(&mut self) {
        join(clear, entries.clear);
        entries = TableMemory {
            clear_entry: 0,
            index: set,
            write: learn,
            write_index: learn_set,
            written: (resized(learned_tag) << target_bits) | resized(learned_target),
        };

        entry_matches = resized(entries.entry >> target_bits, tag.width()) == tag;
        entry_is_wrong = resized(entries.entry, target.width()) != target;
        hits = entry_matches;
        is_wrong = entry_is_wrong;
        if when(forwards) {
            learned_last.d = learn;
            held_matches.d = entry_matches;
            held_is_wrong.d = entry_is_wrong;
            if learned_last.q & follows_earlier {
                held_matches.d = earlier_matches;
                held_is_wrong.d = earlier_is_wrong;
            }
            hits = held_matches.q;
            is_wrong = held_is_wrong.q;
            if learned_last.q & follows_last {
                hits = last_matches;
                is_wrong = last_is_wrong;
            }
        }
    }
}
