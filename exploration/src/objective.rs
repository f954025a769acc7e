//! Objectives, and the designs that no other design beats in all of them.

use serde::{Deserialize, Serialize};

/// A figure that a search makes small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// Bits of all traces together, divided by their instructions.
    BitsPerInstruction,
    /// Bits per instruction of the trace that has the most.
    WorstBitsPerInstruction,
    /// The largest ratio of a trace's bits to those of the baseline.
    WorstRatio,
    /// The largest ratio of the bits of a class of traces together to those of the baseline.
    WorstClassRatio,
    /// The papers' gate estimate.
    Gates,
    /// Bits of the smallest output FIFO that never stalls on the traces.
    BufferBits,
}

impl Objective {
    /// Every objective.
    pub const ALL: [Objective; 6] = [
        Objective::BitsPerInstruction,
        Objective::WorstBitsPerInstruction,
        Objective::WorstRatio,
        Objective::WorstClassRatio,
        Objective::Gates,
        Objective::BufferBits,
    ];

    /// Its name in search files.
    pub fn name(self) -> &'static str {
        match self {
            Objective::BitsPerInstruction => "bits_per_instruction",
            Objective::WorstBitsPerInstruction => "worst_bits_per_instruction",
            Objective::WorstRatio => "worst_ratio",
            Objective::WorstClassRatio => "worst_class_ratio",
            Objective::Gates => "gates",
            Objective::BufferBits => "buffer_bits",
        }
    }

    /// Its name in tables.
    pub fn title(self) -> &'static str {
        match self {
            Objective::BitsPerInstruction => "bits/instruction",
            Objective::WorstBitsPerInstruction => "at worst",
            Objective::WorstRatio => "worst ratio",
            Objective::WorstClassRatio => "worst class ratio",
            Objective::Gates => "estimated gates",
            Objective::BufferBits => "buffer bits",
        }
    }

    /// True if it is a number of bits, or a ratio of such numbers.
    pub fn is_of_bits(self) -> bool {
        !matches!(self, Objective::Gates | Objective::BufferBits)
    }

    /// True if it compares a design with a baseline.
    pub fn is_ratio(self) -> bool {
        matches!(self, Objective::WorstRatio | Objective::WorstClassRatio)
    }
}

/// True if `one` is nowhere above `other`, and somewhere below.
pub fn dominates(one: &[f64], other: &[f64]) -> bool {
    let pairs = || one.iter().zip(other);
    pairs().all(|(one, other)| one <= other) && pairs().any(|(one, other)| one < other)
}

/// For each of the scores, whether none of the others dominates it: the Pareto front. Of equal scores the first is on it.
pub fn front(scores: &[Vec<f64>]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    // What dominates a score comes before it in this order, so it is on the front found so far or dominated by it.
    order.sort_by(|one, other| compare(&scores[*one], &scores[*other]));
    let mut found: Vec<usize> = Vec::new();
    for number in order {
        let is_beaten = |better: &usize| {
            dominates(&scores[*better], &scores[number]) || scores[*better] == scores[number]
        };
        if !found.iter().any(is_beaten) {
            found.push(number);
        }
    }
    let mut is_on_front = vec![false; scores.len()];
    for number in found {
        is_on_front[number] = true;
    }
    is_on_front
}

/// The order of scores by their first figure, then by the second, and so on.
pub fn compare(one: &[f64], other: &[f64]) -> std::cmp::Ordering {
    let pairs = one.iter().zip(other);
    pairs
        .map(|(one, other)| one.total_cmp(other))
        .find(|order| order.is_ne())
        .unwrap_or(std::cmp::Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn the_front_is_what_nothing_dominates() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for objectives in 1..4 {
            for _ in 0..50 {
                let mut score =
                    || (0..objectives).map(|_| f64::from(random.random_range(0..6))).collect();
                let scores: Vec<Vec<f64>> = (0..40).map(|_| score()).collect();
                let expected: Vec<bool> = scores
                    .iter()
                    .enumerate()
                    .map(|(number, one)| {
                        let is_dominated = scores.iter().any(|other| dominates(other, one));
                        !is_dominated && !scores[..number].contains(one)
                    })
                    .collect();
                assert_eq!(front(&scores), expected);
            }
        }
    }
}
