//! The regression: every preset and random designs on real and synthetic programs, and its summary.

mod junit;
mod plan;
mod summary;

use std::time::{Duration, Instant};

use rayon::prelude::*;
use tracewright_sim::scheme::Design;
use tracewright_testbench::stimulus::Stimulus;

use crate::cosimulation::{Cosimulated, Setup, cosimulate};
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

    /// Co-simulates the run.
    ///
    /// # Errors
    /// When a tool is missing or the workload is bad; a difference is not an error.
    pub fn simulate(&self) -> Result<Outcome> {
        let start = Instant::now();
        let setup = Setup { stimulus: self.stimulus.clone(), ..Setup::default() };
        let Cosimulated { report, failure, decoded_equal, .. } =
            cosimulate(&setup, &self.design, &self.workload, &Progress::silent())
                .map_err(Error::of_run(&self.design.name, self.workload.name()))?;
        let different =
            (!decoded_equal).then(|| "the decoded trace differs from the input".to_owned());
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
    let one = |run: &Run| {
        let outcome = run.simulate();
        progress.add(1);
        outcome
    };
    runs.par_iter().map(one).collect()
}
