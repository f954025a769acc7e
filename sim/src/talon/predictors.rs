//! Everything that encoder and decoder know in common about a block: what they expect of it, and what they learn.

use super::block::Addresses;
use super::config::Config;
use super::outcome_predictor::{OutcomePrediction, OutcomePredictor};
use super::target_predictor::{TargetPrediction, TargetPredictor};
use crate::event::{Event, Kind};

/// The predictors of outcomes and targets.
#[derive(Clone, Debug)]
pub struct Predictors {
    outcomes: OutcomePredictor,
    targets: TargetPredictor,
    addresses: Addresses,
}

/// What is expected of a conditional or indirect branch.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// The outcome of a conditional branch.
    pub outcome: Option<OutcomePrediction>,
    /// The target of an indirect branch.
    pub target: Option<TargetPrediction>,
}

impl Predictors {
    /// The predictors as the clear sweep leaves them.
    pub fn new(config: &Config) -> Self {
        Self {
            outcomes: OutcomePredictor::new(config),
            targets: TargetPredictor::new(config),
            addresses: Addresses::new(config),
        }
    }

    /// How addresses are cut.
    pub fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    /// Predicts a conditional or indirect branch.
    #[inline]
    pub fn predict(&mut self, program_counter: u64, kind: Kind, is_return: bool) -> Prediction {
        let address = self.addresses.units(program_counter);
        let outcome = kind.is_conditional().then(|| self.outcomes.predict(address));
        let target = kind.is_indirect().then(|| {
            let outcomes = &mut self.outcomes;
            self.targets.predict(address, is_return, kind.is_conditional(), outcomes)
        });
        Prediction { outcome, target }
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

    /// Learns from a branch that was predicted.
    #[inline]
    pub fn learn(&mut self, branch: &Event, prediction: &Prediction) {
        let Self { outcomes, targets, addresses } = self;
        if let Some(outcome) = &prediction.outcome {
            outcomes.learn(outcome, branch.taken);
        }
        if let Some(target) = prediction.target.as_ref().filter(|_| branch.taken) {
            let to = addresses.units(branch.target);
            targets.learn(addresses.units(branch.program_counter), to, target, outcomes);
            outcomes.update_path(to);
        }
        self.call(branch);
    }

    /// Takes the return address of a call, which need not be a branch that was predicted.
    #[inline]
    pub fn call(&mut self, branch: &Event) {
        if branch.taken && branch.call {
            self.targets.call(branch);
        }
    }
}
