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

impl Logic for LastValuePredictor {
    #[hdl_gen]
    fn update(&mut self) {
        self.predicted_upper.next = self.upper.q.val();
        if self.update.val().any() {
            self.upper.d.next = self.target_upper.val();
        }
    }
}
