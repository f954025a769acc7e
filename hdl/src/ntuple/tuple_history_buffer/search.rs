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
#[kernel]
impl Logic for TupleSearch {
    fn update(&mut self) {
        found = is_known.q;
        age = known_age.q;

        // A row is read in each cycle, from the newest on, and compared in the next.
        row = newest_row.q;
        if compares.q {
            row = next_row.q;
        }
        next_row.d = row - 1;
        if !row {
            next_row.d = last_row;
        }
        matching = 0;
        lane = 0;
        for each in 0..matching.width() {
            // After the newest tuple its row has the oldest ones, whose turn comes last.
            if tuples[each].read_data == tuple
                && first_age.q > each
                && first_age.q <= first_bound[each]
            {
                matching = matching.replace_bit(each, true);
                lane = each;
            }
        }
        ends = matching.any();
        if first_age.q >= entries {
            ends = 1;
        }
        if compares.q {
            first_age.d = first_age.q + step;
            compares.d = !ends;
            is_known.d = ends;
            known_age.d = 0;
            if matching {
                known_age.d = resized(first_age.q - resized(lane, first_age.width()));
            }
        } else {
            first_age.d = resized(newest_count.q);
            compares.d = seeks & !is_known.q;
            if learn {
                is_known.d = 0;
            }
        }

        pushes = learn;
        if when(!learns_every) {
            if known_age.q {
                pushes = 0;
            }
        }
        row_is_full = newest_count.q == full_count;
        later_row = newest_row.q + 1;
        if newest_row.q == last_row {
            later_row = 0;
        }
        learned_row = newest_row.q;
        learned_count = newest_count.q + 1;
        if row_is_full {
            learned_row = later_row;
            learned_count = 1;
        }
        if pushes {
            newest_row.d = learned_row;
            newest_count.d = learned_count;
        }
        for each in 0..matching.width() {
            tuples[each].read_address = row;
            tuples[each].write_enable = clear.valid;
            if learned_count == lane_number[each] {
                tuples[each].write_enable = clear.valid | pushes;
            }
            tuples[each].write_address = learned_row;
            tuples[each].write_data = tuple;
            if clear.valid {
                tuples[each].write_address = resized(clear.index, row.width());
                tuples[each].write_data = 0;
            }
        }
    }
}
