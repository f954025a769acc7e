//! `tracewright regress`: every preset and random designs against the golden model, with a summary.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;
use tracewright_sim::event::Machine;
use tracewright_sim::preset;
use tracewright_sim::scheme::{Design, Scheme};
use tracewright_sim::synthetic::Options;
use tracewright_testbench::stimulus::{Pace, Ready, Stimulus};

use crate::pipeline::cosimulate::{Setup, cosimulate};
use crate::pipeline::events::Learned;
use crate::pipeline::failure::usage;
use crate::pipeline::junit::{self, Case};
use crate::pipeline::output::Output;
use crate::pipeline::print::{self, grouped};
use crate::pipeline::progress::Progress;
use crate::pipeline::source::Source;

/// Events of one synthetic program.
const SYNTHETIC_EVENTS: u64 = 3_000;

/// Percentages of instructions that access memory, one for each program in turn.
const DATA_ACCESSES: [u8; 4] = [5, 15, 30, 60];

/// Events that the quick regression takes from each workload.
const QUICK_EVENTS: u64 = 20_000;

/// Traces that each preset runs in the quick regression; this must not divide the number of traces.
const QUICK_TRACES: usize = 3;

/// Co-simulate every preset and random designs on real and synthetic programs
#[derive(Args)]
#[command(after_help = "\
Every run has its own random stalls, bubbles and initial memory, from its seed. Hardware and
golden model are compared bit for bit, and the decoded trace with the input. `make regress` runs
all of it, `make test` the quick part.

Examples:
  tracewright regress --quick
  tracewright regress --junit build/regress/junit.xml")]
pub struct Arguments {
    /// Run a part that takes a minute: short workloads, some programs and some designs
    #[arg(long)]
    quick: bool,
    /// Run every preset on the traces in this folder
    #[arg(long, value_name = "FOLDER", default_value = "workloads")]
    workloads: PathBuf,
    /// Run every preset on this many synthetic programs
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    synthetic: u64,
    /// Run this many random legal designs of every scheme, on three synthetic programs each
    #[arg(long, value_name = "COUNT", default_value_t = 60)]
    random: u64,
    /// Write the results as JUnit XML, with a suite for every design and a test case for every run
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print JSON: an array of objects with design, runs, events, instructions, cycles, stall_cycles,
    /// fifo_high_water_bits, failures
    #[arg(long)]
    json: bool,
}

/// A trace and what was learned from it, shared by the designs that run it.
type Trace = Arc<(Source, Arc<Learned>)>;

/// One co-simulation.
struct Run {
    group: String,
    design: Design,
    source: Trace,
    stimulus: Stimulus,
}

impl Run {
    /// The result as a test case.
    fn case(&self, (summary, elapsed): &(Summary, Duration)) -> Case {
        Case {
            suite: self.group.clone(),
            name: format!(
                "{}, {}, seed {}",
                self.design.name,
                self.source.0.name(),
                self.stimulus.seed
            ),
            elapsed: *elapsed,
            failures: summary.failures.clone(),
        }
    }
}

#[derive(Serialize, Default)]
struct Summary {
    design: String,
    runs: u64,
    events: u64,
    instructions: u64,
    cycles: u64,
    stall_cycles: u64,
    fifo_high_water_bits: u64,
    failures: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When a tool is missing, a workload is bad, or a run fails.
pub fn run(arguments: &Arguments) -> Result<()> {
    let junit = arguments.junit.as_deref().map(Output::create).transpose()?;
    let runs = plan(arguments)?;
    let progress = Progress::new(runs.len() as u64, "runs");
    let quiet = Progress::new(0, "events");
    let one = |run: &Run| {
        let start = Instant::now();
        let result = simulate(run, &quiet);
        progress.add(1);
        let summary =
            result.with_context(|| format!("{} on {}", run.design.name, run.source.0.name()))?;
        Ok((summary, start.elapsed()))
    };
    let results: Vec<(Summary, Duration)> = runs.par_iter().map(one).collect::<Result<_>>()?;
    drop(progress);
    if let Some(output) = junit {
        let cases: Vec<Case> =
            runs.iter().zip(&results).map(|(run, result)| run.case(result)).collect();
        junit::write(output, "tracewright.regress", &cases)?;
    }

    let mut summaries: Vec<Summary> = Vec::new();
    for (run, (result, _)) in runs.iter().zip(results) {
        match summaries.iter_mut().find(|summary| summary.design == run.group) {
            Some(summary) => summary.add(result),
            None => summaries.push(Summary { design: run.group.clone(), ..result }),
        }
    }
    if arguments.json {
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

/// Every run, in the order of the summary.
fn plan(arguments: &Arguments) -> Result<Vec<Run>> {
    let limit = arguments.quick.then_some(QUICK_EVENTS);
    let synthetic = if arguments.quick { arguments.synthetic.min(6) } else { arguments.synthetic };
    let random = if arguments.quick { arguments.random.min(5) } else { arguments.random };
    let mut sources: Vec<Source> =
        traces(&arguments.workloads)?.into_iter().map(|path| Source::trace(path, limit)).collect();
    let presets = preset::all().map(|preset| Ok((preset.name, Design::preset(preset.name)?)));
    let presets: Vec<(&str, Design)> = presets.collect::<Result<_>>()?;
    let cores: BTreeSet<u32> = presets.iter().map(|(_, design)| design.cores()).collect();
    sources.extend(cores.iter().flat_map(|cores| (0..synthetic).map(|seed| program(seed, *cores))));
    let sources = learn(sources)?;

    let mut runs = Vec::new();
    for (name, bare) in &presets {
        let fits =
            |source: &&Trace| source.0.fits(bare) && (source.1.accesses > 0 || !bare.traces_data());
        let every: Vec<_> = sources.iter().filter(fits).enumerate().collect();
        // In the quick regression presets take turns, so that some presets of every scheme run each trace.
        let (turn, count) = (runs.len() % every.len(), every.len());
        let mine = every.into_iter().cycle().skip(turn);
        // A model of many cores takes long to build, and is built for every machine.
        let few = (QUICK_TRACES / bare.cores() as usize).max(1);
        let mine = mine.take(if arguments.quick { few } else { count });
        for (at, source) in mine {
            let design = fit(bare, source.1.machine())?;
            let stimulus = stimulus(at as u64, &design);
            let source = Arc::clone(source);
            runs.push(Run { group: (*name).into(), design, source, stimulus });
        }
    }
    let mut drawn = Vec::new();
    for scheme in Scheme::all() {
        for at in 0..3 * random {
            let seed = at / 3;
            let machine = Options::from_seed(1000 + at).machine;
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            let parameters = scheme.arbitrary(
                &mut generator,
                machine.alignment.into(),
                machine.address_bits.into(),
            );
            let design = Design::new(&format!("random-{}-{seed}", scheme.name()), parameters)?;
            let stimulus = stimulus(generator.random(), &design);
            drawn.push((program(1000 + at, design.cores()), design, stimulus));
        }
    }
    let programs = learn(drawn.iter().map(|(program, ..)| program.clone()).collect())?;
    for (source, (_, design, stimulus)) in programs.into_iter().zip(drawn) {
        let group = format!("random {}", design.scheme.name());
        runs.push(Run { group, design, source, stimulus });
    }
    Ok(runs)
}

/// The traces of a folder, in the order of their names.
fn traces(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = folder
        .read_dir()
        .map_err(|error| usage(format!("cannot read {}: {error}", folder.display())))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.to_string_lossy().ends_with(".pet.zst"))
        .collect();
    paths.sort();
    if paths.is_empty() {
        return Err(usage(format!("--workloads: {} has no traces (*.pet.zst)", folder.display())));
    }
    Ok(paths)
}

fn program(seed: u64, cores: u32) -> Source {
    let data_accesses = DATA_ACCESSES[seed as usize % DATA_ACCESSES.len()];
    let options = Options { events: SYNTHETIC_EVENTS, data_accesses, ..Options::from_seed(seed) };
    Source::Synthetic(Box::new(options)).for_cores(cores)
}

fn learn(sources: Vec<Source>) -> Result<Vec<Trace>> {
    let quiet = Progress::new(0, "bytes");
    let one = |source: Source| {
        let learned = Arc::new(source.learn(&quiet)?);
        Ok(Arc::new((source, learned)))
    };
    sources.into_par_iter().map(one).collect()
}

/// The design for a machine, with addresses as wide as the machine's need.
fn fit(design: &Design, machine: Machine) -> Result<Design> {
    let mut design = design.clone();
    // Real 64-bit workloads here have 32-bit addresses; synthetic programs use all of them.
    if machine.address_bits == 64 {
        design.set("address_width", "64")?;
    }
    Ok(design.for_machine(machine)?)
}

fn stimulus(seed: u64, design: &Design) -> Stimulus {
    Stimulus {
        seed,
        pace: if seed % 5 == 4 { Pace::OneInstructionPerCycle } else { Pace::Dense },
        ready: [Ready::Random, Ready::Bursts, Ready::Always][seed as usize % 3],
        bubble_percent: [0, 20, 60][(seed / 3) as usize % 3],
        flush_interval: (seed % 7 == 6).then_some(500),
        instruction_bytes: 1 << design.processor().alignment,
    }
}

fn simulate(run: &Run, quiet: &Progress) -> Result<Summary> {
    let (source, learned) = &*run.source;
    let setup =
        Setup { stimulus: run.stimulus.clone(), waves: None, coverage: None, verilog: None };
    let done = cosimulate(&setup, &run.design, source, learned, quiet)?;
    let mut failures = Vec::new();
    let what = || format!("{} on {}, seed {}", run.design.name, source.name(), run.stimulus.seed);
    if let Some(failure) = done.failure {
        failures.push(format!("{}: {failure}", what()));
    }
    if !done.decoded_equal {
        failures.push(format!("{}: the decoded trace differs from the input", what()));
    }
    Ok(Summary {
        design: String::new(),
        runs: 1,
        events: learned.events,
        instructions: learned.instructions,
        cycles: done.report.cycles,
        stall_cycles: done.report.stall_cycles,
        fifo_high_water_bits: done.report.fifo_high_water_bits,
        failures,
    })
}

impl Summary {
    fn add(&mut self, other: Summary) {
        self.runs += other.runs;
        self.events += other.events;
        self.instructions += other.instructions;
        self.cycles += other.cycles;
        self.stall_cycles += other.stall_cycles;
        self.fifo_high_water_bits = self.fifo_high_water_bits.max(other.fifo_high_water_bits);
        self.failures.extend(other.failures);
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
    let mut table = print::table(&header, 1);
    let mut total = Summary { design: "total".into(), ..Summary::default() };
    for summary in summaries {
        table.add_row(row(summary));
        total.add(Summary {
            design: String::new(),
            failures: summary.failures.clone(),
            ..*summary
        });
    }
    table.add_row(row(&total));
    print::trimmed(&table)
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
