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
        synchronous = reading,
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
    local matching: ways;
    local used: ways;
    /// one hot: the way that takes a new target
    local victim: ways;
    block recency: Recency(ways) if !in_turn;
    block order: PredictorTable(sets as usize, config.recency_bits() as usize, reading, 0) if !in_turn;
    reg next_victim: config.victim_bits();
    block ways: Way(sets as usize, tag_bits, target_bits, reading) for _ in 0..ways;
    /// set of the block whose tags are compared
    stage read_set: set_bits = undefined if reading;
    /// set of the block that learns
    stage chosen_set: set_bits = undefined if reading;
    /// set of the block that learned in the previous cycle
    stage past_set: set_bits = undefined if reading;
    /// tag of the block whose tags are compared
    stage read_tag: tag_bits = undefined if reading;
    /// tag of the block that learns
    stage chosen_tag: tag_bits = undefined if reading;
    /// tag of the block that learned in the previous cycle
    stage past_tag: tag_bits = undefined if reading;
    /// target of the block that learns
    stage chosen_target: target_bits = undefined if reading;
    /// target of the block that learned in the previous cycle
    stage past_target: target_bits = undefined if reading;
    /// the block that learns has the set of the block before it
    reg follows_last: reading = undefined;
    /// its tag is that of the block before it
    reg last_matches: reading = undefined;
    /// its target is another than that of the block before it
    reg last_is_wrong: reading = undefined;
    param forwards = reading;
    param in_turn = in_turn;
    param last_way = ways - 1;
    param pc_shift = pc_shift;
    param tag_shift = tag_shift;
    param tag_bits = tag_bits;
}

#[kernel]
impl Logic for IndirectBranchTargetBuffer {
    fn update(&mut self) {
        set = resized(path_history.q >> tag_bits) ^ resized(program_counter >> pc_shift);
        path_tag = resized(path_history.q) ^ resized(program_counter >> tag_shift);
        read_set.d = set;
        chosen_set.d = read_set.q;
        past_set.d = chosen_set.q;
        read_tag.d = path_tag;
        chosen_tag.d = read_tag.q;
        past_tag.d = chosen_tag.q;
        chosen_target.d = target;
        past_target.d = chosen_target.q;
        if when(forwards) {
            follows_last.d = read_set.q == chosen_set.q;
            last_matches.d = read_tag.q == chosen_tag.q;
            last_is_wrong.d = target != chosen_target.q;
        }

        // The first way that matches wins: after reset several may hold tag 0.
        matching = 0;
        is_wrong = 0;
        for way in 0..matching.width() {
            ways[way].clear.valid = clear.valid;
            ways[way].clear.index = fitted(clear.index);
            ways[way] = Way {
                set,
                tag: read_tag.q,
                target,
                learn_set: chosen_set.q,
                learned_tag: chosen_tag.q,
                learned_target: chosen_target.q,
            };
            if when(forwards) {
                ways[way] = Way {
                    follows_last: follows_last.q,
                    last_matches: last_matches.q,
                    last_is_wrong: last_is_wrong.q,
                    follows_earlier: read_set.q == past_set.q,
                    earlier_matches: read_tag.q == past_tag.q,
                    earlier_is_wrong: target != past_target.q,
                };
            }
            if !matching {
                is_wrong = ways[way].is_wrong;
                if ways[way].hits {
                    matching = matching.replace_bit(way, true);
                }
            }
        }
        hit = matching.any();

        if when(in_turn) {
            victim = 0;
            for way in 0..victim.width() {
                if next_victim.q == way {
                    victim = victim.replace_bit(way, true);
                }
            }
            if learn && !matching {
                next_victim.d = next_victim.q + 1;
                if next_victim.q == last_way {
                    next_victim.d = 0;
                }
            }
        } else {
            order.clear.valid = clear.valid;
            order.clear.index = resized(clear.index);
            order = PredictorTable { clear_entry: 0, index: set };
            recency.order = order.entry;
            victim = recency.oldest;
        }
        used = matching;
        if !matching {
            used = victim;
        }
        if when(!in_turn) {
            recency.used = used;
            order = PredictorTable { learn, learned: recency.order_next };
        }
        for way in 0..matching.width() {
            ways[way].learn = 0;
            if used.get_bit(way) {
                ways[way].learn = learn;
            }
        }

        if update_path {
            path_history.d =
                ((path_history.q << 2) ^ resized(program_counter >> pc_shift)) | resized(taken);
        }
    }
}
