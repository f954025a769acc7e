//! What an encoder and its decoder keep alike: outcomes of branches, calls, targets of jumps, predictions.

use std::collections::VecDeque;

use super::encoder::Encoder;

/// What a payload says of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is taken or not.
    Taken(bool),
    /// It goes as predicted, or not.
    Predicted(bool),
}

/// Outcomes of branches that have not been passed, the oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcomes {
    /// Each with a number of branches.
    runs: VecDeque<(Outcome, u64)>,
    /// Branches in all.
    pub left: u64,
}

impl Outcomes {
    pub(super) fn add(&mut self, outcome: Outcome, count: u64) {
        match self.runs.back_mut() {
            _ if count == 0 => {}
            Some((last, branches)) if *last == outcome => *branches += count,
            _ => self.runs.push_back((outcome, count)),
        }
        self.left += count;
    }

    /// Adds a map of so many branches, the oldest lowest: 1 is not taken.
    pub(super) fn add_map(&mut self, branches: u32, map: u32) {
        for place in 0..branches {
            self.add(Outcome::Taken(map >> place & 1 == 0), 1);
        }
    }

    pub(super) fn pop(&mut self) -> Option<Outcome> {
        let (outcome, branches) = self.runs.front_mut()?;
        let outcome = *outcome;
        *branches -= 1;
        if *branches == 0 {
            self.runs.pop_front();
        }
        self.left -= 1;
        Some(outcome)
    }

    pub(super) fn clear(&mut self) {
        *self = Outcomes::default();
    }
}

/// The tables of an encoder.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    calls: VecDeque<u64>,
    most_calls: usize,
    targets: Vec<Option<u64>>,
    /// Two bits each: the prediction, and below it the last outcome.
    counters: Vec<u8>,
    lowest_bit: u32,
}

/// A counter of a branch about which nothing is known: not taken is predicted.
const UNKNOWN: u8 = 1;

impl Tables {
    pub(super) fn new(encoder: &Encoder) -> Self {
        let entries = |bits: u32| if bits > 0 { 1usize << bits } else { 0 };
        let calls = encoder.return_stack_size_p.max(encoder.call_counter_size_p);
        Tables {
            calls: VecDeque::new(),
            most_calls: entries(calls),
            targets: vec![None; entries(encoder.cache_size_p)],
            counters: vec![UNKNOWN; entries(encoder.bpred_size_p)],
            lowest_bit: encoder.iaddress_lsb_p,
        }
    }

    /// Forgets all, as with each synchronisation.
    pub(super) fn clear(&mut self) {
        self.calls.clear();
        self.targets.fill(None);
        self.counters.fill(UNKNOWN);
    }

    /// Addresses on the stack.
    pub(super) fn depth(&self) -> u64 {
        self.calls.len() as u64
    }

    pub(super) fn call(&mut self, return_address: u64) {
        if self.most_calls == 0 {
            return;
        }
        if self.calls.len() == self.most_calls {
            self.calls.pop_front();
        }
        self.calls.push_back(return_address);
    }

    pub(super) fn end_call(&mut self) -> Option<u64> {
        self.calls.pop_back()
    }

    /// The innermost return address.
    pub(super) fn return_address(&self) -> Option<u64> {
        self.calls.back().copied()
    }

    fn place(&self, address: u64, entries: usize) -> usize {
        (address >> self.lowest_bit) as usize & (entries - 1)
    }

    /// Keeps the target of a jump that was sent.
    pub(super) fn keep_target(&mut self, target: u64) {
        if !self.targets.is_empty() {
            let place = self.place(target, self.targets.len());
            self.targets[place] = Some(target);
        }
    }

    pub(super) fn target(&self, place: u64) -> Option<u64> {
        self.targets.get(usize::try_from(place).ok()?).copied().flatten()
    }

    /// The prediction for a branch.
    pub(super) fn predicts_taken(&self, branch: u64) -> bool {
        let entries = self.counters.len();
        entries > 0 && self.counters[self.place(branch, entries)] >= 2
    }

    /// Learns an outcome.
    pub(super) fn learn(&mut self, branch: u64, taken: bool) {
        let entries = self.counters.len();
        if entries == 0 {
            return;
        }
        let place = self.place(branch, entries);
        // The states after a branch that is not taken, and after one that is.
        let next = [(0, 1), (0, 3), (0, 3), (2, 3)][usize::from(self.counters[place] & 3)];
        self.counters[place] = if taken { next.1 } else { next.0 };
    }
}
