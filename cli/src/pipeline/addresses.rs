//! The address width of models of designs: 64 bits for traces that need it, unless it was set.
//!
//! Hardware has the width that it is generated with; commands that run it ask for `--set address_width=64`.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use tracewright_sim::scheme::Design;
use tracewright_verification::trace::Addresses;

use super::paths::is_stdin;
use super::{events, limits};

/// The designs, all of which widen if one of the traces needs it, as figures of one piece of hardware stand beside
/// each other.
///
/// # Errors
/// When a trace cannot be read.
pub fn widened<P: AsRef<Path>>(designs: Vec<Design>, traces: &[P]) -> Result<Vec<Design>> {
    let Some((trace, addresses)) = widest(&designs, traces)? else { return Ok(designs) };
    note(trace, "every design is taken with");
    Ok(designs.into_iter().map(|design| addresses.fit(design)).collect())
}

/// The first trace for which one of the designs widens, and its addresses.
///
/// # Errors
/// When a trace cannot be read.
pub fn widest<'a, P: AsRef<Path>>(
    designs: &[Design],
    traces: &'a [P],
) -> Result<Option<(&'a Path, Addresses)>> {
    let traces = traces.iter().map(AsRef::as_ref);
    events::rereadable(traces.clone())?;
    for trace in traces {
        let addresses = Addresses::of(trace, designs.iter(), limits::events())?;
        if designs.iter().any(|design| addresses.widen(design)) {
            return Ok(Some((trace, addresses)));
        }
    }
    Ok(None)
}

/// Says on standard error that an address width was taken from a trace.
pub fn note(trace: &Path, taken: &str) {
    let trace = match is_stdin(trace) {
        true => "standard input".into(),
        false => trace.display().to_string(),
    };
    // Who has closed standard error does not want to know.
    let _ = writeln!(
        io::stderr(),
        "note: addresses in {trace} have more than 32 bits: {taken} address_width=64, unless it is set"
    );
}
