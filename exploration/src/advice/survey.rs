//! Measures designs and their neighbours, and finds those that are worth a synthesis.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tracewright_sim::scheme::Design;

use super::choice::By;
use super::neighbours;
use crate::error::Result;
use crate::evaluator::Evaluator;
use crate::input::Input;
use crate::outcome::{Row, TraceSummary};
use crate::predictors::Predictors;
use crate::search::{Search, Setup, Strategy};
use crate::space::{Candidate, Space};
use crate::store::Store;

/// The most designs that are worth a synthesis, those for decoders of a standard left out.
const MOST: usize = 7;

/// Designs whose neighbours are measured: those of the least gates times bits.
const WITH_NEIGHBOURS: usize = 3;

/// The most neighbours among them.
const MOST_NEIGHBOURS: usize = 2;

/// Estimated gates by which schemes may differ in their logic, which the estimate does not count.
const LOGIC: u32 = 3000;

/// The share of its preset's gates times bits that a neighbour must stay below to be worth its while.
pub(super) const WORTH: f64 = 0.95;

/// The scheme whose traces decoders of a standard read.
pub(super) const STANDARD: &str = "etrace";

/// A design that is worth a synthesis.
#[derive(Clone, Debug)]
pub struct Finalist {
    /// The design; a neighbour has a name of its own.
    pub design: Design,
    /// The candidate that it is, or is a neighbour of.
    pub of: Design,
    /// Its figures.
    pub row: Row,
}

impl Finalist {
    /// True for a neighbour of a candidate.
    pub fn is_neighbour(&self) -> bool {
        self.design.name != self.of.name
    }

    fn bits(&self, by: By) -> f64 {
        by.bits(&self.row.by_trace, None)
    }

    /// Bits times estimated gates.
    fn product(&self, by: By) -> f64 {
        self.bits(by) * f64::from(self.row.gates)
    }
}

/// Measures candidates on traces, and gives those that are worth a synthesis: all of them if `keep_all`. With
/// `with_neighbours` designs beside the best of them are measured, too. Measurements are kept in `folder` on the way.
///
/// # Errors
/// When a trace is bad, or a candidate cannot trace it.
pub fn survey(
    candidates: &[Design],
    traces: &[PathBuf],
    by: By,
    (keep_all, with_neighbours): (bool, bool),
    folder: &Path,
    setup: &Setup,
) -> Result<Vec<Finalist>> {
    let inputs = traces.iter().map(|path| Input::new(path)).collect::<Result<Vec<_>>>()?;
    let search = Search {
        space: Space::new(Vec::new(), Vec::new()),
        predictors: Predictors::default(),
        smallest_buffer: false,
        objectives: Vec::new(),
        strategy: Strategy::All,
        configurations: 0,
        seed: 0,
        classes: Vec::new(),
        left_out: Vec::new(),
        baseline: None,
        around: BTreeMap::new(),
    };
    let summaries = inputs.iter().map(|input| TraceSummary::new(input, None, &[])).collect();
    let store = Store::open(folder)?;
    let mut evaluator = Evaluator::new(&search, &inputs, summaries, store, setup);
    let of = |design: &Design| Candidate { preset: design.clone(), design: design.clone() };
    let rows = evaluator.measure(&candidates.iter().map(of).collect::<Vec<_>>())?;
    let measured = candidates.iter().zip(rows);
    let mut finalists: Vec<Finalist> = measured
        .map(|(design, row)| Finalist { design: design.clone(), of: design.clone(), row })
        .collect();
    if !keep_all {
        finalists = few(finalists, by);
    }
    if with_neighbours {
        let near = near(&finalists, by, &mut evaluator)?;
        finalists.extend(near);
    }
    Ok(finalists)
}

/// Those that no other one makes needless, the fewest bits among them, and those of the standard.
fn few(all: Vec<Finalist>, by: By) -> Vec<Finalist> {
    let is_needless = |one: &Finalist| {
        let (bits, gates, scheme) = (one.bits(by), one.row.gates, one.design.scheme.name());
        all.iter().any(|other| {
            let (other_bits, other_gates) = (other.bits(by), other.row.gates);
            match other.design.scheme.name() == scheme {
                true => {
                    other_bits <= bits
                        && other_gates <= gates
                        && (other_bits, other_gates) != (bits, gates)
                }
                false => scheme != STANDARD && other_bits <= bits && other_gates + LOGIC <= gates,
            }
        })
    };
    let (standard, mut others): (Vec<Finalist>, Vec<Finalist>) = all
        .iter()
        .filter(|one| !is_needless(one))
        .cloned()
        .partition(|one| one.design.scheme.name() == STANDARD);
    others.sort_by(|one, other| one.bits(by).total_cmp(&other.bits(by)));
    if let Some((_, rest)) = others.split_first_mut() {
        rest.sort_by(|one, other| one.product(by).total_cmp(&other.product(by)));
    }
    let smallest = others.iter().skip(MOST - 1).min_by_key(|one| one.row.gates).cloned();
    others.truncate(MOST - usize::from(smallest.is_some()));
    others.into_iter().chain(smallest).chain(standard).collect()
}

/// For each of the best designs its best neighbour, if one is worth its while; the best of these.
fn near(finalists: &[Finalist], by: By, evaluator: &mut Evaluator<'_>) -> Result<Vec<Finalist>> {
    let mut own: Vec<&Finalist> =
        finalists.iter().filter(|one| one.design.scheme.name() != STANDARD).collect();
    own.sort_by(|one, other| one.product(by).total_cmp(&other.product(by)));
    own.truncate(WITH_NEIGHBOURS);
    let is_known = |design: &Design| {
        let same = |one: &Finalist| {
            one.design.resolved().values() == design.resolved().values()
                && one.design.scheme.name() == design.scheme.name()
        };
        finalists.iter().any(same)
    };
    let mut pairs: Vec<(&Finalist, Candidate)> = Vec::new();
    for one in own {
        let near = neighbours(&one.design).into_iter();
        let new = near.filter(|near| evaluator.is_valid(near) && !is_known(near));
        pairs.extend(new.map(|design| (one, Candidate { preset: one.design.clone(), design })));
    }
    let candidates: Vec<Candidate> = pairs.iter().map(|(_, near)| near.clone()).collect();
    let rows = evaluator.measure(&candidates)?;
    let mut best: Vec<(f64, Finalist)> = Vec::new();
    for ((of, Candidate { design, .. }), row) in pairs.into_iter().zip(rows) {
        let found = Finalist { design, of: of.design.clone(), row };
        let share = found.product(by) / of.product(by).max(f64::MIN_POSITIVE);
        if share > WORTH {
            continue;
        }
        match best.iter_mut().find(|(_, other)| other.of.name == found.of.name) {
            Some(old) if old.0 > share => *old = (share, found),
            Some(_) => {}
            None => best.push((share, found)),
        }
    }
    best.sort_by(|one, other| one.0.total_cmp(&other.0));
    best.truncate(MOST_NEIGHBOURS);
    best.into_iter().map(|(_, one)| one.named()).collect()
}

impl Finalist {
    /// A neighbour under a name of its own.
    fn named(mut self) -> Result<Self> {
        self.design = self.design.renamed(&format!("{}-tuned", self.of.name))?;
        self.row.design.clone_from(&self.design.name);
        Ok(self)
    }
}
