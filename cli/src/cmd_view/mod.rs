//! `tracewright view`: tables, listings and graphs of an execution.

mod answers;
mod calls_of;
mod difference;
mod files;
mod questions;
mod shown;
mod tables;

use anyhow::{Result, anyhow};
use clap::Args;
use tracewright_sim::packet::part::Part;
use tracewright_view::functions::{FunctionCount, Functions};
use tracewright_view::questions::Asked;
use tracewright_view::{Error, OfContext, Seen, Views, Wanted};

use crate::pipeline::contexts::Contexts;
use crate::pipeline::count;
use crate::pipeline::encoded::EncodedArguments;
use crate::pipeline::execution::{End, Execution};
use crate::pipeline::gaps::{self, ShownGap};
use crate::pipeline::output::Output;
use crate::pipeline::paths::Input;
use crate::pipeline::print;
use crate::pipeline::program_arguments::ProgramArguments;
use crate::pipeline::programs;

use difference::{Base, Pair};
use files::{Files, Open};
use questions::Questions;
use shown::Shown;

/// Show what a program did: functions, loops, branches, calls over time, coverage
#[derive(Args)]
#[command(override_usage = "\
tracewright view [OPTIONS] --program <FILE> <TRACE>
       tracewright view [OPTIONS] --images <FILE> <TRACE>")]
#[command(after_help = "\
Without an option the functions and loops with the most instructions, and the branches, are
printed as tables. A file is written for every option that names one; --loops, --branches,
--functions and --calls-of select tables. Everything is made in one pass over the trace. All figures count
instructions, not time.

If parts of a trace of packets (docs/packets.md) or of a ring are missing, or a trace does not decode
from some place on, the gaps are printed, what is known is shown, and the exit status is 3, or for gaps 0 with
--allow-gaps. If the trace says in which context the execution goes on, calls are shown for each
context, which may have a program of its own.

Examples:
  tracewright view run.pet.zst --program prog.elf
  tracewright view run.bits --program prog@0x4000000000 --image libc.so.6@0x4000828000 --loops --top 50
  tracewright view run.pet.zst --program prog.elf --flame-graph flame.svg --perfetto calls.json --lcov run.info
  tracewright view run.pet.zst --program prog.elf --listing run.lst --from 1000000 --count 5000
  tracewright view run.pet.zst --program prog.elf --calls-of memcpy
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
    #[command(flatten)]
    questions: Questions,
    /// Compare with the TRACE an earlier run of the program, whose trace is the value: where threads part, and what each
    /// did more often; --folded and --flame-graph show the difference
    #[arg(long, value_name = "FIRST")]
    diff: Option<Input>,
    /// Show the functions with the most instructions
    #[arg(long)]
    functions: bool,
    /// Show the loops with the most instructions
    #[arg(long)]
    loops: bool,
    /// Show how often branches ran and were taken
    #[arg(long)]
    branches: bool,
    /// Show who calls this function, how often and from where; can be repeated
    #[arg(long, value_name = "FUNCTION")]
    calls_of: Vec<String>,
    /// Set the number of rows of the tables of functions, loops and callers, and of the exceptions of --json
    #[arg(long, value_name = "ROWS", default_value_t = 20, value_parser = count::at_least::<usize>(0))]
    top: usize,
    /// Print JSON: an object with trace, program, events, instructions, threads, contexts (context, instructions),
    /// functions (function, address, instructions, total, entered; context if the program is that of one), loops
    /// (function, line, address, end, entries, iterations, instructions), branches (instructions, classes, bias,
    /// targets, exceptions, calls), exceptions (address, function, instruction, or null where there is none, count:
    /// interrupts and what was attempted there and did not retire), timeline (written, left_out; null without
    /// --perfetto), calls_of (function, caller, address, line, way, count,
    /// instructions), files, answers (question and its results, docs/views.md), gaps (those of decode --json)
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// True if more is asked for on standard output than the summary.
    fn shows_tables(&self) -> bool {
        self.json || self.functions || self.loops || self.branches || !self.calls_of.is_empty()
    }
}

/// Runs the command.
///
/// # Errors
/// When the trace, the program or an output is bad, or trace and program do not belong together.
pub fn run(arguments: &Arguments) -> Result<()> {
    let contexts = arguments.program.load()?;
    let programs = programs::of_contexts(&contexts, arguments.program.path())?;
    let plan = arguments.questions.plan(arguments.files.last()?, &programs, arguments.top)?;
    arguments.files.check_stdout(arguments.shows_tables() || plan.is_some())?;
    let mut files = arguments.files.open(&programs)?;
    let asked = plan.as_ref().map(questions::Plan::asked);
    let (passed, base) = passes(arguments, &contexts, &programs, &mut files, asked)?;
    let Passed { mut seen, gaps, failure } = passed;
    let (base, failure_of_base) = base.map(|base| (base.compared, base.failure)).unzip();
    arguments.files.check_listing(&arguments.trace, seen.counts[0].total)?;
    let functions: Vec<Functions<'_>> = programs
        .iter()
        .zip(&seen.counts)
        .map(|(program, counts)| Functions::new(&program.image, counts))
        .collect();
    let order = FunctionCount::all(&seen);
    let mut shown = Shown::new(arguments, &programs, &functions, &order, &seen);
    shown.gaps = gaps;
    shown.calls_of = calls_of::find(arguments, &programs, &seen)?;
    if let (Some(plan), Some(answers)) = (plan, seen.answers.take()) {
        shown.answers = plan.answers(answers, &seen.names, &programs)?;
    }
    let base = arguments.diff.as_ref().zip(base.as_ref());
    shown.difference = base.map(|base| difference::shown(base, &seen, &programs, arguments.top));
    let earlier = base.map(|(_, base)| &base.seen);
    arguments.files.write(files, (seen, earlier), &programs, &functions, &order)?;
    if !arguments.files.is_to_stdout() {
        match arguments.json {
            true => print::json(&shown)?,
            false => print::text(tables::text(arguments, &shown))?,
        }
    }
    failure.or(failure_of_base.flatten()).map_or(Ok(()), Err)
}

/// What a pass over the execution has found.
struct Passed {
    seen: Seen<Output, Output>,
    gaps: Vec<ShownGap>,
    /// The error with which the command ends after it has shown what is known.
    failure: Option<anyhow::Error>,
}

/// Makes the views, and those of the run of --diff.
fn passes(
    arguments: &Arguments,
    contexts: &Contexts,
    programs: &[OfContext],
    files: &mut Open<'_>,
    asked: Option<Asked>,
) -> Result<(Passed, Option<Base>)> {
    let Some(diff) = &arguments.diff else {
        return Ok((pass(arguments, contexts, programs, files, asked, None)?, None));
    };
    let (passed, base) = difference::beside(arguments, (diff, contexts), programs, |pair| {
        pass(arguments, contexts, programs, files, asked, Some(pair))
    })?;
    Ok((passed, Some(base)))
}

/// Makes the views.
fn pass(
    arguments: &Arguments,
    contexts: &Contexts,
    programs: &[OfContext],
    files: &mut Open<'_>,
    asked: Option<Asked>,
    pair: Option<&mut Pair>,
) -> Result<Passed> {
    let Arguments { trace, program, encoded, .. } = arguments;
    let input = Execution::open(trace, encoded, contexts, program.path())?;
    let (listing, timeline) = (files.listing.take(), files.timeline.take());
    let wanted = Wanted { graph: !arguments.calls_of.is_empty(), ..Wanted::default() };
    let mut views = Views::new(programs, input.has_contexts(), listing, timeline).only(wanted);
    if let Some(asked) = asked {
        views.ask(asked);
    }
    let mut gaps = Vec::new();
    let end = follow(arguments, input, &mut views, &mut gaps, pair)?;
    let trace = trace.display().to_string();
    let incomplete =
        end.packets.and_then(|packets| gaps::failure(&trace, &packets, encoded.allow_gaps));
    let failure = end.failure.or(incomplete);
    let seen = views.trail(end.trailing_instructions).and_then(|()| views.finish());
    let seen = seen.map_err(|error| explain(arguments, &arguments.trace, error))?;
    Ok(Passed { seen, gaps, failure })
}

/// Passes an execution to the views.
fn follow(
    arguments: &Arguments,
    input: Execution<'_>,
    views: &mut Views<'_, Output, Output>,
    gaps: &mut Vec<ShownGap>,
    mut pair: Option<&mut Pair>,
) -> Result<End> {
    input.each_part(|part| {
        match &part {
            Part::Event(event) => {
                if let Some(pair) = &mut pair {
                    pair.event(event);
                }
                views.event(event)
            }
            Part::State(state) => views.state(state),
            Part::Time(_) | Part::Unverified => Ok(()),
            Part::Gap(gap) => {
                gaps.push(ShownGap::new(gap));
                views.gap(gap)
            }
        }
        .map_err(|error| explain(arguments, &arguments.trace, error))
    })
}

/// Adds the files to an error of the views.
fn explain(arguments: &Arguments, trace: &Input, error: Error) -> anyhow::Error {
    match error {
        Error::Contradiction(contradiction) => anyhow!(contradiction).context(format!(
            "{} and {}",
            trace.display(),
            arguments.program.path().display()
        )),
        Error::Write(error) => arguments.files.listing_failed(&error),
    }
}
