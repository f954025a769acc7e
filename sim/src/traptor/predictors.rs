//! All predictors together, as the encoder and the decoder keep them.

use super::config::Config;
use super::gshare::Gshare;
use super::target_predictor::{TargetPrediction, TargetPredictor};
use crate::event::{Event, Kind};

/// The state that encoder and decoder keep equal.
#[derive(Clone, Debug)]
pub struct Predictors {
    gshare: Gshare,
    target_predictor: TargetPredictor,
}

/// What the predictors say of one branch.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// The outcome; always true for an unconditional branch.
    pub taken: bool,
    /// The target, for an indirect branch.
    pub target: TargetPrediction,
}

impl Predictors {
    /// The predictors as reset leaves them.
    pub fn new(config: &Config) -> Self {
        Self { gshare: Gshare::new(config), target_predictor: TargetPredictor::new(config) }
    }

    /// Predicts the branch at `program_counter`.
    #[inline(always)]
    pub fn predict(&self, program_counter: u64, kind: Kind, is_return: bool) -> Prediction {
        let taken = !kind.is_conditional() || self.gshare.predict(program_counter);
        let target = if kind.is_indirect() {
            self.target_predictor.predict(program_counter, is_return)
        } else {
            TargetPrediction::default()
        };
        Prediction { taken, target }
    }

    /// True for a direct branch that is predicted right, and is no call or return.
    #[inline(always)]
    pub fn foresee(&self, branch: &Event) -> bool {
        let Event { program_counter, kind, call, is_return, taken, .. } = *branch;
        let outcome = match kind {
            Kind::DirectConditional => self.gshare.predict(program_counter),
            Kind::DirectJump => true,
            Kind::IndirectJump | Kind::IndirectConditional | Kind::Exception => return false,
        };
        outcome == taken && !call && !is_return
    }

    /// Learns what the branch did; exceptions teach nothing.
    #[inline(always)]
    pub fn update(&mut self, branch: &Event, prediction: &Prediction) {
        self.target_predictor.update(branch, &prediction.target);
        if branch.kind.is_conditional() {
            self.gshare.update(branch.program_counter, branch.taken);
        }
    }
}
