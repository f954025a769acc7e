//! The worst ratio of each encoder's bits to those of others, over the traces that both can carry.

use tracewright_sim::cell;
use tracewright_verification::comparison::Compared;

use super::table::Table;
use super::trace_names::TraceNames;

/// An encoder, and for each of the others its worst ratio and the trace.
struct Row<'a> {
    name: &'a str,
    worst: Vec<Option<(f64, &'a str)>>,
}

/// A row for every encoder of `compared`, which has as many entries for each as there are traces.
fn rows<'a>(compared: &'a [Compared], traces: usize, to: &[String]) -> Vec<Row<'a>> {
    let by_encoder: Vec<&[Compared]> = compared.chunks(traces.max(1)).collect();
    let named = |name: &String| by_encoder.iter().find(|of_one| of_one[0].name == *name);
    let others: Vec<_> = to.iter().map(named).collect();
    let row = |of_one: &&'a [Compared]| {
        let worst = |other: &Option<&&'a [Compared]>| worst(of_one, (*other)?);
        Row { name: &of_one[0].name, worst: others.iter().map(worst).collect() }
    };
    by_encoder.iter().map(row).collect()
}

/// The largest ratio of the bits of an encoder to those of another, and the trace.
fn worst<'a>(one: &'a [Compared], other: &[Compared]) -> Option<(f64, &'a str)> {
    let ratios = one.iter().zip(other).filter_map(|(one, other)| {
        let of = other.bits.filter(|bits| *bits > 0)?;
        Some((one.bits? as f64 / of as f64, one.trace.as_str()))
    });
    ratios.max_by(|one, other| one.0.total_cmp(&other.0))
}

/// The titles of the columns.
fn header(to: &[String]) -> Vec<String> {
    let pair = |name: &String| [format!("worst ratio to {name}"), "on".to_owned()];
    std::iter::once("encoder".to_owned()).chain(to.iter().flat_map(pair)).collect()
}

fn cells(row: &Row<'_>, names: &TraceNames) -> Vec<String> {
    let pair = |worst: &Option<(f64, &str)>| match worst {
        Some((ratio, trace)) => [format!("{ratio:.3}"), names.name(trace).to_owned()],
        None => ["-".to_owned(), "-".to_owned()],
    };
    std::iter::once(row.name.to_owned()).chain(row.worst.iter().flat_map(pair)).collect()
}

/// The table as text.
pub fn table(compared: &[Compared], traces: usize, to: &[String], names: &TraceNames) -> String {
    let header = header(to);
    let mut table = Table::new(&header.iter().map(String::as_str).collect::<Vec<_>>(), 1);
    for column in 0..to.len() {
        table = table.word(2 + 2 * column);
    }
    for row in rows(compared, traces, to) {
        table.add_row(cells(&row, names));
    }
    names.heading() + &table.to_text()
}

/// The table as Markdown, without encoders that have no ratio.
pub fn markdown(compared: &[Compared], traces: usize, to: &[String], names: &TraceNames) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|text| cell::markdown(text)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rows = rows(compared, traces, to);
    let rows = rows.iter().filter(|row| row.worst.iter().any(Option::is_some));
    let rule = format!("|---{}|\n", "|---:|---".repeat(to.len()));
    line(&header(to)) + &rule + &rows.map(|row| line(&cells(row, names))).collect::<String>()
}
