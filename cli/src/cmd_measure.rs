//! `tracewright measure`: bits per instruction, and with `--fields` field by field; with `--by`, by execution state.

mod by_state;

use anyhow::Result;
use clap::{Args, ValueEnum};

use tracewright_report::plot::{Timed, dynamics_plots};

use crate::pipeline::design::{self, Changes};
use crate::pipeline::measure::{self, Figures, Measured};
use crate::pipeline::paths::{Input, OutputFolder};
use crate::pipeline::plots;
use crate::pipeline::predictors::Predictors;
use crate::pipeline::print::{self, grouped, ratio};
use crate::pipeline::table::{self, Table};
use crate::pipeline::trace_names::TraceNames;

/// Measure bits per instruction of designs on traces
#[derive(Args)]
#[command(after_help = "\
Padding is not counted. The output FIFO is that of the design, drained by its port, with one
instruction per cycle and core in the order of the trace. FIFO needed is the number of bits that
it would hold without a limit and without stalls. `cosim` gives the figures of the real hardware.
Of a trace of several threads, a design for one core traces each on a core of its own, and bits are
those of all; `trace convert --one-core` makes the trace of one core that runs them in turns.

Examples:
  tracewright measure --design traptor-m4 run.pet.zst
  tracewright measure --design traptor-s1,traptor-m4,traptor-b4 workloads/*.pet.zst --json
  tracewright measure --design talon-m run.pet.zst --fields
  tracewright measure --design stride-32,stride-1024 run.pet.zst --figure hit-rate
  tracewright measure --design traptor-m4,nexs run.pet.zst --svg plots
  tracewright measure --design talon-m,talon-a boot.pet.zst --by privilege")]
pub struct Arguments {
    /// Presets, TOML files, or predictors without hardware (FILE.py:CLASS with the package for Python)
    #[arg(long = "design", value_name = "DESIGN", value_delimiter = ',', required = true)]
    designs: Vec<String>,
    /// Traces
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<Input>,
    #[command(flatten)]
    changes: Changes,
    /// Print the bits of each field too
    #[arg(long, conflicts_with_all = ["figure", "json"])]
    fields: bool,
    /// Print only this figure, with a row for every trace and a column for every design
    #[arg(long, conflicts_with = "json")]
    figure: Option<Figure>,
    /// Print the bits of each privilege level or context of a trace that says them: with tables that all share, and with
    /// tables that only this one uses
    #[arg(long, conflicts_with_all = ["fields", "figure", "svg"])]
    by: Option<By>,
    /// Write plots of worst windows, lengths of records, and bandwidth and buffer over time into this folder, in SVG
    #[arg(long, value_name = "DIR")]
    svg: Option<OutputFolder>,
    /// Print JSON: an array of objects with design, trace, address_width, elided_upper_bits, events, accesses,
    /// instructions, bits, bits_per_instruction, bits_per_access, plain_bits, compression_ratio, hits, hit_rate,
    /// records, fields, modules, fifo_high_water_bits, fifo_needed_bits, stall_cycles; with --by of objects with design,
    /// trace, state, events, instructions, bits, bits_apart
    #[arg(long)]
    json: bool,
}

/// By what bits are parted.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    /// By privilege level
    Privilege,
    /// By context, which is an address space
    Context,
}

/// A figure by which designs are compared.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Figure {
    /// Bits per instruction
    BitsPerInstruction,
    /// Bits per memory access
    BitsPerAccess,
    /// Bits of an uncompressed trace of addresses, divided by the design's bits
    CompressionRatio,
    /// Share of accesses that were predicted, in percent
    HitRate,
}

impl Figure {
    /// The figure of several measurements together.
    fn of(self, figures: &[&Figures]) -> String {
        let measured: Vec<&Measured> = figures.iter().filter_map(|one| one.of_design()).collect();
        let sum = |of: fn(&Measured) -> u64| {
            measured.iter().map(|one| of(one)).fold(0, u64::saturating_add)
        };
        let all = |of: fn(&Figures) -> u64| {
            figures.iter().map(|one| of(one)).fold(0, u64::saturating_add)
        };
        let bits = all(|one| one.bits().0);
        let of_data = measured.iter().filter(|one| one.hits.is_some());
        // Where there are no accesses, a design that traces them has nothing but the end of the trace.
        if !measured.is_empty() && of_data.filter(|one| one.accesses == 0).count() == measured.len()
        {
            return String::new();
        }
        // A design that traces control flow has no figure for accesses.
        if matches!(self, Figure::BitsPerAccess | Figure::HitRate)
            && (measured.len() < figures.len() || measured.iter().any(|one| one.hits.is_none()))
        {
            return String::new();
        }
        match self {
            Figure::BitsPerInstruction => {
                format!("{:.4}", ratio(bits, all(Figures::instructions)))
            }
            Figure::BitsPerAccess => format!("{:.3}", ratio(bits, sum(|one| one.accesses))),
            Figure::CompressionRatio => format!("{:.2}", ratio(all(|one| one.bits().1), bits)),
            Figure::HitRate => {
                let hits = sum(|one| one.hits.unwrap_or_default());
                format!("{:.2}", 100.0 * ratio(hits, sum(|one| one.accesses)))
            }
        }
    }
}

/// Runs the command.
///
/// # Errors
/// When a design or a trace is bad, or they do not match.
pub fn run(arguments: &Arguments, predictors: &Predictors) -> Result<()> {
    let (designs, models) = predictors.sorted(&arguments.designs, &arguments.changes)?;
    let designs = design::load_all(&designs, &arguments.changes)?;
    if let Some(by) = arguments.by {
        anyhow::ensure!(
            models.is_empty(),
            "--by: expected designs, found a predictor without hardware"
        );
        return by_state::run(&designs, arguments, by);
    }
    let mut measured: Vec<Figures> = Vec::new();
    if !designs.is_empty() {
        let of_designs = measure::all(&designs, &arguments.traces)?;
        measured.extend(of_designs.into_iter().map(|one| Figures::Design(Box::new(one))));
    }
    if !models.is_empty() {
        let of_models = measure::all_models(&models, &arguments.traces)?;
        measured.extend(of_models.into_iter().map(Figures::Model));
    }
    if let Some(folder) = &arguments.svg {
        plots::write(folder, &dynamics(&measured))?;
    }
    if arguments.json {
        return print::json(&measured);
    }
    let traces = arguments.traces.len();
    let names = TraceNames::of(measured.iter().map(|one| one.names().1));
    let table = match arguments.figure {
        Some(figure) => comparison(&measured, traces, figure, &names),
        None => {
            table(&measured, traces, arguments.fields, &names)
                + &table::sentences(&without_accesses(&measured))
        }
    };
    print::text(names.heading() + &table)
}

/// The plots of the measurements in time.
fn dynamics(measured: &[Figures]) -> Vec<(String, String)> {
    let timed = measured.iter().filter_map(Figures::of_design).map(|one| Timed {
        design: one.design.clone(),
        trace: one.trace.clone(),
        dynamics: one.dynamics.clone(),
    });
    let plots = dynamics_plots(&timed.collect::<Vec<_>>());
    plots.iter().map(|plot| (plot.id.to_owned(), plot.standalone())).collect()
}

/// One figure of every design on every trace and, for several traces, on all of them.
fn comparison(measured: &[Figures], traces: usize, figure: Figure, names: &TraceNames) -> String {
    let by_design: Vec<&[Figures]> = measured.chunks(traces.max(1)).collect();
    let mut header = vec!["trace"];
    header.extend(by_design.iter().filter_map(|of_design| Some(of_design.first()?.names().0)));
    let mut table = Table::new(&header, 1).in_parts(1);
    for trace in 0..traces {
        let figures = by_design.iter().map(|of_design| figure.of(&[&of_design[trace]]));
        let name = names.name(by_design[0][trace].names().1);
        table.add_row([name.to_owned()].into_iter().chain(figures));
    }
    if traces > 1 {
        let figures =
            by_design.iter().map(|of_design| figure.of(&of_design.iter().collect::<Vec<_>>()));
        table.add_row(["total".to_owned()].into_iter().chain(figures));
    }
    table.to_text()
}

/// The measurements and, for several traces, the sum of every design, weighted by instructions.
fn table(measured: &[Figures], traces: usize, has_fields: bool, names: &TraceNames) -> String {
    let mut fields: Vec<&str> = Vec::new();
    let shown = measured.iter().filter(|_| has_fields);
    for name in shown.flat_map(|one| one.fields().iter().map(|(name, _)| name)) {
        if !fields.contains(&name.as_str()) {
            fields.push(name);
        }
    }
    let mut header = vec!["design", "trace", "instructions", "bits", "bits/instruction", "records"];
    header.extend(&fields);
    header.extend(["FIFO high water", "FIFO needed", "stall cycles"]);
    let mut table = Table::new(&header, 2).named_by(2);
    for of_design in measured.chunks(traces.max(1)) {
        for one in of_design {
            table.add_row(row(names.name(one.names().1), &[one], &fields));
        }
        if of_design.len() > 1 {
            table.add_row(row("total", &of_design.iter().collect::<Vec<_>>(), &fields));
        }
    }
    table.to_text()
}

/// Sentences about traces without what a design traces.
fn without_accesses(measured: &[Figures]) -> String {
    let empty = measured
        .iter()
        .filter_map(Figures::of_design)
        .filter(|one| one.hits.is_some() && one.accesses == 0);
    let sentence = |one: &Measured| {
        format!(
            "{} traces data addresses, and {} has none: its bits are those of the end of the trace\n",
            one.design, one.trace
        )
    };
    empty.map(sentence).collect()
}

/// A row: the figures together, and a dash for what needs hardware.
fn row(label: &str, figures: &[&Figures], fields: &[&str]) -> Vec<String> {
    let all =
        |of: fn(&Figures) -> u64| figures.iter().map(|one| of(one)).fold(0, u64::saturating_add);
    let (instructions, bits) = (all(Figures::instructions), all(|one| one.bits().0));
    let measured: Vec<&Measured> = figures.iter().filter_map(|one| one.of_design()).collect();
    let or_dash = |figure: u64| if measured.is_empty() { "-".into() } else { grouped(figure) };
    let sum =
        |of: fn(&Measured) -> u64| measured.iter().map(|one| of(one)).fold(0, u64::saturating_add);
    let mut row = vec![
        figures.first().map_or(String::new(), |one| one.names().0.to_owned()),
        label.into(),
        grouped(instructions),
        grouped(bits),
        format!("{:.4}", ratio(bits, instructions)),
        or_dash(sum(|one| one.records)),
    ];
    for field in fields {
        let of_field = figures.iter().flat_map(|one| one.fields()).filter(|one| one.0 == *field);
        row.push(grouped(of_field.map(|(_, bits)| bits).sum()));
    }
    let most = |of: fn(&Measured) -> u64| measured.iter().map(|one| of(one)).max().unwrap_or(0);
    row.push(or_dash(most(|one| one.fifo_high_water_bits)));
    row.push(or_dash(most(|one| one.fifo_needed_bits)));
    row.push(or_dash(sum(|one| one.stall_cycles)));
    row
}
