//! Runs in which there is nothing to compare.

use anyhow::{Result, anyhow};
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::Unit;
use tracewright_verification::Workload;

use crate::pipeline::print;

/// Says where a design of data addresses had nothing to trace.
pub(super) fn remark(pairs: &[(&Unit, Workload)]) {
    for (Unit { design, .. }, workload) in pairs {
        if design.traces_data() && workload.learned().accesses == 0 {
            print::remark(format_args!(
                "{}: {} traces data addresses, of which there are none, so nothing was compared\n",
                workload.name(),
                design.name
            ));
        }
    }
}

/// Refuses runs of which none had anything to compare.
///
/// # Errors
/// When that is so.
pub(super) fn refuse(pairs: &[(&Unit, Workload)]) -> Result<()> {
    let has_nothing = |design: &Design, workload: &Workload| {
        let learned = workload.learned();
        learned.events == 0 || design.traces_data() && learned.accesses == 0
    };
    match pairs.iter().all(|(unit, workload)| has_nothing(&unit.design, workload)) {
        false => Ok(()),
        true => Err(anyhow!(
            "nothing was compared: no trace has anything that one of these designs traces"
        )),
    }
}
