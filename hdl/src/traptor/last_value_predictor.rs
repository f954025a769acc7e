//! The last value predictor of upper target bits.

use tracewright_elaborate::prelude::*;

block! {
    /// Keeps the upper bits of the last taken indirect branch's target.
    pub LastValuePredictor("last_value_predictor") of (width: usize);
    parameters {
        width,
    }

    /// a taken indirect branch retires
    in update: 1;
    /// upper bits of its target
    in target_upper: width;
    /// predicted upper bits
    out predicted_upper: width;
    reg upper: width;
}

#[kernel]
impl Logic for LastValuePredictor {
    fn update(&mut self) {
        predicted_upper = upper.q;
        if update {
            upper.d = target_upper;
        }
    }
}
