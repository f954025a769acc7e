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
use super::print::grouped;
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

/// The same for traces that are called something else than their files.
///
/// # Errors
/// When a trace cannot be read.
pub fn fitted_named<P: AsRef<Path> + Sync>(
    designs: Vec<Design>,
    traces: &[P],
    names: &[String],
) -> Result<Vec<Design>> {
    let addresses = of_all_named(&designs, traces, &|trace| names[trace].clone())?;
    Ok(designs.into_iter().map(|design| addresses.fit(design)).collect())
}

/// The addresses of all traces, as far as the designs take something from them. Says on standard error what they take.
///
/// # Errors
/// When a trace cannot be read.
pub fn of_all<P: AsRef<Path> + Sync>(designs: &[Design], traces: &[P]) -> Result<Addresses> {
    of_all_named(designs, traces, &|trace| shown(traces[trace].as_ref()))
}

fn of_all_named<P: AsRef<Path> + Sync>(
    designs: &[Design],
    traces: &[P],
    name: &dyn Fn(usize) -> String,
) -> Result<Addresses> {
    events::rereadable(traces.iter().map(AsRef::as_ref))?;
    let read = |trace: &P| Addresses::of(trace.as_ref(), designs.iter(), limits::events());
    let by_trace: Vec<Addresses> = traces.par_iter().map(read).collect::<Result<_, _>>()?;
    let (mut all, mut wide, mut several) = (Addresses::default(), None, None);
    for (trace, addresses) in by_trace.iter().enumerate() {
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
        note_width(&name(trace), EVERY_DESIGN, designs, &all);
    }
    if let Some(trace) = several {
        note_elided(&name(trace), EVERY_DESIGN, designs, &all);
    }
    Ok(all)
}

/// Says on standard error what designs take from the addresses of a trace.
pub fn note(trace: &Path, taken: &str, designs: &[Design], addresses: &Addresses) {
    if widen(designs, addresses) {
        note_width(&shown(trace), taken, designs, addresses);
    }
    note_elided(&shown(trace), taken, designs, addresses);
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

fn note_width(trace: &str, taken: &str, designs: &[Design], addresses: &Addresses) {
    let wide = designs.iter().filter(|design| addresses.widen(design));
    let pairs = wide.map(|design| (design.clone(), widened(design)));
    say(&format!(
        "addresses in {trace} have more than 32 bits: {taken} address_width=64, unless it is set{}",
        price("hardware for 64-bit addresses", pairs)
    ));
}

fn note_elided(trace: &str, taken: &str, designs: &[Design], addresses: &Addresses) {
    for bits in elided(designs, addresses) {
        let of_these = designs.iter().filter(|one| addresses.elided_upper_bits(one) == Some(bits));
        let pairs = of_these.map(|design| {
            let before = if addresses.widen(design) { widened(design) } else { design.clone() };
            (before, addresses.fit(design.clone()))
        });
        say(&format!(
            "targets of indirect branches in {trace} differ in their upper bits: {taken} elided_upper_bits={bits}, unless it \
             is set or less{}",
            price("hardware that keeps these bits", pairs)
        ));
    }
}

/// The design with addresses of 64 bits.
fn widened(design: &Design) -> Design {
    design.clone().widened_for(u64::MAX)
}

/// What hardware costs more than before by the papers' rule, which counts bits of tables and buffers alone.
fn price(hardware: &str, pairs: impl Iterator<Item = (Design, Design)>) -> String {
    let gates = |(before, after): (Design, Design)| {
        after.estimated_gates().saturating_sub(before.estimated_gates())
    };
    let more: Vec<u32> = pairs.map(gates).collect();
    let number = |gates: Option<u32>| grouped(gates.unwrap_or(0).into());
    let (least, most) = (more.iter().copied().min(), more.iter().copied().max());
    let what = match (least, most) {
        (_, None | Some(0)) => "wider registers, which the estimate does not count".into(),
        (Some(0), most) => format!("up to about +{} gates, by design (estimate)", number(most)),
        (least, most) if least == most => format!("about +{} gates (estimate)", number(most)),
        (least, most) => {
            format!("about +{} to +{} gates, by design (estimate)", number(least), number(most))
        }
    };
    format!("; {hardware}: {what}")
}

fn shown(trace: &Path) -> String {
    match is_stdin(trace) {
        true => "standard input".into(),
        false => trace.display().to_string(),
    }
}

pub fn say(sentence: &str) {
    // Who has closed standard error does not want to know.
    let _ = writeln!(io::stderr(), "note: {sentence}");
}
