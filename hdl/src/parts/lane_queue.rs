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

impl Logic for LaneQueue {
    #[hdl_gen]
    fn update(&mut self) {
        // Words go to the banks in turn.
        self.bank.next = 1.into();
        if self.several.val() == 1 {
            self.bank.next = self.write_bank.q.val();
        }
        self.has_room.next = 0.into();
        for each in 0..self.banks.len() {
            if self.banks[each].in_.ready.val().any() {
                self.has_room.next = self.has_room.val().replace_bit(each, true);
            }
        }
        self.fits.next = 0.into();
        for lane in 0..self.place.len() {
            self.place[lane].next = self.bank.val();
            if (self.place[lane].val() & self.has_room.val()).any() {
                self.fits.next = self.fits.val().replace_bit(lane, true);
                if self.several.val() == 1 && self.arrives.val().get_bit(lane) {
                    self.bank.next =
                        (self.place[lane].val() << 1) | (self.place[lane].val() >> self.last.val());
                }
            }
        }
        if self.several.val() == 1 {
            self.write_bank.d.next = self.bank.val();
        }
        for each in 0..self.banks.len() {
            self.banks[each].in_.valid.next = 0.into();
            self.banks[each].in_.word.next = self.word[0].val();
            for lane in 0..self.place.len() {
                if self.arrives.val().get_bit(lane) && self.place[lane].val().get_bit(each) {
                    self.banks[each].in_.valid.next = 1.into();
                    self.banks[each].in_.word.next = self.word[lane].val();
                }
            }
        }
        if (self.arrives.val() & !self.fits.val()).any() {
            self.lost_any.d.next = 1.into();
        }
        self.lost.next = self.lost_any.q.val();

        // How many there are.
        self.sum.next = 0.into();
        for each in 0..self.banks.len() {
            self.words[each].next =
                self.sum.val() + unsigned_cast_to_fit(self.banks[each].level.val());
            self.sum.next = self.words[each].val();
        }
        self.level.next = self.sum.val();
        // A core that goes on would not let the flush come.
        self.stall.next = bits_to(self.level.val() >= self.stall_level.val(), 1) | self.flush.val();

        // They leave the banks in turn, too.
        self.is_there.next = 0.into();
        self.next_from.next = 1.into();
        if self.several.val() == 1 {
            self.next_from.next = self.read_bank.q.val();
        }
        for at in 0..self.from.len() {
            self.from[at].next = self.next_from.val();
            self.next_from.next =
                (self.from[at].val() << 1) | (self.from[at].val() >> self.last.val());
            self.oldest[at].next = self.banks[0].out_.word.val();
            for each in 0..self.banks.len() {
                if self.from[at].val().get_bit(each) {
                    self.oldest[at].next = self.banks[each].out_.word.val();
                    if self.banks[each].out_.valid.val().any() {
                        self.is_there.next = self.is_there.val().replace_bit(at, true);
                    }
                }
            }
        }
        self.leaves.next = 0.into();
        for at in 0..self.from.len() {
            if self.takes.val().get_bit(at) && self.is_there.val().get_bit(at) {
                self.leaves.next = self.leaves.val() | self.from[at].val();
                if self.several.val() == 1 {
                    self.read_bank.d.next =
                        (self.from[at].val() << 1) | (self.from[at].val() >> self.last.val());
                }
            }
        }
        for each in 0..self.banks.len() {
            self.banks[each].out_.ready.next = 0.into();
            if self.leaves.val().get_bit(each) {
                self.banks[each].out_.ready.next = 1.into();
            }
        }

        // A flush waits for what came before it, and lasts until it is lowered.
        self.ends.next = self.flush.val() & !bits_to(self.arrives.val().any(), 1);
        self.drained.next = 0.into();
        if self.flush.val().any() {
            self.drained.next = self.drained_once.q.val();
            if self.ends.val().any() && !self.is_there.val().any() && !self.holds.val().any() {
                self.drained.next = 1.into();
            }
        }
        self.drained_once.d.next = self.drained.val();
    }
}
