//! The two ways in which the outcome of a conditional branch can be predicted, with one interface.

use super::additive_predictor::{AdditivePrediction, AdditivePredictor};
use super::config::Config;
use super::outcome_predictor::{OutcomePrediction, OutcomePredictor};
use super::score::States;

/// The predictor of outcomes that a configuration has.
#[derive(Clone, Debug)]
pub enum Outcomes {
    /// One table decides, and scores say how sure that is.
    Scored(Box<OutcomePredictor>),
    /// The sum of all tables' weights decides.
    Additive(Box<AdditivePredictor>),
}

/// An outcome as one of them predicts it.
#[derive(Clone, Copy, Debug)]
pub enum Outcome {
    /// By one table.
    Scored(OutcomePrediction),
    /// By the sum of weights.
    Additive(AdditivePrediction),
}

impl Outcome {
    /// True where the branch is predicted taken.
    #[inline]
    pub fn taken(&self) -> bool {
        match self {
            Self::Scored(prediction) => prediction.taken,
            Self::Additive(prediction) => prediction.taken,
        }
    }

    /// It is wrong with probability 2^-k.
    #[inline]
    pub fn confidence(&self) -> u32 {
        match self {
            Self::Scored(prediction) => prediction.confidence,
            Self::Additive(prediction) => prediction.confidence,
        }
    }

    /// The places in the score tables, where there are scores.
    #[inline]
    pub fn states(&self) -> Option<States> {
        match self {
            Self::Scored(prediction) => Some(prediction.states()),
            Self::Additive(_) => None,
        }
    }
}

impl Outcomes {
    /// The predictor as the clear sweep leaves it.
    pub fn new(config: &Config) -> Self {
        if config.additive.additive {
            Self::Additive(Box::new(AdditivePredictor::new(config)))
        } else {
            Self::Scored(Box::new(OutcomePredictor::new(config)))
        }
    }

    /// Predicts the branch at `address`, in instruction units.
    #[inline(never)]
    pub fn predict(&mut self, address: u64) -> Outcome {
        match self {
            Self::Scored(predictor) => Outcome::Scored(predictor.predict(address)),
            Self::Additive(predictor) => Outcome::Additive(predictor.predict(address)),
        }
    }

    /// Learns the outcome of a branch that was predicted.
    #[inline(never)]
    pub fn learn(&mut self, prediction: &Outcome, taken: bool) {
        match (self, prediction) {
            (Self::Scored(predictor), Outcome::Scored(prediction)) => {
                predictor.learn(prediction, taken);
            }
            (Self::Additive(predictor), Outcome::Additive(prediction)) => {
                predictor.learn(prediction, taken);
            }
            // A predictor learns only what it predicted.
            (Self::Scored(_), Outcome::Additive(_)) | (Self::Additive(_), Outcome::Scored(_)) => {}
        }
    }

    /// Predicts the branch at `address`, lets `outcome` say from the prediction and its confidence how the branch goes, and
    /// learns that.
    ///
    /// It is asked once which predictor there is, and the prediction need not be kept: this is what most branches take.
    ///
    /// # Errors
    /// Those of `outcome`; nothing is learned then.
    #[inline]
    pub fn follow<E>(
        &mut self,
        address: u64,
        outcome: impl FnOnce(bool, u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        match self {
            Self::Scored(predictor) => {
                let prediction = predictor.predict(address);
                let taken = outcome(prediction.taken, prediction.confidence)?;
                predictor.learn(&prediction, taken);
                Ok(taken)
            }
            Self::Additive(predictor) => {
                let prediction = predictor.predict(address);
                let taken = outcome(prediction.taken, prediction.confidence)?;
                predictor.learn(&prediction, taken);
                Ok(taken)
            }
        }
    }

    /// The program went on at a target, in instruction units.
    #[inline]
    pub fn update_path(&mut self, target: u64) {
        if let Self::Scored(predictor) = self {
            predictor.update_path(target);
        }
    }
}
