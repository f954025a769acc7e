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
        let in_background = usize::from(config.protocol.clears_in_background());
    }
    parameters {
        entries,
        pointers,
        address_bits,
        clear_bits,
        synchronous = config.is_synchronous(),
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
    block pointers: PredictorTable(pointers, place_bits, Reading::of(config.memory_style, &config.port), 0);
    block outcomes: TableMemory(entries, 1, Reading::WithinCycle, 0);
    param in_background = in_background;
    param fold = pointer_bits;
    param fold_twice = 2 * pointer_bits;
    param latest_place = pointer_bits - latest_bits;
    param begins = Word::new(7, begin.into()) for begin in CLASS_BEGINS;
    param class_number = Word::new(3, class + 1) for class in 0..CLASS_BEGINS.len() as u64;
    param long = Word::new(7, LONG.into());
}

impl Logic for MatchModel {
    #[hdl_gen]
    fn update(&mut self) {
        self.key.next = bits_to(self.address.val(), self.key.width())
            ^ bits_to(self.address.val() >> self.fold.val(), self.key.width())
            ^ bits_to(self.address.val() >> self.fold_twice.val(), self.key.width())
            ^ (bits_to(self.latest.val(), self.key.width()) << self.latest_place.val());
        self.pointers.clear.valid.next = self.clear.valid.val();
        self.pointers.clear.index.next = bits_to(self.clear.index.val(), self.key.width());
        self.pointers.clear_entry.next = 0.into();
        self.pointers.index.next = self.key.val();

        self.follows_now.next = self.follows.q.val();
        self.length_now.next = self.length.q.val();
        if self.in_background.val() == 1 {
            self.is_current.d.next = 1.into();
            if !self.is_current.q.val().any() {
                self.follows_now.next = 0.into();
                self.length_now.next = 0.into();
            }
        }
        self.place.next = self.pointers.entry.val();
        if self.follows_now.val().any() {
            self.place.next = self.followed.q.val();
        }
        self.outcomes.index.next = self.place.val();
        self.predicted.next = self.outcomes.entry.val();
        self.good.next = bits_to(self.outcomes.entry.val() == self.taken.val(), 1);
        self.reached.next = 0.into();
        for class in 0..self.begins.len() {
            if self.length_now.val() >= self.begins[class].val() {
                self.reached.next = self.class_number[class].val();
            }
        }
        self.match_class.next = self.reached.val();
        self.is_long.next = bits_to(self.length_now.val() >= self.long.val(), 1);

        self.pointers.learn.next = self.learn.val() & !self.good.val();
        if !self.length_now.val().any() {
            self.pointers.learn.next = self.learn.val();
        }
        self.pointers.learned.next = self.position.q.val();
        // Where nothing is followed the place to follow does not matter, so that it needs no enable.
        self.followed.d.next = self.place.val() + bits_to(self.learn.val(), self.place.width());
        self.follows.d.next = self.follows_now.val() | self.predict.val();
        self.grows.next = self.learn.val();
        // In the highest class the length no longer matters.
        if self.reached.val().all() {
            self.grows.next = 0.into();
        }
        self.length.d.next = self.length_now.val() + bits_to(self.grows.val(), 7);
        if (self.clear.valid.val() | (self.learn.val() & !self.good.val())).any() {
            self.follows.d.next = 0.into();
            self.length.d.next = 0.into();
        }

        // The sweep takes the position around the ring, back to 0.
        self.outcomes.clear.valid.next = self.clear.valid.val();
        self.outcomes.clear.index.next = self.position.q.val();
        self.outcomes.clear_entry.next = 0.into();
        self.outcomes.write.next = self.learn.val();
        self.outcomes.write_index.next = self.position.q.val();
        self.outcomes.written.next = self.taken.val();
        self.position.d.next = self.position.q.val()
            + bits_to(self.learn.val() | self.clear.valid.val(), self.position.width());
    }
}
