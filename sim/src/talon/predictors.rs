//! Everything that encoder and decoder know in common about a block: what they expect of it, and what they learn.

use super::block::Addresses;
use super::config::Config;
use super::outcomes::{Outcome, Outcomes};
use super::target_predictor::{TargetPrediction, TargetPredictor};
use crate::event::{Event, Kind};

/// The predictors of outcomes and targets.
#[derive(Clone, Debug)]
pub struct Predictors {
    outcomes: Outcomes,
    targets: TargetPredictor,
    addresses: Addresses,
    has_regions: bool,
}

impl Predictors {
    /// The predictors as the clear sweep leaves them.
    pub fn new(config: &Config) -> Self {
        Self {
            outcomes: Outcomes::new(config),
            targets: TargetPredictor::new(config),
            addresses: Addresses::new(config),
            has_regions: config.target_regions > 0,
        }
    }

    /// How addresses are cut.
    pub fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    /// Predicts the outcome of a conditional branch.
    #[inline]
    pub fn predict_outcome(&mut self, program_counter: u64) -> Outcome {
        self.outcomes.predict(self.addresses.units(program_counter))
    }

    /// Learns the outcome of a conditional branch.
    #[inline]
    pub fn learn_outcome(&mut self, prediction: &Outcome, taken: bool) {
        self.outcomes.learn(prediction, taken);
    }

    /// Predicts the outcome of a conditional branch, lets `outcome` say from the prediction and its confidence what it is,
    /// and learns it.
    ///
    /// # Errors
    /// Those of `outcome`; nothing is learned then.
    #[inline]
    pub fn follow_outcome<E>(
        &mut self,
        program_counter: u64,
        outcome: impl FnOnce(bool, u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        self.outcomes.follow(self.addresses.units(program_counter), outcome)
    }

    /// Predicts the target of an indirect branch that is taken, after its outcome is learnt.
    #[inline]
    pub fn predict_target(
        &mut self,
        program_counter: u64,
        kind: Kind,
        is_return: bool,
    ) -> TargetPrediction {
        let address = self.addresses.units(program_counter);
        self.targets.predict(address, is_return, kind.is_conditional(), &mut self.outcomes)
    }

    /// Predicts the target of an exception after this instruction: that of the last one, from the target buffer.
    pub fn predict_exception(&mut self, program_counter: u64) -> TargetPrediction {
        let region = self.addresses.region(self.addresses.units(program_counter));
        self.targets.predict(region, false, true, &mut self.outcomes)
    }

    /// Learns the target of an exception that was predicted, in instruction units.
    pub fn learn_exception(
        &mut self,
        program_counter: u64,
        target: u64,
        prediction: &TargetPrediction,
    ) {
        let region = self.addresses.region(self.addresses.units(program_counter));
        self.targets.learn(region, target, prediction, &mut self.outcomes);
    }

    /// Learns the target of an indirect branch that is taken.
    #[inline]
    pub fn learn_target(&mut self, branch: &Event, prediction: &TargetPrediction) {
        let Self { outcomes, targets, addresses, .. } = self;
        let to = addresses.units(branch.target);
        targets.learn(addresses.units(branch.program_counter), to, prediction, outcomes);
        outcomes.update_path(to);
    }

    /// Follows a branch, after its target is learnt if it is indirect: to the region of its target, and a taken
    /// call puts its return address on the stack.
    #[inline]
    pub fn follow(&mut self, branch: &Event) {
        if branch.taken & (branch.call | self.has_regions) {
            self.follow_taken(branch);
        }
    }

    #[inline(never)]
    fn follow_taken(&mut self, branch: &Event) {
        let Self { targets, addresses, .. } = self;
        if !branch.kind.is_indirect() {
            targets.enter(addresses.units(branch.program_counter), addresses.units(branch.target));
        }
        if branch.call {
            targets.call(branch);
        }
    }
}
