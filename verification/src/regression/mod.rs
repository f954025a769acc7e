//! The regression: every preset and random designs on real and synthetic programs, and its summary.

mod junit;
mod plan;
mod summary;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use tracewright_sim::scheme::Design;
use tracewright_testbench::Library;
use tracewright_testbench::stimulus::Stimulus;

use crate::cosimulation::{self, Cosimulated, Setup, cosimulate_model};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::source::Workload;

pub use junit::junit;
pub use plan::{Extent, plan};
pub use summary::{Summary, summarize};

/// One co-simulation of the regression.
#[derive(Clone, Debug)]
pub struct Run {
    /// The group in the summary: the preset, or the scheme of random designs.
    pub group: String,
    /// The design, for the machine of the workload.
    pub design: Design,
    /// The workload of the run.
    pub workload: Workload,
    /// Pace, stalls and seeds of what the hardware is shown.
    pub stimulus: Stimulus,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
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
    fn simulate(&self, model: &Arc<Library>) -> Result<Outcome> {
        let start = Instant::now();
        let setup = Setup { stimulus: self.stimulus.clone(), ..Setup::default() };
        let Cosimulated { report, failure, decoded_equal, .. } =
            cosimulate_model(&setup, model, &self.design, &self.workload, &Progress::silent())?;
        let different = (decoded_equal != Some(true))
            .then(|| "the decoded trace differs from the input".to_owned());
        let failures = failure.into_iter().chain(different);
        Ok(Outcome {
            cycles: report.cycles,
            stall_cycles: report.stall_cycles,
            fifo_high_water_bits: report.fifo_high_water_bits,
            elapsed: start.elapsed(),
            failures: failures.map(|what| format!("{}: {what}", self.name(" on "))).collect(),
        })
    }
}

/// Co-simulates the runs on all processor cores, and gives their results in the same order. `progress` is in runs.
///
/// # Errors
/// When a tool is missing or a workload is bad.
pub fn simulate(runs: &[Run], progress: &Progress) -> Result<Vec<Outcome>> {
    let mut groups: Vec<Vec<(usize, &Run)>> = Vec::new();
    let mut known: HashMap<&Design, usize> = HashMap::new();
    for (number, run) in runs.iter().enumerate() {
        let group = *known.entry(&run.design).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push((number, run));
    }
    let mut outcomes: Vec<(usize, Outcome)> = groups
        .par_iter()
        .map(|runs| of_design(runs, progress))
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .flatten()
        .collect();
    outcomes.sort_by_key(|(number, _)| *number);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

/// The outcomes of the runs of one design. Elaborating a design takes longer than most of its runs, so they share
/// one model.
fn of_design(runs: &[(usize, &Run)], progress: &Progress) -> Result<Vec<(usize, Outcome)>> {
    let in_run = |run: &Run| Error::of_run(&run.design.name, run.workload.name());
    let Some((_, first)) = runs.first() else { return Ok(Vec::new()) };
    let model = cosimulation::model(&Setup::default(), &first.design).map_err(in_run(first))?;
    let one = |(number, run): &(usize, &Run)| {
        let outcome = run.simulate(&model).map_err(in_run(run));
        progress.add(1);
        Ok((*number, outcome?))
    };
    runs.par_iter().map(one).collect()
}
