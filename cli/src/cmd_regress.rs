//! `tracewright regress`: every preset, random designs and random units against the golden model, with a summary.

mod systems;
mod units;

use std::io::Write;

use anyhow::{Result, anyhow};
use clap::Args;
use tracewright_verification::Shard;
use tracewright_verification::regression::{self, Extent, Part, Run, Subject, Summary};

use crate::pipeline::count;
use crate::pipeline::design::{self, Changes};
use crate::pipeline::failure::usage;
use crate::pipeline::paths::{Input, OutputFile, OutputFolder};
use crate::pipeline::print::{self, grouped};
use crate::pipeline::progress;
use crate::pipeline::table::Table;
use crate::pipeline::unit::Unit;

/// Co-simulate every preset, random designs, sinks, units and systems on real and synthetic programs
#[derive(Args)]
#[command(after_help = "\
Every run has its own random stalls, bubbles and initial memory, from its seed. Hardware and
golden model are compared bit for bit, and the decoded trace with the input. `make regress` runs
all of it, `make test` the quick part. With designs only these run, on the traces in the folder
and on synthetic programs; of a unit its trace module runs, not what stands around it, which `cosim`
simulates as random units are.

Examples:
  tracewright regress --quick
  tracewright regress --junit build/regress/junit.xml
  tracewright regress my-unit.toml --workloads traces --junit my-unit.xml
  tracewright regress --shard 2/8 --output regression-2
  tracewright regress --run 'random-talon-3 on synthetic-1302' --output failed")]
pub struct Arguments {
    /// Run only these presets and TOML files, and no random designs
    #[arg(value_name = "DESIGN", conflicts_with_all = ["packets", "random", "units", "systems"])]
    designs: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// Run a part that takes a minute: every preset on a short workload, a random design of every scheme, and some
    /// with packets and sinks
    #[arg(long)]
    quick: bool,
    /// Run only designs whose traces are made of packets, and sinks of such traces
    #[arg(long)]
    packets: bool,
    /// Run every preset on the traces in this folder
    #[arg(long, value_name = "FOLDER", default_value = "workloads")]
    workloads: Input,
    /// Run every preset on this many synthetic programs
    #[arg(long, value_name = "COUNT", default_value_t = 200, value_parser = count::parse)]
    synthetic: u64,
    /// Run this many random legal designs of every scheme, on three synthetic programs each
    #[arg(long, value_name = "COUNT", default_value_t = 60, value_parser = count::parse)]
    random: u64,
    /// Run this many random units, designs with what stands around them, on two synthetic programs each
    #[arg(long, value_name = "COUNT", default_value_t = 250, value_parser = count::parse)]
    units: u64,
    /// Run this many random systems of two to five harts, on a synthetic program for each hart
    #[arg(long, value_name = "COUNT", default_value_t = 60, value_parser = count::parse)]
    systems: u64,
    /// Run only what has this in its name, such as the name of a run that failed
    #[arg(long, value_name = "TEXT")]
    run: Option<String>,
    /// Do one of several parts of the runs, such as 2/8; `merge` puts the results together
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, requires = "output")]
    shard: Shard,
    /// Keep the results in this folder, for `merge`, and the designs of runs that failed as TOML files
    #[arg(long, short, value_name = "DIR")]
    output: Option<OutputFolder>,
    /// Write the results as JUnit XML, with a suite for every design and a test case for every run
    #[arg(long, value_name = "FILE")]
    junit: Option<OutputFile>,
    /// Print JSON: an array of objects with design, runs, events, instructions, cycles, stall_cycles,
    /// fifo_high_water_bits, failures
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// When a tool is missing, a workload is bad, or a run fails.
pub fn run(arguments: &Arguments) -> Result<()> {
    let junit = arguments.junit.as_ref().map(OutputFile::create).transpose()?;
    arguments.output.as_ref().map_or(Ok(()), |folder| folder.claim(&[Part::FILE]))?;
    let Arguments { synthetic, random, quick, packets: packets_only, shard, .. } = *arguments;
    let extent = Extent { synthetic, random, quick, packets_only };
    let runs = match arguments.designs.as_slice() {
        [] if !arguments.changes.set.is_empty() => {
            return Err(usage("--set: expected designs to change, found none"));
        }
        [] => {
            let units = if packets_only { 0 } else { arguments.units };
            let mut runs = regression::plan(&arguments.workloads, &extent)?;
            runs.extend(regression::units(units::random(units, quick)?)?);
            let systems = if packets_only { 0 } else { arguments.systems };
            runs.extend(regression::systems(systems::random(systems, quick))?);
            runs
        }
        names => {
            let designs = design::load_all(names, &arguments.changes)?;
            regression::plan_of(&designs, &arguments.workloads, &extent)?
        }
    };
    let runs = match &arguments.run {
        None => runs,
        Some(text) => match regression::named(runs, text) {
            runs if runs.is_empty() => {
                return Err(usage(format_args!("--run: no run has `{text}` in its name")));
            }
            runs => runs,
        },
    };
    let progress = progress::bar(regression::count(&runs, shard) as u64, "runs");
    let outcomes = regression::simulate(&runs, shard, &progress)?;
    drop(progress);
    if let Some(mut output) = junit {
        output.write_all(regression::junit(&outcomes)?.as_bytes())?;
        output.commit()?;
    }
    let part = Part::new(&runs, shard, outcomes);
    if let Some(folder) = &arguments.output {
        save(&part, folder)?;
        save_failed(&runs, &part, folder)?;
    }
    print(&part, arguments.json)
}

/// Writes the designs of runs that failed, as files that every command takes.
fn save_failed(runs: &[Run], part: &Part, folder: &OutputFolder) -> Result<()> {
    let failed = part.outcomes.iter().filter(|outcome| !outcome.failures.is_empty());
    let failed = failed.filter_map(|outcome| runs.get(outcome.number as usize));
    for run in failed {
        let mut output = folder.file(format!("{}.toml", run.design.name))?.create()?;
        let of = "What `tracewright regress` simulated in a run that failed.";
        let text = match &run.subject {
            Subject::Design | Subject::Sink(_) => Unit::bare(run.design.clone()).toml(of)?,
            Subject::Unit(unit) => units::as_file(unit).toml(of)?,
            Subject::System(_) => format!("# {of}\n{}", systems::drawn(&run.design.name)),
        };
        output.write_all(text.as_bytes())?;
        output.commit()?;
    }
    Ok(())
}

/// Writes results into a folder.
///
/// # Errors
/// When a file cannot be written.
pub fn save(part: &Part, folder: &OutputFolder) -> Result<()> {
    folder.make()?;
    let mut output = folder.file(Part::FILE)?.create()?;
    serde_json::to_writer(&mut output, part)?;
    output.commit()
}

/// Prints the summary of results.
///
/// # Errors
/// When a run failed.
pub fn print(part: &Part, json: bool) -> Result<()> {
    let summaries = regression::summarize(&part.outcomes);
    if json {
        print::json(&summaries)?;
    } else {
        print::text(table(&summaries))?;
    }
    let failures: Vec<&String> = summaries.iter().flat_map(|summary| &summary.failures).collect();
    match failures.as_slice() {
        [] => Ok(()),
        [first, others @ ..] => Err(anyhow!("{first} ({} more failed)", others.len())),
    }
}

fn table(summaries: &[Summary]) -> String {
    let header = [
        "design",
        "runs",
        "events",
        "instructions",
        "clocks",
        "stall cycles",
        "FIFO high water",
        "failures",
    ];
    let mut table = Table::new(&header, 1);
    for summary in summaries {
        table.add_row(row(summary));
    }
    table.add_row(row(&Summary::total(summaries)));
    table.to_text()
}

fn row(summary: &Summary) -> [String; 8] {
    [
        summary.design.clone(),
        grouped(summary.runs),
        grouped(summary.events),
        grouped(summary.instructions),
        grouped(summary.cycles),
        grouped(summary.stall_cycles),
        grouped(summary.fifo_high_water_bits),
        grouped(summary.failures.len() as u64),
    ]
}
