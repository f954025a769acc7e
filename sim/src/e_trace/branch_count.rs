//! Whether branches are collected in a map or counted: once a whole map would have been predicted, those that follow are
//! counted until one is not predicted.

use super::branch_predictor::BranchPredictor;
use super::config::Config;
use super::payload::FULL_MAP;

/// What a branch makes of the map and the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It is in the map or in the count.
    Collected,
    /// It is the last one of a full map.
    FullMap,
    /// It was not predicted, and so is the end of this count.
    Failed(u64),
    /// It was predicted, and the counter is full.
    FullCount,
}

/// The branches since the last payload that has some.
#[derive(Clone, Debug)]
pub struct BranchCount {
    predictor: Option<BranchPredictor>,
    branches: u32,
    map: u64,
    /// All branches in the map were predicted.
    are_predicted: bool,
    /// Branches that were predicted after a full map of such.
    counted: Option<u64>,
    /// The last branch was not predicted, and so is not counted.
    fails: bool,
    most: u64,
}

impl BranchCount {
    /// No branches.
    pub fn new(config: &Config) -> Self {
        let entries = config.branch_predictor_entries;
        Self {
            predictor: config.predicts_branches().then(|| BranchPredictor::new(entries)),
            branches: 0,
            map: 0,
            are_predicted: true,
            counted: None,
            fails: false,
            most: config.most_count(),
        }
    }

    /// A branch retires, wherever its outcome is sent; true if it was predicted.
    pub fn learn(&mut self, address: u64, taken: bool) -> bool {
        self.predictor.as_mut().is_some_and(|predictor| predictor.learn(address, taken))
    }

    /// Branches in the map, a bit for each: 1 if it is not taken.
    pub fn map(&self) -> (u32, u64) {
        (self.branches, self.map)
    }

    /// Branches that were predicted after a full map of such, if those before are counted; true if one more was not.
    pub fn counted(&self) -> Option<(u64, bool)> {
        self.counted.map(|counted| (counted, self.fails))
    }

    /// Adds a branch before an address.
    pub fn add(&mut self, taken: bool, is_predicted: bool) {
        if let Some(counted) = &mut self.counted {
            *counted += u64::from(is_predicted);
            self.fails = !is_predicted;
            return;
        }
        self.map |= u64::from(!taken) << self.branches;
        self.branches += 1;
        self.are_predicted &= is_predicted;
        if self.branches == FULL_MAP && self.are_predicted {
            (self.branches, self.map, self.counted) = (0, 0, Some(0));
        }
    }

    /// Adds a branch that is at no address that is sent.
    pub fn step(&mut self, taken: bool, is_predicted: bool) -> Step {
        self.add(taken, is_predicted);
        match self.counted() {
            Some((counted, true)) => Step::Failed(counted),
            Some((counted, false)) if counted == self.most => Step::FullCount,
            None if self.branches == FULL_MAP => Step::FullMap,
            _ => Step::Collected,
        }
    }

    /// The branches were sent.
    pub fn clear(&mut self) {
        (self.branches, self.map, self.are_predicted) = (0, 0, true);
        (self.counted, self.fails) = (None, false);
    }

    /// The trace goes on with a start or a trap.
    pub fn forget(&mut self) {
        if let Some(predictor) = &mut self.predictor {
            predictor.clear();
        }
    }
}
