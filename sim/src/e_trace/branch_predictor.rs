//! The predictor of branches, a table of two bits an address; the decoder has the same.

/// Addresses in instruction units; the lowest bits of one are its place.
#[derive(Clone, Debug)]
pub struct BranchPredictor {
    /// The lower bit is the last outcome, the upper one the prediction, which two outcomes of the other kind change.
    states: Box<[u8]>,
}

/// The state after a start or a trap: predicted not taken, and one outcome changes that.
pub const CLEAR: u8 = 0b01;

impl BranchPredictor {
    /// A clear table of so many entries, a power of two or 0.
    pub fn new(entries: u32) -> Self {
        Self { states: vec![CLEAR; entries as usize].into() }
    }

    fn place(&self, address: u64) -> usize {
        (address & (self.states.len() as u64).wrapping_sub(1)) as usize
    }

    /// The outcome that is predicted.
    pub fn predicts(&self, address: u64) -> bool {
        self.states.get(self.place(address)).is_some_and(|state| state & 0b10 != 0)
    }

    /// Learns an outcome; true if it was predicted.
    pub fn learn(&mut self, address: u64, taken: bool) -> bool {
        let predicted = self.predicts(address);
        let place = self.place(address);
        if let Some(state) = self.states.get_mut(place) {
            let last = *state & 1 == 1;
            // What two of prediction, last outcome and this one say.
            let next = if predicted == last { last } else { taken };
            *state = u8::from(next) << 1 | u8::from(taken);
        }
        predicted == taken
    }

    /// The trace goes on with a start or a trap.
    pub fn clear(&mut self) {
        self.states.fill(CLEAR);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_outcomes_change_a_prediction() {
        let mut predictor = BranchPredictor::new(4);
        let mut learn = |taken| predictor.learn(5, taken);
        // One taken branch is enough at first; then it takes two of the other kind.
        let found = [true, true, false, true, false, false, false, true, true].map(&mut learn);
        assert_eq!(found, [false, true, false, true, false, false, true, false, false]);
        assert!(predictor.predicts(1) && !predictor.predicts(2));
        predictor.clear();
        assert!(!predictor.predicts(1));
    }
}
