//! NSGA-II (Deb, Pratap, Agarwal, Meyarivan, 2002): a population whose children are measured, and whose best survive.
//!
//! The best are those on the Pareto front, then those on the front of the rest, and so on; on one front, those whose
//! neighbours are far away. All choices follow from the seed, so a search that is started again makes the same ones.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tracewright_verification::Shard;

use super::{PATIENCE, draw};
use crate::error::Result;
use crate::evaluator::Evaluator;
use crate::objective;
use crate::search::Search;
use crate::space::{Candidate, Point, Space};

/// The limits of a population, and the generations that the budget is for.
const POPULATION: (usize, usize) = (8, 64);
const GENERATIONS: usize = 12;

/// Chance that a child has two parents.
const CROSSING: f64 = 0.9;

/// Chance that a mutated child begins with another preset.
const OTHER_PRESET: f64 = 0.1;

/// A measured point.
#[derive(Clone, Debug)]
struct Individual {
    point: Point,
    scores: Vec<f64>,
    /// Number of the front that it is on, 0 for the best.
    rank: usize,
    /// How far its neighbours on the front are.
    distance: f64,
}

/// Measures as many points as the shard's share of the budget. Each shard has a population of its own.
pub fn run(search: &Search, shard: Shard, evaluator: &mut Evaluator<'_>) -> Result<()> {
    let budget = shard.share(search.configurations as u64) as usize;
    let size = (budget / GENERATIONS).clamp(POPULATION.0, POPULATION.1);
    let mut random = ChaCha8Rng::seed_from_u64(search.seed);
    random.set_stream(shard.index().into());
    let mut population = presets(search, evaluator);
    let mut measured = 0;
    while measured < budget {
        let wanted = size.min(budget - measured);
        let children = children(&search.space, &population, wanted, &mut random, evaluator);
        if children.is_empty() {
            break;
        }
        measured += children.len();
        let (points, candidates): (Vec<Point>, Vec<Candidate>) = children.into_iter().unzip();
        let first = evaluator.add(&candidates)?;
        let rows = &evaluator.rows()[first..];
        population.extend(points.into_iter().zip(rows).map(|(point, row)| Individual {
            point,
            scores: row.scores(&search.objectives),
            rank: 0,
            distance: 0.0,
        }));
        population = survivors(population, size);
    }
    Ok(())
}

/// The presets that are points of the space.
fn presets(search: &Search, evaluator: &Evaluator<'_>) -> Vec<Individual> {
    let space = &search.space;
    let mut found = Vec::new();
    for (number, preset) in space.presets().iter().enumerate() {
        let mut values = vec![0; space.dimensions().len()];
        let preset_values = space.reference(number).design.values();
        let is_point = space.applicable(number).iter().all(|dimension| {
            let one = &space.dimensions()[*dimension];
            let value = preset_values.iter().find(|(name, _)| *name == one.parameter);
            let value = value.map(|(_, value)| value.to_string());
            let place = one.values.iter().position(|known| Some(known) == value.as_ref());
            values[*dimension] = place.unwrap_or(0);
            place.is_some()
        });
        let row = evaluator.rows().iter().find(|row| row.design == preset.name);
        if let Some(row) = row.filter(|_| is_point) {
            let (point, scores) =
                (Point { preset: number, values }, row.scores(&search.objectives));
            found.push(Individual { point, scores, rank: 0, distance: 0.0 });
        }
    }
    found
}

/// New designs: random ones to begin with, then children of the population.
fn children(
    space: &Space,
    population: &[Individual],
    wanted: usize,
    random: &mut ChaCha8Rng,
    evaluator: &mut Evaluator<'_>,
) -> Vec<(Point, Candidate)> {
    let mut children = Vec::with_capacity(wanted);
    let is_first = population.len() < wanted;
    let mut misses = 0;
    while children.len() < wanted && misses < PATIENCE {
        // A population whose children are all known goes on from random points.
        let is_stuck = misses > PATIENCE / 2;
        let point = match (choose(population, random), choose(population, random)) {
            (Some(one), Some(other)) if !is_first && !is_stuck => child(space, one, other, random),
            _ => draw(space, random),
        };
        match evaluator.admit(&point, true) {
            Some(candidate) => {
                children.push((point, candidate));
                misses = 0;
            }
            None => misses += 1,
        }
    }
    children
}

/// The better of two individuals drawn at random.
fn choose<'a>(population: &'a [Individual], random: &mut impl Rng) -> Option<&'a Individual> {
    let (one, other) = (population.choose(random)?, population.choose(random)?);
    let order = one.rank.cmp(&other.rank).then(other.distance.total_cmp(&one.distance));
    Some(if order.is_le() { one } else { other })
}

/// A point with values of both parents, some of them changed.
fn child(space: &Space, one: &Individual, other: &Individual, random: &mut impl Rng) -> Point {
    let mut point = one.point.clone();
    if random.random_bool(CROSSING) {
        let has = space.applicable(other.point.preset);
        for dimension in space.applicable(point.preset).iter().filter(|one| has.contains(one)) {
            if random.random() {
                point.values[*dimension] = other.point.values[*dimension];
            }
        }
    }
    if space.presets().len() > 1 && random.random_bool(OTHER_PRESET) {
        let drawn = draw(space, random);
        let kept = space.applicable(point.preset);
        let values = drawn.values.iter().enumerate().map(|(dimension, value)| {
            let applies = space.applicable(drawn.preset).contains(&dimension);
            if applies && kept.contains(&dimension) { point.values[dimension] } else { *value }
        });
        point = Point { preset: drawn.preset, values: values.collect() };
    }
    let applicable = space.applicable(point.preset);
    for dimension in applicable {
        if random.random_bool(1.0 / applicable.len() as f64) {
            let count = space.dimensions()[*dimension].values.len();
            let value = &mut point.values[*dimension];
            *value = match random.random_range(0..4) {
                0 => value.saturating_sub(1),
                1 => (*value + 1).min(count - 1),
                _ => random.random_range(0..count),
            };
        }
    }
    point
}

/// The best of a population, with their ranks and distances.
fn survivors(population: Vec<Individual>, size: usize) -> Vec<Individual> {
    let mut rest = population;
    let mut survivors: Vec<Individual> = Vec::with_capacity(size);
    let mut rank = 0;
    while survivors.len() < size && !rest.is_empty() {
        let scores: Vec<Vec<f64>> = rest.iter().map(|one| one.scores.clone()).collect();
        let is_on_front = objective::front(&scores);
        let (mut front, others): (Vec<_>, Vec<_>) =
            rest.into_iter().zip(is_on_front).partition(|(_, is_on_front)| *is_on_front);
        rest = others.into_iter().map(|(one, _)| one).collect();
        let mut front: Vec<Individual> = front.drain(..).map(|(one, _)| one).collect();
        set_distances(&mut front);
        front.sort_by(|one, other| other.distance.total_cmp(&one.distance));
        front.truncate(size - survivors.len());
        survivors.extend(front.into_iter().map(|one| Individual { rank, ..one }));
        rank += 1;
    }
    survivors
}

/// Sets the crowding distance of every individual of a front: for each objective, how far apart its neighbours are.
fn set_distances(front: &mut [Individual]) {
    for one in front.iter_mut() {
        one.distance = 0.0;
    }
    let objectives = front.first().map_or(0, |one| one.scores.len());
    for objective in 0..objectives {
        front.sort_by(|one, other| one.scores[objective].total_cmp(&other.scores[objective]));
        let scores: Vec<f64> = front.iter().map(|one| one.scores[objective]).collect();
        let last = scores.len() - 1;
        let range = scores[last] - scores[0];
        for (number, one) in front.iter_mut().enumerate() {
            let is_end = number == 0 || number == last;
            one.distance += match range {
                _ if is_end => f64::INFINITY,
                0.0 => 0.0,
                range => (scores[number + 1] - scores[number - 1]) / range,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fronts_survive_in_order_and_the_ends_of_a_front_first() {
        let one = |first: f64, second: f64| Individual {
            point: Point { preset: 0, values: Vec::new() },
            scores: vec![first, second],
            rank: 0,
            distance: 0.0,
        };
        // The best front is (1, 9), (2, 8), (5, 5), (9, 1); (2, 8) is in the densest part of it.
        let best = [(1.0, 9.0), (2.0, 8.0), (5.0, 5.0), (9.0, 1.0)];
        let worse = [(9.0, 9.0), (6.0, 6.0)];
        let population = || worse.iter().chain(&best).map(|(first, second)| one(*first, *second));
        let scores = |size| {
            let survivors = survivors(population().collect(), size);
            let mut scores: Vec<(f64, f64, usize)> =
                survivors.iter().map(|one| (one.scores[0], one.scores[1], one.rank)).collect();
            scores.sort_by(|one, other| one.0.total_cmp(&other.0));
            scores
        };
        assert_eq!(scores(3), [(1.0, 9.0, 0), (5.0, 5.0, 0), (9.0, 1.0, 0)]);
        let five = [(1.0, 9.0, 0), (2.0, 8.0, 0), (5.0, 5.0, 0), (6.0, 6.0, 1), (9.0, 1.0, 0)];
        assert_eq!(scores(5), five);
    }
}
