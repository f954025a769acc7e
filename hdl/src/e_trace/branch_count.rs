//! Whether branches are collected in a map or counted.

use tracewright_elaborate::prelude::*;
use tracewright_sim::e_trace::config::Config;
use tracewright_sim::e_trace::payload::FULL_MAP;

use super::branch_predictor::BranchPredictor;
use super::record_former::{Collected, Progress};
use crate::parts::ports::RetiredBlock;

block! {
    /// Counts branches after a full map of predicted ones, until one is not predicted.
    ///
    /// The record former's number of branches in the map stays at 31 while branches are counted.
    pub BranchCount("branch_count") of (config: &Config) {
        let address_bits = config.address_bits() as usize;
        let count_bits = config.branch_count_bits as usize;
    }
    parameters {
        address_bits,
        count_bits,
    }

    in retire: RetiredBlock(&config.processor);
    in progress: Progress(config);
    in collected: Collected(config);
    /// the trace goes on with a start or a trap
    in forget: 1;
    /// a report has a count
    out counts: 1;
    /// branches that were predicted after the map of them
    out count: count_bits;
    /// the branch at the address of a report was not predicted
    out fails: 1;
    /// a full map is sent, or a count before a branch that was not predicted
    out ends: 1;
    /// the latter
    out ends_count: 1;
    /// the counter is full with this branch
    out is_full: 1;
    /// branches that were predicted after the map of them
    reg counted: count_bits;
    /// a branch in the map was not predicted
    reg has_failed: 1;
    block predictor: BranchPredictor(config);
    local is_branch: 1;
    local is_counting: 1;
    /// the map has room for one more
    local is_last: 1;
    /// with this branch, all in the map were predicted
    local all_right: 1;
    /// a branch that no report has
    local is_single: 1;
    local may_fill: 1;
    local adds_one: 1;
    local starts_map: 1;
    param alignment = config.processor.alignment as usize;
    constant full_map: 5 = FULL_MAP as usize;
    constant last_branch: 5 = FULL_MAP as usize - 1;
    constant last_count: count_bits = config.most_count() as usize - 1;
}

impl Logic for BranchCount {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_branch.next = self.retire.valid.val() & self.retire.conditional.val();
        self.predictor.learn.next = self.is_branch.val();
        self.predictor.address.next =
            bits_to(self.retire.pc.val() >> self.alignment.val(), self.predictor.address.width());
        self.predictor.taken.next = self.retire.taken.val();
        self.predictor.forget.next = self.forget.val();

        self.is_counting.next = bits_to(self.progress.branch_count.val() == self.full_map.val(), 1);
        self.is_last.next = bits_to(self.progress.branch_count.val() == self.last_branch.val(), 1);
        self.all_right.next = self.predictor.is_right.val() & !self.has_failed.q.val();
        self.is_single.next = self.is_branch.val() & !self.progress.reports.val();
        self.counts.next = self.is_counting.val()
            | (self.is_last.val() & self.progress.joins.val() & self.all_right.val());
        self.fails.next =
            self.is_counting.val() & self.progress.joins.val() & !self.predictor.is_right.val();
        self.ends_count.next =
            self.is_counting.val() & self.is_single.val() & !self.predictor.is_right.val();
        self.ends.next =
            (self.is_counting.val() & self.is_single.val() & !self.predictor.is_right.val())
                | (self.is_last.val() & self.is_single.val() & !self.all_right.val());
        self.may_fill.next = bits_to(self.counted.q.val() == self.last_count.val(), 1);
        self.is_full.next = self.may_fill.val()
            & self.is_counting.val()
            & self.is_single.val()
            & self.predictor.is_right.val();
        self.adds_one.next = self.is_counting.val()
            & self.predictor.is_right.val()
            & (self.progress.joins.val() | self.is_single.val());
        self.count.next = self.counted.q.val() + bits_to(self.adds_one.val(), self.count.width());

        self.starts_map.next =
            self.is_branch.val() & self.progress.reports.val() & !self.progress.joins.val();
        if (self.collected.makes_report.val() | self.ends.val()).any() {
            self.counted.d.next = 0.into();
            self.has_failed.d.next = self.starts_map.val() & !self.predictor.is_right.val();
        } else {
            self.counted.d.next = self.count.val();
            if self.collected.adds.val().any() {
                self.has_failed.d.next = !self.all_right.val();
            }
        }
    }
}
