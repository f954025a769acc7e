//! The last value predictor of upper target bits.

use tracewright_elaborate::prelude::*;

/// Keeps the upper bits of the last taken indirect branch's target.
#[derive(LogicBlock)]
pub struct LastValuePredictor {
    kind: Kind,
    /// Clock and reset.
    pub domain: Domain,
    /// A taken indirect branch retires.
    pub update: Wire<In>,
    /// The upper bits of its target.
    pub target_upper: Wire<In>,
    /// The upper bits predicted.
    pub predicted_upper: Wire<Out>,
    upper: Reg,
}

impl LastValuePredictor {
    /// A predictor of `width` bits.
    pub fn new(width: usize) -> Self {
        Self {
            kind: Kind::new("last_value_predictor", [("width", width)]),
            domain: Domain::new(),
            update: Wire::new(1).describe("a taken indirect branch retires"),
            target_upper: Wire::new(width),
            predicted_upper: Wire::new(width),
            upper: Reg::new(width, 0),
        }
    }
}

impl Logic for LastValuePredictor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, upper);
        self.predicted_upper.next = self.upper.q.val();
        if self.update.val().any() {
            self.upper.d.next = self.target_upper.val();
        }
    }
}
