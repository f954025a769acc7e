//! The runs of whole systems.

use std::sync::Arc;

use tracewright_sim::unit::{Hart, System};
use tracewright_testbench::Library;
use tracewright_testbench::cosim::Report;
use tracewright_testbench::stimulus::Stimulus;

use super::plan::{first_program, learn, stimulus};
use super::units::PAUSES;
use super::{Run, Subject};
use crate::error::Result;
use crate::progress::Progress;
use crate::source::{Source, Workload};
use crate::system::{SystemCosimulated, cosimulate_system_model};
use crate::unit::Decoded;

/// Events of the program of a hart.
const EVENTS: u64 = 2_000;

/// A system with what each hart is shown.
#[derive(Clone, Debug)]
pub struct SystemOnTraces {
    /// The system, each of whose designs is for the machine of its program.
    pub system: System,
    /// The program of each hart.
    pub workloads: Vec<Workload>,
    /// Pace and seeds of each hart; the first one's are those of the bus, too.
    pub stimuli: Vec<Stimulus>,
}

impl SystemOnTraces {
    /// Co-simulates the system, and gives every difference.
    pub(super) fn failures(&self, model: &Arc<Library>) -> Result<(Report, Vec<String>)> {
        let Self { system, workloads, stimuli } = self;
        let SystemCosimulated { report, decoded } = cosimulate_system_model(
            (system, None),
            Some(model),
            stimuli,
            workloads,
            &Progress::silent(),
        )?;
        let different = system.harts.iter().zip(decoded).filter_map(|(hart, of)| match of {
            Decoded::Different(what) => {
                let hart = &hart.name;
                Some(format!("hart {hart}: the decoded trace differs from the input: {what}"))
            }
            Decoded::Equal | Decoded::Not(_) => None,
        });
        let failure = report.failure.as_ref().map(ToString::to_string);
        let failures = failure.into_iter().chain(different).collect();
        let of_harts = report.harts.iter();
        let simulated = Report {
            cycles: report.cycles,
            stall_cycles: of_harts.clone().map(|hart| hart.stall_cycles).max().unwrap_or(0),
            fifo_high_water_bits: of_harts.map(|hart| hart.fifo_high_water_bits).max().unwrap_or(0),
            ..Report::default()
        };
        Ok((simulated, failures))
    }
}

/// The runs of systems: each on a synthetic program for each hart.
///
/// # Errors
/// When a design cannot run one.
pub fn systems(systems: Vec<System>) -> Result<Vec<Run>> {
    let run = |(number, system): (u64, System)| {
        let first = first_program(number);
        let program = |(hart, seed): (&Hart, u64)| {
            let design = std::slice::from_ref(&hart.design);
            Source::synthetic(seed, Some(EVENTS), design).for_risc_v()
        };
        let workloads = learn(system.harts.iter().zip(first..).map(program).collect())?;
        let fit = |(hart, workload): (&Hart, &Workload)| {
            Ok(Hart { design: workload.design(&hart.design)?, ..hart.clone() })
        };
        let harts = system.harts.iter().zip(&workloads).map(fit).collect::<Result<Vec<_>>>()?;
        let flush_interval = PAUSES[number as usize % PAUSES.len()];
        let shown = |(hart, seed): (&Hart, u64)| {
            let own = stimulus(seed, &hart.design);
            Stimulus { flush_interval, ..own }
        };
        let stimuli: Vec<Stimulus> = harts.iter().zip(16 * number..).map(shown).collect();
        let mut design = harts[0].design.clone();
        design.name.clone_from(&system.name);
        let (workload, stimulus) = (workloads[0].clone(), stimuli[0].clone());
        let system = System { harts, ..system };
        let subject = Subject::System(Arc::new(SystemOnTraces { system, workloads, stimuli }));
        Ok(Run { group: "random systems".into(), design, workload, stimulus, subject })
    };
    (0..).zip(systems).map(run).collect()
}
