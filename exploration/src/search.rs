//! A search: a space, its objectives, and how points of it are chosen.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tracewright_cache::Hash;
use tracewright_sim::event_limit::EventLimit;
use tracewright_verification::trace::Addresses;
use tracewright_verification::{Progress, Shard};

use crate::error::{Error, Result};
use crate::evaluator::Evaluator;
use crate::improvement;
use crate::input::Input;
use crate::objective::Objective;
use crate::outcome::{Exploration, TraceSummary};
use crate::space::{Space, identity};
use crate::store::Store;
use crate::strategy;

/// How the points of a space are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Every combination.
    #[default]
    All,
    /// Combinations drawn at random.
    Random,
    /// NSGA-II: random ones, then crossings and mutations of the best.
    Evolutionary,
}

/// What is searched, and for what.
#[derive(Clone, Debug)]
pub struct Search {
    /// The space.
    pub space: Space,
    /// True if every design gets the smallest output FIFO that never stalls on the traces.
    pub smallest_buffer: bool,
    /// The figures that are to be small.
    pub objectives: Vec<Objective>,
    /// How points are chosen.
    pub strategy: Strategy,
    /// The most designs that are measured besides the presets.
    pub configurations: usize,
    /// Seed of what is random.
    pub seed: u64,
}

/// What to run a search with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The part of the search that this process does.
    pub shard: Shard,
    /// The most records that a trace may have.
    pub limit: EventLimit,
    /// Is told of every design measured on a trace, or known from before.
    pub progress: Progress,
}

impl Search {
    /// The most measurements of a design on a trace that a shard needs.
    pub fn most_measurements(&self, shard: Shard, traces: usize) -> u64 {
        let most = self.space.size().min(self.configurations as u128) as u64;
        (shard.share(most) + self.space.presets().len() as u64) * traces as u64
    }

    /// Takes what the space does not say from the addresses of the traces together: an address width of 64 bits, and
    /// how many upper bits of targets each design can leave out.
    ///
    /// # Errors
    /// When a preset cannot have a value of the space.
    pub fn fit(&mut self, addresses: &Addresses) -> Result<()> {
        if self.space.followers()?.iter().any(|design| addresses.widen(design)) {
            self.space = self.space.with_fixed("address_width", "64");
        }
        self.space.keep_targets(addresses);
        Ok(())
    }

    /// A hash of the search and its traces, which shards of one search share.
    fn digest(&self, traces: &[Input]) -> String {
        let mut hash = Hash::default();
        hash.list(&self.space.presets().iter().map(identity).collect::<Vec<_>>());
        for dimension in self.space.dimensions() {
            hash.add(&dimension.parameter);
            hash.list(&dimension.values);
        }
        let Self { smallest_buffer, objectives, strategy, configurations, seed, .. } = self;
        hash.add(format!("{smallest_buffer} {objectives:?} {strategy:?} {configurations} {seed}"));
        hash.list(&traces.iter().map(|trace| trace.digest.as_str()).collect::<Vec<_>>());
        hash.finish()
    }
}

/// Runs a search, or goes on with it where it was killed, and keeps its measurements in `folder`.
///
/// # Errors
/// When a trace is bad, disappears or changes, no design of the space is valid, or `folder` cannot be used.
pub fn explore(
    search: &Search,
    traces: &[PathBuf],
    folder: &Path,
    setup: &Setup,
) -> Result<Exploration> {
    let inputs = traces.iter().map(|path| Input::new(path)).collect::<Result<Vec<_>>>()?;
    let data = search.space.presets().iter().find(|preset| preset.traces_data());
    if let Some((preset, input)) = data.zip(inputs.iter().find(|input| !input.has_data)) {
        return Err(Error::NoAccesses { path: input.path.clone(), design: preset.name.clone() });
    }
    let store = Store::open(folder)?;
    let mut evaluator = Evaluator::new(search, &inputs, store, setup);
    evaluator.measure_presets()?;
    strategy::run(search, setup.shard, &mut evaluator)?;
    // Other shards may have valid ones, and presets without parameters are what was asked for.
    if let Some(refused) = evaluator.nothing_valid()
        && setup.shard.of() == 1
    {
        return Err(Error::NothingValid(refused));
    }
    let mut exploration = Exploration {
        search: search.digest(&inputs),
        shards: vec![setup.shard],
        strategy: search.strategy,
        objectives: search.objectives.clone(),
        traces: inputs.iter().map(TraceSummary::new).collect(),
        counts: evaluator.counts(),
        refused: evaluator.refused(),
        configurations: evaluator.rows().to_vec(),
        improvement: None,
    };
    exploration.rank();
    if setup.shard.of() == 1 {
        exploration.improvement = improvement::find(search, &exploration, &mut evaluator)?;
        exploration.counts = evaluator.counts();
    }
    Ok(exploration)
}
