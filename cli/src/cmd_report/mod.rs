//! `tracewright report`: cost and bits per instruction of designs, side by side, as a page, tables and plots.

mod models;
mod papers;
mod terminal;

use std::io::Write;
use std::path::Path;

use anyhow::{Result, anyhow};
use clap::Args;
use tracewright_exploration::Exploration;
use tracewright_hdl::Storage;
use tracewright_report::data::{Bandwidth, DesignReport, Report, Stored, Trace};
use tracewright_report::plot::Plot;
use tracewright_report::{html, plot, table};
use tracewright_sim::preset;
use tracewright_sim::scheme::Design;
use tracewright_synthesis::{Family, FpgaOptions, GateOptions};

use crate::pipeline::addresses;
use crate::pipeline::design::{self, Changes};
use crate::pipeline::exploration;
use crate::pipeline::failure::usage;
use crate::pipeline::measure::{self, Measured};
use crate::pipeline::output::{self, Output};
use crate::pipeline::paths::{Input, OutputFile};
use crate::pipeline::predictors::Predictors;
use crate::pipeline::print;
use crate::pipeline::synthesis;

/// Report gates, storage and bits per instruction of designs, side by side
#[derive(Args)]
#[command(after_help = "\
Without designs, the report has the presets that trace one core, up to the papers' sizes, and if
a trace has accesses also presets that trace data addresses. Yosys counts the gates of every
design once.

Examples:
  tracewright report workloads/*.pet.zst -o report.html
  tracewright report traptor-s1 traptor-m4 my-trace.toml run.pet.zst --csv figures.csv
  tracewright report --papers -o docs/gate_figures.md")]
pub struct Arguments {
    /// Presets (`traptor-*` is every preset whose name begins with traptor-), TOML files or predictors without hardware
    /// (FILE.py:CLASS with the package for Python), and traces
    #[arg(value_name = "DESIGN or TRACE")]
    inputs: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// Write the report as one HTML page; with --papers write the Markdown page
    #[arg(short, long, value_name = "FILE")]
    output: Option<OutputFile>,
    /// Write every figure as comma-separated values: design, quantity, of, value, unit
    #[arg(long, value_name = "FILE")]
    csv: Option<OutputFile>,
    /// Write the plot of gates against bits per instruction, in SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<OutputFile>,
    /// Show the results of a search (`explore --output DIR`) on the HTML page too
    #[arg(long, value_name = "DIR", requires = "output", conflicts_with = "papers")]
    search: Option<Input>,
    /// Place and route the designs in FPGAs too
    #[arg(long)]
    fpga: bool,
    /// Write the papers' figures beside those of the designs here, in Markdown, instead
    #[arg(long, conflicts_with_all = ["inputs", "set", "csv", "plot", "fpga", "json"])]
    papers: bool,
    /// With --papers, fail if FILE differs from the page; figures of synthesis are compared only if they are of the same
    /// Yosys
    #[arg(long, value_name = "FILE", requires = "papers", conflicts_with = "output")]
    check: Option<Input>,
    /// Print JSON: an object with traces and designs; a design has design, scheme, cores, traces_data,
    /// estimated_gates, paper_gates, storage, gates (as `gates` prints it), fpga, bandwidth,
    /// bits_per_instruction, is_on_front; with predictors without hardware also models
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// When a design or trace is bad, a tool fails, or a file cannot be written.
pub fn run(arguments: &Arguments, predictors: &Predictors) -> Result<()> {
    if arguments.papers {
        return match (&arguments.check, &arguments.output) {
            (Some(path), _) => papers::check(path),
            (None, Some(path)) => {
                let mut output = path.create()?;
                output.write_all(papers::page()?.text.as_bytes())?;
                output.commit()
            }
            (None, None) => print::text(papers::page()?.text),
        };
    }
    let (names, traces) = sorted(&arguments.inputs, predictors)?;
    let (names, predicted) = predictors.sorted(&names, &arguments.changes)?;
    if arguments.plot.is_some() && traces.is_empty() {
        return Err(usage("--plot needs a trace for the bits per instruction"));
    }
    let is_usual = names.is_empty() && predicted.is_empty();
    let designs = match is_usual {
        true => usual_designs(&arguments.changes)?,
        false => design::load_all(&names, &arguments.changes)?,
    };
    // Gates and bits are of the same hardware.
    let designs = addresses::fitted(designs, &traces)?;
    let search = arguments.search.as_deref().map(Exploration::load).transpose()?;
    let files = Files::open(arguments)?;
    let measured = measure::all(&designs, &traces)?;
    let models = models::report(&predicted, &traces)?;
    let report = report(designs, &traces, measured, arguments.fpga, is_usual)?.with_models(models);
    files.write(&report, search.as_ref().and_then(exploration::plot))?;
    if arguments.json {
        return print::json(&report);
    }
    print::text(terminal::table(&report))
}

/// The inputs that name designs, and those that name traces.
fn sorted(inputs: &[String], predictors: &Predictors) -> Result<(Vec<String>, Vec<Input>)> {
    let is_design = |input: &String| design::is_design(input) || predictors.is_predictor(input);
    let (designs, traces): (Vec<_>, Vec<_>) = inputs.iter().cloned().partition(is_design);
    match traces.iter().find(|trace| !Path::new(trace).exists()) {
        Some(input) => Err(usage(format_args!(
            "{input} is neither a design nor a trace; `tracewright designs` lists the designs"
        ))),
        None => Ok((designs, traces.into_iter().map(Input::found).collect::<Result<_>>()?)),
    }
}

/// The designs of a report for which none are named: presets that trace one core, up to the sizes that the
/// papers recommend.
fn usual_designs(changes: &Changes) -> Result<Vec<Design>> {
    let is_usual = |name: &str| match name.split_once('-') {
        Some(("stream", rest)) => rest.ends_with("-32") || rest.ends_with("-128"),
        Some(("stride", entries)) => matches!(entries, "128" | "1024"),
        Some(("mctraptor" | "nexus", rest)) => rest.ends_with("n1"),
        _ => true,
    };
    let names = preset::all().map(|preset| preset.name).filter(|name| is_usual(name));
    design::load_all(&names.map(String::from).collect::<Vec<_>>(), changes)
}

/// Makes the report. Designs that no trace is for are left out if `only_useful`.
fn report(
    mut designs: Vec<Design>,
    paths: &[Input],
    mut measured: Vec<Measured>,
    with_fpga: bool,
    only_useful: bool,
) -> Result<Report> {
    let traces: Vec<Trace> = paths
        .iter()
        .zip(&measured)
        .map(|(path, measured)| Trace {
            name: name_of(path, paths),
            instructions: measured.instructions,
            accesses: measured.accesses,
        })
        .collect();
    if only_useful && !traces.iter().any(|trace| trace.accesses > 0) {
        // The measurements are in the order of the designs, including those that trace data addresses.
        let keep: Vec<bool> = designs.iter().map(|design| !design.traces_data()).collect();
        let mut of_design = keep.iter().flat_map(|keep| std::iter::repeat_n(*keep, paths.len()));
        measured.retain(|_| of_design.next().unwrap_or(true));
        designs.retain(|design| !design.traces_data());
    }
    let gates = synthesis::gates(&designs, GateOptions::default())?;
    let routed = match with_fpga {
        true => synthesis::fpga(&designs, &Family::ALL, &FpgaOptions::default())?,
        false => Vec::new(),
    };
    // Every design has one result for each family.
    let mut routed = routed.chunks(Family::ALL.len());
    let mut measured = measured.chunks(paths.len().max(1));
    let mut reports = Vec::with_capacity(designs.len());
    for (design, gates) in designs.iter().zip(gates) {
        let of_traces = traces.iter().zip(measured.next().unwrap_or_default());
        let bandwidth = of_traces
            .filter(|(trace, _)| !design.traces_data() || trace.accesses > 0)
            .map(|(trace, measured)| {
                Bandwidth::new(trace, measured.bits, measured.dynamics.clone())
            })
            .collect();
        let routed = routed.next().unwrap_or_default().to_vec();
        let generated = tracewright_hdl::generate(design)?;
        let stored = generated.storage.into_iter();
        let storage = stored
            .map(|Storage { instance, bits }| Stored { structure: instance, bits: bits as u64 });
        reports.push(DesignReport::new(design, storage.collect(), gates, routed, bandwidth));
    }
    Ok(Report::new(traces, reports))
}

/// A trace's file name without folder and suffix, or the whole path if that is not unique.
fn name_of(path: &Path, all: &[Input]) -> String {
    let short = |path: &Path| {
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let stem = file.strip_suffix(".zst").unwrap_or(&file);
        let stem = stem.strip_suffix(".pet").or(stem.strip_suffix(".txt")).unwrap_or(stem);
        stem.to_owned()
    };
    match all.iter().filter(|other| short(other) == short(path)).count() {
        0 | 1 => short(path),
        _ => path.display().to_string(),
    }
}

/// The requested files, opened before anything that takes long.
struct Files {
    page: Option<Output>,
    csv: Option<Output>,
    plot: Option<Output>,
}

impl Files {
    fn open(arguments: &Arguments) -> Result<Files> {
        let open = |path: &Option<OutputFile>| path.as_ref().map(OutputFile::create).transpose();
        Ok(Files {
            page: open(&arguments.output)?,
            csv: open(&arguments.csv)?,
            plot: open(&arguments.plot)?,
        })
    }

    fn write(self, report: &Report, search: Option<Plot>) -> Result<()> {
        let mut done = Vec::new();
        if let Some(mut output) = self.csv {
            table::write(report, &mut output)?;
            done.push(output);
        }
        if let Some(mut output) = self.plot {
            let plot = plot::gates_against_bits(report).ok_or_else(|| {
                anyhow!(
                    "--plot: no design traces what the traces contain, so there is nothing to plot"
                )
            })?;
            output.write_all(plot.standalone().as_bytes())?;
            done.push(output);
        }
        if let Some(mut output) = self.page {
            let page = html::page(report, search.into_iter().collect(), &made_by(report))?;
            output.write_all(page.as_bytes())?;
            done.push(output);
        }
        output::commit_all(done)
    }
}

/// The programs and libraries that the report's figures come from.
fn made_by(report: &Report) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match report.designs.first() {
        None => format!("Tracewright {version}"),
        Some(DesignReport { gates, .. }) => {
            format!("Tracewright {version}, {}, cell library {}", gates.yosys, gates.library)
        }
    }
}
