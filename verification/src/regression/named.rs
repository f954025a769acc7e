//! The runs of designs that are named, in place of presets and random designs.

use std::path::Path;
use std::slice;

use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::scheme::{Design, DesignError};
use tracewright_testbench::stimulus::Stimulus;

use super::plan::{Extent, QUICK_EVENTS, SYNTHETIC_EVENTS, learn, stimulus, traces};
use super::{Run, Subject};
use crate::error::Result;
use crate::filters;
use crate::source::{Source, Workload};

/// Every run of these designs, design by design: on the traces in `folder`, each thread alone where a design is for one
/// core, and on as many synthetic programs as `extent` says. A design leaves out traces without what it traces, and
/// those of a machine with a smaller alignment than it was set to.
///
/// # Errors
/// When the folder has no traces, one of them is bad, or a design has a parameter for another machine than that of a
/// trace.
pub fn plan_of(designs: &[Design], folder: &Path, extent: &Extent) -> Result<Vec<Run>> {
    let first = extent.quick.then_some(QUICK_EVENTS);
    let trace = |path| Source::trace(path, first, EventLimit::default());
    let traces = learn(traces(folder)?.into_iter().map(trace).collect())?;
    let mut runs = Vec::new();
    for design in designs {
        let program = |seed| {
            let program = Source::synthetic(seed, Some(SYNTHETIC_EVENTS), slice::from_ref(design));
            program.for_cores(design.cores())
        };
        let programs = learn((0..extent.synthetic()).map(program).collect())?;
        let has_what_is_traced =
            |workload: &Workload| workload.learned().accesses > 0 || !design.traces_data();
        let loses_address_bits = |workload: &Workload| {
            let of_machine = design.for_machine(workload.machine());
            matches!(of_machine, Err(DesignError::Alignment { .. }))
        };
        let workloads = traces.iter().chain(&programs);
        let workloads = workloads.filter(|one| has_what_is_traced(one) && !loses_address_bits(one));
        let workloads = workloads.flat_map(|workload| workload.for_design(design));
        for (seed, workload) in (0..).zip(workloads) {
            runs.push(run(design, seed, workload)?);
        }
    }
    Ok(runs)
}

/// The run of a design on a workload, with what this seed draws.
fn run(design: &Design, seed: u64, workload: Workload) -> Result<Run> {
    let group = design.name.clone();
    let design = workload.design(design)?;
    let drawn = stimulus(seed, &design);
    let drawn = if design.protocol().has_packets() { drawn.with_resets(seed) } else { drawn };
    let filter = filters::drawn(seed, &design, &workload)?;
    Ok(Run {
        group,
        design,
        workload,
        stimulus: Stimulus { filter, ..drawn },
        subject: Subject::Design,
    })
}
