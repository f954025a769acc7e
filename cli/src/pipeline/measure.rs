//! Measurements of designs on traces, with a progress bar.

use std::path::PathBuf;

use anyhow::Result;
use tracewright_sim::scheme::Design;
pub use tracewright_verification::measurement::Measured;
use tracewright_verification::measurement::measure;

use super::events;
use super::limits;

/// Every design on every trace, design by design.
///
/// # Errors
/// When a trace is bad, or a design cannot trace it.
pub fn all(designs: &[Design], traces: &[PathBuf]) -> Result<Vec<Measured>> {
    let paths = || traces.iter().map(PathBuf::as_path);
    events::rereadable(paths())?;
    Ok(measure(designs, traces, limits::events(), &events::progress_of(paths(), 2))?)
}
