//! How well T-raptor's predictors do, and how many bits the fields of its records need.

use tracewright_sim::event::{Event, Kind};
use tracewright_sim::traptor::config::Config;
use tracewright_sim::traptor::layout::{Body, Head};
use tracewright_sim::traptor::predictors::{Prediction, Predictors};
use tracewright_sim::traptor::record_former::RecordFormer;

/// Longest field that is counted, in bits.
pub const MOST_BITS: usize = 64;

/// How often a value of so many bits came; a value of 0 has one bit.
pub type Lengths = [u64; MOST_BITS + 1];

/// Right predictions of all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rate {
    /// Predictions.
    pub all: u64,
    /// Those that were right.
    pub right: u64,
}

impl Rate {
    fn add(&mut self, right: bool) {
        self.all += 1;
        self.right += u64::from(right);
    }

    /// Both together.
    pub fn with(self, other: Rate) -> Rate {
        Rate { all: self.all + other.all, right: self.right + other.right }
    }

    /// Right predictions in percent; `None` if nothing was predicted.
    pub fn percent(&self) -> Option<f64> {
        (self.all > 0).then(|| 100.0 * self.right as f64 / self.all as f64)
    }
}

/// One configuration's predictors beside a trace.
#[derive(Clone, Debug)]
pub struct Predictions {
    predictors: Predictors,
    record_former: RecordFormer,
    /// Outcomes of conditional branches.
    pub outcomes: Rate,
    /// Targets of taken indirect branches.
    pub targets: Rate,
    /// Bits of the branch counts in records (bCnt).
    pub branch_counts: Box<Lengths>,
    /// Bits of the target differences in records (|diffTA|).
    pub target_differences: Box<Lengths>,
}

impl Predictions {
    /// The predictors as reset leaves them.
    pub fn new(config: &Config) -> Self {
        Self {
            predictors: Predictors::new(config),
            record_former: RecordFormer::new(config),
            outcomes: Rate::default(),
            targets: Rate::default(),
            branch_counts: Box::new([0; MOST_BITS + 1]),
            target_differences: Box::new([0; MOST_BITS + 1]),
        }
    }

    /// Predicts an event, counts, and learns it.
    pub fn event(&mut self, event: &Event) {
        let Self { predictors, record_former, branch_counts, target_differences, .. } = self;
        if event.kind == Kind::Exception && !event.taken {
            return record_former.sequential(event.instructions, |_, _| {});
        }
        let prediction = predictors.predict(event.program_counter, event.kind, event.is_return);
        record_former.control_flow(event, &prediction, |head, body| {
            let sends_target = match head {
                Head::Branch(count) => {
                    branch_counts[length(count)] += 1;
                    event.kind.is_indirect() && body.taken
                }
                Head::Exception => true,
                Head::Extended(_) => false,
            };
            if sends_target {
                let Body { difference, .. } = body;
                target_differences[length(difference)] += 1;
            }
        });
        predictors.update(event, &prediction);
        self.count(event, &prediction);
    }

    fn count(&mut self, event: &Event, prediction: &Prediction) {
        if event.kind.is_conditional() {
            self.outcomes.add(prediction.taken == event.taken);
        }
        if event.kind.is_indirect() && event.taken {
            self.targets.add(prediction.target.target == Some(event.target));
        }
    }
}

/// Bits of a number without leading zeros, at least one.
fn length(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()).max(1) as usize
}

/// Bits that all these numbers take in chunks with a continuation bit each.
pub fn chunked_bits(lengths: &Lengths, first: u64, next: u64) -> u64 {
    let bits = |length: u64| {
        let later = length.saturating_sub(first).div_ceil(next);
        first + 1 + later * (next + 1)
    };
    lengths.iter().zip(0..).map(|(count, length)| count * bits(length)).sum()
}

/// The shares of numbers of at most 1, 2, ... bits, in percent.
pub fn cumulative(lengths: &Lengths, most: usize) -> Vec<f64> {
    let all: u64 = lengths.iter().sum();
    let up_to = |bits: usize| lengths[..=bits].iter().sum::<u64>();
    (1..=most).map(|bits| 100.0 * up_to(bits) as f64 / all.max(1) as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_as_the_encoder_sends_them() {
        let mut lengths = [0; MOST_BITS + 1];
        (lengths[2], lengths[5], lengths[8]) = (10, 1, 1);
        // 3 + 1 bits; 3 + 1 and 3 + 1; 3 + 1 and twice 3 + 1.
        assert_eq!(chunked_bits(&lengths, 3, 3), 10 * 4 + 8 + 12);
        assert_eq!(cumulative(&lengths, 4)[1], 1000.0 / 12.0);
        assert_eq!((length(0), length(1), length(255), length(u64::MAX)), (1, 1, 8, 64));
    }
}
