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

#[kernel]
impl Logic for BranchCount {
    fn update(&mut self) {
        is_branch = retire.valid & retire.conditional;
        predictor = BranchPredictor {
            learn: is_branch,
            address: resized(retire.pc >> alignment),
            taken: retire.taken,
            forget,
        };

        is_counting = progress.branch_count == full_map;
        is_last = progress.branch_count == last_branch;
        all_right = predictor.is_right & !has_failed.q;
        is_single = is_branch & !progress.reports;
        counts = is_counting | (is_last & progress.joins & all_right);
        fails = is_counting & progress.joins & !predictor.is_right;
        ends_count = is_counting & is_single & !predictor.is_right;
        ends = (is_counting & is_single & !predictor.is_right) | (is_last & is_single & !all_right);
        may_fill = counted.q == last_count;
        is_full = may_fill & is_counting & is_single & predictor.is_right;
        adds_one = is_counting & predictor.is_right & (progress.joins | is_single);
        count = counted.q + resized(adds_one);

        starts_map = is_branch & progress.reports & !progress.joins;
        if collected.makes_report | ends {
            counted.d = 0;
            has_failed.d = starts_map & !predictor.is_right;
        } else {
            counted.d = count;
            if collected.adds {
                has_failed.d = !all_right;
            }
        }
    }
}
