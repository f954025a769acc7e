//! Outcomes of branches that the decoder has not come to.

use std::collections::VecDeque;

use crate::e_trace::branch_predictor::BranchPredictor;
use crate::e_trace::config::Config;

/// What the trace says of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Whether it is taken.
    Taken(bool),
    /// Whether it was predicted.
    Predicted(bool),
}

/// Outcomes in the order of the branches.
#[derive(Clone)]
pub struct Outcomes {
    /// How many branches have each.
    runs: VecDeque<(Outcome, u64)>,
    count: u64,
    predictor: BranchPredictor,
}

impl Outcomes {
    /// No outcomes.
    pub fn new(config: &Config) -> Self {
        let predictor = BranchPredictor::new(config.branch_predictor_entries);
        Self { runs: VecDeque::new(), count: 0, predictor }
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Branches whose outcome is known.
    pub fn count(&self) -> u64 {
        self.count
    }

    fn add(&mut self, outcome: Outcome, branches: u64) {
        self.runs.push_back((outcome, branches));
        self.count += branches;
    }

    /// Adds a branch.
    pub fn add_one(&mut self, taken: bool) {
        self.add(Outcome::Taken(taken), 1);
    }

    /// Adds a map of branches: 1 for each that is not taken.
    pub fn add_map(&mut self, branches: u32, map: u64) {
        (0..branches).for_each(|place| self.add_one(map >> place & 1 == 0));
    }

    /// Adds branches that were predicted, and then one that was not if it `fails`.
    pub fn add_predicted(&mut self, branches: u64, fails: bool) {
        self.add(Outcome::Predicted(true), branches);
        if fails {
            self.add(Outcome::Predicted(false), 1);
        }
    }

    /// The outcome of the next branch, which is at an address in instruction units.
    pub fn take(&mut self, address: u64) -> Option<bool> {
        let (outcome, left) = self.runs.front_mut()?;
        let outcome = *outcome;
        *left -= 1;
        self.count -= 1;
        if *left == 0 {
            self.runs.pop_front();
        }
        let taken = match outcome {
            Outcome::Taken(taken) => taken,
            Outcome::Predicted(is_right) => self.predictor.predicts(address) == is_right,
        };
        self.predictor.learn(address, taken);
        Some(taken)
    }

    /// Nothing has retired there.
    pub fn clear(&mut self) {
        self.runs.clear();
        self.count = 0;
    }

    /// The trace goes on with a start or a trap.
    pub fn forget(&mut self) {
        self.predictor.clear();
    }
}
