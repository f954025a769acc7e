//! Measurements of designs on traces, with a progress bar.

use anyhow::Result;
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
/// When a trace is bad, or a design cannot trace it.
pub fn all(designs: &[Design], traces: &[Input]) -> Result<Vec<Measured>> {
    events::rereadable(traces)?;
    let progress = events::progress_of(traces, 2);
    let measured = measure(designs, &paths::paths(traces), limits::events(), &progress)?;
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
