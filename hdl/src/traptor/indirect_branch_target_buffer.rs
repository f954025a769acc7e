//! The indirect branch target buffer: set-associative, tagged by the path that led to the branch.

mod way;

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::traptor::config::{Config, Replacement};

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{PredictorTable, Reading};
use crate::recency::Recency;
use way::Way;

block! {
    /// Predicts and learns the target of one indirect branch per cycle.
    pub IndirectBranchTargetBuffer("indirect_branch_target_buffer") of (config: &Config, clear_bits: usize) {
        let sets = config.indirect_branch_target_buffer_sets().max(1);
        let ways = config.indirect_branch_target_buffer_ways as usize;
        let set_bits = index_bits(sets) as usize;
        let tag_bits = config.indirect_branch_target_buffer_tag_bits as usize;
        let target_bits = config.table_target_bits() as usize;
        let address_width = config.processor.address_width as usize;
        let path_bits = config.path_history() as usize;
        let reading = Reading::of(config.memory_style, &config.port);
        let is_synchronous = config.is_synchronous();
        let in_turn =
            config.indirect_branch_target_buffer_replacement == Replacement::RoundRobin;
        let held = |width| if is_synchronous { width } else { 0 };
        let (pc_shift, tag_shift) =
            (config.pc_shift as usize, config.indirect_branch_target_buffer_tag_shift as usize);
    }
    parameters {
        sets = sets as usize,
        ways,
        tag_bits,
        target_bits,
        path_bits,
        pc_shift,
        tag_shift,
        address_width,
        clear_bits,
        synchronous = is_synchronous,
        in_turn if in_turn,
    }

    in clear: Clear(clear_bits);
    /// a conditional or indirect branch retires
    in update_path: 1;
    /// address of the branch
    in program_counter: address_width;
    /// outcome of the branch
    in taken: 1;
    /// actual target, in the cycle after that of the address where tables are read through registers
    in target: target_bits;
    /// a taken branch that uses the buffer is predicted, in the cycle of hit and is_wrong
    in learn: 1;
    /// the tag of a way matches
    out hit: 1;
    /// that way holds another target
    out is_wrong: 1;
    reg path_history: path_bits;
    local set: set_bits;
    local path_tag: tag_bits;
    local tag: tag_bits;
    local learn_set: set_bits;
    local learned_tag: tag_bits;
    local learned_target: target_bits;
    local matching: ways;
    local used: ways;
    /// one hot: the way that takes a new target
    local victim: ways;
    block recency: Recency(ways) if !in_turn;
    block order: PredictorTable(sets as usize, config.recency_bits() as usize, reading, 0) if !in_turn;
    reg next_victim: config.victim_bits();
    block ways: Way(sets as usize, tag_bits, target_bits, reading) for _ in 0..ways;
    /// set of the block whose tags are compared
    reg read_set: held(set_bits) = undefined;
    /// set of the block that learns
    reg chosen_set: held(set_bits) = undefined;
    /// set of the block that learned in the previous cycle
    reg past_set: held(set_bits) = undefined;
    /// tag of the block whose tags are compared
    reg read_tag: held(tag_bits) = undefined;
    /// tag of the block that learns
    reg chosen_tag: held(tag_bits) = undefined;
    /// tag of the block that learned in the previous cycle
    reg past_tag: held(tag_bits) = undefined;
    /// target of the block that learns
    reg chosen_target: held(target_bits) = undefined;
    /// target of the block that learned in the previous cycle
    reg past_target: held(target_bits) = undefined;
    /// the block that learns has the set of the block before it
    reg follows_last: held(1) = undefined;
    /// its tag is that of the block before it
    reg last_matches: held(1) = undefined;
    /// its target is another than that of the block before it
    reg last_is_wrong: held(1) = undefined;
    param is_synchronous = usize::from(is_synchronous);
    param in_turn = in_turn;
    param last_way = ways - 1;
    param pc_shift = pc_shift;
    param tag_shift = tag_shift;
    param tag_bits = tag_bits;
}

impl Logic for IndirectBranchTargetBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        self.set.next = bits_to(self.path_history.q.val() >> self.tag_bits.val(), self.set.width())
            ^ bits_to(self.program_counter.val() >> self.pc_shift.val(), self.set.width());
        self.path_tag.next = bits_to(self.path_history.q.val(), self.path_tag.width())
            ^ bits_to(self.program_counter.val() >> self.tag_shift.val(), self.path_tag.width());
        self.tag.next = self.path_tag.val();
        self.learn_set.next = self.set.val();
        self.learned_tag.next = self.path_tag.val();
        self.learned_target.next = self.target.val();
        if self.is_synchronous.val() == 1 {
            self.read_set.d.next = self.set.val();
            self.chosen_set.d.next = self.read_set.q.val();
            self.past_set.d.next = self.chosen_set.q.val();
            self.read_tag.d.next = self.path_tag.val();
            self.chosen_tag.d.next = self.read_tag.q.val();
            self.past_tag.d.next = self.chosen_tag.q.val();
            self.chosen_target.d.next = self.target.val();
            self.past_target.d.next = self.chosen_target.q.val();
            self.tag.next = self.read_tag.q.val();
            self.learn_set.next = self.chosen_set.q.val();
            self.learned_tag.next = self.chosen_tag.q.val();
            self.learned_target.next = self.chosen_target.q.val();
            self.follows_last.d.next = bits_to(self.read_set.q.val() == self.chosen_set.q.val(), 1);
            self.last_matches.d.next = bits_to(self.read_tag.q.val() == self.chosen_tag.q.val(), 1);
            self.last_is_wrong.d.next = bits_to(self.target.val() != self.chosen_target.q.val(), 1);
        }

        // The first way that matches wins: after reset several may hold tag 0.
        self.matching.next = 0.into();
        self.is_wrong.next = 0.into();
        for way in 0..self.matching.width() {
            self.ways[way].clear.valid.next = self.clear.valid.val();
            self.ways[way].clear.index.next = unsigned_cast_to_fit(self.clear.index.val());
            self.ways[way].set.next = self.set.val();
            self.ways[way].tag.next = self.tag.val();
            self.ways[way].target.next = self.target.val();
            self.ways[way].learn_set.next = self.learn_set.val();
            self.ways[way].learned_tag.next = self.learned_tag.val();
            self.ways[way].learned_target.next = self.learned_target.val();
            if self.is_synchronous.val() == 1 {
                self.ways[way].follows_last.next = self.follows_last.q.val();
                self.ways[way].last_matches.next = self.last_matches.q.val();
                self.ways[way].last_is_wrong.next = self.last_is_wrong.q.val();
                self.ways[way].follows_earlier.next =
                    bits_to(self.read_set.q.val() == self.past_set.q.val(), 1);
                self.ways[way].earlier_matches.next =
                    bits_to(self.read_tag.q.val() == self.past_tag.q.val(), 1);
                self.ways[way].earlier_is_wrong.next =
                    bits_to(self.target.val() != self.past_target.q.val(), 1);
            }
            if !self.matching.val().any() {
                self.is_wrong.next = self.ways[way].is_wrong.val();
                if self.ways[way].hits.val().any() {
                    self.matching.next = self.matching.val().replace_bit(way, true);
                }
            }
        }
        self.hit.next = bits_to(self.matching.val().any(), 1);

        if self.in_turn.val() == 1 {
            self.victim.next = 0.into();
            for way in 0..self.victim.width() {
                if self.next_victim.q.val() == way {
                    self.victim.next = self.victim.val().replace_bit(way, true);
                }
            }
            if self.learn.val().any() && !self.matching.val().any() {
                self.next_victim.d.next = self.next_victim.q.val() + 1;
                if self.next_victim.q.val() == self.last_way.val() {
                    self.next_victim.d.next = 0.into();
                }
            }
        } else {
            self.order.clear.valid.next = self.clear.valid.val();
            self.order.clear.index.next = bits_to(self.clear.index.val(), self.set.width());
            self.order.clear_entry.next = 0.into();
            self.order.index.next = self.set.val();
            self.recency.order.next = self.order.entry.val();
            self.victim.next = self.recency.oldest.val();
        }
        self.used.next = self.matching.val();
        if !self.matching.val().any() {
            self.used.next = self.victim.val();
        }
        if self.in_turn.val() == 0 {
            self.recency.used.next = self.used.val();
            self.order.learn.next = self.learn.val();
            self.order.learned.next = self.recency.order_next.val();
        }
        for way in 0..self.matching.width() {
            self.ways[way].learn.next = 0.into();
            if self.used.val().get_bit(way) {
                self.ways[way].learn.next = self.learn.val();
            }
        }

        if self.update_path.val().any() {
            self.path_history.d.next = ((self.path_history.q.val() << 2)
                ^ bits_to(
                    self.program_counter.val() >> self.pc_shift.val(),
                    self.path_history.width(),
                ))
                | bits_to(self.taken.val(), self.path_history.width());
        }
    }
}
