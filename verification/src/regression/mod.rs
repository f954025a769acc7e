//! The regression: every preset, random designs and random units on real and synthetic programs, and its summary.

mod junit;
mod named;
mod packets;
mod part;
mod plan;
mod sinks;
mod subject;
mod summary;
mod systems;
mod units;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tracewright_sim::scheme::Design;
use tracewright_testbench::Library;
use tracewright_testbench::cosim::Report;
use tracewright_testbench::stimulus::Stimulus;

use crate::cosimulation::{Cosimulated, Setup, cosimulate_model};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::shard::Shard;
use crate::source::Workload;

pub use junit::junit;
pub use named::plan_of;
pub use part::Part;
pub use plan::{Extent, plan};
pub use sinks::{Sink, is_ring_end};
pub use subject::Subject;
pub use summary::{Summary, summarize};
pub use systems::{SystemOnTraces, systems};
pub use units::units;

/// One co-simulation of the regression.
#[derive(Clone, Debug)]
pub struct Run {
    /// The group in the summary: the preset, or the scheme of random designs.
    pub group: String,
    /// The design, for the machine of the workload; of a system that of its first hart, with the name of the system.
    pub design: Design,
    /// The workload of the run.
    pub workload: Workload,
    /// Pace, stalls and seeds of what the hardware is shown.
    pub stimulus: Stimulus,
    /// What is simulated.
    pub subject: Subject,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The place of the run in the plan.
    pub number: u64,
    /// The group of the run.
    pub group: String,
    /// The name of the run.
    pub name: String,
    /// Events of the workload.
    pub events: u64,
    /// Instructions of the workload.
    pub instructions: u64,
    /// Cycles simulated.
    pub cycles: u64,
    /// Cycles in which the design asked the core to wait.
    pub stall_cycles: u64,
    /// The largest number of bits in the output FIFO.
    pub fifo_high_water_bits: u64,
    /// The run time.
    pub elapsed: Duration,
    /// Every difference, with the design, the workload and the seed.
    pub failures: Vec<String>,
}

impl Run {
    /// Design, workload and seed, which together are unique.
    pub fn name(&self, between: &str) -> String {
        let (design, workload) = (&self.design.name, self.workload.name());
        format!("{design}{between}{workload}, seed {}", self.stimulus.seed)
    }

    /// Co-simulates the run with the model of its design.
    fn simulate(&self, number: u64, model: &Arc<Library>) -> Result<Outcome> {
        let start = Instant::now();
        let (report, failures) = self.failures(model)?;
        let learned = self.workload.learned();
        Ok(Outcome {
            number,
            group: self.group.clone(),
            name: self.name(", "),
            events: learned.events,
            instructions: learned.instructions,
            cycles: report.cycles,
            stall_cycles: report.stall_cycles,
            fifo_high_water_bits: report.fifo_high_water_bits,
            elapsed: start.elapsed(),
            failures: failures
                .iter()
                .map(|what| format!("{}: {what}", self.name(" on ")))
                .collect(),
        })
    }

    /// Co-simulates the run with this model, whatever it is made from, and gives every difference.
    ///
    /// # Errors
    /// When the model cannot be simulated, or the workload is bad.
    pub fn failures(&self, model: &Arc<Library>) -> Result<(Report, Vec<String>)> {
        match &self.subject {
            Subject::Design => {}
            Subject::Sink(sink) => {
                if let Some((cycles, failures)) = sink.simulate(self, model)? {
                    return Ok((Report { cycles, ..Report::default() }, failures));
                }
            }
            Subject::Unit(unit) => return units::failures(unit, self, model),
            Subject::System(system) => return system.failures(model),
        }
        let setup = Setup { stimulus: self.stimulus.clone(), ..Setup::default() };
        let Cosimulated { report, failure, decoded_equal, .. } =
            cosimulate_model(&setup, model, &self.design, &self.workload, &Progress::silent())?;
        let different = (decoded_equal != Some(true))
            .then(|| "the decoded trace differs from the input".to_owned());
        Ok((report, failure.into_iter().chain(different).collect()))
    }
}

/// Co-simulates the runs of a shard on all processor cores, and gives their results in the same order. `progress` is in
/// runs.
///
/// # Errors
/// When a tool is missing or a workload is bad.
pub fn simulate(runs: &[Run], shard: Shard, progress: &Progress) -> Result<Vec<Outcome>> {
    let groups = by_design(runs, shard);
    let outcomes: Vec<Vec<Outcome>> =
        groups.par_iter().map(|runs| of_design(runs, progress)).collect::<Result<_>>()?;
    let mut outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
    outcomes.sort_by_key(|outcome| outcome.number);
    Ok(outcomes)
}

/// The runs that have a text in their name, as the message of a failed run or its test case in JUnit XML has it.
pub fn named(mut runs: Vec<Run>, text: &str) -> Vec<Run> {
    let between = [", ", " on "];
    runs.retain(|run| between.iter().any(|between| run.name(between).contains(text)));
    runs
}

/// Number of runs in a shard.
pub fn count(runs: &[Run], shard: Shard) -> usize {
    by_design(runs, shard).iter().map(Vec::len).sum()
}

/// The runs of a shard with their numbers. All runs of a design are in one shard, which builds its model.
fn by_design(runs: &[Run], shard: Shard) -> Vec<Vec<(u64, &Run)>> {
    let mut groups: Vec<Vec<(u64, &Run)>> = Vec::new();
    let mut known: HashMap<(&Design, Option<Sink>), usize> = HashMap::new();
    for (number, run) in (0..).zip(runs) {
        let group = *known.entry((&run.design, run.subject.sink())).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push((number, run));
    }
    let own = (0..).zip(groups).filter(|(group, _)| shard.has(*group));
    own.map(|(_, runs)| runs).collect()
}

/// The outcomes of the runs of one design. Elaborating a design takes longer than most of its runs, so they share
/// one model.
fn of_design(runs: &[(u64, &Run)], progress: &Progress) -> Result<Vec<Outcome>> {
    let in_run = |run: &Run| Error::of_run(&run.design.name, run.workload.name());
    let Some((_, first)) = runs.first() else { return Ok(Vec::new()) };
    let model = first.subject.model(&first.design).map_err(in_run(first))?;
    let one = |(number, run): &(u64, &Run)| {
        let outcome = run.simulate(*number, &model).map_err(in_run(run));
        progress.add(1);
        outcome
    };
    runs.par_iter().map(one).collect()
}
