//! Results of the regression, added up by group.

use serde::Serialize;

use super::Outcome;

/// The runs of a group together. Its fields are those of `tracewright regress --json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The group: a preset, or random designs of a scheme.
    pub design: String,
    /// Number of runs.
    pub runs: u64,
    /// Events of their workloads.
    pub events: u64,
    /// Instructions of their workloads.
    pub instructions: u64,
    /// Number of simulated cycles.
    pub cycles: u64,
    /// Cycles in which a design asked the core to wait.
    pub stall_cycles: u64,
    /// The largest number of bits in an output FIFO.
    pub fifo_high_water_bits: u64,
    /// Every difference that was found.
    pub failures: Vec<String>,
}

impl Summary {
    fn new(design: &str) -> Self {
        Self { design: design.into(), ..Self::default() }
    }

    fn count(&mut self, outcome: &Outcome) {
        self.runs += 1;
        self.events += outcome.events;
        self.instructions += outcome.instructions;
        self.cycles += outcome.cycles;
        self.stall_cycles += outcome.stall_cycles;
        self.fifo_high_water_bits = self.fifo_high_water_bits.max(outcome.fifo_high_water_bits);
        self.failures.extend(outcome.failures.iter().cloned());
    }

    /// The sum of all groups, called `total`.
    pub fn total(summaries: &[Summary]) -> Summary {
        let mut total = Summary::new("total");
        for summary in summaries {
            total.runs += summary.runs;
            total.events += summary.events;
            total.instructions += summary.instructions;
            total.cycles += summary.cycles;
            total.stall_cycles += summary.stall_cycles;
            total.fifo_high_water_bits =
                total.fifo_high_water_bits.max(summary.fifo_high_water_bits);
            total.failures.extend(summary.failures.iter().cloned());
        }
        total
    }
}

/// A summary of every group, in the order in which the groups begin.
pub fn summarize(outcomes: &[Outcome]) -> Vec<Summary> {
    let mut summaries: Vec<Summary> = Vec::new();
    for outcome in outcomes {
        let place = summaries.iter().position(|summary| summary.design == outcome.group);
        let place = place.unwrap_or_else(|| {
            summaries.push(Summary::new(&outcome.group));
            summaries.len() - 1
        });
        summaries[place].count(outcome);
    }
    summaries
}
