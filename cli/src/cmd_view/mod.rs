//! `tracewright view`: tables, listings and graphs of an execution.

mod files;
mod tables;

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;
use tracewright_sim::packet::part::Part;
use tracewright_view::branches::{self, Branches};
use tracewright_view::functions::{FunctionCount, Functions};
use tracewright_view::lines::Lines;
use tracewright_view::loops::{self, Loop};
use tracewright_view::timeline::Timeline;
use tracewright_view::{Error, Views};

use crate::pipeline::encoded::EncodedArguments;
use crate::pipeline::execution;
use crate::pipeline::failure::usage;
use crate::pipeline::gaps::{self, ShownGap};
use crate::pipeline::print;
use crate::pipeline::program_files::{Followed, ProgramArguments};

use files::Files;

/// Show what a program did: functions, loops, branches, calls over time, coverage
#[derive(Args)]
#[command(after_help = "\
Without an option the functions and loops with the most instructions, and the branches, are
printed as tables. A file is written for every option that names one; --loops, --branches and
--functions select tables. Everything is made in one pass over the trace. All figures count
instructions, not time.

If parts of a trace of packets (docs/packets.md) are missing, the gaps are printed, what is known is
shown, and the exit status is 3.

Examples:
  tracewright view run.pet.zst --program prog.elf
  tracewright view run.bits --program prog@0x4000000000 --image libc.so.6@0x4000828000 --loops --top 50
  tracewright view run.pet.zst --program prog.elf --flame-graph flame.svg --perfetto calls.json --lcov run.info
  tracewright view run.pet.zst --program prog.elf --listing run.lst --from 1000000 --count 5000
  tracewright view --ring --design my.toml buffer.bin --program prog.elf --listing - --last 100")]
pub struct Arguments {
    /// A trace or an encoded file; - is a trace on standard input
    #[arg(value_name = "TRACE")]
    trace: PathBuf,
    #[command(flatten)]
    program: ProgramArguments,
    #[command(flatten)]
    encoded: EncodedArguments,
    #[command(flatten)]
    files: Files,
    /// Show the functions with the most instructions
    #[arg(long)]
    functions: bool,
    /// Show the loops with the most instructions
    #[arg(long)]
    loops: bool,
    /// Show how often branches ran and were taken
    #[arg(long)]
    branches: bool,
    /// Set the number of rows of the tables of functions and loops
    #[arg(long, value_name = "ROWS", default_value_t = 20)]
    top: usize,
    /// Print JSON: an object with trace, program, events, instructions, threads, functions (function, address,
    /// instructions, total, entered), loops (function, line, address, end, entries, iterations, instructions),
    /// branches (instructions, classes, bias, targets, exceptions, calls), timeline (written,
    /// left_out; null without --perfetto), files, gaps (those of decode --json)
    #[arg(long)]
    json: bool,
}

/// Calls in a timeline.
#[derive(Serialize)]
struct Calls {
    written: u64,
    /// Calls left out because they are too deep or too short.
    left_out: u64,
}

/// The results that --json prints.
#[derive(Serialize)]
struct Shown {
    trace: String,
    program: String,
    events: u64,
    instructions: u64,
    /// Instructions of each thread.
    threads: Vec<u64>,
    functions: Vec<FunctionCount>,
    loops: Vec<Loop>,
    branches: Branches,
    /// Calls in the timeline, if there is one.
    timeline: Option<Calls>,
    /// Files that were written.
    files: Vec<String>,
    /// Parts of the execution that are not known.
    gaps: Vec<ShownGap>,
}

/// Runs the command.
///
/// # Errors
/// When the trace, the program or an output is bad, or trace and program do not belong together.
pub fn run(arguments: &Arguments) -> Result<()> {
    let program = arguments.program.path();
    let followed = arguments.program.load()?;
    let Followed::Image { image, entry } = &followed else {
        return Err(usage(format!(
            "--program: {} is a trace, expected the ELF file of the program",
            program.display()
        )));
    };
    let mut files = arguments.files.open(program, image)?;
    let entry = entry.unwrap_or(image.entry());
    let mut views = Views::new(image, entry, files.listing.take(), files.timeline.take());
    let mut gaps = Vec::new();
    let take = |part| match part {
        Part::Event(event) => views.event(&event).map_err(|error| explain(arguments, error)),
        Part::State(_) | Part::Time(_) => Ok(()),
        Part::Gap(gap) => {
            gaps.push(ShownGap::new(&gap));
            views.gap(&gap).map_err(|error| explain(arguments, error))
        }
    };
    let Arguments { trace, encoded, .. } = arguments;
    let end = execution::each_part(trace, encoded, &followed, program, take)?;
    let trace = trace.display().to_string();
    let failure = end.packets.and_then(|packets| gaps::failure(&trace, &packets));
    let seen = views.trail(end.trailing_instructions).and_then(|()| views.finish());
    let seen = seen.map_err(|error| explain(arguments, error))?;
    let functions = Functions::new(image, &seen.counts);
    let mut of_functions = functions.counts(&seen);
    let mut hot = loops::loops(image, &seen.counts, &functions, &mut Lines::of_image(image));
    let branches = branches::branches(&seen.counts, seen.matching);
    let (events, counts) = (seen.events, seen.counts.clone());
    let timeline = seen.timeline.as_ref().map(Timeline::calls);
    arguments.files.write(files, seen, image, &functions, &of_functions)?;
    if arguments.files.is_to_stdout() {
        return failure.map_or(Ok(()), Err);
    }
    of_functions.truncate(arguments.top);
    hot.truncate(arguments.top);
    let shown = Shown {
        trace,
        program: program.display().to_string(),
        events,
        instructions: counts.total,
        threads: counts.threads,
        functions: of_functions,
        loops: hot,
        branches,
        timeline: timeline.map(|(written, left_out)| Calls { written, left_out }),
        files: arguments.files.names(),
        gaps,
    };
    match arguments.json {
        true => print::json(&shown)?,
        false => print::text(tables::text(arguments, &shown))?,
    }
    failure.map_or(Ok(()), Err)
}

/// Adds the files to an error of the views.
fn explain(arguments: &Arguments, error: Error) -> anyhow::Error {
    match error {
        Error::Contradiction(contradiction) => anyhow!(contradiction).context(format!(
            "{} and {}",
            arguments.trace.display(),
            arguments.program.path().display()
        )),
        Error::Write(error) => arguments.files.listing_failed(&error),
    }
}
