//! The tuple history buffer in memories, searched over several cycles.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::ntuple::config::{Config, TupleUpdate};

use crate::parts::ports::Clear;

block! {
    /// A ring of tuples, a row of them in as many memories, that is searched from the newest row on.
    ///
    /// The age is found in the cycle after that in which the tuple is compared, and stays until the tuple is learned.
    /// What is read where a tuple is written in the same cycle is not compared: block RAMs and SRAM macros need not define it.
    pub TupleSearch("tuple_search") of (config: &Config, clear_bits: usize) {
        let entries = config.tuple_history_entries as usize;
        let lanes = config.tuples_per_cycle as usize;
        let rows = config.tuple_rows() as usize;
        let row_bits = index_bits(rows as u32) as usize;
        let lane_bits = index_bits(lanes as u32 + 1) as usize;
        let age_bits = config.age_bits() as usize;
        let first_bits = index_bits((entries + lanes) as u32) as usize;
        let tuple_bits = config.tuple_bits() as usize;
        let learns_every = usize::from(config.tuple_update == TupleUpdate::Every);
    }
    parameters {
        entries,
        lanes,
        tuple_bits,
        learns_every,
    }

    in clear: Clear(clear_bits);
    /// a tuple is sought
    in seeks: 1;
    /// the tuple that is sought, and then learned
    in tuple: tuple_bits;
    /// the tuple whose age is found is over
    in learn: 1;
    /// the age is known
    out found: 1;
    /// age of the tuple; 0: none
    out age: age_bits;
    memory tuples: [tuple_bits; rows] { synchronous: true } for _ in 0..lanes;
    /// the newest tuple's
    reg newest_row: row_bits;
    /// tuples of that row, up to the newest
    reg newest_count: lane_bits = 1;
    /// a row has been read and is compared
    reg compares: 1;
    /// the row that is read next
    reg next_row: row_bits;
    /// age of the tuple in lane 0 of the row that is compared
    reg first_age: first_bits;
    reg is_known: 1;
    reg known_age: age_bits;
    local row: row_bits;
    /// lanes with the tuple
    local matching: lanes;
    /// the newest of them
    local lane: lane_bits;
    local ends: 1;
    local pushes: 1;
    local row_is_full: 1;
    local later_row: row_bits;
    local learned_row: row_bits;
    local learned_count: lane_bits;
    param first_bound = Word::new(first_bits, (entries + lane) as u64) for lane in 0..lanes;
    param lane_number = Word::new(lane_bits, lane as u64 + 1) for lane in 0..lanes;
    param entries = Word::new(first_bits, entries as u64);
    param full_count = Word::new(lane_bits, lanes as u64);
    param last_row = Word::new(row_bits, rows as u64 - 1);
    param step = Word::new(first_bits, lanes as u64);
    param learns_every = learns_every;
}

#[allow(clippy::collapsible_if, reason = "the outer condition is decided at elaboration")]
impl Logic for TupleSearch {
    #[hdl_gen]
    fn update(&mut self) {
        self.found.next = self.is_known.q.val();
        self.age.next = self.known_age.q.val();

        // A row is read in each cycle, from the newest on, and compared in the next.
        self.row.next = self.newest_row.q.val();
        if self.compares.q.val().any() {
            self.row.next = self.next_row.q.val();
        }
        self.next_row.d.next = self.row.val() - 1;
        if !self.row.val().any() {
            self.next_row.d.next = self.last_row.val();
        }
        self.matching.next = 0.into();
        self.lane.next = 0.into();
        for each in 0..self.matching.width() {
            // After the newest tuple its row has the oldest ones, whose turn comes last.
            if self.tuples[each].read_data.val() == self.tuple.val()
                && self.first_age.q.val() > each
                && self.first_age.q.val() <= self.first_bound[each].val()
            {
                self.matching.next = self.matching.val().replace_bit(each, true);
                self.lane.next = each.into();
            }
        }
        self.ends.next = bits_to(self.matching.val().any(), 1);
        if self.first_age.q.val() >= self.entries.val() {
            self.ends.next = 1.into();
        }
        if self.compares.q.val().any() {
            self.first_age.d.next = self.first_age.q.val() + self.step.val();
            self.compares.d.next = !self.ends.val();
            self.is_known.d.next = self.ends.val();
            self.known_age.d.next = 0.into();
            if self.matching.val().any() {
                self.known_age.d.next = bits_to(
                    self.first_age.q.val() - bits_to(self.lane.val(), self.first_age.width()),
                    self.age.width(),
                );
            }
        } else {
            self.first_age.d.next = bits_to(self.newest_count.q.val(), self.first_age.width());
            self.compares.d.next = self.seeks.val() & !self.is_known.q.val();
            if self.learn.val().any() {
                self.is_known.d.next = 0.into();
            }
        }

        self.pushes.next = self.learn.val();
        if self.learns_every.val() == 0 {
            if self.known_age.q.val().any() {
                self.pushes.next = 0.into();
            }
        }
        self.row_is_full.next = bits_to(self.newest_count.q.val() == self.full_count.val(), 1);
        self.later_row.next = self.newest_row.q.val() + 1;
        if self.newest_row.q.val() == self.last_row.val() {
            self.later_row.next = 0.into();
        }
        self.learned_row.next = self.newest_row.q.val();
        self.learned_count.next = self.newest_count.q.val() + 1;
        if self.row_is_full.val().any() {
            self.learned_row.next = self.later_row.val();
            self.learned_count.next = 1.into();
        }
        if self.pushes.val().any() {
            self.newest_row.d.next = self.learned_row.val();
            self.newest_count.d.next = self.learned_count.val();
        }
        for each in 0..self.matching.width() {
            self.tuples[each].read_address.next = self.row.val();
            self.tuples[each].write_enable.next = self.clear.valid.val();
            if self.learned_count.val() == self.lane_number[each].val() {
                self.tuples[each].write_enable.next = self.clear.valid.val() | self.pushes.val();
            }
            self.tuples[each].write_address.next = self.learned_row.val();
            self.tuples[each].write_data.next = self.tuple.val();
            if self.clear.valid.val().any() {
                self.tuples[each].write_address.next =
                    bits_to(self.clear.index.val(), self.row.width());
                self.tuples[each].write_data.next = 0.into();
            }
        }
    }
}
