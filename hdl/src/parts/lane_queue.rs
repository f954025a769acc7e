//! A queue of words that come in several lanes, with what an adapter before a trace module makes of it: when the core
//! is to stop, whether a word was lost, and when everything before a flush has left.
//!
//! A bank for each lane takes a word per cycle, and the words go round the banks. So every memory has one write and one
//! read port, and the oldest words are always in different banks.

use tracewright_elaborate::prelude::*;
use tracewright_sim::ingress::Queue;

use crate::encode::fifo::Fifo;

block! {
    /// Words in their order, of which several come in a cycle: any lanes have one, the lowest lane the oldest.
    ///
    /// The `shown` oldest ones are shown at once, as far as there are so many.
    pub LaneQueue("lane_queue") of (queue: &Queue, width: usize, shown: usize) {
        let lanes = queue.lanes as usize;
        let depth = queue.depth as usize;
        let level_bits = Fifo::level_bits(depth);
    }
    parameters {
        lanes,
        depth,
        slack = queue.slack,
        width,
        shown if shown > 1,
    }

    /// lanes that have a word in this cycle
    in arrives: lanes;
    in word: width for _ in 0..lanes;
    /// level: nothing more is to come
    in flush: 1;
    /// what has left the queue is still held or shown
    in holds: 1;
    /// the oldest words, as far as there are so many
    out is_there: shown;
    out oldest: width for _ in 0..shown;
    /// of these, those that leave; none without those before it
    in takes: shown;
    /// words held
    out level: level_bits;
    #[remark(format!("stop: room for a cycle and {} words more", queue.slack))]
    out stall: 1;
    /// sticky: a word came when the queue was full
    out lost: 1;
    /// level: a flush, and nothing comes in this cycle
    out ends: 1;
    /// level: everything before the flush has gone
    out drained: 1;
    block banks: Fifo(depth / lanes, 0, width, true) for _ in 0..lanes;
    /// one hot: the bank of the next word that comes
    reg write_bank: lanes = 1 if lanes > 1;
    /// one hot: the bank of the oldest word
    reg read_bank: lanes = 1 if lanes > 1;
    reg lost_any: 1;
    reg drained_once: 1;
    local bank: lanes;
    /// the bank of each lane's word
    local place: lanes for _ in 0..lanes;
    /// banks with room
    local has_room: lanes;
    /// there is room for the lane's word
    local fits: lanes;
    /// words in the banks up to each
    local words: level_bits for _ in 0..lanes;
    local sum: level_bits;
    /// banks of the words that are shown
    local from: lanes for _ in 0..shown;
    local next_from: lanes;
    /// banks from which a word leaves
    local leaves: lanes;
    param several = lanes > 1;
    param last = lanes - 1;
    param stall_level = queue.stall_level() as usize;
}

#[kernel]
impl Logic for LaneQueue {
    fn update(&mut self) {
        // Words go to the banks in turn.
        bank = 1;
        if when(several) {
            bank = write_bank.q;
        }
        has_room = 0;
        for each in 0..banks.len() {
            if banks[each].in_.ready {
                has_room = has_room.replace_bit(each, true);
            }
        }
        fits = 0;
        for lane in 0..place.len() {
            place[lane] = bank;
            if place[lane] & has_room {
                fits = fits.replace_bit(lane, true);
                if several == 1 && arrives.get_bit(lane) {
                    bank = (place[lane] << 1) | (place[lane] >> last);
                }
            }
        }
        if when(several) {
            write_bank.d = bank;
        }
        for each in 0..banks.len() {
            banks[each].in_.valid = 0;
            banks[each].in_.word = word[0];
            for lane in 0..place.len() {
                if arrives.get_bit(lane) && place[lane].get_bit(each) {
                    banks[each].in_.valid = 1;
                    banks[each].in_.word = word[lane];
                }
            }
        }
        if arrives & !fits {
            lost_any.d = 1;
        }
        lost = lost_any.q;

        // How many there are.
        sum = 0;
        for each in 0..banks.len() {
            words[each] = sum + fitted(banks[each].level);
            sum = words[each];
        }
        level = sum;
        // A core that goes on would not let the flush come.
        stall = bit(level >= stall_level) | flush;

        // They leave the banks in turn, too.
        is_there = 0;
        next_from = 1;
        if when(several) {
            next_from = read_bank.q;
        }
        for at in 0..from.len() {
            from[at] = next_from;
            next_from = (from[at] << 1) | (from[at] >> last);
            oldest[at] = banks[0].out_.word;
            for each in 0..banks.len() {
                if from[at].get_bit(each) {
                    oldest[at] = banks[each].out_.word;
                    if banks[each].out_.valid {
                        is_there = is_there.replace_bit(at, true);
                    }
                }
            }
        }
        leaves = 0;
        for at in 0..from.len() {
            if takes.get_bit(at) && is_there.get_bit(at) {
                leaves = leaves | from[at];
                if when(several) {
                    read_bank.d = (from[at] << 1) | (from[at] >> last);
                }
            }
        }
        for each in 0..banks.len() {
            banks[each].out_.ready = 0;
            if leaves.get_bit(each) {
                banks[each].out_.ready = 1;
            }
        }

        // A flush waits for what came before it, and lasts until it is lowered.
        ends = flush & !bit(arrives);
        drained = 0;
        if flush {
            drained = drained_once.q;
            if ends && !is_there && !holds {
                drained = 1;
            }
        }
        drained_once.d = drained;
    }
}
