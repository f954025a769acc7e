//! `tracewright fit-talon`: score tables of Talon for one's own programs.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use tracewright_exploration::class::Class;
use tracewright_exploration::fit::{
    self, CLASS_PASSES, Fit, Fitted, PASSES, Request, VALIDATION_PASSES, WithoutClass,
};
use tracewright_sim::parameter;
use tracewright_sim::scheme::Design;

use crate::pipeline::classes::{self, Goal};
use crate::pipeline::design::{self, Changes};
use crate::pipeline::failure::usage;
use crate::pipeline::paths::{self, Input, OutputFile};
use crate::pipeline::print::{self, grouped, ratio};
use crate::pipeline::table::{self, Table};
use crate::pipeline::trace_names::TraceNames;
use crate::pipeline::{addresses, events, limits, progress};

/// Fit Talon's score tables to programs
#[derive(Args)]
#[command(after_help = "\
The scores say how sure a prediction is. One pass over the traces counts how often each combination
of evidence was right, and the tables with the fewest bits are searched for; sizes stay as they are,
and so do the gates, nearly. The file is a design that every command takes; docs/talon.md has more.

With --objective worst or worst-class the tables make the worst ratio to the baseline small instead of
the bits in total; without --baseline ratios are to the design before. With classes each of them is
left out in turn.

Examples:
  tracewright fit-talon run.pet.zst -o mine.toml
  tracewright fit-talon training/*.pet.zst --validate other/*.pet.zst --design talon-s -o mine.toml
  tracewright fit-talon --class firmware=traces/rv32 --class hosted='traces/x86/*.pet.zst' \
      --baseline traptor-m4 --objective worst -o mine.toml
  tracewright measure --design talon-m,mine.toml run.pet.zst")]
pub struct Arguments {
    /// Traces; each of them is a class of its own
    #[arg(value_name = "TRACE")]
    traces: Vec<Input>,
    #[command(flatten)]
    classes: classes::Arguments,
    /// Write the design with the fitted tables to this file, `-` for standard output
    #[arg(long, short, value_name = "FILE")]
    output: OutputFile,
    /// The design whose tables are fitted: a preset or TOML file
    #[arg(long, value_name = "DESIGN", default_value = "talon-m")]
    design: String,
    #[command(flatten)]
    changes: Changes,
    /// Measure the tables on these traces too, to which they are not fitted
    #[arg(long, value_name = "TRACE", num_args = 1..)]
    validate: Vec<Input>,
    /// Print JSON: an object with design, output, parameters (those that changed), symbol_bits_before,
    /// symbol_bits_after, baseline, worst_ratio, worst_trace, traces and validation: arrays of trace, class,
    /// instructions, bits_before, bits_after, bits_of_baseline; without_class: an array of class,
    /// ratio_by_others, ratio_by_all, ratio_by_class
    #[arg(long)]
    json: bool,
}

/// The result, for JSON.
#[derive(Serialize)]
struct Done<'a> {
    design: &'a str,
    output: String,
    parameters: Map<String, Value>,
    symbol_bits_before: f64,
    symbol_bits_after: f64,
    baseline: &'a str,
    worst_ratio: Option<f64>,
    worst_trace: Option<&'a str>,
    traces: &'a [Fitted],
    validation: &'a [Fitted],
    without_class: &'a [WithoutClass],
}

/// Runs the command.
///
/// # Errors
/// When the design is not Talon's, a trace is bad, or the file cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { traces, output, validate, changes, classes, .. } = arguments;
    let to_stdout = output.is_stdout();
    if to_stdout && arguments.json {
        return Err(usage(
            "-o - and --json: expected one of them, since both write to standard output",
        ));
    }
    let given = design::load(&arguments.design, changes)?;
    let is_named = changes.pairs()?.iter().any(|(key, _)| *key == "name");
    let name = match output.file_stem() {
        Some(stem) if !is_named && !to_stdout => stem.to_string_lossy().into_owned(),
        _ => given.name.clone(),
    };
    let with_name = |design: Design| {
        design.renamed(&name).map_err(|error| {
            usage(format_args!("{}: {error}; --set name=... gives another", output.display()))
        })
    };
    with_name(given.clone())?;
    let (baseline, goal) = (classes.baseline()?, classes.goal());
    let classes = classes.classes()?;
    let all = classes::all(traces, &classes)?;
    events::rereadable(all.iter().chain(validate))?;
    events::not_all_empty(&all)?;
    let members = Class::members(&paths::paths(traces), &classes)?;
    let traces: Vec<PathBuf> = members.iter().map(|one| one.path.clone()).collect();
    let (traces, validate) = (&traces, &paths::paths(validate));
    // Ratios are to one piece of hardware, as in searches.
    let both: Vec<Design> = [given].into_iter().chain(baseline).collect();
    let mut both = addresses::fitted(both, &paths::paths(&all))?.into_iter();
    let given = both.next().ok_or_else(|| usage("expected a design"))?;
    let baseline = both.next();
    let mut file = output.create()?;
    let bytes = |paths: &[PathBuf]| paths.iter().map(|path| limits::bytes_of(path)).sum::<u64>();
    let passes = PASSES + if classes.is_empty() { 0 } else { CLASS_PASSES };
    let total = passes * bytes(traces) + VALIDATION_PASSES * bytes(validate);
    let progress = progress::bar(total, "bytes");
    let request = Request {
        design: &given,
        traces: &members,
        validation: validate,
        baseline: baseline.as_ref(),
        goal: goal.map_or(fit::Goal::Total, Goal::of_fit),
        limit: limits::events(),
    };
    let mut fitted = fit::fit(request, &progress)?;
    drop(progress);
    fitted.design = with_name(fitted.design)?;
    let base = if arguments.design.ends_with(".toml") { None } else { Some(&*arguments.design) };
    file.write_all(text(&fitted, base, traces)?.as_bytes())?;
    file.commit()?;
    if to_stdout {
        return Ok(());
    }
    if arguments.json {
        return print::json(&done(&given, output, &fitted)?);
    }
    print::text(shown(&fitted))
}

/// The design file: a preset, or the scheme, and what differs.
fn text(fitted: &Fit, preset: Option<&str>, traces: &[PathBuf]) -> Result<String> {
    let design = &fitted.design;
    let (base, line) = match preset {
        Some(preset) => (Design::preset(preset)?, format!("preset = \"{preset}\"")),
        None => {
            let scheme = design.scheme.name();
            (Design::of_scheme("base", scheme)?, format!("scheme = \"{scheme}\""))
        }
    };
    let mut text = String::from("# Tables fitted by `tracewright fit-talon` to:\n");
    for trace in traces {
        writeln!(text, "#   {:?}", trace.display().to_string())?;
    }
    writeln!(text, "# {}", worst(fitted, &|trace| format!("{trace:?}")))?;
    writeln!(text, "{line}\nname = \"{}\"", design.name)?;
    for (name, value) in changed(&base, design) {
        let value = match value {
            parameter::Value::Word(word) => format!("\"{word}\""),
            other => other.to_string(),
        };
        writeln!(text, "{name} = {value}")?;
    }
    Ok(text)
}

/// The parameters of a design that differ from those of another.
fn changed(base: &Design, design: &Design) -> Vec<(&'static str, parameter::Value)> {
    let before = base.values();
    design.values().into_iter().filter(|pair| !before.contains(pair)).collect()
}

fn done<'a>(given: &Design, output: &Path, fitted: &'a Fit) -> Result<Done<'a>> {
    let parameter = |(name, value): (&str, _)| Ok((name.to_owned(), serde_json::to_value(value)?));
    Ok(Done {
        design: &fitted.design.name,
        output: output.display().to_string(),
        parameters: changed(given, &fitted.design)
            .into_iter()
            .map(parameter)
            .collect::<Result<_>>()?,
        symbol_bits_before: fitted.symbol_bits_before,
        symbol_bits_after: fitted.symbol_bits_after,
        baseline: &fitted.baseline,
        worst_ratio: fitted.worst().map(Fitted::ratio),
        worst_trace: fitted.worst().map(|one| one.trace.as_str()),
        traces: &fitted.traces,
        validation: &fitted.validation,
        without_class: &fitted.without_class,
    })
}

/// Bits before and after, trace by trace.
fn shown(fitted: &Fit) -> String {
    let header = [
        "of",
        "trace",
        "instructions",
        "bits before",
        "bits after",
        "change",
        "bits/instruction",
        "ratio",
    ];
    let mut table = Table::new(&header, 2).named_by(2);
    let all = fitted.traces.iter().chain(&fitted.validation);
    let names = TraceNames::of(all.map(|one| one.trace.as_str()));
    for (what, of) in [("fitted to", &fitted.traces), ("validation", &fitted.validation)] {
        for one in of {
            table.add_row(row(what, names.name(&one.trace), std::slice::from_ref(one)));
        }
        if of.len() > 1 {
            table.add_row(row(what, "total", of));
        }
    }
    let counted = |bits: f64| grouped(bits.round() as u64);
    format!(
        "{}{}symbols by the counts: {} bits before, {} after\n{}{}",
        names.heading(),
        table.to_text(),
        counted(fitted.symbol_bits_before),
        counted(fitted.symbol_bits_after),
        table::sentences(&(worst(fitted, &|trace| names.name(trace).to_owned()) + "\n")),
        left_out(fitted, &names)
    )
}

/// A sentence with the program that is at its worst.
fn worst(fitted: &Fit, name: &dyn Fn(&str) -> String) -> String {
    let Some(one) = fitted.worst() else { return String::new() };
    format!(
        "The worst program is {}: {:.4} of the bits of {}.",
        name(&one.trace),
        one.ratio(),
        fitted.baseline
    )
}

/// What tables that are fitted without a class cost on it.
fn left_out(fitted: &Fit, names: &TraceNames) -> String {
    if fitted.without_class.is_empty() {
        return String::new();
    }
    let header = ["class left out", "by the others", "by all", "by itself"];
    let mut table = Table::new(&header, 1);
    for one in &fitted.without_class {
        let ratios = [one.ratio_by_others, one.ratio_by_all, one.ratio_by_class];
        let ratios = ratios.map(|ratio| format!("{ratio:.4}"));
        table.add_row([names.name(&one.class).to_owned()].into_iter().chain(ratios));
    }
    let what = format!(
        "\nRatios to the bits of {} on one class, with tables that are fitted to the others, to all, and to it:\n\n",
        fitted.baseline
    );
    table::sentences(&what) + &table.to_text()
}

fn row(what: &str, label: &str, of: &[Fitted]) -> [String; 8] {
    let sum = |of_one: fn(&Fitted) -> u64| of.iter().map(of_one).sum::<u64>();
    let instructions = sum(|one| one.instructions);
    let (before, after) = (sum(|one| one.bits_before), sum(|one| one.bits_after));
    [
        what.into(),
        label.into(),
        grouped(instructions),
        grouped(before),
        grouped(after),
        format!("{:+.2} %", 100.0 * (ratio(after, before) - 1.0)),
        format!("{:.4}", ratio(after, instructions)),
        format!("{:.4}", ratio(after, sum(|one| one.bits_of_baseline))),
    ]
}
