//! The runs of whole units.

use std::sync::Arc;

use tracewright_sim::unit::{Ingress, Unit};
use tracewright_testbench::Library;
use tracewright_testbench::cosim::Report;
use tracewright_testbench::stimulus::Stimulus;

use super::plan::{first_program, learn, stimulus};
use super::{Run, Subject};
use crate::error::Result;
use crate::progress::Progress;
use crate::source::Source;
use crate::unit::{Decoded, UnitCosimulated, cosimulate_model};

/// Synthetic programs that every unit runs.
const PROGRAMS: usize = 2;

/// Events of each.
const EVENTS: u64 = 2_000;

/// Programs among which those for the same machine are looked for.
const LOOKED_AT: u64 = 100;

/// Events after which tracing is switched off and on, by the seed of a run.
pub(super) const PAUSES: [Option<u64>; 6] = [None, Some(300), None, Some(40), Some(700), Some(1)];

/// The runs of units: each on two synthetic programs.
///
/// # Errors
/// When a design cannot run one.
pub fn units(units: Vec<Unit>) -> Result<Vec<Run>> {
    let (mut sources, mut drawn) = (Vec::new(), Vec::new());
    for (number, unit) in (0..).zip(units) {
        let shows_words = matches!(unit.ingress, Some(Ingress::Rvfi(_) | Ingress::Tip(_)));
        let program = |seed| {
            let source = Source::synthetic(seed, Some(EVENTS), std::slice::from_ref(&unit.design));
            if shows_words { source.for_risc_v() } else { source }
        };
        let first = first_program(number);
        // A model takes longer to build than its runs, so the programs are for one machine.
        let machine = program(first).machine();
        let programs = (first..first + LOOKED_AT).map(program);
        let programs = programs.filter(|program| program.machine() == machine).take(PROGRAMS);
        for (seed, source) in (number * PROGRAMS as u64..).zip(programs) {
            sources.push(source);
            drawn.push((seed, unit.clone()));
        }
    }
    let runs = learn(sources)?.into_iter().zip(drawn).map(|(workload, (seed, unit))| {
        let design = workload.design(&unit.design)?;
        let unit = Unit { design: design.clone(), ..unit };
        let flush_interval = PAUSES[seed as usize % PAUSES.len()];
        let stimulus = Stimulus { flush_interval, ..stimulus(seed, &design) };
        let group = "random units".into();
        let subject = Subject::Unit(Arc::new(unit));
        Ok(Run { group, design, workload, stimulus, subject })
    });
    runs.collect()
}

/// Co-simulates a unit, and gives every difference.
pub(super) fn failures(
    unit: &Unit,
    run: &Run,
    model: &Arc<Library>,
) -> Result<(Report, Vec<String>)> {
    let UnitCosimulated { report, decoded, .. } =
        cosimulate_model(unit, model, &run.stimulus, &run.workload, &Progress::silent())?;
    let different = match decoded {
        Some(Decoded::Different(what)) => {
            Some(format!("the decoded trace differs from the input: {what}"))
        }
        Some(Decoded::Equal | Decoded::Not(_)) | None => None,
    };
    let failure = report.failure.map(|failure| failure.to_string());
    let simulated = Report {
        cycles: report.cycles,
        stall_cycles: report.stall_cycles,
        fifo_high_water_bits: report.fifo_high_water_bits,
        ..Report::default()
    };
    Ok((simulated, failure.into_iter().chain(different).collect()))
}
