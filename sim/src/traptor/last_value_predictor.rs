//! The last value predictor of upper target bits (LVP; paper C, section 5.4).

/// The upper bits of the last taken indirect branch's target, which the tables leave out.
#[derive(Clone, Debug)]
pub struct LastValuePredictor {
    upper: u64,
    shift: u32,
}

impl LastValuePredictor {
    /// A predictor of the target bits from `shift` up, 0 to 64.
    pub fn new(shift: u32) -> Self {
        Self { upper: 0, shift }
    }

    /// A whole target from a table entry's lower bits.
    #[inline]
    pub fn complete(&self, lower: u64) -> u64 {
        self.upper | lower
    }

    /// Learns the target of a taken indirect branch.
    #[inline]
    pub fn update(&mut self, target: u64) {
        self.upper = target & u64::MAX.checked_shl(self.shift).unwrap_or(0);
    }
}
