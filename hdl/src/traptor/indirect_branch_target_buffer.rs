//! The indirect branch target buffer: set-associative, tagged by the path that led to the branch.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::traptor::config::{Config, Replacement};

use crate::parts::ports::Clear;
use crate::parts::predictor_table::PredictorTable;
use crate::recency::Recency;

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
        let is_synchronous = config.is_synchronous();
        let in_turn =
            config.indirect_branch_target_buffer_replacement == Replacement::RoundRobin;
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
    /// a taken branch that uses the buffer is predicted
    in learn: 1;
    /// in the cycle of the prediction: the target bits that an entry keeps
    in target: target_bits;
    /// in the cycle of the prediction: the tag of a way matches
    out hit: 1;
    /// target that the matching way holds
    out predicted_target: target_bits;
    reg path_history: path_bits;
    reg read_tag: if is_synchronous { tag_bits } else { 0 };
    local set: set_bits;
    local path_tag: tag_bits;
    local tag: tag_bits;
    local matching: ways;
    local used: ways;
    /// one hot: the way that takes a new target
    local victim: ways;
    block recency: Recency(ways) if !in_turn;
    block order: PredictorTable(sets as usize, config.recency_bits() as usize, config.memory_style) if !in_turn;
    reg next_victim: config.victim_bits();
    block ways: PredictorTable(sets as usize, tag_bits + target_bits, config.memory_style) for _ in 0..ways;
    param is_synchronous = usize::from(is_synchronous);
    param in_turn = in_turn;
    param last_way = ways - 1;
    param pc_shift = pc_shift;
    param tag_shift = tag_shift;
    param tag_bits = tag_bits;
    param target_bits = target_bits;
}

impl Logic for IndirectBranchTargetBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        self.set.next = bits_to(self.path_history.q.val() >> self.tag_bits.val(), self.set.width())
            ^ bits_to(self.program_counter.val() >> self.pc_shift.val(), self.set.width());
        self.path_tag.next = bits_to(self.path_history.q.val(), self.path_tag.width())
            ^ bits_to(self.program_counter.val() >> self.tag_shift.val(), self.path_tag.width());
        self.tag.next = self.path_tag.val();
        if self.is_synchronous.val() == 1 {
            self.read_tag.d.next = self.path_tag.val();
            self.tag.next = self.read_tag.q.val();
        }

        // The first way that matches wins: after reset several may hold tag 0.
        self.matching.next = 0.into();
        self.predicted_target.next = 0.into();
        for way in 0..self.matching.width() {
            self.ways[way].clear.valid.next = self.clear.valid.val();
            self.ways[way].clear.index.next = unsigned_cast_to_fit(self.clear.index.val());
            self.ways[way].clear_entry.next = 0.into();
            self.ways[way].index.next = self.set.val();
            if !self.matching.val().any()
                && unsigned_cast_to_fit(self.ways[way].entry.val() >> self.target_bits.val())
                    == self.tag.val()
            {
                self.matching.next = self.matching.val().replace_bit(way, true);
                self.predicted_target.next = unsigned_cast_to_fit(self.ways[way].entry.val());
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
            self.ways[way].learned.next = (bits_to(self.tag.val(), self.ways[0].learned.width())
                << self.target_bits.val())
                | bits_to(self.target.val(), self.ways[0].learned.width());
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
