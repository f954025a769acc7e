//! What models of designs take from the addresses of traces, unless it was set: 64 bits of an address where 32 are too
//! few, and all upper bits of targets in the tables of predictors that leave out as many as differ.
//!
//! Hardware is as it is generated; commands that run it ask for `--set address_width=64`.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use rayon::prelude::*;
use tracewright_sim::scheme::Design;
use tracewright_verification::trace::Addresses;

use super::paths::is_stdin;
use super::{events, limits};

/// What is said of a command that prints one table for all traces.
const EVERY_DESIGN: &str = "every design is taken with";

/// The designs as the traces together need them, as figures of one piece of hardware stand beside each other. Says on
/// standard error what was taken.
///
/// # Errors
/// When a trace cannot be read.
pub fn fitted<P: AsRef<Path> + Sync>(designs: Vec<Design>, traces: &[P]) -> Result<Vec<Design>> {
    let addresses = of_all(&designs, traces)?;
    Ok(designs.into_iter().map(|design| addresses.fit(design)).collect())
}

/// The addresses of all traces, as far as the designs take something from them. Says on standard error what they take.
///
/// # Errors
/// When a trace cannot be read.
pub fn of_all<P: AsRef<Path> + Sync>(designs: &[Design], traces: &[P]) -> Result<Addresses> {
    events::rereadable(traces.iter().map(AsRef::as_ref))?;
    let read = |trace: &P| Addresses::of(trace.as_ref(), designs.iter(), limits::events());
    let by_trace: Vec<Addresses> = traces.par_iter().map(read).collect::<Result<_, _>>()?;
    let (mut all, mut wide, mut several) = (Addresses::default(), None, None);
    for (trace, addresses) in traces.iter().map(AsRef::as_ref).zip(&by_trace) {
        let with = all.and(addresses);
        if widen(designs, &with) && wide.is_none() {
            wide = Some(trace);
        }
        if elided(designs, &with) != elided(designs, &all) {
            several = Some(trace);
        }
        all = with;
    }
    if let Some(trace) = wide {
        note_width(trace, EVERY_DESIGN);
    }
    if let Some(trace) = several {
        note_elided(trace, EVERY_DESIGN, designs, &all);
    }
    Ok(all)
}

/// Says on standard error what designs take from the addresses of a trace.
pub fn note(trace: &Path, taken: &str, designs: &[Design], addresses: &Addresses) {
    if widen(designs, addresses) {
        note_width(trace, taken);
    }
    note_elided(trace, taken, designs, addresses);
}

/// True if one of the designs widens.
pub fn widen(designs: &[Design], addresses: &Addresses) -> bool {
    designs.iter().any(|design| addresses.widen(design))
}

/// The numbers of upper bits of targets that designs leave out where they say more, each number once.
fn elided(designs: &[Design], addresses: &Addresses) -> Vec<u32> {
    let taken = designs.iter().filter_map(|design| addresses.elided_upper_bits(design));
    let mut numbers: Vec<u32> = taken.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn note_width(trace: &Path, taken: &str) {
    say(&format!(
        "addresses in {} have more than 32 bits: {taken} address_width=64, unless it is set",
        shown(trace)
    ));
}

fn note_elided(trace: &Path, taken: &str, designs: &[Design], addresses: &Addresses) {
    for bits in elided(designs, addresses) {
        say(&format!(
            "targets of indirect branches in {} differ in their upper bits: {taken} elided_upper_bits={bits}, unless it \
             is set or less",
            shown(trace)
        ));
    }
}

fn shown(trace: &Path) -> String {
    match is_stdin(trace) {
        true => "standard input".into(),
        false => trace.display().to_string(),
    }
}

fn say(sentence: &str) {
    // Who has closed standard error does not want to know.
    let _ = writeln!(io::stderr(), "note: {sentence}");
}
