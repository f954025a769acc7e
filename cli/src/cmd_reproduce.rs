//! `tracewright reproduce`: the papers' tables and figures on any traces.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use tracewright_reproduction::place::Paper;
use tracewright_reproduction::{Artefact, Entry, Error, Selection, Settings, csv, page};
use tracewright_sim::scheme::Design;

use crate::pipeline::addresses;
use crate::pipeline::design::Changes;
use crate::pipeline::failure::usage;
use crate::pipeline::output;
use crate::pipeline::paths::{self, Input, OutputFile, OutputFolder};
use crate::pipeline::table::{self, Table};
use crate::pipeline::{events, limits, plots, print};

/// Reproduce the papers' tables and figures on traces
#[derive(Args)]
#[command(after_help = "\
Papers by their letters in docs/references.md: a (stream cache), b (N-tuple, data strides), c (T-raptor), e (several
cores). Each value comes with that of the paper, as far as the paper prints it, and the ratio of the two. Without
--paper everything is measured and written as one HTML page, and the terminal gets a summary of the ratios.
docs/reproduction.md discusses the results.

A trace whose name is that of a MiBench program, or ends in -PROGRAM, is compared with the papers' values of that
program.

Examples:
  tracewright reproduce workloads/*.pet.zst -o reproduction.html
  tracewright reproduce --paper a --table 2 run.pet.zst
  tracewright reproduce --paper c --figure 10 run.pet.zst --svg plots --csv figure.csv
  tracewright reproduce --paper e run.pet.zst")]
pub struct Arguments {
    /// Reproduce only tables and figures of this paper
    #[arg(long, value_name = "LETTER")]
    paper: Option<String>,
    /// Reproduce only this table of the paper
    #[arg(long, value_name = "NUMBER")]
    table: Option<u32>,
    /// Reproduce only this figure of the paper
    #[arg(long, value_name = "NUMBER")]
    figure: Option<u32>,
    /// Traces
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<Input>,
    #[command(flatten)]
    changes: Changes,
    /// Write one HTML page with every table, plot and ratio [default without --paper: reproduction.html]
    #[arg(short, long, value_name = "FILE")]
    output: Option<OutputFile>,
    /// Write every value as comma-separated values: place, row, column, here, paper, ratio, unit
    #[arg(long, value_name = "FILE")]
    csv: Option<OutputFile>,
    /// Write a plot of each table and figure into this folder, in SVG
    #[arg(long, value_name = "DIR")]
    svg: Option<OutputFolder>,
    /// Print JSON: an array of objects with place, title, unit, columns, rows; a row has label, is_total and cells
    /// with here and paper
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// When nothing has the number that was asked for, a trace is bad, or a file cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let paper = arguments.paper.as_deref().map(str::parse::<Paper>).transpose().map_err(usage)?;
    let Arguments { table, figure, .. } = *arguments;
    let entries = Selection { paper, table, figure }.entries().map_err(usage)?;
    let page = match (&arguments.output, paper) {
        (None, None) => Some(OutputFile::new("reproduction.html")?),
        (output, _) => output.clone(),
    };
    let create = |file: &Option<OutputFile>| file.as_ref().map(OutputFile::create).transpose();
    let outputs = (create(&page)?, create(&arguments.csv)?);
    let artefacts = measured(&entries, arguments)?;
    let (mut html, mut values) = outputs;
    if let Some(html) = &mut html {
        html.write_all(page::html(&artefacts, &made_by(arguments))?.as_bytes())?;
    }
    if let Some(values) = &mut values {
        csv::write(&artefacts, values)?;
    }
    output::commit_all(html.into_iter().chain(values))?;
    if let Some(folder) = &arguments.svg {
        let plot = |one: &Artefact| (one.place.file_stem(), page::svg(one));
        plots::write(folder, &artefacts.iter().map(plot).collect::<Vec<_>>())?;
    }
    if arguments.json {
        return print::json(&artefacts);
    }
    print::text(match paper {
        Some(_) => artefacts.iter().map(table_of).collect::<Vec<_>>().join("\n"),
        None => summary(&artefacts, page.as_deref()),
    })
}

fn measured(entries: &[Entry], arguments: &Arguments) -> Result<Vec<Artefact>> {
    events::rereadable(&arguments.traces)?;
    events::not_all_empty(&arguments.traces)?;
    let progress =
        events::progress_of(&arguments.traces, tracewright_reproduction::passes(entries)?);
    let pairs = arguments.changes.pairs()?.into_iter();
    let parameters = pairs.map(|(key, value)| (key.into(), value.into())).collect();
    let mut settings = Settings { parameters, ..Settings::default() };
    let failure = |error| match error {
        Error::Design(_) => usage(error),
        error => error.into(),
    };
    let mut designs =
        tracewright_reproduction::eliding_designs(entries, &settings).map_err(failure)?;
    let format = Design::preset("nexs")?;
    let follows_width = !settings.parameters.iter().any(|(key, _)| key == "address_width");
    designs.extend(follows_width.then(|| format.clone()));
    let traces = paths::paths(&arguments.traces);
    settings.addresses = addresses::of_all(&designs, &traces)?;
    if follows_width && settings.addresses.widen(&format) {
        settings.parameters.push(("address_width".into(), "64".into()));
    }
    let limit = limits::events();
    tracewright_reproduction::reproduce(entries, &settings, &traces, limit, &progress)
        .map_err(failure)
}

/// The command and its traces, for the page.
fn made_by(arguments: &Arguments) -> String {
    let traces = arguments.traces.iter().map(|trace| trace.display().to_string());
    let version = env!("CARGO_PKG_VERSION");
    format!("Made by tracewright {version} of {}.", traces.collect::<Vec<_>>().join(", "))
}

/// A table or figure as text.
fn table_of(artefact: &Artefact) -> String {
    let mut text = format!("{}: {}", artefact.place, artefact.title);
    if !artefact.unit.is_empty() {
        let _ = write!(text, " [{}]", artefact.unit);
    }
    let mut text = table::sentences(&text) + "\n";
    let columns = artefact.columns.iter().map(String::as_str);
    let header: Vec<&str> = std::iter::once(artefact.of).chain(columns).collect();
    let mut table = Table::new(&header, 1).in_parts(1);
    for row in &artefact.rows {
        let cells = row.cells.iter().map(|cell| page::cell(cell, artefact.decimals));
        table.add_row(std::iter::once(row.label.clone()).chain(cells));
    }
    text.push_str(&table.to_text());
    for note in &artefact.notes {
        let _ = write!(text, "\n{}", table::sentences(note));
    }
    text
}

/// The ratios of every table and figure.
fn summary(artefacts: &[Artefact], page: Option<&Path>) -> String {
    let header = ["place", "subject", "values", "lowest", "mean", "highest"];
    let mut table = Table::new(&header, 1).prose(1);
    for artefact in artefacts {
        let place = artefact.place.to_string();
        match artefact.ratios() {
            Some(ratios) => {
                let numbers = [ratios.lowest, ratios.mean, ratios.highest];
                let mut row = vec![place, artefact.title.into(), ratios.values.to_string()];
                row.extend(numbers.map(|number| format!("{number:.2}")));
                table.add_row(row);
            }
            None => table.add_row([place, artefact.title.into(), "0".into()]),
        }
    }
    let mut text = table.to_text();
    text.push_str("\nRatios of the values here to those of the paper; the mean is geometric.\n");
    if let Some(page) = page {
        let _ = writeln!(text, "{}: {} tables and figures", page.display(), artefacts.len());
    }
    text
}
