//! The search for the tables with the fewest bits: coordinate descent from several starts.
//!
//! A move adds a number to one score, or to all scores of a structure from some state on. The sums of all combinations
//! are kept, so that a move is tried in the time of the combinations that it concerns.

use std::ops::Range;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::histogram::{Counts, Histogram};
use super::tables::{SCORE_RANGE, SCORES, STRUCTURES, Tables, bits, places};

/// What a move adds to scores.
const STEPS: [i8; 6] = [-4, -2, -1, 1, 2, 4];
/// A move has to save more bits than this, so that rare combinations do not decide.
const LEAST_GAIN: f64 = 1.0;
/// Starts from the best tables so far with some scores changed at random.
const KICKS: u32 = 24;
/// Scores that such a start changes.
const KICKED: usize = 4;

/// A combination of evidence with its predictions.
struct Cell {
    places: [usize; STRUCTURES],
    level: Option<usize>,
    counts: Counts,
}

/// The combinations, and which of them each score concerns.
struct Cells {
    cells: Vec<Cell>,
    of_score: Vec<Vec<u32>>,
}

/// Tables with the sum of scores of every combination.
#[derive(Clone)]
struct Point {
    tables: Tables,
    sums: Vec<i16>,
    bits: f64,
}

/// The tables with the fewest bits that the search finds, at most those of `start`.
///
/// What no prediction depends on stays as it is.
pub fn descend(histogram: &Histogram, start: &Tables) -> Tables {
    let cells = Cells::new(histogram, start.structures);
    let mut best = cells.point(with_exact(histogram, start));
    cells.improve(&mut best);
    let mut flat = start.clone();
    for place in cells.scores() {
        flat.scores[place] = 0;
    }
    cells.try_from(with_exact(histogram, &flat), &mut best);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let scores: Vec<usize> = cells.scores().collect();
    for _ in 0..KICKS {
        let mut kicked = best.tables.clone();
        for place in scores.choose_multiple(&mut random, KICKED) {
            let score = kicked.scores[*place] + random.random_range(-4..=4);
            kicked.scores[*place] = score.clamp(*SCORE_RANGE.start(), *SCORE_RANGE.end());
        }
        cells.try_from(kicked, &mut best);
    }
    best.tables
}

/// Tables with fewer bits than `start` beside it, if there are any.
pub fn improve(histogram: &Histogram, start: &Tables) -> Tables {
    let cells = Cells::new(histogram, start.structures);
    let mut point = cells.point(with_exact(histogram, start));
    cells.improve(&mut point);
    point.tables
}

/// The tables with the confidences that depend on nothing but an entry's confidence, which are found exactly.
fn with_exact(histogram: &Histogram, tables: &Tables) -> Tables {
    let best = |counts: Counts, given: i8| {
        let gain = |k: i8| bits(counts, given) - bits(counts, k);
        let best = (1..=tables.most).max_by(|a, b| gain(*a).total_cmp(&gain(*b)));
        best.filter(|k| gain(*k) > LEAST_GAIN).unwrap_or(given)
    };
    Tables {
        returns: best(histogram.returns, tables.returns),
        single: std::array::from_fn(|level| best(histogram.single[level], tables.single[level])),
        recent: std::array::from_fn(|level| best(histogram.recent[level], tables.recent[level])),
        ..tables.clone()
    }
}

impl Cells {
    fn new(histogram: &Histogram, structures: usize) -> Self {
        let cells: Vec<Cell> = histogram
            .outcomes()
            .map(|one| Cell { places: places(one.states), level: one.level, counts: one.counts })
            .collect();
        let mut of_score = vec![Vec::new(); SCORES];
        for (number, cell) in cells.iter().enumerate() {
            cell.places[..structures].iter().for_each(|place| of_score[*place].push(number as u32));
        }
        Self { cells, of_score }
    }

    /// The scores that a prediction depends on.
    fn scores(&self) -> impl Iterator<Item = usize> {
        (0..SCORES).filter(|place| !self.of_score[*place].is_empty())
    }

    fn point(&self, tables: Tables) -> Point {
        let sums: Vec<i16> = self.cells.iter().map(|cell| tables.sum(&cell.places)).collect();
        let mut point = Point { tables, sums, bits: 0.0 };
        let all = self.cells.iter().zip(&point.sums);
        point.bits = all.map(|(cell, sum)| cell.bits(&point.tables, *sum)).sum();
        point
    }

    /// Descends from these tables, and keeps what it finds if that is better.
    fn try_from(&self, tables: Tables, best: &mut Point) {
        let mut point = self.point(tables);
        self.improve(&mut point);
        if point.bits < best.bits - LEAST_GAIN {
            *best = point;
        }
    }

    /// Moves as long as a move saves bits.
    fn improve(&self, point: &mut Point) {
        loop {
            let before = point.bits;
            for structure in 0..point.tables.structures {
                let Range { start, end } = Tables::places(structure);
                for place in start..end {
                    self.step(point, place..place + 1);
                    self.step(point, place..end);
                }
            }
            self.limit_choices(point);
            if point.bits > before - LEAST_GAIN {
                return;
            }
        }
    }

    /// Adds to these scores what saves the most, if anything does.
    fn step(&self, point: &mut Point, scores: Range<usize>) {
        let gains = STEPS.map(|step| (self.gain(point, scores.clone(), step), step));
        let Some((gain, step)) = gains.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)) else {
            return;
        };
        if gain <= LEAST_GAIN {
            return;
        }
        for place in scores {
            // What no prediction depends on stays.
            if !self.of_score[place].is_empty() {
                point.tables.scores[place] += step;
            }
            self.of_score[place]
                .iter()
                .for_each(|cell| point.sums[*cell as usize] += i16::from(step));
        }
        point.bits -= gain;
    }

    /// Bits that a step saves; negative if a score would leave its range.
    fn gain(&self, point: &Point, scores: Range<usize>, step: i8) -> f64 {
        let moved = point.tables.scores[scores.clone()].iter().map(|score| score + step);
        if moved.into_iter().any(|score| !SCORE_RANGE.contains(&score)) {
            return f64::NEG_INFINITY;
        }
        let gains = self.of_score[scores].iter().flatten().map(|number| {
            let (cell, sum) = (&self.cells[*number as usize], point.sums[*number as usize]);
            let stepped = sum + i16::from(step);
            let (now, then) = (
                point.tables.confidence(sum, cell.level),
                point.tables.confidence(stepped, cell.level),
            );
            if now == then { 0.0 } else { bits(cell.counts, now) - bits(cell.counts, then) }
        });
        gains.sum()
    }

    /// Finds the highest confidence of a choice at each level.
    fn limit_choices(&self, point: &mut Point) {
        for level in 0..point.tables.choice.len() {
            let of_level = |tables: &Tables| -> f64 {
                let cells = self.cells.iter().zip(&point.sums);
                let cells = cells.filter(|(cell, _)| cell.level == Some(level));
                cells.map(|(cell, sum)| cell.bits(tables, *sum)).sum()
            };
            let mut tables = point.tables.clone();
            let now = of_level(&tables);
            let limited = (1..=tables.most).map(|most| {
                tables.choice[level] = most;
                (of_level(&tables), most)
            });
            if let Some((bits, most)) = limited.min_by(|a, b| a.0.total_cmp(&b.0))
                && bits < now - LEAST_GAIN
            {
                point.bits -= now - bits;
                point.tables.choice[level] = most;
            }
        }
    }
}

impl Cell {
    fn bits(&self, tables: &Tables, sum: i16) -> f64 {
        bits(self.counts, tables.confidence(sum, self.level))
    }
}
