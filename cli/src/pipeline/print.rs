//! Prints results on standard output, as text and as JSON.

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Context;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;
use tracewright_sim::event::{Isa, Machine};

pub use tracewright_report::figures::grouped;

/// Writes text to standard output.
///
/// # Errors
/// When writing fails; [`is_closed_pipe`](super::failure::is_closed_pipe) detects a closed pipe.
pub fn text(text: impl Display) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    write!(stdout, "{text}")
        .and_then(|()| stdout.flush())
        .context("cannot write to standard output")
}

/// Writes a value as JSON to standard output.
///
/// # Errors
/// Those of [`text`].
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    text(format_args!("{}\n", serde_json::to_string_pretty(value)?))
}

/// Rows as CSV, with a header of the fields' names.
///
/// # Errors
/// Never with rows of numbers and text.
pub fn csv(rows: &[impl Serialize]) -> anyhow::Result<String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    for row in rows {
        table.serialize(row)?;
    }
    Ok(String::from_utf8(table.into_inner()?)?)
}

/// A table whose first `words` columns are text and whose others are numbers.
pub fn table(header: &[&str], words: usize) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(header);
    for column in table.column_iter_mut().skip(words) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The table without trailing blanks.
pub fn trimmed(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Describes a processor in words.
pub fn machine(machine: Machine) -> String {
    let Machine { isa, alignment, address_bits } = machine;
    let article = if isa == Isa::RiscV { "a" } else { "an" };
    format!("{article} {isa} machine with alignment {alignment} and {address_bits} address bits")
}

/// `part` divided by `whole`, 0 if `whole` is 0.
pub fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A count of memory accesses followed by a comma, or nothing for none.
pub fn accesses(count: u64) -> String {
    if count == 0 { String::new() } else { format!("{} accesses, ", grouped(count)) }
}

/// Prints the counts of a trace that was written.
///
/// # Errors
/// When standard output cannot be written.
pub fn written(trace: &str, events: u64, accesses: u64, instructions: u64) -> anyhow::Result<()> {
    let (events, instructions) = (grouped(events), grouped(instructions));
    let accesses = self::accesses(accesses);
    text(format_args!("{trace}: {events} events, {accesses}{instructions} instructions\n"))
}
