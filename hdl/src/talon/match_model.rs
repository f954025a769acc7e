//! The match model: predicts that outcomes go on as they did after the last time that a branch was met like this.

use tracewright_elaborate::prelude::*;
use tracewright_sim::config::index_bits;
use tracewright_sim::talon::config::Config;
use tracewright_sim::talon::match_model::{CLASS_BEGINS, LONG};

use crate::parts::ports::Clear;
use crate::parts::predictor_table::{PredictorTable, Reading, TableMemory};

block! {
    /// A ring of outcomes, pointers into it by branch and outcomes, and the place that is followed.
    ///
    /// `predict`, `learn` and `taken` come in the cycle of `address`, or two cycles later where tables are read
    /// through registers; what is predicted is known in the same cycle.
    pub MatchModel("match_model") of (config: &Config, clear_bits: usize) {
        let (entries, pointers) =
            (config.match_history_entries as usize, config.match_pointers as usize);
        let place_bits = index_bits(config.match_history_entries) as usize;
        let pointer_bits = index_bits(config.match_pointers) as usize;
        let latest_bits = config.match_key_outcomes() as usize;
        let address_bits = config.processor.instruction_address_bits() as usize;
        let reading = Reading::of(config.memory_style, &config.port);
        let in_background = usize::from(config.protocol.clears_in_background());
        let random_pointers = config.match_random_pointers;
    }
    parameters {
        entries,
        pointers,
        address_bits,
        clear_bits,
        synchronous = reading,
        random_pointers if random_pointers,
    }

    in clear: Clear(clear_bits);
    /// address of the branch, in instruction units
    in address: address_bits;
    /// the latest outcomes
    in latest: latest_bits;
    /// an outcome is predicted
    in predict: 1;
    /// it is learned too
    in learn: 1;
    /// the outcome
    in taken: 1;
    /// a pointer that would be replaced stays
    in keeps_pointer: usize::from(random_pointers);
    /// the outcome at the place that is followed
    out predicted: 1;
    /// class of the match's length
    out match_class: 3;
    /// gshare need not learn what is predicted
    out is_long: 1;
    local key: pointer_bits;
    /// the place that is followed now
    local place: place_bits;
    local good: 1;
    /// class of the length
    local reached: 3;
    local grows: 1;
    /// the place of the next outcome
    reg position: place_bits;
    /// the place to follow next
    reg followed: place_bits = undefined;
    /// cleared with the tables
    reg follows: 1 = undefined;
    /// 0 where nothing is followed; cleared with the tables
    reg length: 7 = undefined;
    /// the tables were not cleared in the cycle before, where they are cleared in the background
    reg is_current: in_background;
    local follows_now: 1;
    local length_now: 7;
    block pointers: PredictorTable(pointers, place_bits, reading, 0);
    block outcomes: TableMemory(entries, 1, Reading::WithinCycle, 0);
    param in_background = in_background;
    param random_pointers = usize::from(random_pointers);
    param fold = pointer_bits;
    param fold_twice = 2 * pointer_bits;
    param latest_place = pointer_bits - latest_bits;
    param begins = Word::new(7, begin.into()) for begin in CLASS_BEGINS;
    param class_number = Word::new(3, class + 1) for class in 0..CLASS_BEGINS.len() as u64;
    param long = Word::new(7, LONG.into());
}

#[kernel]
impl Logic for MatchModel {
    fn update(&mut self) {
        key = resized(address)
            ^ resized(address >> fold)
            ^ resized(address >> fold_twice)
            ^ (resized(latest) << latest_place);
        pointers.clear.valid = clear.valid;
        pointers.clear.index = resized(clear.index);
        pointers = PredictorTable { clear_entry: 0, index: key };

        follows_now = follows.q;
        length_now = length.q;
        if when(in_background) {
            is_current.d = 1;
            if !is_current.q {
                follows_now = 0;
                length_now = 0;
            }
        }
        place = pointers.entry;
        if follows_now {
            place = followed.q;
        }
        outcomes.index = place;
        predicted = outcomes.entry;
        good = outcomes.entry == taken;
        reached = 0;
        for class in 0..begins.len() {
            if length_now >= begins[class] {
                reached = class_number[class];
            }
        }
        match_class = reached;
        is_long = length_now >= long;

        pointers.learn = learn & !good;
        if !length_now {
            pointers.learn = learn;
        }
        if when(random_pointers) {
            if keeps_pointer {
                pointers.learn = 0;
            }
        }
        pointers.learned = position.q;
        // Where nothing is followed the place to follow does not matter, so that it needs no enable.
        followed.d = place + resized(learn);
        follows.d = follows_now | predict;
        grows = learn;
        // In the highest class the length no longer matters.
        if reached.all() {
            grows = 0;
        }
        length.d = length_now + resized(grows, 7);
        if clear.valid | (learn & !good) {
            follows.d = 0;
            length.d = 0;
        }

        // The sweep takes the position around the ring, back to 0.
        outcomes.clear.valid = clear.valid;
        outcomes.clear.index = position.q;
        outcomes =
            TableMemory { clear_entry: 0, write: learn, write_index: position.q, written: taken };
        position.d = position.q + resized(learn | clear.valid);
    }
}
