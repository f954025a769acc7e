//! The strategies: which points of a space are measured.

mod evolution;

use std::collections::HashSet;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_verification::Shard;

use crate::error::Result;
use crate::evaluator::Evaluator;
use crate::search::{Search, Strategy};
use crate::space::{Point, Space};

/// Designs of a large space that are in memory before they are measured.
const BATCH: usize = 4096;

/// Draws in turn that give no new design, after which the space counts as exhausted.
const PATIENCE: usize = 10_000;

/// Measures the points that the search's strategy chooses, those of this shard.
///
/// # Errors
/// Those of the evaluator.
pub fn run(search: &Search, shard: Shard, evaluator: &mut Evaluator<'_>) -> Result<()> {
    let is_small = search.space.size() <= search.configurations as u128;
    match search.strategy {
        Strategy::Random if !is_small => random(search, shard, evaluator),
        Strategy::Evolutionary if !is_small => evolution::run(search, shard, evaluator),
        _ => all(search, shard, evaluator),
    }
}

/// Every shard goes through every point, so that a design that is at two points is measured in one shard only.
fn all(search: &Search, shard: Shard, evaluator: &mut Evaluator<'_>) -> Result<()> {
    let mut candidates = Vec::new();
    for number in 0..search.space.size() {
        let is_own = shard.has(number as u64);
        let candidate = evaluator.admit(&search.space.point(number), is_own);
        candidates.extend(candidate.filter(|_| is_own));
        if candidates.len() == BATCH {
            evaluator.add(&candidates)?;
            candidates.clear();
        }
    }
    evaluator.add(&candidates).map(|_| ())
}

/// Every shard draws the same points, and measures its own.
fn random(search: &Search, shard: Shard, evaluator: &mut Evaluator<'_>) -> Result<()> {
    let mut random = ChaCha8Rng::seed_from_u64(search.seed);
    let mut drawn = HashSet::new();
    let mut candidates = Vec::new();
    let (mut admitted, mut misses) = (0, 0);
    while admitted < search.configurations && misses < PATIENCE {
        let point = draw(&search.space, &mut random);
        misses += 1;
        if !drawn.insert(point.clone()) {
            continue;
        }
        let is_own = shard.has(drawn.len() as u64 - 1);
        if let Some(candidate) = evaluator.admit(&point, is_own) {
            admitted += 1;
            misses = 0;
            candidates.extend(Some(candidate).filter(|_| is_own));
        }
    }
    evaluator.add(&candidates).map(|_| ())
}

/// A point drawn at random: every preset, and every value of its parameters, is as likely as the others.
fn draw(space: &Space, random: &mut impl Rng) -> Point {
    let preset = random.random_range(0..space.presets().len());
    let mut values = vec![0; space.dimensions().len()];
    for dimension in space.applicable(preset) {
        values[*dimension] = random.random_range(0..space.dimensions()[*dimension].values.len());
    }
    Point { preset, values }
}
