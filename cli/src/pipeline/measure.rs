//! Measurements of designs on traces, with a progress bar.

use anyhow::{Result, anyhow};
use tracewright_sim::scheme::Design;
pub use tracewright_verification::measurement::Measured;
use tracewright_verification::measurement::measure;

use super::addresses;
use super::events;
use super::limits;
use super::paths::{self, Input};
use super::print;

/// Every design on every trace, design by design.
///
/// # Errors
/// When a trace is bad, a design cannot trace it, or no trace has anything that one of the designs traces.
pub fn all(designs: &[Design], traces: &[Input]) -> Result<Vec<Measured>> {
    events::rereadable(traces)?;
    events::not_all_empty(traces)?;
    let progress = events::progress_of(traces, 2);
    let measured = measure(designs, &paths::paths(traces), limits::events(), &progress)?;
    let is_nothing = |one: &Measured| one.hits.is_some() && one.accesses == 0;
    if let Some(first) = measured.first()
        && measured.iter().all(is_nothing)
    {
        return Err(anyhow!(
            "{} traces data addresses, and {} has none: expected a trace with them, as `capture --data` writes it",
            first.design,
            first.trace
        ));
    }
    // The measurements of the first design are those of the traces in their order.
    for (trace, one) in traces.iter().zip(&measured) {
        addresses::note(trace, "measured with", designs, &one.addresses);
    }
    for number in 0..traces.len() {
        let mut of_trace = measured.iter().skip(number).step_by(traces.len());
        if let Some(several) = of_trace.find(|one| one.modules > 1) {
            print::remark(format_args!(
                "{} has {} threads: each is measured on a core of its own, with a module for each, where a design is \
                 for one core\n",
                several.trace, several.modules
            ));
        }
    }
    Ok(measured)
}
