//! Measurements of designs on traces, with a progress bar.

use anyhow::Result;
use tracewright_sim::scheme::Design;
pub use tracewright_verification::measurement::Measured;
use tracewright_verification::measurement::measure;

use super::addresses;
use super::events;
use super::limits;
use super::paths::{self, Input};

/// Every design on every trace, design by design.
///
/// # Errors
/// When a trace is bad, or a design cannot trace it.
pub fn all(designs: &[Design], traces: &[Input]) -> Result<Vec<Measured>> {
    events::rereadable(traces)?;
    let progress = events::progress_of(traces, 2);
    let measured = measure(designs, &paths::paths(traces), limits::events(), &progress)?;
    for (number, trace) in traces.iter().enumerate() {
        let of_trace = measured.iter().skip(number).step_by(traces.len());
        let is_wider = |(one, design): (&Measured, &Design)| {
            one.address_width > design.processor().address_width
        };
        if of_trace.zip(designs).any(is_wider) {
            addresses::note(trace, "measured with");
        }
    }
    Ok(measured)
}
