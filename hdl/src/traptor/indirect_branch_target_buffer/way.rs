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
        let synchronous = reading.is_synchronous();
        let set_bits = index_bits(sets as u32) as usize;
        let held = usize::from(synchronous);
    }
    parameters {
        sets,
        tag_bits,
        target_bits,
        synchronous if synchronous,
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
    param is_synchronous = usize::from(synchronous);
}

impl Logic for Way {
    #[hdl_gen]
    fn update(&mut self) {
        connect::join(&mut self.clear, &mut self.entries.clear);
        self.entries.clear_entry.next = 0.into();
        self.entries.index.next = self.set.val();
        self.entries.write.next = self.learn.val();
        self.entries.write_index.next = self.learn_set.val();
        self.entries.written.next = (bits_to(self.learned_tag.val(), self.entries.written.width())
            << self.target_bits.val())
            | bits_to(self.learned_target.val(), self.entries.written.width());

        self.entry_matches.next = bits_to(
            bits_to(self.entries.entry.val() >> self.target_bits.val(), self.tag.width())
                == self.tag.val(),
            1,
        );
        self.entry_is_wrong.next =
            bits_to(bits_to(self.entries.entry.val(), self.target.width()) != self.target.val(), 1);
        self.hits.next = self.entry_matches.val();
        self.is_wrong.next = self.entry_is_wrong.val();
        if self.is_synchronous.val() == 1 {
            self.learned_last.d.next = self.learn.val();
            self.held_matches.d.next = self.entry_matches.val();
            self.held_is_wrong.d.next = self.entry_is_wrong.val();
            if (self.learned_last.q.val() & self.follows_earlier.val()).any() {
                self.held_matches.d.next = self.earlier_matches.val();
                self.held_is_wrong.d.next = self.earlier_is_wrong.val();
            }
            self.hits.next = self.held_matches.q.val();
            self.is_wrong.next = self.held_is_wrong.q.val();
            if (self.learned_last.q.val() & self.follows_last.val()).any() {
                self.hits.next = self.last_matches.val();
                self.is_wrong.next = self.last_is_wrong.val();
            }
        }
    }
}
