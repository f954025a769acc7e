//! `tracewright view`: tables, listings and graphs of an execution.

mod files;
mod tables;

use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;
use tracewright_sim::packet::part::Part;
use tracewright_view::branches::{self, Branches};
use tracewright_view::exceptions::ExceptionCount;
use tracewright_view::functions::{FunctionCount, Functions};
use tracewright_view::lines::Lines;
use tracewright_view::loops::{self, Loop};
use tracewright_view::profile::Counts;
use tracewright_view::timeline::Timeline;
use tracewright_view::{ContextCount, Error, OfContext, Views};

use crate::pipeline::encoded::EncodedArguments;
use crate::pipeline::execution::{End, Execution};
use crate::pipeline::gaps::{self, ShownGap};
use crate::pipeline::output::Output;
use crate::pipeline::paths::Input;
use crate::pipeline::print;
use crate::pipeline::program_arguments::ProgramArguments;
use crate::pipeline::programs;

use files::Files;

/// Show what a program did: functions, loops, branches, calls over time, coverage
#[derive(Args)]
#[command(override_usage = "\
tracewright view [OPTIONS] --program <FILE> <TRACE>
       tracewright view [OPTIONS] --images <FILE> <TRACE>")]
#[command(after_help = "\
Without an option the functions and loops with the most instructions, and the branches, are
printed as tables. A file is written for every option that names one; --loops, --branches and
--functions select tables. Everything is made in one pass over the trace. All figures count
instructions, not time.

If parts of a trace of packets (docs/packets.md) are missing, or a trace does not decode from some
place on, the gaps are printed, what is known is shown, and the exit status is 3, or for gaps 0 with
--allow-gaps. If the trace says in which context the execution goes on, calls are shown for each
context, which may have a program of its own.

Examples:
  tracewright view run.pet.zst --program prog.elf
  tracewright view run.bits --program prog@0x4000000000 --image libc.so.6@0x4000828000 --loops --top 50
  tracewright view run.pet.zst --program prog.elf --flame-graph flame.svg --perfetto calls.json --lcov run.info
  tracewright view run.pet.zst --program prog.elf --listing run.lst --from 1000000 --count 5000
  tracewright view run.bits --program kernel.elf --program 3=user.elf --flame-graph flame.svg
  tracewright view --ring --design my.toml buffer.bin --program prog.elf --listing - --last 100")]
pub struct Arguments {
    /// A trace or an encoded file; - is a trace on standard input
    #[arg(value_name = "TRACE")]
    trace: Input,
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
    /// Set the number of rows of the tables of functions and loops, and of the exceptions of --json
    #[arg(long, value_name = "ROWS", default_value_t = 20)]
    top: usize,
    /// Print JSON: an object with trace, program, events, instructions, threads, contexts (context, instructions),
    /// functions (function, address, instructions, total, entered; context if the program is that of one), loops
    /// (function, line, address, end, entries, iterations, instructions), branches (instructions, classes, bias,
    /// targets, exceptions, calls), exceptions (address, function, instruction, or null where there is none, count:
    /// interrupts and what was attempted there and did not retire), timeline (written, left_out; null without
    /// --perfetto), files, gaps (those of decode --json)
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

/// A row of a table.
#[derive(Serialize)]
struct Row<T> {
    #[serde(flatten)]
    row: T,
    /// The context, if it has a program of its own, which this row is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<u64>,
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
    /// Instructions of each context, if the trace has contexts.
    contexts: Vec<ContextCount>,
    functions: Vec<Row<FunctionCount>>,
    loops: Vec<Row<Loop>>,
    branches: Branches,
    /// Places where exceptions came before an instruction retired.
    exceptions: Vec<Row<ExceptionCount>>,
    /// True if some contexts have programs of their own.
    #[serde(skip)]
    has_own_programs: bool,
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
    let contexts = arguments.program.load()?;
    let programs = programs::of_contexts(&contexts, program)?;
    let mut files = arguments.files.open(&programs)?;
    let Arguments { trace, encoded, .. } = arguments;
    let input = Execution::open(trace, encoded, &contexts, program)?;
    let (listing, timeline) = (files.listing.take(), files.timeline.take());
    let mut views = Views::new(&programs, input.has_contexts(), listing, timeline);
    let mut gaps = Vec::new();
    let end = follow(arguments, input, &mut views, &mut gaps)?;
    let path = trace;
    let trace = path.display().to_string();
    let incomplete =
        end.packets.and_then(|packets| gaps::failure(&trace, &packets, encoded.allow_gaps));
    let failure = end.failure.or(incomplete);
    let seen = views.trail(end.trailing_instructions).and_then(|()| views.finish());
    let seen = seen.map_err(|error| explain(arguments, error))?;
    arguments.files.check_listing(path, seen.counts[0].total)?;
    let of_programs: Vec<Functions<'_>> = programs
        .iter()
        .zip(&seen.counts)
        .map(|(program, counts)| Functions::new(&program.image, counts))
        .collect();
    let mut of_functions = FunctionCount::all(&seen);
    let mut hot = hot_loops(&programs, &seen.counts, &of_programs);
    let mut exceptions = exceptions_of(&programs, &seen.counts);
    let branches = branches::branches(&seen.counts, seen.matching);
    let (events, contexts) = (seen.events, seen.contexts.clone());
    let counts = seen.counts[0].clone();
    let timeline = seen.timeline.as_ref().map(Timeline::calls);
    arguments.files.write(files, seen, &programs, &of_programs, &of_functions)?;
    if arguments.files.is_to_stdout() {
        return failure.map_or(Ok(()), Err);
    }
    of_functions.truncate(arguments.top);
    hot.truncate(arguments.top);
    exceptions.truncate(arguments.top);
    let row = |row: FunctionCount| Row { context: programs[row.program].context, row };
    let of_functions = of_functions.into_iter().map(row).collect();
    let shown = Shown {
        trace,
        program: program.display().to_string(),
        events,
        instructions: counts.total,
        threads: counts.threads,
        contexts,
        has_own_programs: programs.len() > 1,
        functions: of_functions,
        loops: hot,
        branches,
        exceptions,
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

/// Passes an execution to the views.
fn follow(
    arguments: &Arguments,
    input: Execution<'_>,
    views: &mut Views<'_, Output, Output>,
    gaps: &mut Vec<ShownGap>,
) -> Result<End> {
    input.each_part(|part| {
        match &part {
            Part::Event(event) => views.event(event),
            Part::State(state) => views.state(state),
            Part::Time(_) | Part::Unverified => Ok(()),
            Part::Gap(gap) => {
                gaps.push(ShownGap::new(gap));
                views.gap(gap)
            }
        }
        .map_err(|error| explain(arguments, error))
    })
}

/// The loops of all programs, the one with the most instructions first.
fn hot_loops(
    programs: &[OfContext],
    counts: &[Counts],
    functions: &[Functions<'_>],
) -> Vec<Row<Loop>> {
    let of_programs = programs.iter().zip(counts).zip(functions);
    let mut hot: Vec<Row<Loop>> = of_programs
        .flat_map(|((program, counts), functions)| {
            let lines = &mut Lines::of_image(&program.image);
            let found = loops::loops(&program.image, counts, functions, lines);
            found.into_iter().map(|row| Row { row, context: program.context })
        })
        .collect();
    hot.sort_by_key(|one| (std::cmp::Reverse(one.row.instructions), one.row.address));
    hot
}

/// The places of exceptions in all programs, the most frequent one first.
fn exceptions_of(programs: &[OfContext], counts: &[Counts]) -> Vec<Row<ExceptionCount>> {
    let of_program = |(program, counts): (&OfContext, &Counts)| {
        let context = program.context;
        ExceptionCount::all(&program.image, counts).into_iter().map(move |row| Row { row, context })
    };
    let mut rows: Vec<_> = programs.iter().zip(counts).flat_map(of_program).collect();
    rows.sort_by_key(|one| (std::cmp::Reverse(one.row.count), one.row.address));
    rows
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
