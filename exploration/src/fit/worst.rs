//! The search for the tables with the smallest worst ratio of a group of traces to a baseline.
//!
//! Tables with the fewest bits by weighted counts are easy to find. The weights of the groups are what is searched for:
//! a group with a large ratio gets more weight, and the tables are improved with the new weights (the multiplicative
//! weights of Freund and Schapire, 1999).

use super::descent::{descend, improve};
use super::histogram::Histogram;
use super::tables::Tables;

/// How often the weights are changed.
const ROUNDS: u32 = 24;

/// How fast weights grow with ratios.
const RATE: f64 = 6.0;

/// The share of the weight that all groups have at least, so that the bits of those that are not the worst count too.
const SHARED: f64 = 0.1;

/// Tables whose worst ratio is at most so many times the smallest one count as equally good there; of them those with
/// the smallest mean ratio are taken.
const EQUAL: f64 = 1.002;

/// Traces whose bits are compared with those of the baseline together.
pub struct Group {
    /// Its predictions.
    pub histogram: Histogram,
    /// Bits that do not depend on the tables.
    pub other_bits: f64,
    /// Bits of the baseline.
    pub baseline_bits: f64,
}

impl Group {
    /// The ratio of the bits with these tables to those of the baseline.
    pub fn ratio(&self, tables: &Tables) -> f64 {
        let bits = self.other_bits + tables.bits(&self.histogram);
        if self.baseline_bits > 0.0 { bits / self.baseline_bits } else { 0.0 }
    }
}

/// The tables with the smallest worst ratio that the search finds, at most 0.2 % above that of `start`.
pub fn descend_worst(groups: &[&Group], start: &Tables) -> Tables {
    let shared = 1.0 / groups.len().max(1) as f64;
    let mut weights = vec![shared; groups.len()];
    let mut found = vec![start.clone(), descend(&weighted(groups, &weights), start)];
    for _ in 0..ROUNDS {
        let tables = found.last().unwrap_or(start);
        let ratios: Vec<f64> = groups.iter().map(|group| group.ratio(tables)).collect();
        let largest = ratios.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let grown = weights.iter().zip(&ratios);
        let grown = grown.map(|(weight, ratio)| weight * (RATE * (ratio / largest - 1.0)).exp());
        weights = grown.collect();
        let all: f64 = weights.iter().sum();
        for weight in &mut weights {
            *weight /= all;
        }
        let mixed = weights.iter().map(|weight| SHARED * shared + (1.0 - SHARED) * weight);
        let tables = improve(&weighted(groups, &mixed.collect::<Vec<_>>()), tables);
        found.push(tables);
    }
    best(groups, found).unwrap_or_else(|| start.clone())
}

/// Of the tables with about the smallest worst ratio those with the smallest mean ratio.
fn best(groups: &[&Group], found: Vec<Tables>) -> Option<Tables> {
    let scored = found.into_iter().map(|tables| {
        let ratios: Vec<f64> = groups.iter().map(|group| group.ratio(&tables)).collect();
        (ratios.iter().copied().fold(0.0, f64::max), ratios.iter().sum::<f64>(), tables)
    });
    let scored: Vec<(f64, f64, Tables)> = scored.collect();
    let smallest = scored.iter().map(|one| one.0).fold(f64::INFINITY, f64::min);
    let good = scored.into_iter().filter(|one| one.0 <= EQUAL * smallest);
    good.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(_, _, tables)| tables)
}

/// The predictions of all groups, weighted so that a part of a group's ratio counts by the group's weight, and all bits
/// together are about as many as before.
fn weighted(groups: &[&Group], weights: &[f64]) -> Histogram {
    let all: f64 = groups.iter().map(|group| group.baseline_bits).sum();
    let parts = groups.iter().zip(weights);
    Histogram::sum(parts.map(|(group, weight)| {
        let share = if group.baseline_bits > 0.0 { all / group.baseline_bits } else { 0.0 };
        (&group.histogram, weight * share)
    }))
}
