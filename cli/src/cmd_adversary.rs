//! `tracewright adversary`: the programs that are worst for a design.

use std::io::Write;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde::Serialize;
use tracewright_exploration::adversary::{self, Adversary, Goal, OutputLoad, Worst};
use tracewright_sim::synthetic::script::Script;
use tracewright_verification::Shard;

use crate::cmd_trace::script;
use crate::pipeline::count;
use crate::pipeline::design::{self, Changes};
use crate::pipeline::paths::{Input, OutputFolder};
use crate::pipeline::print;
use crate::pipeline::progress;
use crate::pipeline::table::Table;

/// Search for the programs that are worst for a design
#[derive(Args)]
#[command(after_help = "\
Small synthetic programs change at random; those for which the design takes the most bits, compared
with the baseline, have children. Programs with branches alone, with returns, with other indirect
branches and with exceptions compete among themselves. The folder has the worst of each kind, made
small, as text (docs/worst_case.md), and the state of the search, which goes on from there with more
programs. The seed decides everything; a shard has random changes of its own.

Examples:
  tracewright adversary talon-m -o worst
  tracewright adversary talon-m -o worst --programs 1M
  tracewright adversary talon-s worst/returns.txt -o worst-s --shard 2/4
  tracewright trace script worst/returns.txt -o returns.pet.zst")]
pub struct Arguments {
    /// The design: a preset or TOML file
    #[arg(value_name = "DESIGN")]
    design: String,
    /// Begin with these programs too
    #[arg(value_name = "SCRIPT")]
    scripts: Vec<Input>,
    #[command(flatten)]
    changes: Changes,
    /// Write the worst programs into this folder
    #[arg(long, short, value_name = "DIR")]
    output: OutputFolder,
    /// Compare with this design: a preset or TOML file
    #[arg(long, value_name = "DESIGN", default_value = "traptor-m4")]
    baseline: String,
    /// Choose what a bad program is
    #[arg(long, value_enum, default_value_t = GoalName::Ratio)]
    goal: GoalName,
    /// Try this many programs, those of the search so far included
    #[arg(long, default_value_t = 100_000, value_parser = count::parse)]
    programs: u64,
    /// Run each program for this many events
    #[arg(long, default_value_t = 10_000, value_parser = count::parse)]
    events: u64,
    /// Set the seed of all random choices
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Do one of several parts of the search, such as 2/8
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Use this many processor cores; the default is all of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Print JSON: an array of objects with kind, script, lines, instructions, bits, bits_per_instruction,
    /// baseline_bits, ratio, fifo_needed_bits, stall_cycles
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GoalName {
    /// Bits, divided by those of the baseline
    Ratio,
    /// Bits per instruction
    BitsPerInstruction,
    /// Cycles in which the core waits for the output buffer
    Stalls,
    /// Bits of the output buffer, if it had no limit
    Buffer,
}

/// A program, for JSON.
#[derive(Serialize)]
struct Found {
    kind: String,
    script: String,
    lines: usize,
    instructions: u64,
    bits: u64,
    bits_per_instruction: f64,
    baseline_bits: u64,
    ratio: f64,
    #[serde(flatten)]
    load: OutputLoad,
}

/// Runs the command.
///
/// # Errors
/// When a design or script is none, or the folder cannot be used.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { design, scripts, changes, output, baseline, goal, .. } = arguments;
    if let Some(jobs) = arguments.jobs {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.into());
        pool.build_global().context("cannot start threads")?;
    }
    let adversary = Adversary {
        design: design::load(design, changes)?,
        baseline: design::load(baseline, &Changes::default())?,
        goal: match goal {
            GoalName::Ratio => Goal::Ratio,
            GoalName::BitsPerInstruction => Goal::BitsPerInstruction,
            GoalName::Stalls => Goal::Stalls,
            GoalName::Buffer => Goal::Buffer,
        },
        events: arguments.events,
        seed: arguments.seed,
        shard: arguments.shard,
    };
    let first: Vec<Script> = scripts.iter().map(script::read).collect::<Result<_>>()?;
    output.claim(&[adversary::STATE])?;
    let progress = progress::bar(arguments.programs, "programs");
    let worst = adversary.search(&first, arguments.programs, output, &progress)?;
    drop(progress);
    let found: Vec<Found> = worst.iter().map(shown).collect();
    for Found { kind, script, .. } in &found {
        let mut file = output.file(format!("{kind}.txt"))?.create()?;
        file.write_all(script.as_bytes())?;
        file.commit()?;
    }
    if arguments.json {
        return print::json(&found);
    }
    let mut table = Table::new(
        &[
            "kind",
            "lines",
            "instructions",
            "bits",
            "bits/instruction",
            "baseline",
            "ratio",
            "FIFO needed",
            "stall cycles",
        ],
        1,
    );
    for one in &found {
        table.add_row([
            one.kind.clone(),
            one.lines.to_string(),
            print::grouped(one.instructions),
            print::grouped(one.bits),
            format!("{:.4}", one.bits_per_instruction),
            print::grouped(one.baseline_bits),
            format!("{:.3}", one.ratio),
            print::grouped(one.load.fifo_needed_bits),
            print::grouped(one.load.stall_cycles),
        ]);
    }
    print::text(table.to_text())
}

fn shown(worst: &Worst) -> Found {
    Found {
        kind: worst.kind.name(),
        script: worst.script.to_string(),
        lines: worst.lines,
        instructions: worst.instructions,
        bits: worst.bits,
        bits_per_instruction: worst.bits_per_instruction(),
        baseline_bits: worst.baseline_bits,
        ratio: worst.ratio(),
        load: worst.load,
    }
}
