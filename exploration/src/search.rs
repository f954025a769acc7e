//! A search: a space, its objectives, and how points of it are chosen.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tracewright_cache::Hash;
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::scheme::Design;
use tracewright_verification::trace::Addresses;
use tracewright_verification::{Progress, Shard};

use crate::class::{Class, Member};
use crate::error::{Error, Result};
use crate::evaluator::Evaluator;
use crate::improvement;
use crate::input::Input;
use crate::objective::Objective;
use crate::outcome::{Exploration, TraceSummary};
use crate::predictors::Predictors;
use crate::space::{Space, identity};
use crate::store::Store;
use crate::strategy;
use crate::without_class::without_each;

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
    /// Predictors without hardware, of which every combination of the space's parameters is measured beside the designs.
    pub predictors: Predictors,
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
    /// Groups of traces.
    pub classes: Vec<Class>,
    /// The names of the classes that designs are not chosen by, but measured on.
    pub left_out: Vec<String>,
    /// The design that others are compared with; without one it is the preset, if there is one.
    pub baseline: Option<Design>,
    /// The sections of designs' files for what stands around them (`[control]` and the like), as TOML by the names of the
    /// designs: files that are written of a search have them too.
    pub around: BTreeMap<String, String>,
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
        let references = self.space.presets().len() + usize::from(self.compares());
        (shard.share(most) + references as u64 + self.predictors.most(shard)) * traces as u64
    }

    /// True if designs are compared with a baseline.
    fn compares(&self) -> bool {
        self.baseline.is_some() || self.objectives.iter().any(|one| one.is_ratio())
    }

    /// The design that others are compared with: that of the search, or its preset if it has one.
    ///
    /// # Errors
    /// When there are several presets.
    fn reference(&self) -> Result<Option<Design>> {
        match (&self.baseline, self.space.presets()) {
            _ if !self.compares() => Ok(None),
            (Some(baseline), _) => Ok(Some(baseline.clone())),
            (None, [_]) => Ok(Some(self.space.reference(0).design)),
            (None, _) => Err(Error::NoBaseline),
        }
    }

    /// The designs that take something from the traces: address widths and upper bits of targets.
    ///
    /// # Errors
    /// When a preset cannot have a value of the space.
    pub fn followers(&self) -> Result<Vec<Design>> {
        Ok(self.space.followers()?.into_iter().chain(self.baseline.clone()).collect())
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
        self.baseline = self.baseline.take().map(|design| addresses.fit(design));
        Ok(())
    }

    /// The traces with their classes.
    fn summaries(&self, members: &[Member], inputs: &[Input]) -> Result<Vec<TraceSummary>> {
        let summary = |(input, member): (&Input, &Member)| {
            TraceSummary::new(input, member.class.clone(), &self.left_out)
        };
        let traces: Vec<TraceSummary> = inputs.iter().zip(members).map(summary).collect();
        let is_known = |name: &&String| !traces.iter().any(|trace| trace.class() == *name);
        if let Some(unknown) = self.left_out.iter().find(is_known) {
            return Err(Error::NoClass(unknown.clone()));
        }
        match traces.iter().all(|trace| trace.is_left_out) {
            true if traces.is_empty() => Err(Error::NoTraces),
            true => Err(Error::AllLeftOut),
            false => Ok(traces),
        }
    }

    /// A hash of the search and its traces, which shards of one search share.
    fn digest(&self, traces: &[TraceSummary]) -> String {
        let mut hash = Hash::default();
        hash.list(&self.space.presets().iter().map(identity).collect::<Vec<_>>());
        if self.predictors.names().next().is_some() {
            hash.list(&self.predictors.identity());
        }
        for dimension in self.space.dimensions() {
            hash.add(&dimension.parameter);
            hash.list(&dimension.values);
        }
        let Self { smallest_buffer, objectives, strategy, configurations, seed, .. } = self;
        hash.add(format!("{smallest_buffer} {objectives:?} {strategy:?} {configurations} {seed}"));
        hash.list(&traces.iter().map(|trace| trace.digest.as_str()).collect::<Vec<_>>());
        let classes = traces.iter().map(|trace| trace.class.as_deref().unwrap_or_default());
        hash.list(&classes.collect::<Vec<_>>());
        hash.list(&self.left_out);
        hash.add(self.baseline.as_ref().map(identity).unwrap_or_default());
        hash.finish()
    }
}

/// Runs a search on `traces` and those of its classes, or goes on with it where it was killed, and keeps its measurements in `folder`.
///
/// # Errors
/// When a trace is bad, disappears or changes, no design of the space is valid, or `folder` cannot be used.
pub fn explore(
    search: &Search,
    traces: &[PathBuf],
    folder: &Path,
    setup: &Setup,
) -> Result<Exploration> {
    let members = Class::members(traces, &search.classes)?;
    let inputs = members.iter().map(|one| Input::new(&one.path)).collect::<Result<Vec<_>>>()?;
    let traces = search.summaries(&members, &inputs)?;
    let baseline = search.reference()?;
    let data = search.space.presets().iter().find(|preset| preset.traces_data());
    if let Some((preset, input)) = data.zip(inputs.iter().find(|input| !input.has_data)) {
        return Err(Error::NoAccesses { path: input.path.clone(), design: preset.name.clone() });
    }
    let store = Store::open(folder)?;
    let mut evaluator = Evaluator::new(search, &inputs, traces.clone(), store, setup);
    if let Some(baseline) = &baseline {
        evaluator.measure_baseline(baseline)?;
    }
    evaluator.measure_presets()?;
    strategy::run(search, setup.shard, &mut evaluator)?;
    search.predictors.measure(&inputs, setup, &mut evaluator)?;
    // Other shards may have valid ones, and presets without parameters are what was asked for.
    if let Some(refused) = evaluator.nothing_valid()
        && setup.shard.of() == 1
    {
        return Err(Error::NothingValid(refused));
    }
    let mut exploration = Exploration {
        search: search.digest(&traces),
        shards: vec![setup.shard],
        strategy: search.strategy,
        objectives: search.objectives.clone(),
        traces,
        baseline: evaluator.baseline().cloned(),
        counts: evaluator.counts(),
        refused: evaluator.refused(),
        configurations: evaluator.rows().iter().map(|row| row.within(&search.around)).collect(),
        improvement: None,
        without_class: Vec::new(),
    };
    exploration.rank();
    if setup.shard.of() == 1 {
        exploration.without_class = without_each(&exploration);
        exploration.improvement = improvement::find(search, &exploration, &mut evaluator)?;
        exploration.counts = evaluator.counts();
    }
    Ok(exploration)
}
